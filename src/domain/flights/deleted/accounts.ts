import type { Db } from '../../../db/open.ts'
import { deletedFlightStore } from './store.ts'

const BATCH_SIZE = 100

/** Deleted flights when an account is deleted (contract 17.4). Expired ones count too. */
export function deletedFlightsOfAccount(db: Db) {
  const store = deletedFlightStore(db)
  const seqsOf = (userId: string, before: number, limit: number) =>
    store.page({ userId, before, since: -1, limit }).map(({ seq }) => seq)

  /** Inside a transaction. Purges flights without another user, as for flights that are not deleted. */
  function removeUser(userId: string): void {
    for (let before = Number.MAX_SAFE_INTEGER; ; ) {
      const seqs = seqsOf(userId, before, BATCH_SIZE)
      if (seqs.length === 0) return
      const purged: number[] = []
      for (const { seq, content } of store.read(seqs)) {
        const passengers = content.passengers.filter((passenger) => passenger.userId !== userId)
        if (passengers.every((passenger) => passenger.userId === null)) purged.push(seq)
        else store.setContent(seq, { ...content, passengers })
      }
      if (purged.length > 0) store.purge(purged)
      if (seqs.length < BATCH_SIZE) return
      before = seqs.at(-1)!
    }
  }

  return {
    removeUser,
    hasAtLeast: (userId: string, count: number): boolean =>
      seqsOf(userId, Number.MAX_SAFE_INTEGER, count).length === count,
  }
}
