import type { Db } from '../../src/db/connection.ts'
import { dataVersion } from '../../src/db/version.ts'

/** Writes on the connection of the server and, unlike `write`, commits synchronously. */
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

/** Like `writeNow`, for a single statement. */
export const runNow = (db: Db, sql: string, ...values: unknown[]) =>
  writeNow(db, () => db.$client.prepare(sql).run(...values))
