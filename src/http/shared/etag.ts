import { createHash, hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { JsonContent } from '../../contract/answer.ts'
import type { Precondition } from '../../contract/operation.ts'
import { preconditionFailed } from '../../lib/errors.ts'
import { oneRecord } from './json-answer.ts'

export function etagOf(body: JsonContent): string {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return `"${hash('sha1', body, 'base64url')}"`
  const digest = createHash('sha1')
  for (const part of body as readonly Buffer[]) digest.update(part)
  return `"${digest.digest('base64url')}"`
}

/** A tag contains no quotes inside its quotes, so a substring match is exact. */
export const isListed = (listed: string | undefined, tag: string) =>
  listed !== undefined && (listed.trim() === '*' || listed.includes(tag))

export const recordTag = (record: JsonContent): string => etagOf(oneRecord(record))

const requireTag =
  (matches: (tag: string) => boolean): Precondition =>
  (present) => {
    if (!matches(recordTag(present))) throw preconditionFailed()
  }

/** Strong comparison: weak tags never match. */
export function preconditionOf({ headers }: FastifyRequest): Precondition | undefined {
  const listed = headers['if-match']
  return listed === undefined ? undefined : requireTag((tag) => isListed(listed.replaceAll(`W/${tag}`, ''), tag))
}

/** The tag is null if the form is not from our page. */
export const formPrecondition = (sent: string | null): Precondition | undefined =>
  sent === null ? undefined : requireTag((tag) => tag === sent)

export function isNotModified({ headers }: FastifyRequest, reply: FastifyReply, tag: string): boolean {
  const others = reply.getHeader('vary')
  reply.header('etag', tag).header('cache-control', 'private, no-cache')
  reply.header('vary', others === undefined ? 'Authorization' : `${others}, Authorization`)
  return isListed(headers['if-none-match'], tag)
}
