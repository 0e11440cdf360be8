import { createHash, type Hash } from 'node:crypto'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { StartupError } from '../../lib/startup-error.ts'
import type { Db } from '../connection.ts'
import { postgresOf } from '../postgres/open.ts'
import * as tables from '../tables/index.ts'

interface Table {
  name: string
  columns: string[]
  key: string[]
  references: string[]
}

interface CopiedTable {
  table: string
  rows: number
  digest: string
}

const MAX_VALUES = 10_000
const MAX_PAGE_BYTES = 4 * 1024 * 1024
const MIN_ROWS = 8

type Value = string | number | null | Uint8Array
type Row = Value[]

function tableOf(table: SQLiteTable): Table {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table)
  const columnKeys = columns.filter((column) => column.primary).map((column) => column.name)
  const tableKeys = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
  const all = columns.map((column) => column.name)
  const key = [...columnKeys, ...tableKeys]
  const references = foreignKeys.map((each) => getTableConfig(each.reference().foreignTable).name)
  return {
    name,
    columns: all,
    key: key.length > 0 ? key : all,
    references: references.filter((needed) => needed !== name),
  }
}

function orderedTables(): Table[] {
  const remaining = Object.values(tables as Record<string, unknown>).flatMap((each) =>
    is(each, SQLiteTable) ? [tableOf(each)] : [],
  )
  const ordered: Table[] = []
  const isDone = (name: string) => ordered.some((table) => table.name === name)
  while (remaining.length > 0) {
    const next = remaining.findIndex(({ references }) => references.every(isDone))
    if (next === -1) throw new Error('The tables have circular references.')
    ordered.push(...remaining.splice(next, 1))
  }
  return ordered
}

const quoteNames = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
const placeholders = (count: number) => Array(count).fill('?').join(', ')

const bytesOf = (row: Row) =>
  row.reduce<number>((sum, value) => sum + (value === null || typeof value === 'number' ? 8 : value.length), 0)

function* readPages({ $client }: Db, { name, columns, key }: Table): Generator<Row[]> {
  const keyIndexes = key.map((column) => columns.indexOf(column))
  const maxRows = Math.floor(MAX_VALUES / columns.length)
  const select = `select ${quoteNames(columns)} from "${name}"`
  const order = `order by ${quoteNames(key)}`
  let size = Math.min(maxRows, 64)
  let last: Row | undefined
  for (;;) {
    const where = last ? `where (${quoteNames(key)}) > (${placeholders(key.length)})` : ''
    const after = last ? keyIndexes.map((index) => last![index]) : []
    const page = $client
      .prepare(`${select} ${where} ${order} limit ${size}`)
      .raw()
      .all(...after) as Row[]
    if (page.length > 0) yield page
    if (page.length < size) return
    last = page.at(-1)
    const bytes = page.reduce((sum, row) => sum + bytesOf(row), 0)
    if (bytes > MAX_PAGE_BYTES) size = Math.max(MIN_ROWS, Math.floor(size / 4))
    else if (bytes < MAX_PAGE_BYTES / 4) size = Math.min(maxRows, size * 2)
  }
}

/** Type and length come first, so that different rows never have the same text. */
function hashValue(hash: Hash, value: Value): void {
  if (value === null) hash.update('-')
  else if (typeof value === 'number') hash.update(`n${value};`)
  else hash.update(`${typeof value === 'string' ? 't' : 'b'}${value.length}:`).update(value)
}

function rowHasher() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(page: readonly Row[]): number {
      rows += page.length
      for (const value of page.flat()) hashValue(hash, value)
      return rows
    },
    result: () => ({ rows, digest: hash.digest('hex') }),
  }
}

function hashTable(db: Db, table: Table): { rows: number; digest: string } {
  const seen = rowHasher()
  for (const page of readPages(db, table)) seen.add(page)
  return seen.result()
}

function copyTable(from: Db, to: Db, table: Table, onRows: (rows: number) => void): CopiedTable {
  const { name, columns } = table
  const sent = rowHasher()
  for (const page of readPages(from, table)) {
    const rows = page.map(() => `(${placeholders(columns.length)})`).join(', ')
    to.$client.prepare(`insert into "${name}" (${quoteNames(columns)}) values ${rows}`).run(...page.flat())
    onRows(sent.add(page))
  }
  const [expected, found] = [sent.result(), hashTable(to, table)]
  if (expected.rows !== found.rows || expected.digest !== found.digest)
    throw new StartupError(
      `The table ${name} differs after the copy: ${expected.rows} rows were sent, ${found.rows} were found. Nothing was copied.`,
    )
  return { table: name, ...found }
}

