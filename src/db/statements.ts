import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './open.ts'

function columnsOf(table: SQLiteTable): [property: string, column: string][] {
  return Object.entries(getTableColumns(table))
    .filter(([property]) => property !== 'id')
    .map(([property, { name }]) => [property, name])
}

/**
 * Inserts a whole row by the names of its properties. The plain driver takes a third of the time of the query builder,
 * and values in their places a fifth less than values by name.
 */
export function insertStatement<Table extends SQLiteTable>(db: Db, table: Table) {
  type Row = Omit<Table['$inferSelect'], 'id'>
  const columns = columnsOf(table)
  const names = columns.map(([, column]) => column).join(', ')
  const slots = columns.map(() => '?').join(', ')
  const statement = db.$client.prepare(`insert into ${getTableName(table)} (${names}) values (${slots})`)
  const properties = columns.map(([property]) => property as keyof Row)
  return { run: (row: Row) => statement.run(properties.map((property) => row[property])) }
}

/** Sets every column of the row with this id, except those named. */
export function updateStatement(db: Db, table: SQLiteTable, except: readonly string[] = []) {
  const sets = columnsOf(table)
    .filter(([property]) => !except.includes(property))
    .map(([property, column]) => `${column} = @${property}`)
  return db.$client.prepare(`update ${getTableName(table)} set ${sets.join(', ')} where id = @id`)
}
