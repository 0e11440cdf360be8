import type { FastifyRequest } from 'fastify'
import type { MemoryService } from '../../domain/memory/service.ts'
import { type Clock, systemClock } from '../../lib/clock.ts'
import { digestText } from '../../lib/secret.ts'
import { isOwnForm } from './csrf.ts'
import { cookieOf, csrfCookie } from './session.ts'

/** As much as a sign-in form may have: nobody who is not signed in gets more of it read. */
export const MOST_KEPT_BYTES = 64 * 1024
const ALL_KEPT_BYTES = 2 * 1024 * 1024
const KEPT_MS = 3_600_000
const PER_MINUTE = 10

interface Kept {
  page: string
  text: string
  until: number
}

export type KeptForms = ReturnType<typeof keptForms>

interface Options {
  memory: MemoryService
  addressOf: (request: FastifyRequest) => string
  now?: Clock | undefined
}

/**
 * What somebody typed whose session ended meanwhile, kept for the browser that sent it until it signs in again.
 * It comes back as a form that still has to be saved.
 */
export function keptForms({ memory, addressOf, now: given }: Options) {
  const now = given ?? systemClock
  const kept = memory.store<Kept>('kept forms', {
    maxBytes: ALL_KEPT_BYTES,
    maxEntries: 1000,
    sizeOf: ({ page, text }) => 300 + 2 * (page.length + text.length),
    ttlMs: KEPT_MS,
  })
  const limiter = memory.limiter('kept forms', { limit: PER_MINUTE, windowMs: 60_000, capacity: 1000, now: given })
  const keyOf = (request: FastifyRequest) => digestText(cookieOf(request, 'csrf') ?? '')

  return {
    /** Where to go after signing in: to the page with what was typed, or without it. */
    leave(request: FastifyRequest, page: string, form: URLSearchParams): string {
      if (!isOwnForm(request) || limiter.take(addressOf(request)) > 0) return page
      const typed = new URLSearchParams(form)
      typed.delete('csrf')
      kept.set(digestText(csrfCookie(request)), { page, text: typed.toString(), until: now() + KEPT_MS })
      return `${page}?kept=1`
    },
    /** For the person who typed it alone, should somebody else sign in. */
    of(request: FastifyRequest, page: string, userId: string): URLSearchParams | undefined {
      const found = kept.get(keyOf(request))
      if (!found || found.page !== page || found.until < now()) return undefined
      const form = new URLSearchParams(found.text)
      return (form.get('author') ?? userId) === userId ? form : undefined
    },
    forget: (request: FastifyRequest): void => kept.delete(keyOf(request)),
  }
}
