import { createHash, hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonContent } from '../../contract/answer.ts'
import type { Precondition } from '../../contract/operation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import { oneRecord } from './json-answer.ts'

/** The tag of a body: its bytes alone, so that whoever has the tag has the body. */
export function etagOf(body: JsonContent): string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return `"${hash('sha1', body, 'base64url')}"`
  const digest = createHash('sha1')
  for (const part of body as readonly Buffer[]) digest.update(part)
  return `"${digest.digest('base64url')}"`
}

const isAny = (listed: string) => listed.trim() === '*'

/** Between its quotes a tag has no quotes, so that it is found whole or not at all. */
export const isListed = (listed: string | undefined, tag: string) =>
  listed !== undefined && (isAny(listed) || listed.includes(tag))

/** The same where a weak tag, of a body that merely means the same, counts for nothing. */
const listsStrongly = (listed: string, tag: string) => isListed(listed.replaceAll(`W/${tag}`, ''), tag)

/** The tag of the answer that holds a record. */
export const recordTag = (record: JsonContent): string => etagOf(oneRecord(record))

/** What `If-Match` asks for before a write, or undefined. */
export function preconditionOf({ headers }: FastifyRequest): Precondition | undefined {
  const listed = headers['if-match']
  if (listed === undefined) return undefined
  return (present) => {
    if (!listsStrongly(listed, recordTag(present))) throw preconditionFailed()
  }
}

/** The same for a form, which has one tag or, when it is not from our page, none. */
export function formPrecondition(tag: string | null): Precondition | undefined {
  if (tag === null) return undefined
  return (present) => {
    if (recordTag(present) !== tag) throw preconditionFailed()
  }
}

/** Gives the answer to a read its tag; true when the client says that it has this very body. */
export function isNotModified({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const others = reply.getHeader('vary')
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  reply.header('vary', others === undefined ? 'Authorization' : `${others}, Authorization`)
  return isListed(headers['if-none-match'], tag)
}
