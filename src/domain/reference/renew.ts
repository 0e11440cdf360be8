import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { insertRows } from '../../db/insert-rows.ts'
import type { Db } from '../../db/open.ts'
import { inChunks } from '../../lib/chunks.ts'

type Value = string | number | null

export type ShippedRow = Record<string, Value> & { sourceId: string }

/** Custom rows have no source id. */
type StoredRow = Record<string, Value> & { id: number; sourceId: string | null }

export interface Renewal {
  inserted: number
  updated: number
  unchanged: number
  skipped: number
}

export interface Changes extends Renewal {
  changedIds: number[]
  /** Source ids before and after a change that affects searches. */
  renamedSources: string[]
  /** Source ids of rows that are not as in the data: they have left it, or were skipped. */
  differingSources: string[]
}

/** A new row, or one whose unique key has changed. */
interface Mover {
  row: ShippedRow
  key: string
  /** The stored row with the same source id; undefined for a new row. */
  own: StoredRow | undefined
}

interface Ground {
  /** Stored rows by the keys of the movers. */
  occupants: ReadonlyMap<string, StoredRow>
  /** Ids of rows that are still in the data. */
  known: ReadonlySet<number>
}

type Decision = 'insert' | 'skip' | StoredRow

/**
 * Decides which stored row each mover updates. No row is deleted and custom rows are not changed: a shipped row with the
 * key of a custom row is skipped. A new row replaces one that has left the data, so that flights keep their references.
 */
function decide(movers: readonly Mover[], { occupants, known }: Ground): Decision[] {
  const leaving = new Set(movers.flatMap(({ own }) => own?.id ?? []))
  // A skipped row keeps its old key, which another row may have been given, so decide again.
  for (;;) {
    const [taken, newcomers] = [new Set<string>(), new Set<string>()]
    const decisions = movers.map(({ row: { sourceId }, key, own }): Decision => {
      const occupant = occupants.get(key)
      const holder = occupant && !leaving.has(occupant.id) ? occupant : undefined
      const isLeftOver = holder !== undefined && holder.sourceId !== null && !known.has(holder.id)
      const renewed = own ?? (isLeftOver ? holder : undefined)
      if (taken.has(key) || (!own && newcomers.has(sourceId)) || (holder && holder !== renewed)) return 'skip'
      taken.add(key)
      newcomers.add(sourceId)
      return renewed ?? 'insert'
    })
    const staying = movers.filter(({ own }, index) => own && leaving.has(own.id) && decisions[index] === 'skip')
    if (staying.length === 0) return decisions
    for (const { own } of staying) leaving.delete(own!.id)
  }
}

const SEARCHED_COLUMNS = new Set(['sourceId', 'name', 'municipality', 'icao', 'iata', 'country', 'type'])
const CHUNK_SIZE = 500

