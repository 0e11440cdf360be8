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

type StoredRow = Record<string, Value> & { id: number; sourceId: string | null }

type Identity = (row: Record<string, Value>) => string

/**
 * Decides what a newer set of shipped rows changes. No row is ever deleted and custom rows are left alone:
 * a shipped row whose place a custom row has taken is skipped. A row that left the data gives its place
 * to the newcomer, so that flights keep pointing at it.
 */
function plan(stored: StoredRow[], rows: readonly ShippedRow[], identity: Identity) {
  const incoming = new Set(rows.map((row) => row.sourceId))
  const bySource = new Map(stored.map((row) => [row.sourceId, row]))
  const stuck = new Set<string>()
  // A stored row that must be skipped keeps its old place, on which another row may have counted: hence the rounds.
  for (;;) {
    const staying = stored.filter(({ sourceId: id }) => id === null || !incoming.has(id) || stuck.has(id))
    const round = place(rows, identity, { incoming, bySource, staying })
    const before = stuck.size
    for (const { sourceId } of round.skipped) {
      if (bySource.has(sourceId) && !round.placed.has(sourceId)) stuck.add(sourceId)
    }
    if (stuck.size === before) return round
  }
}

interface Ground {
  incoming: ReadonlySet<string>
  bySource: ReadonlyMap<string | null, StoredRow>
  /** Rows that keep their place whatever comes. */
  staying: StoredRow[]
}

function place(rows: readonly ShippedRow[], identity: Identity, { incoming, bySource, staying }: Ground) {
  const inserts: ShippedRow[] = []
  const updates: { id: number; row: ShippedRow }[] = []
  const skipped: ShippedRow[] = []
  const placed = new Set<string>()
  const taken = new Set<string>()
  const occupants = new Map(staying.map((row) => [identity(row), row]))
  const isLeftOver = ({ sourceId }: StoredRow) => sourceId !== null && !incoming.has(sourceId)
  let unchanged = 0
  for (const row of rows) {
    const spot = identity(row)
    const occupant = occupants.get(spot)
    const own = bySource.get(row.sourceId) ?? (occupant && isLeftOver(occupant) ? occupant : undefined)
    if (taken.has(spot) || placed.has(row.sourceId) || (occupant && occupant !== own)) {
      skipped.push(row)
      continue
    }
    taken.add(spot)
    placed.add(row.sourceId)
    if (!own) inserts.push(row)
    else if (Object.keys(row).every((name) => own[name] === row[name])) unchanged++
    else updates.push({ id: own.id, row })
  }
  return { inserts, updates, unchanged, skipped, placed }
}

/** Brings the shipped rows of one table up to date, inside the caller's transaction. */
export function renew(
  db: Db,
  table: SQLiteTable,
  rows: readonly ShippedRow[],
  identityColumns: readonly string[],
): Renewal & { changedIds: number[] } {
  const client = db.$client
  const columns = getTableColumns(table)
  const sqlName = (name: string) => columns[name]!.name
  const identity = (row: Record<string, Value>) => identityColumns.map((name) => row[name] ?? '').join('\n')
  const stored = db.select().from(table).all() as StoredRow[]
  const { inserts, updates, unchanged, skipped } = plan(stored, rows, identity)
  const names = Object.keys(columns).filter((name) => name !== 'id')
  const tableName = getTableName(table)

  // Two rows may exchange their codes; for a moment both step aside, to where no code and no trimmed name can be.
  const key = sqlName(identityColumns[0]!)
  const stepAside = client.prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`)
  for (const { id } of updates) stepAside.run(id)
  const update = client.prepare(
    `update ${tableName} set ${names.map((name) => `${sqlName(name)} = @${name}`).join(', ')} where id = @id`,
  )
  for (const { id, row } of updates) update.run({ ...row, id })
  const insert = client.prepare(
    `insert into ${tableName} (${names.map(sqlName).join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
  for (const row of inserts) insert.run(names.map((name) => row[name] ?? null))
  const changedIds = updates.map(({ id }) => id)
  return { inserted: inserts.length, updated: updates.length, unchanged, skipped: skipped.length, changedIds }
}
