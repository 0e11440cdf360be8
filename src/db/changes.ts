import { flightChanges } from './flight-changes.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'

/**
 * Asking whether another process wrote takes two locks of the write-ahead log, so one look serves everything within
 * this time: a command of ours needs longer than that to end and to be heard of.
 */
export const ONE_LOOK_MS = 1

/** Cheap marks that tell whether something read earlier may still be used; one set for each connection. */
export const changeMarks = perConnection(marksOf)

function marksOf(db: Db) {
  const client = db.$client
  const { besideFlights } = flightChanges(db)
  const changes = client.prepare('select total_changes()').pluck()
  const own = () => changes.get()
  const version = client.prepare('pragma data_version').pluck()
  let unfinished = 0
  let known = version.get() as number
  let lookedAt = performance.now()

  /** Differs after another process committed something. */
  function foreign(): number {
    const now = performance.now()
    if (now - lookedAt >= ONE_LOOK_MS) {
      known = version.get() as number
      lookedAt = now
    }
    return known
  }

  const mark = (changes: () => unknown) =>
    // What a transaction reads may be undone, so nothing read inside one is ever used again.
    client.inTransaction ? `unfinished ${++unfinished}` : `${changes()}/${foreign()}`

  return {
    foreign,
    /** Differs after any row was written, by this process or another one. */
    any: () => mark(own),
    /** The same, except for flights that this process wrote and named: accounts and definitions are what they were. */
    besideFlights: () => mark(besideFlights),
  }
}
