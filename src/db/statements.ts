import { Column, getTableColumns, is, Param, Placeholder, SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './connection.ts'

/**
 * Statements of hot paths: written with the query builder, so that the compiler knows every column, prepared once, and
 * run by the driver itself. The builder's own way to run a statement takes about three times as long.
 */

interface Query {
  toSQL: () => { sql: string; params: unknown[] }
}

interface Selection extends Query {
  readonly _: { readonly result: unknown[]; readonly selectedFields: object }
}

type Row<Select extends Selection> = Select['_']['result'][number]

/** By the names of the placeholders. */
type Values = Readonly<Record<string, unknown>>

type Convert = (value: unknown) => unknown

/** What becomes of a value on its way into a column; undefined where it stays as it is. */
function encoderOf({ encoder }: Param): Convert | undefined {
  if (is(encoder, Column) && encoder.mapToDriverValue === Column.prototype.mapToDriverValue) return undefined
  return (value) => (value === null ? null : encoder.mapToDriverValue(value))
}

/** Values in their order take a fifth less time than values by name. */
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

/** What becomes of a selected value; undefined where it stays as it is. */
function decoderOf(field: unknown): Convert | undefined {
  const { decoder } = (is(field, SQL.Aliased) ? field.sql : field) as { decoder?: unknown }
  const source = is(field, Column) ? field : decoder
  if (!is(source, Column) || source.mapFromDriverValue === Column.prototype.mapFromDriverValue) return undefined
  return (value) => (value === null ? null : source.mapFromDriverValue(value))
}

/** Selects columns under the names of their members, which lets the driver make the rows as they are wanted. */
export function named<Fields extends Record<string, SQLiteColumn | SQL>>(fields: Fields): Fields {
  const aliased = Object.entries(fields).map(([name, field]) => [
    name,
    (is(field, Column) ? sql`${field}`.mapWith(field) : field).as(name),
  ])
  return Object.fromEntries(aliased) as Fields
}

/** The members of a JSON list of numbers, since a statement is prepared before anybody knows how many there will be. */
export const jsonList = (list: string | Placeholder) => sql`(select value from json_each(${list}))`

/** The same of texts. That its path is named, which is the whole list, tells them apart where values have types. */
export const jsonTexts = (list: string | Placeholder) => sql`(select value from json_each(${list}, '$'))`

interface Conflict {
  target: SQLiteColumn
  set: Readonly<Record<string, SQL>>
}

/** For an insert that may meet a row: sets these columns of it to what would have been inserted. */
export function excluded<Table extends SQLiteTable, Name extends string & keyof Table['$inferInsert']>(
  table: Table,
  ...names: Name[]
) {
  const columns = getTableColumns(table)
  const sets = names.map((name) => [name, sql`excluded.${sql.identifier(columns[name]!.name)}`])
  return Object.fromEntries(sets) as Record<Name, SQL>
}

/** What becomes of those columns of a row that are not what the driver gives. */
function rowDecoder(fields: object): ((row: unknown) => unknown) | undefined {
  const decoders = Object.entries(fields).flatMap(([name, field]) => {
    if (!is(field, SQL.Aliased) || field.fieldAlias !== name) throw new Error(`The column ${name} is not named.`)
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

function placeholdersOf(table: SQLiteTable, except: readonly string[]) {
  const names = Object.keys(getTableColumns(table)).filter((name) => !except.includes(name))
  return Object.fromEntries(names.map((name) => [name, sql.placeholder(name)]))
}

export function statements(db: Db) {
  /** When it is first run, and then kept: a start or a command needs few of all the statements there are. */
  function prepared(query: Query, { fields = {}, pluck = false } = {}) {
    const make = () => {
      const { sql, params } = query.toSQL()
      const statement = db.$client.prepare(sql)
      if (pluck) statement.pluck()
      return { statement, bind: binder(params), decode: rowDecoder(fields) }
    }
    let kept: ReturnType<typeof make> | undefined
    return () => {
      kept ??= make()
      return kept
    }
  }

  /** A query whose columns are `named`. */
  function rows<Select extends Selection>(query: Select) {
    const use = prepared(query, { fields: query._.selectedFields })
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
      *iterate(values: Values = {}): Generator<Row<Select>> {
        const { statement, bind, decode } = use()
        for (const row of statement.iterate(bind(values))) yield decode ? decode(row) : row
      },
    }
  }

  /** A query of one column, answered with its values alone. */
  function values<Select extends Selection>(query: Select) {
    type Value = Row<Select> extends infer Each ? Each[keyof Each] : never
    if (Object.values(query._.selectedFields).some(decoderOf)) throw new Error('A value that is decoded needs a row.')
    const use = prepared(query, { pluck: true })
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

  /** An insert, update or delete. */
  function write<Given extends object = Values>(query: Query) {
    const use = prepared(query)
    return {
      run(values: Given) {
        const { statement, bind } = use()
        return statement.run(bind(values as Values))
      },
    }
  }

  /** Inserts a whole row by the names of its members, or does with the row it meets what `conflict` says. */
  const insert = <Table extends SQLiteTable>(table: Table, conflict?: Conflict) => {
    const query = db.insert(table).values(placeholdersOf(table, ['id']) as never)
    if (conflict) query.onConflictDoUpdate({ target: conflict.target, set: conflict.set as never })
    return write<Omit<Table['$inferSelect'], 'id'>>(query)
  }

  /** Sets every column of the row with this id, except those named. */
  const update = <Table extends SQLiteTable & { id: SQLiteColumn }, Except extends string = never>(
    table: Table,
    ...except: Except[]
  ) => {
    const set = placeholdersOf(table, ['id', ...except]) as never
    return write<Omit<Table['$inferSelect'], Except>>(
      db
        .update(table)
        .set(set)
        .where(sql`${table.id} = ${sql.placeholder('id')}`),
    )
  }

  return { rows, values, write, insert, update }
}
