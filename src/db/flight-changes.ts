import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'

/** Flights are watched in blocks of so many neighbouring ids. */
export const BLOCK = 512

export const blockOf = (id: number) => Math.floor(id / BLOCK)

/**
 * Tells which flights were written, so that what was read of all others, and of everything else, still holds. Only
 * writes that name their flights are known so well; after any other one everything counts as written.
 */
export const flightChanges = perConnection(watch)

function watch(db: Db) {
  const client = db.$client
  const total = client.prepare('select total_changes()').pluck()
  const version = client.prepare('pragma data_version').pluck()
  const inOneState = client.transaction((read: () => unknown) => read()).deferred
  const lastWrite = new Map<number, number>()
  let writes = 0
  let ofFlights = 0
  const besideFlights = () => (total.get() as number) - ofFlights
  const stateOfOthers = () => `${besideFlights()}/${version.get()}`
  let others = stateOfOthers()
  let otherWrite = 0

  function lookAtOthers(): void {
    const now = stateOfOthers()
    if (now === others) return
    others = now
    otherWrite = ++writes
    lastWrite.clear()
  }

  return {
    /** Runs a write of flights and of what belongs to them, which names each of them by `written`. */
    write<Result>(work: () => Result): Result {
      const [before, named] = [total.get() as number, writes]
      try {
        return work()
      } finally {
        // A write that names no flight may have been of anything.
        if (writes > named) ofFlights += (total.get() as number) - before
      }
    },
    written(id: number): void {
      lastWrite.set(blockOf(id), ++writes)
    },
    /** Differs after this process wrote anything but flights. */
    besideFlights,
    /** Stands for this moment: what is read afterwards is at least as new. */
    mark(): number {
      lookAtOthers()
      return writes
    },
    /** The blocks with flights that were written since, or undefined where any flight may have been. */
    since(mark: number): number[] | undefined {
      lookAtOthers()
      if (otherWrite > mark) return undefined
      return [...lastWrite].flatMap(([block, write]) => (write > mark ? [block] : []))
    },
    /** Everything in here sees one and the same state of the database. */
    snapshot<Result>(read: () => Result): Result {
      // A write that is not committed may be undone, and nobody would be told.
      if (client.inTransaction) throw new Error('A snapshot cannot be taken inside a transaction.')
      return inOneState(read) as Result
    },
  }
}
