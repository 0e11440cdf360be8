import type { Db } from './connection.ts'
import { atEndOfTurn, countersOf } from './counters.ts'
import { perConnection } from './per-connection.ts'

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
  const { others: foreignCommits, validFor } = countersOf(db)
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
  let commits = foreignCommits.get()
  let seenCommits = commits
  let polledAt = validFor === 'turn' ? Number.NEGATIVE_INFINITY : performance.now()
  let reference = referenceState()
  let isReferenceStale = false

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

  const pollCommits = validFor === 'turn' ? pollOncePerTurn : () => pollAfter(validFor)

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

  /** Called only by `write`. */
  function during(parts: readonly WrittenPart[], work: () => void): void {
    // The file is locked now, so no foreign commit is missed.
    if (validFor !== 'turn') {
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
