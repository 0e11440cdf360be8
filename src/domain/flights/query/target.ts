import type { Caller } from '../../../access/caller.ts'
import { AppError } from '../../../lib/errors.ts'
import { english } from '../../../messages/english.ts'

export type Target = { userId: string } | 'all'

/** Days of departure, both inclusive; null leaves an end open. */
export interface Period {
  from: string | null
  to: string | null
  /** Only the flights of one of the user's trips. */
  tripId?: number | null
}

/** Every day sorts between the default ends. */
export const openEnded = ({ from, to }: Period) => ({ from: from ?? '0000', to: to ?? '~' })

interface Choice {
  scope?: unknown
  userId?: unknown
}

/** `user` with the caller's own id counts as `mine`. */
export function concernsOthers(caller: Caller | undefined, { scope, userId }: Choice): boolean {
  return scope === 'all' || (scope === 'user' && userId !== caller?.userId)
}

/** Trips are personal (contract 17.2). */
export function requireOwnTrips(caller: Caller, query: Choice & { tripId?: unknown }): void {
  if (query.tripId === undefined || !concernsOthers(caller, query)) return
  const message = english.filter.ownOnly
  throw new AppError('bad_request', english.input.queryNotValid, {
    details: [{ code: 'custom', path: ['tripId'], message }],
  })
}

/** In the legacy API `user` never counts as `mine` (contract 6.1). */
export const legacyConcernsOthers = ({ scope }: Choice): boolean => scope === 'all' || scope === 'user'

export function targetOf(caller: Caller, { scope, userId }: Choice): Target {
  if (scope === 'all') return 'all'
  return { userId: scope === 'user' ? String(userId) : caller.userId }
}
