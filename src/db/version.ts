import { type Db, perConnection } from './connection.ts'
import { postgresOf } from './postgres/open.ts'
import { requireSqlite } from './sqlite/sqlite.ts'

/** Reading the data version of SQLite takes two locks, so it is not read for every request. */
export const DATA_VERSION_POLL_MS = 1

/** `others` changes after a commit of another connection, and sometimes after an own one. */
export function countersOf(db: Db): { own: () => number; others: () => number | string } {
  const postgres = postgresOf(db)
  if (postgres) return { own: () => postgres.changedRows, others: postgres.state }
  const client = requireSqlite(db)
  const own = client.prepare('select total_changes()').pluck()
  const others = client.prepare('pragma data_version').pluck()
  return { own: () => own.get() as number, others: () => others.get() as number }
}

/** Equal markers mean that no connection wrote a row in between. Unlike data versions, they work inside a transaction. */
export const writeMarker = perConnection((db) => {
  const { own, others } = countersOf(db)
  return () => `${own()}/${others()}`
})

export type DataPart = 'flights' | 'accounts' | 'credentials' | 'reference' | 'everything'

/**
 * What a transaction writes. `accounts` are users, roles, preferences, custom fields and shares, whose names appear in
 * flights; `credentials` are sessions, keys, applications and tokens; `uncached` are rows that no cache holds.
 */
export type WrittenPart = 'flights' | 'accounts' | 'credentials' | 'reference' | 'uncached'

type Version = Exclude<DataPart, 'everything'>

/** The versions that a write changes. The reference version changes only if rows did. */
const affectedBy: Record<WrittenPart, readonly Version[]> = {
  flights: ['flights'],
  credentials: ['credentials'],
  accounts: ['flights', 'accounts', 'credentials'],
  reference: ['flights', 'accounts', 'credentials', 'reference'],
  uncached: [],
}

/** Equal while a part is not written; undefined inside a transaction that writes the part and may be rolled back. */
export type DataVersion = number | undefined

const REFERENCE_COUNTER = 'reference_generation'

export const dataVersion = perConnection(watch)

/**
 * Own writes name their part. A foreign commit may have changed anything; a counter in the database shows whether it
 * changed reference data.
 */
function watch(db: Db) {
  const client = db.$client
  const { others: foreignCommits } = countersOf(db)
  const isPostgres = postgresOf(db) !== undefined
  // The highest ids reveal rows that were inserted manually.
  const referenceWrites = client
    .prepare(
      `select coalesce((select value from settings where key = ?), '0') || '/' || coalesce((select max(id) from airports), 0)
         || '/' || coalesce((select max(id) from airlines), 0) || '/' || coalesce((select max(id) from aircraft), 0)`,
    )
    .pluck()
  const countReferenceWrite = client.prepare(
    `insert into settings (key, value) values (?, '1') on conflict (key) do update set value = cast(cast(settings.value as integer) + 1 as text)`,
  )
  const referenceState = () => referenceWrites.get(REFERENCE_COUNTER) as string
  const versions: Record<Version, number> = { flights: 0, accounts: 0, credentials: 0, reference: 0 }
  let affected: ReadonlySet<Version> | undefined
  let commits = foreignCommits()
  let seenCommits = commits
  let freshUntil = 0
  let reference = referenceState()
  let isReferenceStale = false

  const pollNow = () => {
    freshUntil = 0
  }

  function pollCommits(): void {
    if (performance.now() < freshUntil) return
    commits = foreignCommits()
    freshUntil = isPostgres ? Number.POSITIVE_INFINITY : performance.now() + DATA_VERSION_POLL_MS
    // Clients of other processes expect to read their writes at once, so PostgreSQL is asked again after everything that
    // pending requests start synchronously.
    if (isPostgres) queueMicrotask(() => process.nextTick(pollNow))
  }

  function refreshReference(): void {
    isReferenceStale = false
    const now = referenceState()
    if (now === reference) return
    reference = now
    versions.reference++
  }

  function refresh(): void {
    pollCommits()
    if (isReferenceStale) refreshReference()
    if (commits === seenCommits) return
    seenCommits = commits
    versions.flights++
    versions.accounts++
    versions.credentials++
    refreshReference()
  }

  function of(part: DataPart): DataVersion {
    if (!client.inTransaction) refresh()
    else if (!affected) return undefined
    if (part === 'everything') {
      if (affected && affected.size > 0) return undefined
      return versions.flights + versions.accounts + versions.credentials
    }
    return affected?.has(part) ? undefined : versions[part]
  }

  function during(parts: readonly WrittenPart[], work: () => void): void {
    // The file is locked now, so no foreign commit is missed.
    if (!isPostgres) {
      pollNow()
      refresh()
    }
    affected = new Set(parts.flatMap((part) => affectedBy[part]))
    try {
      work()
    } finally {
      const changed = affected
      affected = undefined
      for (const part of changed) if (part !== 'reference') versions[part]++
      // The transaction may still be rolled back, so the counter is read later.
      if (changed.has('reference')) isReferenceStale = true
    }
  }

  return {
    of,
    during,
    pollNow,
    /** Changes after each write to reference data, even inside a transaction. */
    referenceState,
    countReferenceWrite: () => countReferenceWrite.run(REFERENCE_COUNTER),
  }
}
