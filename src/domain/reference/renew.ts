import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'

type Value = string | number | null

/** A row of the shipped data, by column name in TypeScript. */
export type ShippedRow = Record<string, Value> & { sourceId: string }

export interface Renewal {
  inserted: number
  updated: number
  unchanged: number
  skipped: number
}

/** What deciding needs of a row; whole rows of every airport would take more memory than a small container has. */
interface Incoming {
  sourceId: string
  /** The columns that no two rows may share, as one text. */
  spot: string
}
interface Stored {
  id: number
  sourceId: string | null
  spot: string
}

/** What becomes of each incoming row, by its place in the data. */
type Decision = 'insert' | 'skip' | Stored

/**
 * Decides what a newer set of shipped rows changes. No row is ever deleted and custom rows are left alone:
 * a shipped row whose place a custom row has taken is skipped. A row that left the data gives its place
 * to the newcomer, so that flights keep pointing at it.
 */
function plan(stored: readonly Stored[], rows: readonly Incoming[]): Decision[] {
  const incoming = new Set(rows.map((row) => row.sourceId))
  const bySource = new Map(stored.map((row) => [row.sourceId, row]))
  const stuck = new Set<string>()
  // A stored row that must be skipped keeps its old place, on which another row may have counted: hence the rounds.
  for (;;) {
    const staying = stored.filter(({ sourceId: id }) => id === null || !incoming.has(id) || stuck.has(id))
    const { decisions, placed } = place(rows, { incoming, bySource, staying })
    const before = stuck.size
    decisions.forEach((decision, index) => {
      const { sourceId } = rows[index]!
      if (decision === 'skip' && bySource.has(sourceId) && !placed.has(sourceId)) stuck.add(sourceId)
    })
    if (stuck.size === before) return decisions
  }
}

interface Ground {
  incoming: ReadonlySet<string>
  bySource: ReadonlyMap<string | null, Stored>
  /** Rows that keep their place whatever comes. */
  staying: readonly Stored[]
}

function place(rows: readonly Incoming[], { incoming, bySource, staying }: Ground) {
  const placed = new Set<string>()
  const taken = new Set<string>()
  const occupants = new Map(staying.map((row) => [row.spot, row]))
  const isLeftOver = ({ sourceId }: Stored) => sourceId !== null && !incoming.has(sourceId)
  const decisions = rows.map(({ sourceId, spot }): Decision => {
    const occupant = occupants.get(spot)
    const own = bySource.get(sourceId) ?? (occupant && isLeftOver(occupant) ? occupant : undefined)
    if (taken.has(spot) || placed.has(sourceId) || (occupant && occupant !== own)) return 'skip'
    taken.add(spot)
    placed.add(sourceId)
    return own ?? 'insert'
  })
  return { decisions, placed }
}

/** Brings the shipped rows of one table up to date, inside the caller's transaction. The rows are gone through twice. */
export function renew(
  db: Db,
  table: SQLiteTable,
  rows: Iterable<ShippedRow>,
  identityColumns: readonly string[],
): Renewal & { changedIds: number[] } {
  const client = db.$client
  const columns = getTableColumns(table)
  const sqlName = (name: string) => columns[name]!.name
  const spotOf = (values: readonly (Value | undefined)[]) => values.map((value) => value ?? '').join('\n')
  const tableName = getTableName(table)
  const places = client
    .prepare(`select id, source_id, ${identityColumns.map(sqlName).join(', ')} from ${tableName}`)
    .raw()
    .all() as [id: number, sourceId: string | null, ...identity: Value[]][]
  const stored = places.map(([id, sourceId, ...identity]): Stored => ({ id, sourceId, spot: spotOf(identity) }))
  const incoming = Array.from(
    rows,
    (row): Incoming => ({ sourceId: row.sourceId, spot: spotOf(identityColumns.map((name) => row[name])) }),
  )
  const decisions = plan(stored, incoming)

  // Two rows may exchange their codes; for a moment both step aside, to where no code and no trimmed name can be.
  const key = sqlName(identityColumns[0]!)
  const stepAside = client.prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`)
  decisions.forEach((decision, index) => {
    if (typeof decision === 'object' && decision.spot !== incoming[index]!.spot) stepAside.run(decision.id)
  })
  const names = Object.keys(columns).filter((name) => name !== 'id')
  const update = client.prepare(
    `update ${tableName} set ${names.map((name) => `${sqlName(name)} = @${name}`).join(', ')}
     where id = @id and (${names.map((name) => `${sqlName(name)} is not @${name}`).join(' or ')})`,
  )
  const insert = client.prepare(
    `insert into ${tableName} (${names.map(sqlName).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  const changedIds: number[] = []
  const counts = { inserted: 0, unchanged: 0, skipped: 0 }
  let index = 0
  for (const row of rows) {
    const decision = decisions[index++]!
    if (decision === 'skip') counts.skipped++
    else if (decision === 'insert') {
      insert.run(names.map((name) => row[name] ?? null))
      counts.inserted++
    } else if (update.run({ ...row, id: decision.id }).changes > 0) changedIds.push(decision.id)
    else counts.unchanged++
  }
  const { inserted, unchanged, skipped } = counts
  return { inserted, updated: changedIds.length, unchanged, skipped, changedIds }
}

/** Rows that one statement puts in: a statement for each takes a fifth longer. */
const ROWS_AT_ONCE = 50

export const isEmpty = (db: Db, table: SQLiteTable): boolean =>
  db.$client.prepare(`select 1 from ${getTableName(table)} limit 1`).get() === undefined

/** Puts rows of which no two have the same place into an empty table. Holds a few at a time and has nothing to decide. */
export function fill(db: Db, table: SQLiteTable, rows: Iterable<ShippedRow>): Renewal & { changedIds: number[] } {
  const columns = Object.entries(getTableColumns(table)).filter(([name]) => name !== 'id')
  const placeholders = `(${columns.map(() => '?').join(', ')})`
  const insertion = (count: number) =>
    db.$client.prepare(
      `insert into ${getTableName(table)} (${columns.map(([, column]) => column.name).join(', ')})
       values ${Array(count).fill(placeholders).join(', ')}`,
    )
  const insert = insertion(ROWS_AT_ONCE)
  let values: Value[] = []
  let inserted = 0
  for (const row of rows) {
    for (const [name] of columns) values.push(row[name] ?? null)
    if (++inserted % ROWS_AT_ONCE > 0) continue
    insert.run(values)
    values = []
  }
  if (values.length > 0) insertion(inserted % ROWS_AT_ONCE).run(values)
  return { inserted, updated: 0, unchanged: 0, skipped: 0, changedIds: [] }
}
