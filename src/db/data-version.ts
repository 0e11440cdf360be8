import { atEndOfTurn, countersOf } from './counters.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'

/**
 * What something that is kept in memory was read from. `accounts` is everything but flights: users, roles, keys,
 * preferences, definitions, shares.
 */
export type DataPart = 'flights' | 'accounts' | 'reference' | 'everything'

/** What a write may say that it is of. `unkept` is what nobody keeps: when a credential was used, what was done by whom. */
type WrittenPart = 'flights' | 'unkept'

/** Equal as long as nothing of a part was written; undefined inside a transaction that may write it and be undone. */
export type DataVersion = number | undefined

const REFERENCE_WRITES = 'reference_generation'

/** The versions of the data behind a connection, the same for everybody on it. */
export const dataVersion = perConnection(watch)

/**
 * A write that says of which part it is leaves the others as they are. Any other one, and every commit of another
 * process, may have been of anything, except of reference data: who writes that counts it in the database.
 */
function watch(db: Db) {
  const client = db.$client
  const { own: changedRows, others: foreignCommits, serves } = countersOf(db)
  // The highest ids tell of rows that were put in by hand, which nobody counts.
  const referenceWrites = client
    .prepare(
      `select coalesce((select value from settings where key = ?), '0') || '/' || coalesce((select max(id) from airports), 0)
         || '/' || coalesce((select max(id) from airlines), 0) || '/' || coalesce((select max(id) from aircraft), 0)`,
    )
    .pluck()
  const countReferenceWrite = client.prepare(
    `insert into settings (key, value) values (?, '1') on conflict (key) do update set value = cast(cast(settings.value as integer) + 1 as text)`,
  )
  const referenceState = () => referenceWrites.get(REFERENCE_WRITES) as string
  const versions = { flights: 0, accounts: 0, reference: 0, unkept: 0 }
  /** Rows changed by writes that said of which part they are. */
  let declaredRows = 0
  let writing: WrittenPart | undefined
  let otherRows = changedRows.get()
  let commits = foreignCommits.get()
  let seenCommits = commits
  let polledAt = serves === 'turn' ? Number.NEGATIVE_INFINITY : performance.now()
  let reference = referenceState()

  const pollNow = () => {
    polledAt = Number.NEGATIVE_INFINITY
  }

  function pollOncePerTurn(): void {
    if (polledAt === Number.POSITIVE_INFINITY) return
    commits = foreignCommits.get()
    polledAt = Number.POSITIVE_INFINITY
    atEndOfTurn(pollNow)
  }

  function pollAfter(ms: number): void {
    const now = performance.now()
    if (now - polledAt < ms) return
    commits = foreignCommits.get()
    polledAt = now
  }

  const pollCommits = serves === 'turn' ? pollOncePerTurn : () => pollAfter(serves)

  function look(): void {
    const rows = changedRows.get() - declaredRows
    pollCommits()
    if (rows === otherRows && commits === seenCommits) return
    otherRows = rows
    seenCommits = commits
    versions.flights++
    versions.accounts++
    const now = referenceState()
    if (now === reference) return
    reference = now
    versions.reference++
  }

  function of(part: DataPart): DataVersion {
    if (!client.inTransaction) look()
    else if (writing === undefined || part === writing || part === 'everything') return undefined
    return part === 'everything' ? versions.flights + versions.accounts : versions[part]
  }

  /** Runs a transaction that writes this part and nothing else. One of flights drops each from the cache of their JSON. */
  function write<Result>(part: WrittenPart, work: () => Result): Result {
    if (client.inTransaction) return work()
    look()
    const before = changedRows.get()
    writing = part
    try {
      return work()
    } finally {
      writing = undefined
      declaredRows += changedRows.get() - before
      versions[part]++
    }
  }

  return {
    of,
    write,
    /** For another connection of this process that has committed: its writes are seen from here on at once. */
    pollNow,
    /** Differs after each write to reference data, also inside a transaction. */
    referenceState,
    /** Part of every transaction that writes reference data. */
    countReferenceWrite: () => countReferenceWrite.run(REFERENCE_WRITES),
  }
}
