import type { FastifyRequest } from 'fastify'
import { systemClock } from '../../../lib/clock.ts'
import { digestText } from '../../../lib/secret.ts'
import { isOwnForm } from './csrf.ts'
import type { PageOptions } from './options.ts'
import { cookieOf, csrfCookie } from './session.ts'

/** Bodies of requests without a session are limited to this size. */
export const MAX_DRAFT_BYTES = 64 * 1024
const MAX_TOTAL_BYTES = 2 * 1024 * 1024
const TTL_MS = 3_600_000
const MAX_PER_MINUTE = 10

export type FormDrafts = ReturnType<typeof formDrafts>

type Options = Pick<PageOptions, 'memory' | 'addressOf' | 'now'>

/** Keeps a form that was sent after the session expired, so that it can be shown again after the sign-in. */
export function formDrafts({ memory, addressOf, now: given }: Options) {
  const now = given ?? systemClock
  const drafts = memory.store<{ page: string; text: string; until: number }>('form drafts', {
    maxBytes: MAX_TOTAL_BYTES,
    maxEntries: 1000,
    sizeOf: ({ page, text }) => 300 + 2 * (page.length + text.length),
    ttlMs: TTL_MS,
  })
  const limiter = memory.limiter('form drafts', { limit: MAX_PER_MINUTE, windowMs: 60_000, capacity: 1000, now: given })
  const keyOf = (request: FastifyRequest) => digestText(cookieOf(request, 'csrf') ?? '')

  return {
    /** Returns the page to open after the sign-in. */
    save(request: FastifyRequest, page: string, form: URLSearchParams): string {
      if (!isOwnForm(request) || limiter.take(addressOf(request)) > 0) return page
      const typed = new URLSearchParams(form)
      typed.delete('csrf')
      drafts.set(digestText(csrfCookie(request)), { page, text: typed.toString(), until: now() + TTL_MS })
      return `${page}?kept=1`
    },
    /** Undefined if another user has signed in meanwhile. */
    find(request: FastifyRequest, page: string, userId: string): URLSearchParams | undefined {
      const found = drafts.get(keyOf(request))
      if (!found || found.page !== page || found.until < now()) return undefined
      const form = new URLSearchParams(found.text)
      return (form.get('author') ?? userId) === userId ? form : undefined
    },
    remove: (request: FastifyRequest): void => drafts.delete(keyOf(request)),
  }
}
