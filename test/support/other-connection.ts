import Database from 'better-sqlite3'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { onTestFinished } from 'vitest'
import { databasePath } from '../../src/db/directory.ts'
import type { Engine, Statement } from '../../src/db/engine.ts'
import { postgresClient } from '../../src/db/postgres/client.ts'
import * as tables from '../../src/db/tables/index.ts'
import { DATA_VERSION_POLL_MS } from '../../src/db/version.ts'
import { databaseUrl, isPostgres } from './engine.ts'

const waitBuffer = new Int32Array(new SharedArrayBuffer(4))

/** Waits until other processes can notice a commit. */
export function untilHeardOf(): void {
  Atomics.wait(waitBuffer, 0, 0, DATA_VERSION_POLL_MS + 1)
}

/** A second connection to the database of a running server, like that of another process. */
export function otherConnection(dataDir: string): Engine {
  const url = databaseUrl(dataDir)
  const file = databasePath(dataDir)
  const connection: Engine = url === undefined ? new Database(file) : postgresClient(url, { name: file })
  const { exec, prepare } = connection
  connection.exec = (source) => {
    exec.call(connection, source)
    untilHeardOf()
    return connection
  }
  connection.prepare = ((source: string) => {
    const statement: Statement = prepare.call(connection, source)
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

/** Holds the write lock on this connection until `rollback`. */
export function holdWriteLock(connection: Engine): void {
  connection.exec('begin immediate')
  if (isPostgres) connection.exec('lock table write_turn in exclusive mode nowait')
}

function columnsOf(table: string) {
  const all = Object.values<unknown>(tables).filter((each) => is(each, SQLiteTable))
  return all.map((each) => getTableConfig(each)).find(({ name }) => name === table)!.columns
}

/** Inserts a row with default values for all other required columns. */
export function insertRow(connection: Engine, table: string, values: Record<string, unknown>): number {
  const row: Record<string, unknown> = { ...values }
  for (const column of columnsOf(table)) {
    const [name, type] = [column.name, column.getSQLType()]
    if (name in row || !column.notNull || column.hasDefault || (column.primary && type === 'integer')) continue
    row[name] = type === 'blob' ? Buffer.from(`${name}${Math.random()}`) : type === 'text' ? '[]' : 0
  }
  const names = Object.keys(row)
  const sql = `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`
  return Number(connection.prepare(sql).run(...Object.values(row)).lastInsertRowid)
}
