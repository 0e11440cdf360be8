import type { Db } from './connection.ts'
import { atEndOfTurn, countersOf } from './counters.ts'
import { perConnection } from './per-connection.ts'

/** What the values of a cache are read from. */
export type DataPart = 'flights' | 'accounts' | 'credentials' | 'reference' | 'everything'

/**
 * What a transaction writes. `accounts` is users, roles, preferences, custom fields and shares, of which flights show
 * names and definitions; `credentials` is sessions, keys, applications and tokens; `uncached` is rows that no cache holds.
 */
export type WrittenPart = 'flights' | 'accounts' | 'credentials' | 'reference' | 'uncached'

type Version = Exclude<DataPart, 'everything'>

/** The versions that a write changes. That of reference data changes only if rows did. */
const affectedBy: Record<WrittenPart, readonly Version[]> = {
  flights: ['flights'],
  credentials: ['credentials'],
  accounts: ['flights', 'accounts', 'credentials'],
  reference: ['flights', 'accounts', 'credentials', 'reference'],
  uncached: [],
}

/** Equal as long as nothing of a part was written; undefined inside a transaction that may write it and be undone. */
export type DataVersion = number | undefined

const REFERENCE_WRITES = 'reference_generation'

/** The versions of the data behind a connection, shared by everything that uses the connection. */
export const dataVersion = perConnection(watch)

/**
 * A write of this connection names its part. A commit of another connection may have changed anything; whether it changed
 * reference data shows in a counter in the database.
 */
function watch(db: Db) {
  const client = db.$client
  const { others: foreignCommits, serves } = countersOf(db)
  // The highest ids tell of rows that were inserted by hand, which nobody counts.
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
  const versions: Record<Version, number> = { flights: 0, accounts: 0, credentials: 0, reference: 0 }
  /** What the running transaction may change. */
  let affected: ReadonlySet<Version> | undefined
  let commits = foreignCommits.get()
  let seenCommits = commits
  let polledAt = serves === 'turn' ? Number.NEGATIVE_INFINITY : performance.now()
  let reference = referenceState()
  let isReferenceUnsure = false

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

  function countReference(): void {
    isReferenceUnsure = false
    const now = referenceState()
    if (now === reference) return
    reference = now
    versions.reference++
  }

  function look(): void {
    pollCommits()
    if (isReferenceUnsure) countReference()
    if (commits === seenCommits) return
    seenCommits = commits
    versions.flights++
    versions.accounts++
    versions.credentials++
    countReference()
  }

  function of(part: DataPart): DataVersion {
    if (!client.inTransaction) look()
    else if (!affected) return undefined
    if (part === 'everything') {
      if (affected && affected.size > 0) return undefined
      return versions.flights + versions.accounts + versions.credentials
    }
    return affected?.has(part) ? undefined : versions[part]
  }

  /** For `write` alone: does the work of a transaction that changes these parts. */
  function during(parts: readonly WrittenPart[], work: () => void): void {
    // A file is locked now, so that nothing that another connection has committed is missed.
    if (serves !== 'turn') {
      pollNow()
      look()
    }
    affected = new Set(parts.flatMap((part) => affectedBy[part]))
    try {
      work()
    } finally {
      const changed = affected
      affected = undefined
      for (const part of changed) if (part !== 'reference') versions[part]++
      // The counter is read when the transaction is over: it may still be undone.
      if (changed.has('reference')) isReferenceUnsure = true
    }
  }

  return {
    of,
    during,
    /** After a commit of another connection of this process: it is seen at once. */
    pollNow,
    /** Differs after each write to reference data, also inside a transaction. */
    referenceState,
    /** Part of every transaction that writes reference data. */
    countReferenceWrite: () => countReferenceWrite.run(REFERENCE_WRITES),
  }
}
