/**
 * What stores use of a database: the part of SQLite's driver that another engine has as well. With a file this is that
 * driver itself, which `sqlite.ts` hands texts that it plans once; with PostgreSQL it is `postgres/client.ts`.
 */

export interface Written {
  changes: number
  lastInsertRowid: number | bigint
}

/** Values are given in their order, as one list of them, or by name. */
export interface Statement {
  get(...values: unknown[]): unknown
  all(...values: unknown[]): unknown[]
  iterate(...values: unknown[]): IterableIterator<unknown>
  run(...values: unknown[]): Written
  /** From now on a row is its first value alone. */
  pluck(): Statement
  /** From now on a row is the list of its values. */
  raw(): Statement
}

interface Transaction<Given extends unknown[], Made> {
  (...given: Given): Made
  /** For work that only reads: all of it sees one state of the data. */
  deferred(...given: Given): Made
  /** For work that writes: what it reads stays true until it is committed. It may be done again from its start. */
  immediate(...given: Given): Made
}

export interface Engine {
  prepare(sql: string): Statement
  exec(sql: string): unknown
  /** Nothing of it may wait. Inside of another one it is a part of that, which can be undone alone. */
  transaction<Given extends unknown[], Made>(work: (...given: Given) => Made): Transaction<Given, Made>
  readonly inTransaction: boolean
  readonly open: boolean
  /** The file; of a database elsewhere, where it would lie: beside it is what belongs to this machine. */
  readonly name: string
  close(): unknown
}
