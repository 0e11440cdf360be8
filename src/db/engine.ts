/**
 * The part of the better-sqlite3 API that both engines implement. For a file it is that driver, wrapped by `sqlite.ts`;
 * for PostgreSQL it is `postgres/client.ts`.
 */

export interface RunResult {
  changes: number
  lastInsertRowid: number | bigint
}

/** Values are positional, one array, or an object by name. */
export interface Statement {
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): IterableIterator<unknown>
  run(...values: unknown[]): RunResult
  pluck(): Statement
  raw(): Statement
}

interface Transaction<Args extends unknown[], Result> {
  (...args: Args): Result
  deferred(...args: Args): Result
  /** For writes: what the work reads stays valid until the commit. The work may run again. */
  immediate(...args: Args): Result
}

export interface Engine {
  prepare(sql: string): Statement
  exec(sql: string): unknown
  /** The work is synchronous. A nested transaction is a savepoint. */
  transaction<Args extends unknown[], Result>(work: (...args: Args) => Result): Transaction<Args, Result>
  readonly inTransaction: boolean
  readonly open: boolean
  /** The path of the file. For PostgreSQL, the path that the file would have: local files are stored beside it. */
  readonly name: string
  close(): unknown
}
