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

type Values = Readonly<Record<string, unknown>>

interface Preparable {
  prepare(): { get(values?: Values): unknown; all(values?: Values): unknown; run(values?: Values): unknown }
}

type Prepared<Query extends Preparable> = Pick<ReturnType<Query['prepare']>, 'get' | 'all' | 'run'>

/** Drizzle's `prepare`, on first use: starting the services would take twice as long with all statements prepared. */
export function prepared<Query extends Preparable>(query: Query): Prepared<Query> {
  let statement: ReturnType<Preparable['prepare']> | undefined
  const use = () => {
    statement ??= query.prepare()
    return statement
  }
  return {
    get: (values?: Values) => use().get(values),
    all: (values?: Values) => use().all(values),
    run: (values?: Values) => use().run(values),
  } as Prepared<Query>
}

/** Selects columns without aliases. */
export const named = <Fields>(fields: Fields): Fields => fields

/** `prepared` with types for the values. */
export function statements(db: Db) {
  function values<Query extends Preparable & { readonly _: { readonly result: unknown[] } }>(query: Query) {
    type Row = Query['_']['result'][number]
    type Value = Row extends infer Each ? Each[keyof Each] : never
    const statement = prepared(query)
    const onlyValue = (row: unknown) => Object.values(row as object)[0] as Value
    return {
      get(values?: Values): Value | undefined {
        const row = statement.get(values)
        return row === undefined ? undefined : onlyValue(row)
      },
      all: (values?: Values): Value[] => (statement.all(values) as Row[]).map(onlyValue),
    }
  }

  const write = <Given extends object = Values>(query: Preparable) =>
    prepared(query) as { run(values: Given): RunResult }

  const insert = <Table extends SQLiteTable>(table: Table) =>
    write<Omit<Table['$inferSelect'], 'id'>>(db.insert(table).values(placeholders(table, 'id') as never))

  return { rows: prepared, values, write, insert }
}
