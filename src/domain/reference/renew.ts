import { getTableColumns, getTableName } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { insertRows } from '../../db/insert-rows.ts'
import type { Db } from '../../db/open.ts'
import { inChunks } from '../../lib/chunks.ts'
import { searchedColumns } from './search/rows.ts'

type Value = string | number | null

/** A row of the shipped data, by column name in TypeScript. */
export type ShippedRow = Record<string, Value> & { sourceId: string }

/** A row of the table; its source is null when it was made on this instance. */
type StoredRow = Record<string, Value> & { id: number; sourceId: string | null }

export interface Renewal {
  inserted: number
  updated: number
  unchanged: number
  skipped: number
}

export interface Changes extends Renewal {
  changedIds: number[]
  /** Those of them that searches find by something else now. */
  renamedIds: number[]
  /** Rows that are not as in the data: they have left it, or their spot in it is taken. */
  differingIds: number[]
  /** Rows of the data, or of earlier data, that the table does not have. */
  missingSources: string[]
}

/** A row that wants a spot which is not its own yet. The spot: the columns that no two rows may share, as one text. */
interface Mover {
  row: ShippedRow
  spot: string
  /** The row that has its source, at another spot; undefined for a newcomer. */
  own: StoredRow | undefined
}

interface Ground {
  /** Who is at the spots that are wanted. */
  occupants: ReadonlyMap<string, StoredRow>
  /** The ids of rows that are in the data still. */
  known: ReadonlySet<number>
}

type Decision = 'insert' | 'skip' | StoredRow

/**
 * Decides which row each mover renews. No row is ever deleted and custom rows are left alone: a shipped row whose spot a
 * custom row has taken is skipped. A row that left the data gives its spot to the newcomer, so that flights keep
 * pointing at it.
 */
function decide(movers: readonly Mover[], { occupants, known }: Ground): Decision[] {
  const leaving = new Set(movers.flatMap(({ own }) => own?.id ?? []))
  // A row that must be skipped keeps its old spot, on which another one may have counted: hence the rounds.
  for (;;) {
    const [taken, newcomers] = [new Set<string>(), new Set<string>()]
    const decisions = movers.map(({ row: { sourceId }, spot, own }): Decision => {
      const occupant = occupants.get(spot)
      const holder = occupant && !leaving.has(occupant.id) ? occupant : undefined
      const isLeftOver = holder !== undefined && holder.sourceId !== null && !known.has(holder.id)
      const renewed = own ?? (isLeftOver ? holder : undefined)
      if (taken.has(spot) || (!own && newcomers.has(sourceId)) || (holder && holder !== renewed)) return 'skip'
      taken.add(spot)
      newcomers.add(sourceId)
      return renewed ?? 'insert'
    })
    const staying = movers.filter(({ own }, index) => own && leaving.has(own.id) && decisions[index] === 'skip')
    if (staying.length === 0) return decisions
    for (const { own } of staying) leaving.delete(own!.id)
  }
}

const ROWS_COMPARED_AT_ONCE = 500

/**
 * Brings the shipped rows of one table up to date, inside the caller's transaction. Rows that are at their spot already,
 * nearly all of them, are compared a few hundred at a time and let go again: all of every airport would take more memory
 * than a command may have beside a server. Its SQL is text because the table is any of them: the builder would not know
 * the columns either, and takes longer.
 */
export function renew(db: Db, table: SQLiteTable, rows: Iterable<ShippedRow>, identity: readonly string[]): Changes {
  const { readBy, shippedIds, update, insert, stepAside } = statementsFor(db, table, identity)
  const names = namesOf(table)
  const spotOf = (row: Record<string, Value>) => identity.map((name) => row[name] ?? '').join('\n')
  const [changedIds, renamedIds, missingSources]: [number[], number[], string[]] = [[], [], []]
  const counts = { inserted: 0, unchanged: 0, skipped: 0 }
  const known = new Set<number>()
  const movers: Mover[] = []
  const change = (row: ShippedRow, before: StoredRow) => {
    const changed = names.filter((name) => before[name] !== (row[name] ?? null))
    if (changed.length === 0) counts.unchanged++
    else {
      update.run({ ...row, id: before.id })
      changedIds.push(before.id)
      if (changed.some((name) => searchedColumns.has(name))) renamedIds.push(before.id)
    }
  }

  for (const batch of inChunks(rows, ROWS_COMPARED_AT_ONCE)) {
    const stored = readBy.source(batch.map(({ sourceId }) => sourceId))
    const bySource = new Map(stored.map((row) => [row.sourceId, row]))
    for (const row of batch) {
      const own = bySource.get(row.sourceId)
      const spot = spotOf(row)
      if (own && known.has(own.id)) counts.skipped++
      else if (own && spotOf(own) === spot) change(row, own)
      else movers.push({ row, spot, own })
      if (own) known.add(own.id)
    }
  }

  const occupants = new Map<string, StoredRow>()
  for (const batch of inChunks(movers, ROWS_COMPARED_AT_ONCE)) {
    for (const row of readBy.spot(batch.map(({ row }) => row[identity[0]!]!))) occupants.set(spotOf(row), row)
  }
  const decisions = decide(movers, { occupants, known })
  for (const [index, decision] of decisions.entries()) {
    const { row, own } = movers[index]!
    if (typeof decision === 'object') known.add(decision.id)
    else if (own) known.delete(own.id)
    else if (decision === 'skip') missingSources.push(row.sourceId)
    if (typeof decision === 'object' && decision !== own) missingSources.push(decision.sourceId!)
  }
  const differingIds = [...shippedIds()].filter((id) => !known.has(id))
  // Two rows may exchange their codes; for a moment both step aside, to where no code and no trimmed name can be.
  for (const [index, decision] of decisions.entries()) {
    if (typeof decision === 'object' && spotOf(decision) !== movers[index]!.spot) stepAside.run(decision.id)
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
  const { inserted, unchanged, skipped } = counts
  return {
    inserted,
    updated: changedIds.length,
    unchanged,
    skipped,
    changedIds,
    renamedIds,
    differingIds,
    missingSources,
  }
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
    readBy: { source: readBy(source), spot: readBy(key) },
    shippedIds: () =>
      prepare(`select id from ${tableName} where ${source} is not null`).pluck().iterate() as Iterable<number>,
    update: prepare(
      `update ${tableName} set ${names.map((name) => `${sqlName(name)} = @${name}`).join(', ')} where id = @id`,
    ),
    insert: prepare(
      `insert into ${tableName} (${names.map(sqlName).join(', ')}) values (${names.map(() => '?').join(', ')})`,
    ),
    stepAside: prepare(`update ${tableName} set ${key} = ' ' || id where id = ?`),
  }
}

export const isEmpty = (db: Db, table: SQLiteTable): boolean =>
  db.$client.prepare(`select 1 from ${getTableName(table)} limit 1`).get() === undefined

/** Puts rows of which no two have the same place into an empty table. Holds a few at a time and has nothing to decide. */
export function fill(db: Db, table: SQLiteTable, rows: Iterable<ShippedRow>): Changes {
  const inserted = insertRows(db, table, ['id'])(rows)
  const nothingElse = { changedIds: [], renamedIds: [], differingIds: [], missingSources: [] }
  return { inserted, updated: 0, unchanged: 0, skipped: 0, ...nothingElse }
}
