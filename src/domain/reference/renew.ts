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

/**
 * What deciding needs of the rows, column by column: as objects, those of every airport would take more memory than a
 * command may have beside a server.
 */
interface Incoming {
  sourceIds: string[]
  /** The columns that no two rows may share, as one text. */
  spots: string[]
}
interface Stored {
  ids: number[]
  /** Null for rows that were made on this instance. */
  sourceIds: (string | null)[]
  spots: string[]
  /** Where a row stands in the lists above. */
  bySource: ReadonlyMap<string, number>
}

/** What becomes of each incoming row, by its place in the data: one of these, or the place of a stored row that it renews. */
const [INSERT, SKIP] = [-1, -2]

/**
 * Decides what a newer set of shipped rows changes. No row is ever deleted and custom rows are left alone:
 * a shipped row whose place a custom row has taken is skipped. A row that left the data gives its place
 * to the newcomer, so that flights keep pointing at it.
 */
function plan(stored: Stored, incoming: Incoming): Int32Array {
  const { sourceIds, bySource } = stored
  /** Rows that keep their place whatever comes: they have left the data, or never were in it. */
  const isStaying = new Uint8Array(sourceIds.length).fill(1)
  for (const sourceId of incoming.sourceIds) {
    const own = bySource.get(sourceId)
    if (own !== undefined) isStaying[own] = 0
  }
  const isLeftOver = (place: number) => sourceIds[place] !== null && isStaying[place] === 1
  const leftOver = Uint8Array.from(sourceIds, (_, place) => Number(isLeftOver(place)))
  // A stored row that must be skipped keeps its old place, on which another row may have counted: hence the rounds.
  for (;;) {
    const { decisions, isPlaced } = place(stored, incoming, { isStaying, leftOver })
    let isSettled = true
    for (const [index, decision] of decisions.entries()) {
      const own = decision === SKIP ? bySource.get(incoming.sourceIds[index]!) : undefined
      if (own === undefined || isPlaced[own] === 1 || isStaying[own] === 1) continue
      isStaying[own] = 1
      isSettled = false
    }
    if (isSettled) return decisions
  }
}

interface Ground {
  isStaying: Uint8Array
  leftOver: Uint8Array
}

function place(stored: Stored, { sourceIds, spots }: Incoming, { isStaying, leftOver }: Ground) {
  const { bySource } = stored
  const isPlaced = new Uint8Array(stored.ids.length)
  const newcomers = new Set<string>()
  const taken = new Set<string>()
  const occupants = new Map<string, number>()
  for (const [row, spot] of stored.spots.entries()) if (isStaying[row] === 1) occupants.set(spot, row)
  const decisions = Int32Array.from(sourceIds, (sourceId, index) => {
    const spot = spots[index]!
    const known = bySource.get(sourceId)
    const occupant = occupants.get(spot)
    const own = known ?? (occupant !== undefined && leftOver[occupant] === 1 ? occupant : undefined)
    const wasPlaced = known === undefined ? newcomers.has(sourceId) : isPlaced[known] === 1
    if (taken.has(spot) || wasPlaced || (occupant !== undefined && occupant !== own)) return SKIP
    taken.add(spot)
    if (known === undefined) newcomers.add(sourceId)
    else isPlaced[known] = 1
    return own ?? INSERT
  })
  return { decisions, isPlaced }
}

const spotOf = (values: readonly (Value | undefined)[]) => values.map((value) => value ?? '').join('\n')

function storedIn(client: Db['$client'], tableName: string, identity: readonly string[]): Stored {
  const rows = client
    .prepare(`select id, source_id, ${identity.join(', ')} from ${tableName}`)
    .raw()
    .iterate() as Iterable<[id: number, sourceId: string | null, ...identity: Value[]]>
  const [ids, sourceIds, spots]: [number[], (string | null)[], string[]] = [[], [], []]
  const bySource = new Map<string, number>()
  for (const [id, sourceId, ...values] of rows) {
    if (sourceId !== null) bySource.set(sourceId, ids.length)
    ids.push(id)
    sourceIds.push(sourceId)
    spots.push(spotOf(values))
  }
  return { ids, sourceIds, spots, bySource }
}

/** Texts that are stored already are taken from there, so that each is held once. */
function incomingFrom(rows: Iterable<ShippedRow>, identityColumns: readonly string[], stored: Stored): Incoming {
  const [sourceIds, spots]: [string[], string[]] = [[], []]
  for (const row of rows) {
    const own = stored.bySource.get(row.sourceId)
    const spot = spotOf(identityColumns.map((name) => row[name]))
    sourceIds.push((own !== undefined && stored.sourceIds[own]) || row.sourceId)
    spots.push(own !== undefined && stored.spots[own] === spot ? stored.spots[own] : spot)
  }
  return { sourceIds, spots }
}

/**
 * Brings the shipped rows of one table up to date, inside the caller's transaction. The rows are gone through twice.
 * Its SQL is text because the table is any of them: the builder would not know the columns either, and takes longer.
 */
export function renew(
  db: Db,
  table: SQLiteTable,
  rows: Iterable<ShippedRow>,
  identityColumns: readonly string[],
): Renewal & { changedIds: number[] } {
  const client = db.$client
  const columns = getTableColumns(table)
  const sqlName = (name: string) => columns[name]!.name
  const tableName = getTableName(table)
  const stored = storedIn(client, tableName, identityColumns.map(sqlName))
  const incoming = incomingFrom(rows, identityColumns, stored)
  const decisions = plan(stored, incoming)

  // Two rows may exchange their codes; for a moment both step aside, to where no code and no trimmed name can be.
  const key = sqlName(identityColumns[0]!)
  const stepAside = client.prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`)
  for (const [index, decision] of decisions.entries()) {
    if (decision >= 0 && stored.spots[decision] !== incoming.spots[index]) stepAside.run(stored.ids[decision])
  }
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
    if (decision === SKIP) counts.skipped++
    else if (decision === INSERT) {
      insert.run(names.map((name) => row[name] ?? null))
      counts.inserted++
    } else {
      const id = stored.ids[decision]!
      if (update.run({ ...row, id }).changes > 0) changedIds.push(id)
      else counts.unchanged++
    }
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
