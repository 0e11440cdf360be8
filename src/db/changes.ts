import type { Db } from './open.ts'

export type ChangeMarks = ReturnType<typeof marksOf>

const known = new WeakMap<Db, ChangeMarks>()

/** Cheap marks that tell whether something read earlier may still be used; one set for each connection. */
export function changeMarks(db: Db): ChangeMarks {
  const marks = known.get(db) ?? marksOf(db)
  known.set(db, marks)
  return marks
}

function marksOf(db: Db) {
  const client = db.$client
  const own = client.prepare('select total_changes()').pluck()
  const version = client.prepare('pragma data_version').pluck()
  let unfinished = 0
  let foreignNow: number | undefined
  let ofLog = 0
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

  const mark = (known: number) =>
    // What a transaction reads may be undone, so nothing read inside one is ever used again.
    client.inTransaction ? `unfinished ${++unfinished}` : `${(own.get() as number) - known}/${foreign()}`

  return {
    foreign,
    /** Differs after any row was written, by this process or another one. */
    any: () => mark(0),
    /** The same, except for writes that said of themselves that they concern flights alone. */
    besideFlights: () => mark(ofLog),
    /** Runs a write of flights and of what belongs to them; accounts, credentials and definitions stay as they are. */
    writeFlights<Result>(work: () => Result): Result {
      const before = own.get() as number
      try {
        return work()
      } finally {
        ofLog += (own.get() as number) - before
      }
    },
  }
}
