import type { Db } from '../../src/db/connection.ts'
import { dataVersion } from '../../src/db/version.ts'

/** A write of any part on the server's own connection that, unlike `write`, is committed when this returns. */
export function writeNow<Result>(db: Db, work: () => Result): Result {
  const transaction = db.$client.transaction(() => {
    let result: Result | undefined
    dataVersion(db).during(['reference'], () => {
      result = work()
    })
    return result as Result
  })
  return transaction()
}

/** The same for a single statement. */
export const runNow = (db: Db, sql: string, ...values: unknown[]) =>
  writeNow(db, () => db.$client.prepare(sql).run(...values))
