import type { Caller } from '../../../access/caller.ts'

export type Target = { userId: string } | 'all'

/** Days of departure, both inclusive; null leaves an end open. */
export interface Period {
  from: string | null
  to: string | null
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

/** In the legacy API `user` never counts as `mine` (contract 6.1). */
export const legacyConcernsOthers = ({ scope }: Choice): boolean => scope === 'all' || scope === 'user'

export function targetOf(caller: Caller, { scope, userId }: Choice): Target {
  if (scope === 'all') return 'all'
  return { userId: scope === 'user' ? String(userId) : caller.userId }
}
