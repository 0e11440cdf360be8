import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { inChunks } from '../lib/chunks.ts'
import type { Statement } from './engine.ts'
import type { Db } from './open.ts'

/** One statement per row takes twice as long. */
const ROWS_PER_STATEMENT = 50

/** Inserts rows by the names of their members and returns how many there were. */
export function insertRows(db: Db, table: SQLiteTable, omitted: readonly string[] = []) {
  const columns = Object.entries(getTableColumns(table)).filter(([member]) => !omitted.includes(member))
  const members = columns.map(([member]) => member)
  const names = columns.map(([, column]) => column.name).join(', ')
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const prepare = (rows: number) =>
    db.$client.prepare(
      `insert into ${getTableName(table)} (${names}) values ${Array(rows).fill(placeholders).join(', ')}`,
    )
  let full: Statement | undefined
  return (rows: Iterable<Readonly<Record<string, unknown>>>): number => {
    let count = 0
    for (const chunk of inChunks(rows, ROWS_PER_STATEMENT)) {
      const isFull = chunk.length === ROWS_PER_STATEMENT
      if (isFull) full ??= prepare(ROWS_PER_STATEMENT)
      const insert = isFull ? full! : prepare(chunk.length)
      insert.run(chunk.flatMap((row) => members.map((member) => row[member] ?? null)))
      count += chunk.length
    }
    return count
  }
}
