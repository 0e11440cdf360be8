import { Column, getTableColumns, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './connection.ts'

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

interface Query {
  toSQL: () => { sql: string; params: unknown[] }
}

interface Selection extends Query {
  readonly _: { readonly result: unknown[]; readonly selectedFields: object }
}

type Row<Select extends Selection> = Select['_']['result'][number]

type Convert = (value: unknown) => unknown

function encoderOf({ encoder }: Param): Convert | undefined {
  if (is(encoder, Column) && encoder.mapToDriverValue === Column.prototype.mapToDriverValue) return undefined
  return (value) => (value === null ? null : encoder.mapToDriverValue(value))
}

/** Positional values take a fifth less time than named ones. */
function binder(params: readonly unknown[]): (values: Values) => unknown[] {
  const slots = params.map((param) => {
    if (is(param, Placeholder)) return { name: param.name }
    if (is(param, Param) && is(param.value, Placeholder)) return { name: param.value.name, encode: encoderOf(param) }
    return { constant: param }
  })
  return (values) =>
    slots.map(({ name, encode, constant }) => {
      if (name === undefined) return constant
      return encode ? encode(values[name]) : values[name]
    })
}

function decoderOf(field: unknown): Convert | undefined {
  const { decoder } = (is(field, SQL.Aliased) ? field.sql : field) as { decoder?: unknown }
  const source = is(field, Column) ? field : decoder
  if (!is(source, Column) || source.mapFromDriverValue === Column.prototype.mapFromDriverValue) return undefined
  return (value) => (value === null ? null : source.mapFromDriverValue(value))
}

/** Aliases columns to their member names, so that the driver returns finished rows. */
export function named<Fields extends Record<string, SQLiteColumn | SQL>>(fields: Fields): Fields {
  const aliased = Object.entries(fields).map(([name, field]) => [
    name,
    (is(field, Column) ? sql`${field}`.mapWith(field) : field).as(name),
  ])
  return Object.fromEntries(aliased) as Fields
}

function rowDecoder(fields: object): ((row: unknown) => unknown) | undefined {
  const decoders = Object.entries(fields).flatMap(([name, field]) => {
    if (!is(field, SQL.Aliased) || field.fieldAlias !== name) throw new Error(`The column ${name} has no alias.`)
    const decode = decoderOf(field)
    return decode ? [[name, decode] as const] : []
  })
  if (decoders.length === 0) return undefined
  return (row) => {
    const record = row as Record<string, unknown>
    for (const [name, decode] of decoders) record[name] = decode(record[name])
    return record
  }
}

/**
 * For hot statements: prepared on first use and executed by the driver, without Drizzle. Takes a third of the time, see
 * docs/decisions.md.
 */
export function statements(db: Db) {
  function prepareLazily(query: Query, { fields = {}, pluck = false } = {}) {
    const make = () => {
      const { sql, params } = query.toSQL()
      const statement = db.$client.prepare(sql)
      if (pluck) statement.pluck()
      return { statement, bind: binder(params), decode: rowDecoder(fields) }
    }
    let cached: ReturnType<typeof make> | undefined
    return () => {
      cached ??= make()
      return cached
    }
  }

  /** The columns must be `named`. */
  function rows<Select extends Selection>(query: Select) {
    const use = prepareLazily(query, { fields: query._.selectedFields })
    return {
      get(values: Values = {}): Row<Select> | undefined {
        const { statement, bind, decode } = use()
        const row = statement.get(bind(values))
        return row !== undefined && decode ? decode(row) : row
      },
      all(values: Values = {}): Row<Select>[] {
        const { statement, bind, decode } = use()
        const found = statement.all(bind(values))
        return decode ? found.map(decode) : found
      },
    }
  }

  function values<Select extends Selection>(query: Select) {
    type Value = Row<Select> extends infer Each ? Each[keyof Each] : never
    if (Object.values(query._.selectedFields).some(decoderOf))
      throw new Error('Columns that need decoding are not supported.')
    const use = prepareLazily(query, { pluck: true })
    return {
      get(values: Values = {}) {
        const { statement, bind } = use()
        return statement.get(bind(values)) as Value | undefined
      },
      all(values: Values = {}) {
        const { statement, bind } = use()
        return statement.all(bind(values)) as Value[]
      },
    }
  }

  function write<Given extends object = Values>(query: Query) {
    const use = prepareLazily(query)
    return {
      run(values: Given) {
        const { statement, bind } = use()
        return statement.run(bind(values as Values))
      },
    }
  }

  const insert = <Table extends SQLiteTable>(table: Table) =>
    write<Omit<Table['$inferSelect'], 'id'>>(db.insert(table).values(placeholders(table, 'id') as never))

  return { rows, values, write, insert }
}
