import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import { buildSearchIndex, type SearchIndex } from './search.ts'
import type { referenceStore } from './store.ts'

const MOST_RECORDS = 10_000

type Store = ReturnType<typeof referenceStore>
export type Kind = 'airports' | 'airlines' | 'aircraft'
type Found<K extends Kind> = ReturnType<Store[K]['find']>

/**
 * Reference data hardly ever changes, so records in use and the search indexes stay in the process.
 * Both are dropped when reference data is written, here or by another process. Records are also dropped when
 * another process wrote anything at all, since an operator may mend a row by hand; they are cheap to read again.
 */
export function referenceCache(db: Db, store: Store) {
  const marks = changeMarks(db)
  const records = { airports: new Map<number, unknown>(), airlines: new Map(), aircraft: new Map() }
  const indexes = new Map<Kind, Promise<SearchIndex>>()
  let foreign = marks.foreign()
  let generation = store.generation()

  function dropRecords(): void {
    for (const map of Object.values(records)) map.clear()
  }

  /**
   * Runs inside the transaction of every write of our own. An index is the work of a third of a second, so only those
   * of the kinds that changed are dropped, unless somebody else wrote in the meantime.
   */
  function wrote(kinds: readonly Kind[], before: string): void {
    if (before === generation) for (const kind of kinds) indexes.delete(kind)
    else indexes.clear()
    generation = store.generation()
  }

  function refresh(): void {
    const mark = marks.foreign()
    if (mark === foreign) return
    foreign = mark
    dropRecords()
    const now = store.generation()
    if (now === generation) return
    generation = now
    indexes.clear()
  }

  function find<K extends Kind>(kind: K, id: number): Found<K> {
    const map = records[kind] as Map<number, Found<K>>
    const cached = map.get(id)
    if (cached) return cached
    const row = store[kind].find(id) as Found<K>
    if (row) {
      if (map.size >= MOST_RECORDS) map.clear()
      map.set(id, row)
    }
    return row
  }

  function index(kind: Kind): Promise<SearchIndex> {
    refresh()
    let built = indexes.get(kind)
    if (!built) {
      built = buildSearchIndex(store.searchable[kind])
      indexes.set(kind, built)
    }
    return built
  }

  return {
    /** Call once before a batch of look-ups. */
    refresh,
    dropRecords,
    wrote,
    airport: (id: number) => find('airports', id),
    airline: (id: number) => find('airlines', id),
    aircraft: (id: number) => find('aircraft', id),
    index,
  }
}
