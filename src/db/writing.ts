import { countersOf } from './counters.ts'
import { DatabaseLocked, isBusy } from './fault.ts'
import type { Db } from './open.ts'
import { perConnection } from './per-connection.ts'

const transaction = perConnection((db) => db.$client.transaction((work: () => unknown) => work()).immediate)

/**
 * Every write of the service: one transaction that has the lock of the writer from its start, so that what it reads
 * stays true until it is committed. Inside another one it is a part of that: where it fails, its own writes alone are
 * undone, and nothing of it is committed before the whole.
 */
export function writing<Result>(db: Db, work: () => Result): Result {
  try {
    return transaction(db)(work) as Result
  } catch (error) {
    throw isBusy(error) ? new DatabaseLocked(error) : error
  }
}

/**
 * Equal answers mean that nobody wrote a row in between, neither this process nor another one. Unlike the versions that
 * caches go by it can be asked inside a transaction, where what was read before it began may have changed.
 */
export const writesOf = perConnection((db) => {
  const { own, others } = countersOf(db)
  return () => `${own.get()}/${others.get()}`
})
