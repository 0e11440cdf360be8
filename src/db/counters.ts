import type { Db } from './connection.ts'
import { perConnection } from './per-connection.ts'
import { postgresOf } from './postgres/open.ts'
import { sqliteOf } from './sqlite.ts'

interface Counter<Count> {
  get(): Count
}

/** What tells whether the data was written. */
interface Counters {
  /** Rows changed by this connection, for those who ask whether anything was written. */
  own: Counter<number>
  /** Differs after a commit of another connection; what is different may also be nothing but another one of our own. */
  others: Counter<number | string>
  /** For how long an answer of `others` serves: a time in milliseconds, or what is done before the next event is looked at. */
  serves: number | 'turn'
}

/**
 * Asking whether another process committed takes two locks of the write-ahead log, so one answer serves everything
 * within this time: no command finishes and is noticed faster than that.
 */
export const DATA_VERSION_POLL_MS = 1

export function countersOf(db: Db): Counters {
  const postgres = postgresOf(db)
  if (postgres) {
    return {
      own: { get: () => postgres.changedRows },
      others: { get: () => postgres.state() },
      // Others write while this process serves, and tell their clients at once.
      serves: 'turn',
    }
  }
  const client = sqliteOf(db)
  return {
    own: client.prepare('select total_changes()').pluck() as Counter<number>,
    others: client.prepare('pragma data_version').pluck() as Counter<number>,
    serves: DATA_VERSION_POLL_MS,
  }
}

/**
 * Equal answers mean that nobody wrote a row in between, neither this connection nor another one. Unlike the versions of
 * caches it can be asked inside a transaction.
 */
export const writesOf = perConnection((db) => {
  const { own, others } = countersOf(db)
  return () => `${own.get()}/${others.get()}`
})

/** Before the next event is looked at: whatever a request that is there already sets off without waiting comes first. */
export const atEndOfTurn = (work: () => void): void => queueMicrotask(() => process.nextTick(work))
