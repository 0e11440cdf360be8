import type { Engine, Statement } from '../../src/db/engine.ts'

/** The data version is read once per event, independent of the request. */
const isVersionCheck = (sql: string) =>
  /^\s*(select total_changes\(\)|pragma data_version|select process, flights, accounts, credentials from writers|select coalesce\(\(select value from settings where key)/.test(
    sql,
  )

/** Transactions and locks belong to the write path, not to an operation. */
const isTransactionControl = (sql: string) => /^\s*(begin|commit|rollback|savepoint|release)\b/i.test(sql)

/** A timer writes this once a minute, possibly during a request. */
const isLastUse = (sql: string) => /^update "(api_keys|oauth_grants)" set "last_used_at"/.test(sql)

const METHODS = ['get', 'all', 'run', 'iterate'] as const

export interface RecordedStatement {
  sql: string
  values: unknown[]
}

/** Calls `onStatement` for each statement that a connection executes. Must be called before services prepare them. */
export function watchStatements(client: Engine, onStatement: (statement: RecordedStatement) => void): void {
  const prepare = client.prepare.bind(client)

  client.prepare = (sql: string): Statement => {
    const statement = prepare(sql)
    if ([isVersionCheck, isTransactionControl, isLastUse].some((isExcluded) => isExcluded(sql))) return statement
    for (const method of METHODS) {
      const execute = statement[method].bind(statement) as (...values: unknown[]) => never
      statement[method] = (...values: unknown[]) => {
        onStatement({ sql, values })
        return execute(...values)
      }
    }
    return statement
  }
}

/** Records the statements that a connection executes. Must be called before services prepare them. */
export function recordStatements(client: Engine): string[] {
  const executed: string[] = []
  watchStatements(client, ({ sql }) => executed.push(sql))
  return executed
}
