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

interface Plan {
  inserts: ShippedRow[]
  updates: { id: number; row: ShippedRow }[]
  unchanged: number
  skipped: number
}

type StoredRow = Record<string, Value> & { id: number; sourceId: string | null }

/**
 * Decides what a newer set of shipped rows changes. No row is ever deleted and custom rows are left alone:
 * a shipped row whose place a custom row has taken is skipped. A row that left the data gives its place
 * to the newcomer, so that flights keep pointing at it.
 */
function plan(
  stored: StoredRow[],
  rows: readonly ShippedRow[],
  identity: (row: Record<string, Value>) => string,
): Plan {
  const incoming = new Set(rows.map((row) => row.sourceId))
  const bySource = new Map<string, StoredRow>()
  const staying = new Map<string, StoredRow>()
  for (const row of stored) {
    if (row.sourceId !== null) bySource.set(row.sourceId, row)
    if (row.sourceId === null || !incoming.has(row.sourceId)) staying.set(identity(row), row)
  }
  const result: Plan = { inserts: [], updates: [], unchanged: 0, skipped: 0 }
  const taken = new Set<string>()
  for (const row of rows) {
    const place = identity(row)
    const occupant = staying.get(place)
    const own = bySource.get(row.sourceId) ?? (occupant?.sourceId === null ? undefined : occupant)
    if (taken.has(place) || (occupant && occupant !== own)) {
      result.skipped++
      continue
    }
    taken.add(place)
    if (!own) result.inserts.push(row)
    else if (Object.keys(row).every((name) => own[name] === row[name])) result.unchanged++
    else result.updates.push({ id: own.id, row })
  }
  return result
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

  // Two rows may exchange their codes; for a moment both step aside.
  const key = sqlName(identityColumns[0]!)
  const stepAside = client.prepare(`update ${tableName} set ${key} = '~' || id where id = ?`)
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
  return { inserted: inserts.length, updated: updates.length, unchanged, skipped, changedIds }
}