interface Listener {
  onRows: (table: string, rows: number) => void
  onTable: (copied: CopiedTable) => void
}

function requireEmpty({ $client }: Db, list: readonly Table[]): void {
  const filled = list.filter(({ name }) => $client.prepare(`select 1 from "${name}" limit 1`).get() !== undefined)
  if (filled.length === 0) return
  throw new StartupError(
    `The database to copy to is not empty (${filled.map(({ name }) => name).join(', ')}). Use a new database.`,
  )
}

const TRIGGERED =
  'select distinct event_object_table from information_schema.triggers where trigger_schema = current_schema()'

/** The copied tables already contain what triggers would write. */
function withoutTriggers(db: Db, work: () => void): void {
  const { $client: client } = db
  if (postgresOf(db)) {
    const names = client.prepare(TRIGGERED).pluck().all() as string[]
    for (const name of names) client.exec(`alter table "${name}" disable trigger user`)
    work()
    for (const name of names) client.exec(`alter table "${name}" enable trigger user`)
    return
  }
  const triggers = client.prepare("select name, sql from sqlite_master where type = 'trigger'").raw().all()
  for (const [name] of triggers as [string, string][]) client.exec(`drop trigger "${name}"`)
  work()
  for (const [, sql] of triggers as [string, string][]) client.exec(sql)
}

const IDENTITIES = `select table_name, column_name from information_schema.columns
  where table_schema = current_schema() and is_identity = 'YES'`

function identitiesOf({ $client }: Db) {
  const rows = $client.prepare(IDENTITIES).raw().all() as [table: string, column: string][]
  const sequence = $client.prepare('select pg_get_serial_sequence(?, ?)').pluck()
  return rows.map(([table, column]) => ({ table, column, sequence: sequence.get(`"${table}"`, column) as string }))
}

/** The highest id ever used in each table, so that ids of deleted rows are not reused. */
function highestIds(db: Db): Map<string, number> {
  const { $client: client } = db
  if (!postgresOf(db))
    return new Map(client.prepare('select name, seq from sqlite_sequence').raw().all() as [string, number][])
  return new Map(
    identitiesOf(db).flatMap(({ table, sequence }) => {
      const last = client.prepare(`select last_value from ${sequence} where is_called`).pluck().get()
      return last === undefined ? [] : [[table, last as number] as const]
    }),
  )
}

function raiseIds(db: Db, ids: ReadonlyMap<string, number>): void {
  const { $client: client } = db
  if (postgresOf(db)) {
    for (const { table, column, sequence } of identitiesOf(db)) {
      const highest = client.prepare(`select coalesce(max("${column}"), 0) from "${table}"`).pluck().get() as number
      const last = Math.max(highest, ids.get(table) ?? 0)
      if (last > 0) client.prepare('select setval(?::regclass, ?)').get(sequence, last)
    }
    return
  }
  const update = client.prepare('update sqlite_sequence set seq = ? where name = ? and seq < ?')
  const insert = client.prepare(
    'insert into sqlite_sequence (name, seq) select ?, ? where not exists (select 1 from sqlite_sequence where name = ?)',
  )
  const autoincrementTables = new Set(
    client.prepare("select name from sqlite_master where type = 'table' and sql like '%autoincrement%'").pluck().all(),
  )
  for (const [table, last] of ids) {
    if (!autoincrementTables.has(table)) continue
    update.run(last, table, last)
    insert.run(table, last, table)
  }
}

export function copyDatabase(from: Db, to: Db, { onRows, onTable }: Listener): void {
  const list = orderedTables()
  const everything = () => {
    requireEmpty(to, list)
    withoutTriggers(to, () => {
      for (const table of list) onTable(copyTable(from, to, table, (rows) => onRows(table.name, rows)))
    })
    raiseIds(to, highestIds(from))
  }
  from.$client.transaction(() => to.$client.transaction(everything).immediate()).deferred()
}
