import { createHash, hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonContent } from '../../contract/answer.ts'
import type { Precondition } from '../../contract/operation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import { oneRecord } from './json-answer.ts'

/** A strong ETag: a hash of the bytes of the body. */
export function etagOf(body: JsonContent): string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return `"${hash('sha1', body, 'base64url')}"`
  const digest = createHash('sha1')
  for (const part of body as readonly Buffer[]) digest.update(part)
  return `"${digest.digest('base64url')}"`
}

const isAny = (listed: string) => listed.trim() === '*'

/** A tag contains no quotes inside its quotes, so a substring match is exact. */
export const isListed = (listed: string | undefined, tag: string) =>
  listed !== undefined && (isAny(listed) || listed.includes(tag))

/** Strong comparison: weak tags never match. */
const listsStrongly = (listed: string, tag: string) => isListed(listed.replaceAll(`W/${tag}`, ''), tag)

/** The ETag of the response with one record. */
export const recordTag = (record: JsonContent): string => etagOf(oneRecord(record))

/** The check of `If-Match` before a write. */
export function preconditionOf({ headers }: FastifyRequest): Precondition | undefined {
  const listed = headers['if-match']
  if (listed === undefined) return undefined
  return (present) => {
    if (!listsStrongly(listed, recordTag(present))) throw preconditionFailed()
  }
}

/** The same for a form, whose tag is null if it is not from our page. */
export function formPrecondition(tag: string | null): Precondition | undefined {
  if (tag === null) return undefined
  return (present) => {
    if (recordTag(present) !== tag) throw preconditionFailed()
  }
}

/** Sets the headers of a tagged read; true if `If-None-Match` lists the tag. */
export function isNotModified({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const others = reply.getHeader('vary')
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  reply.header('vary', others === undefined ? 'Authorization' : `${others}, Authorization`)
  return isListed(headers['if-none-match'], tag)
}
