import { flightChanges } from './flight-changes.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'

/** Cheap marks that tell whether something read earlier may still be used; one set for each connection. */
export const changeMarks = perConnection(marksOf)

function marksOf(db: Db) {
  const client = db.$client
  const { besideFlights } = flightChanges(db)
  const changes = client.prepare('select total_changes()').pluck()
  const own = () => changes.get()
  const version = client.prepare('pragma data_version').pluck()
  let unfinished = 0
  let foreignNow: number | undefined
  const forget = () => {
    foreignNow = undefined
  }

  /**
   * Differs after another process committed something. Asking takes a lock of the write-ahead log, so one answer
   * serves everything that runs before the next turn.
   */
  function foreign(): number {
    if (foreignNow === undefined) {
      foreignNow = version.get() as number
      queueMicrotask(forget)
    }
    return foreignNow
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
