import type { Db } from './connection.ts'
import { perConnection } from './per-connection.ts'
import { postgresOf } from './postgres/open.ts'
import { requireSqlite } from './sqlite/sqlite.ts'

interface Counter<Count> {
  get(): Count
}

interface Counters {
  own: Counter<number>
  /** Changes after a commit of another connection, and sometimes after an own one. */
  others: Counter<number | string>
  /** How long a value of `others` stays valid: milliseconds, or one turn of the event loop. */
  validFor: number | 'turn'
}

/**
 * Reading the data version takes two locks of the write-ahead log. No command commits and is noticed faster than this.
 */
export const DATA_VERSION_POLL_MS = 1

export function countersOf(db: Db): Counters {
  const postgres = postgresOf(db)
  if (postgres) {
    return {
      own: { get: () => postgres.changedRows },
      others: { get: () => postgres.state() },
      // Other processes write at any time and their clients expect to read it at once.
      validFor: 'turn',
    }
  }
  const client = requireSqlite(db)
  return {
    own: client.prepare('select total_changes()').pluck() as Counter<number>,
    others: client.prepare('pragma data_version').pluck() as Counter<number>,
    validFor: DATA_VERSION_POLL_MS,
  }
}

/**
 * Equal markers mean that no connection wrote a row in between. Unlike data versions, they work inside a transaction.
 */
export const writeMarker = perConnection((db) => {
  const { own, others } = countersOf(db)
  return () => `${own.get()}/${others.get()}`
})

/** Runs after everything that pending requests start synchronously. */
export const atEndOfTurn = (work: () => void): void => queueMicrotask(() => process.nextTick(work))