/** Updates the shipped rows of one table inside the caller's transaction, in chunks to limit memory. */
export function renew(db: Db, table: SQLiteTable, rows: Iterable<ShippedRow>, identity: readonly string[]): Changes {
  const { readBy, shippedSources, update, insert, clearIdentity } = statementsFor(db, table, identity)
  const names = namesOf(table)
  const keyOf = (row: Record<string, Value>) => identity.map((name) => row[name] ?? '').join('\n')
  const changedIds: number[] = []
  const [renamedSources, differingSources]: [string[], string[]] = [[], []]
  const counts = { inserted: 0, unchanged: 0, skipped: 0 }
  const known = new Set<number>()
  const movers: Mover[] = []
  const change = (row: ShippedRow, before: StoredRow) => {
    const changed = names.filter((name) => before[name] !== (row[name] ?? null))
    if (changed.length === 0) counts.unchanged++
    else {
      update.run({ ...row, id: before.id })
      changedIds.push(before.id)
      if (changed.some((name) => SEARCHED_COLUMNS.has(name))) renamedSources.push(row.sourceId, before.sourceId!)
    }
  }

  for (const batch of inChunks(rows, CHUNK_SIZE)) {
    const stored = readBy.source(batch.map(({ sourceId }) => sourceId))
    const bySource = new Map(stored.map((row) => [row.sourceId, row]))
    for (const row of batch) {
      const own = bySource.get(row.sourceId)
      const key = keyOf(row)
      if (own && known.has(own.id)) counts.skipped++
      else if (own && keyOf(own) === key) change(row, own)
      else movers.push({ row, key, own })
      if (own) known.add(own.id)
    }
  }

  const occupants = new Map<string, StoredRow>()
  for (const batch of inChunks(movers, CHUNK_SIZE)) {
    for (const row of readBy.key(batch.map(({ row }) => row[identity[0]!]!))) occupants.set(keyOf(row), row)
  }
  const decisions = decide(movers, { occupants, known })
  for (const [index, decision] of decisions.entries()) {
    const { row, own } = movers[index]!
    if (typeof decision === 'object') known.add(decision.id)
    else if (own) known.delete(own.id)
    else if (decision === 'skip') differingSources.push(row.sourceId)
  }
  for (const { id, sourceId } of shippedSources()) if (!known.has(id)) differingSources.push(sourceId)
  // Rows may exchange their keys, so all of them first get a value that no code or trimmed name can have.
  for (const [index, decision] of decisions.entries()) {
    if (typeof decision === 'object' && keyOf(decision) !== movers[index]!.key) clearIdentity.run(decision.id)
  }
  for (const [index, decision] of decisions.entries()) {
    const { row } = movers[index]!
    if (typeof decision === 'object') change(row, decision)
    else if (decision === 'skip') counts.skipped++
    else {
      insert.run(names.map((name) => row[name] ?? null))
      counts.inserted++
    }
  }
  return { ...counts, updated: changedIds.length, changedIds, renamedSources, differingSources }
}

const namesOf = (table: SQLiteTable) => Object.keys(getTableColumns(table)).filter((name) => name !== 'id')

function statementsFor(db: Db, table: SQLiteTable, identity: readonly string[]) {
  const columns = getTableColumns(table)
  const sqlName = (name: string) => columns[name]!.name
  const [tableName, names] = [getTableName(table), namesOf(table)]
  const [key, source] = [sqlName(identity[0]!), sqlName('sourceId')]
  const prepare = (text: string) => db.$client.prepare(text)
  const readBy = (column: string) => {
    const selected = ['id', ...names].map((name) => `${sqlName(name)} as "${name}"`).join(', ')
    const read = prepare(
      `select ${selected} from ${tableName} where ${column} in (select value from json_each(?, '$'))`,
    )
    return (values: readonly Value[]) => read.all(JSON.stringify(values)) as StoredRow[]
  }
  return {
    readBy: { source: readBy(source), key: readBy(key) },
    shippedSources: () =>
      prepare(
        `select id, ${source} as "sourceId" from ${tableName} where ${source} is not null`,
      ).iterate() as Iterable<{
        id: number
        sourceId: string
      }>,
    update: prepare(
      `update ${tableName} set ${names.map((name) => `${sqlName(name)} = @${name}`).join(', ')} where id = @id`,
    ),
    insert: prepare(
      `insert into ${tableName} (${names.map(sqlName).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ),
    clearIdentity: prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`),
  }
}

export const isEmpty = (db: Db, table: SQLiteTable): boolean =>
  db.$client.prepare(`select 1 from ${getTableName(table)} limit 1`).get() === undefined

/** Inserts rows with distinct keys into an empty table. */
export function fill(db: Db, table: SQLiteTable, rows: Iterable<ShippedRow>): Changes {
  const inserted = insertRows(db, table, ['id'])(rows)
  const none = { changedIds: [], renamedSources: [], differingSources: [] }
  return { inserted, updated: 0, unchanged: 0, skipped: 0, ...none }
}
