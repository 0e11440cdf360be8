import type { activityStore } from './store.ts'

const MAX_ENTRIES = 200_000
/** Beyond this, a user's new entries replace their own oldest ones (contract 16.13). */
const MAX_ENTRIES_PER_USER = 10_000
/** Entries of an actor that are added before they are counted. */
const STEP = 100
/** Removed in one write. More than `STEP`, so that the excess shrinks. */
const MAX_REMOVED = 2 * STEP
/** Entries added before all are counted again: other processes write too, and a transaction may be undone. */
const RECOUNT_AFTER = 2_000

type Store = Pick<ReturnType<typeof activityStore>, 'total' | 'countOf' | 'largest' | 'removeOldestOf' | 'removeOldest'>

/** Limits the number of entries per user and in total. Counts are cached, since counting takes milliseconds. */
export function activityBounds(store: Store) {
  /** Entries of each actor since they were last counted; an actor who is not in it was never counted. */
  const added = new Map<string | null, number>()
  let total: number | undefined
  let sinceCounted = 0

  /** Leaves room for the entries until the next count. */
  function trim(actorId: string | null, limit = MAX_REMOVED): number {
    const excess = store.countOf(actorId) - (MAX_ENTRIES_PER_USER - STEP)
    return excess > 0 ? store.removeOldestOf(actorId, Math.min(excess, limit)) : 0
  }

  /** To be called with each new entry, in its transaction; `undefined` for the operator, who is not limited. */
  function entryAdded(actorId: string | null | undefined): void {
    total = total === undefined || sinceCounted >= RECOUNT_AFTER ? store.total() : total + 1
    sinceCounted = sinceCounted >= RECOUNT_AFTER ? 0 : sinceCounted + 1
    if (actorId !== undefined) {
      const more = (added.get(actorId) ?? STEP - 1) + 1
      added.set(actorId, more >= STEP ? 0 : more)
      if (more >= STEP) total -= trim(actorId)
    }
    if (total > MAX_ENTRIES) total -= store.removeOldest(Math.min(total - MAX_ENTRIES + STEP, MAX_REMOVED))
  }

  /** Removes part of the excess of the user with the most entries, and of entries without an actor. */
  function removeExcess(limit: number): void {
    for (const actorId of [...store.largest(MAX_ENTRIES_PER_USER, 1), null]) trim(actorId, limit)
    total = undefined
  }

  return { entryAdded, removeExcess }
}
