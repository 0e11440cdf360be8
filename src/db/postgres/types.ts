import type { Column } from 'drizzle-orm'

/** Text sorts by code points, as in SQLite. */
const TYPES: Readonly<Record<string, string>> = {
  integer: 'bigint',
  real: 'double precision',
  blob: 'bytea',
  text: 'text collate "C"',
}

export function toPostgresType(column: Column): string {
  const type = TYPES[column.getSQLType()]
  if (type === undefined) throw new Error(`The column ${column.name} has an unsupported type.`)
  return type
}
