import { type Db, perConnection } from './connection.ts'
import { postgresOf } from './postgres/open.ts'
import { COUNTED_PARTS, foreignWriters } from './postgres/writers.ts'
import { requireSqlite } from './sqlite/sqlite.ts'

/** Reading the data version of SQLite takes two locks, so it is not read for every request. */
export const DATA_VERSION_POLL_MS = 1

/** Changes after a commit of another connection, and sometimes after a commit of this one. */
function fileVersion(db: Db): () => number {
  const version = requireSqlite(db).prepare('pragma data_version').pluck()
  return () => version.get() as number
}

/** Equal markers mean that no connection wrote a row in between. Unlike data versions, they work inside a transaction. */
export const writeMarker = perConnection((db) => {
  const postgres = postgresOf(db)
  if (postgres) return () => `${postgres.changedRows}/${postgres.state()}`
  const own = requireSqlite(db).prepare('select total_changes()').pluck()
  const others = fileVersion(db)
  return () => `${own.get()}/${others()}`
})

/**
 * `flightRecords` changes with `accounts`, whose names appear in flights, and when another connection wrote flights. When
 * this connection writes a flight, it drops the record of that flight instead.
 */
export type DataPart = 'flights' | 'flightRecords' | 'accounts' | 'credentials' | 'reference' | 'everything'

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
  accounts: ['flights', 'flightRecords', 'accounts', 'credentials'],
  reference: ['flights', 'flightRecords', 'accounts', 'credentials', 'reference'],
  uncached: [],
}

/** Equal while a part is not written; undefined inside a transaction that writes the part and may be rolled back. */
export type DataVersion = number | undefined

const REFERENCE_COUNTER = 'reference_generation'

export const dataVersion = perConnection(watch)

/** Returns a function that returns the parts that other connections may have written since its last call. */
function foreignWrites(db: Db): () => readonly (typeof COUNTED_PARTS)[number][] {
  const postgres = postgresOf(db)
  if (postgres) return foreignWriters(postgres)
  const version = fileVersion(db)
  let seen = version()
  return () => {
    const now = version()
    const isChanged = now !== seen
    seen = now
    return isChanged ? COUNTED_PARTS : []
  }
}

/**
 * Writes of this connection name their part. A foreign commit to a file may have changed anything, while other servers of
 * PostgreSQL count their writes per part. A counter in the database shows whether reference data changed.
 */
function watch(db: Db) {
  const client = db.$client
  const isPostgres = postgresOf(db) !== undefined
  const writtenByOthers = foreignWrites(db)
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
  const versions: Record<Version, number> = { flights: 0, flightRecords: 0, accounts: 0, credentials: 0, reference: 0 }
  let affected: ReadonlySet<Version> | undefined
  let freshUntil = 0
  let reference = referenceState()
  let isReferenceStale = false

  const pollNow = () => {
    freshUntil = 0
  }

  function poll(): ReturnType<typeof writtenByOthers> {
    if (performance.now() < freshUntil) return []
    const written = writtenByOthers()
    freshUntil = isPostgres ? Number.POSITIVE_INFINITY : performance.now() + DATA_VERSION_POLL_MS
    // Clients of other processes expect to read their writes at once, so PostgreSQL is asked again after everything that
    // pending requests start synchronously.
    if (isPostgres) queueMicrotask(() => process.nextTick(pollNow))
    return written
  }

  function refreshReference(): void {
    isReferenceStale = false
    const now = referenceState()
    if (now === reference) return
    reference = now
    versions.reference++
  }

  function refresh(): void {
    const written = poll()
    for (const part of written) versions[part]++
    if (written.includes('flights')) versions.flightRecords++
    if (isReferenceStale || written.includes('accounts')) refreshReference()
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
