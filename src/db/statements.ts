import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './connection.ts'
import type { RunResult } from './engine.ts'

/** For `in` with a list of unknown length. */
export const jsonList = (list: string | Placeholder) => sql`(select value from json_each(${list}))`

/** For texts. The path `$` distinguishes them from numbers in PostgreSQL. */
export const jsonTexts = (list: string | Placeholder) => sql`(select value from json_each(${list}, '$'))`

/** The columns of `on conflict do update set` for the inserted values. */
export function excluded<Table extends SQLiteTable, Name extends string & keyof Table['$inferInsert']>(
  table: Table,
  ...names: Name[]
) {
  const columns = getTableColumns(table)
  const sets = names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]!.name)}`])
  return Object.fromEntries(sets) as Record<Name, SQL>
}

/** Placeholders for all columns but the excepted ones. Typed `never`, because Drizzle's `set` accepts no placeholder. */
export function placeholders<Table extends SQLiteTable, Except extends string = never>(
  table: Table,
  ...except: Except[]
) {
  const names = Object.keys(getTableColumns(table)).filter((name) => !except.includes(name as Except))
  const entries = names.map((name) => [name, sql.placeholder(name)])
  return Object.fromEntries(entries) as Record<Exclude<string & keyof Table['$inferSelect'], Except>, never>
}

interface Selection {
  readonly _: { readonly result: unknown[] }
  prepare(): { get(values?: Record<string, unknown>): unknown; all(values?: Record<string, unknown>): unknown }
}

type Row<Select extends Selection> = Select['_']['result'][number]
type Values = Readonly<Record<string, unknown>>

/** Selects columns without aliases. */
export const named = <Fields>(fields: Fields): Fields => fields

/** Drizzle's own prepared statements, with types for their values. */
export function statements(db: Db) {
  const rows = <Select extends Selection>(query: Select) =>
    query.prepare() as unknown as {
      get(values?: Values): Row<Select> | undefined
      all(values?: Values): Row<Select>[]
    }

  function values<Select extends Selection>(query: Select) {
    type Value = Row<Select> extends infer Each ? Each[keyof Each] : never
    const prepared = rows(query)
    const onlyValue = (row: Row<Select>) => Object.values(row as object)[0] as Value
    return {
      get(values?: Values): Value | undefined {
        const row = prepared.get(values)
        return row === undefined ? undefined : onlyValue(row)
      },
      all: (values?: Values): Value[] => prepared.all(values).map(onlyValue),
    }
  }

  const write = <Given extends object = Values>(query: { prepare(): { run(values?: Values): unknown } }) =>
    query.prepare() as { run(values: Given): RunResult }

  const insert = <Table extends SQLiteTable>(table: Table) =>
    write<Omit<Table['$inferSelect'], 'id'>>(db.insert(table).values(placeholders(table, 'id') as never))

  return { rows, values, write, insert }
}
