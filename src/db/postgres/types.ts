import type { Column } from 'drizzle-orm'

/** Text is in the order of its code points, as SQLite has it, whatever the database was made with. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  text: 'text collate "C"',
}

/** What a column of ours is in PostgreSQL. */
export function typeInPostgres(column: Column): string {
  const type = TYPES[column.getSQLType()]
  if (type === undefined) throw new Error(`The column ${column.name} has a type that PostgreSQL was not taught.`)
  return type
}
