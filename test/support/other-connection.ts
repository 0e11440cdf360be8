import Database from 'better-sqlite3'
import { onTestFinished } from 'vitest'
import { DATA_VERSION_POLL_MS } from '../../src/db/data-version.ts'
import { databasePath } from '../../src/db/directory.ts'

const lately = new Int32Array(new SharedArrayBuffer(4))

/** Waits as long as another process needs at least until anybody can know of its commit. */
export function untilHeardOf(): void {
  Atomics.wait(lately, 0, 0, DATA_VERSION_POLL_MS + 1)
}

/** A second connection to the database of a running server, as another process would have it. */
export function otherConnection(dataDir: string): Database.Database {
  const connection = new Database(databasePath(dataDir))
  const { exec, prepare } = connection
  connection.exec = (source) => {
    exec.call(connection, source)
    untilHeardOf()
    return connection
  }
  connection.prepare = ((source: string) => {
    const statement: Database.Statement<unknown[]> = prepare.call(connection, source)
    const { run } = statement
    statement.run = (...values: unknown[]) => {
      const result = run.apply(statement, values)
      untilHeardOf()
      return result
    }
    return statement
  }) as typeof prepare
  onTestFinished(() => {
    connection.close()
  })
  return connection
}

/** Inserts a row and fills every column that must have a value, so that a test names only what it is about. */
export function insertRow(connection: Database.Database, table: string, values: Record<string, unknown>): number {
  const columns = connection.pragma(`table_info(${table})`) as {
    name: string
    type: string
    notnull: number
    dflt_value: unknown
    pk: number
  }[]
  const row: Record<string, unknown> = { ...values }
  for (const { name, type, notnull, dflt_value, pk } of columns) {
    if (name in row || !notnull || dflt_value !== null || (pk === 1 && /integer/i.test(type))) continue
    row[name] = /blob/i.test(type) ? Buffer.from(`${name}${Math.random()}`) : /text/i.test(type) ? '[]' : 0
  }
  const names = Object.keys(row)
  const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
  return Number(connection.prepare(sql).run(...Object.values(row)).lastInsertRowid)
}
