import { inChunks } from '../../lib/chunks.ts'
import type { ShippedRow, ShippedRowStore, StoredRow, Value } from './renew-store.ts'

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

interface StoredRows {
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
function decide(movers: readonly Mover[], { occupants, known }: StoredRows): Decision[] {
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
export function renew(store: ShippedRowStore, rows: Iterable<ShippedRow>): Changes {
  const { identity, names } = store
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
      store.update({ ...row, id: before.id })
      changedIds.push(before.id)
      if (changed.some((name) => SEARCHED_COLUMNS.has(name))) renamedSources.push(row.sourceId, before.sourceId!)
    }
  }

  for (const batch of inChunks(rows, CHUNK_SIZE)) {
    const stored = store.readBySource(batch.map(({ sourceId }) => sourceId))
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
    for (const row of store.readByKey(batch.map(({ row }) => row[identity[0]!]!))) occupants.set(keyOf(row), row)
  }
  const decisions = decide(movers, { occupants, known })
  for (const [index, decision] of decisions.entries()) {
    const { row, own } = movers[index]!
    if (typeof decision === 'object') known.add(decision.id)
    else if (own) known.delete(own.id)
    else if (decision === 'skip') differingSources.push(row.sourceId)
  }
  for (const { id, sourceId } of store.shippedSources()) if (!known.has(id)) differingSources.push(sourceId)
  // Rows may exchange their keys, so all of them first get a value that no code or trimmed name can have.
  for (const [index, decision] of decisions.entries()) {
    if (typeof decision === 'object' && keyOf(decision) !== movers[index]!.key) store.clearIdentity(decision.id)
  }
  for (const [index, decision] of decisions.entries()) {
    const { row } = movers[index]!
    if (typeof decision === 'object') change(row, decision)
    else if (decision === 'skip') counts.skipped++
    else {
      store.insert(row)
      counts.inserted++
    }
  }
  return { ...counts, updated: changedIds.length, changedIds, renamedSources, differingSources }
}

/** Inserts rows with distinct keys into an empty table. */
export function fill(store: ShippedRowStore, rows: Iterable<ShippedRow>): Changes {
  const none = { changedIds: [], renamedSources: [], differingSources: [] }
  return { inserted: store.insertAll(rows), updated: 0, unchanged: 0, skipped: 0, ...none }
}
