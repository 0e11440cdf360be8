import type { Caller } from '../../access/caller.ts'

/** Whose flights: those of one user, or everybody's. */
export type Target = { userId: string } | 'all'

/** Days of departure, both inclusive; null leaves an end open. */
export interface Period {
  from: string | null
  to: string | null
}

/** The ends of a period as values that every day lies between. */
export const openEnded = ({ from, to }: Period) => ({ from: from ?? '0000', to: to ?? '~' })

interface Choice {
  scope?: unknown
  userId?: unknown
}

/** `mine`, and `user` with one's own id, are one's own flights; everything else is somebody else's. */
export function concernsOthers(caller: Caller | undefined, { scope, userId }: Choice): boolean {
  return scope === 'all' || (scope === 'user' && userId !== caller?.userId)
}

/** The legacy API takes `user` for somebody else whatever the id is (contract 6.1). */
export const legacyConcernsOthers = ({ scope }: Choice): boolean => scope === 'all' || scope === 'user'

export function targetOf(caller: Caller, { scope, userId }: Choice): Target {
  if (scope === 'all') return 'all'
  return { userId: scope === 'user' ? String(userId) : caller.userId }
}
