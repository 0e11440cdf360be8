import { createHash } from 'node:crypto'
import { is } from 'drizzle-orm'
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { Refusal } from '../lib/refusal.ts'
import type { Db } from './connection.ts'
import { highestIds, raiseIds, withoutTriggers } from './copy-details.ts'
import * as tables from './tables/index.ts'

interface Table {
  name: string
  columns: string[]
  /** What its rows are ordered by; no two rows have the same. */
  key: string[]
  /** Tables that its rows point at. */
  needs: string[]
}

interface CopiedTable {
  table: string
  rows: number
  /** Of all values of all rows, in the order of their keys. */
  digest: string
}

/** So many values in one statement, of at most so many bytes: rows may have tracks of a megabyte. */
const MOST_VALUES = 10_000
const MOST_BYTES = 4 * 1024 * 1024
const FEWEST_ROWS = 8

type Value = string | number | null | Uint8Array
type Row = Value[]

function tableOf(table: SQLiteTable): Table {
  const { name, columns, primaryKeys, foreignKeys } = getTableConfig(table)
  const ofColumn = columns.filter((column) => column.primary).map((column) => column.name)
  const ofTable = primaryKeys.flatMap((key) => key.columns.map((column) => column.name))
  const all = columns.map((column) => column.name)
  const key = [...ofColumn, ...ofTable]
  const needs = foreignKeys.map((each) => getTableConfig(each.reference().foreignTable).name)
  return { name, columns: all, key: key.length > 0 ? key : all, needs: needs.filter((needed) => needed !== name) }
}

/** In an order in which every row finds those that it points at. */
function orderedTables(): Table[] {
  const left = Object.values(tables as Record<string, unknown>).flatMap((each) =>
    is(each, SQLiteTable) ? [tableOf(each)] : [],
  )
  const ordered: Table[] = []
  const isDone = (name: string) => ordered.some((table) => table.name === name)
  while (left.length > 0) {
    const next = left.findIndex(({ needs }) => needs.every(isDone))
    if (next === -1) throw new Error('Tables point at each other in a circle.')
    ordered.push(...left.splice(next, 1))
  }
  return ordered
}

const quoted = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')
const marks = (count: number) => Array.from({ length: count }, () => '?').join(', ')

const bytesOf = (row: Row) =>
  row.reduce<number>((sum, value) => sum + (value === null || typeof value === 'number' ? 8 : value.length), 0)

/** Every row of a table in the order of its key, in pieces that fit into memory. */
function* pagesOf({ $client }: Db, { name, columns, key }: Table): Generator<Row[]> {
  const places = key.map((column) => columns.indexOf(column))
  const most = Math.floor(MOST_VALUES / columns.length)
  const select = `select ${quoted(columns)} from "${name}"`
  const order = `order by ${quoted(key)}`
  let size = Math.min(most, 64)
  let last: Row | undefined
  for (;;) {
    const where = last ? `where (${quoted(key)}) > (${marks(key.length)})` : ''
    const after = last ? places.map((place) => last![place]) : []
    const page = $client
      .prepare(`${select} ${where} ${order} limit ${size}`)
      .raw()
      .all(...after) as Row[]
    if (page.length > 0) yield page
    if (page.length < size) return
    last = page.at(-1)
    const bytes = page.reduce((sum, row) => sum + bytesOf(row), 0)
    if (bytes > MOST_BYTES) size = Math.max(FEWEST_ROWS, Math.floor(size / 4))
    else if (bytes < MOST_BYTES / 4) size = Math.min(most, size * 2)
  }
}

/** A value with its kind and length before it, so that no two lists of values look alike. */
function textOf(value: Value): string | Uint8Array {
  if (value === null) return '-'
  if (typeof value === 'number') return `n${value};`
  return typeof value === 'string' ? `t${value.length}:${value}` : value
}

function counter() {
  const hash = createHash('sha256')
  let rows = 0
  return {
    add(page: readonly Row[]): number {
      rows += page.length
      for (const row of page) {
        for (const value of row) {
          if (value instanceof Uint8Array) hash.update(`b${value.length}:`)
          hash.update(textOf(value))
        }
      }
      return rows
    },
    result: () => ({ rows, digest: hash.digest('hex') }),
  }
}

/** Every row is read again after it was written: what counts is what the other database says. */
function countedIn(db: Db, table: Table): { rows: number; digest: string } {
  const seen = counter()
  for (const page of pagesOf(db, table)) seen.add(page)
  return seen.result()
}

function copyTable(from: Db, to: Db, table: Table, onRows: (rows: number) => void): CopiedTable {
  const { name, columns } = table
  const sent = counter()
  for (const page of pagesOf(from, table)) {
    const rows = page.map(() => `(${marks(columns.length)})`).join(', ')
    to.$client.prepare(`insert into "${name}" (${quoted(columns)}) values ${rows}`).run(...page.flat())
    onRows(sent.add(page))
  }
  const [wanted, found] = [sent.result(), countedIn(to, table)]
  if (wanted.rows !== found.rows || wanted.digest !== found.digest)
    throw new Refusal(
      `The table ${name} did not arrive as it was: ${wanted.rows} rows were sent and ${found.rows} are there. Nothing was copied.`,
    )
  return { table: name, ...found }
}

interface Listener {
  onRows: (table: string, rows: number) => void
  onTable: (copied: CopiedTable) => void
}

/** A database that has rows already is somebody's. */
function requireEmpty({ $client }: Db, list: readonly Table[]): void {
  const filled = list.filter(({ name }) => $client.prepare(`select 1 from "${name}" limit 1`).get() !== undefined)
  if (filled.length === 0) return
  throw new Refusal(
    `The database to copy to is not empty (${filled.map(({ name }) => name).join(', ')}): give a new one, nothing is overwritten.`,
  )
}

/**
 * Copies everything that an instance knows, from one engine to the other, as one state of the source and in one
 * transaction of the target: either all of it arrives, or nothing.
 */
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
