import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import { lru } from '../../lib/lru.ts'
import { bestOf, buildSearchIndex, type SearchIndex } from './search.ts'
import type { referenceStore } from './store.ts'

const MOST_RECORDS = 10_000
/** People type the same beginnings again and again. */
const MOST_RESULTS = 1_000
const LONGEST_KEPT = 40

type Store = ReturnType<typeof referenceStore>
export type Kind = 'airports' | 'airlines' | 'aircraft'
type Found<K extends Kind> = ReturnType<Store[K]['find']>

/**
 * Reference data hardly ever changes, so records in use, the search indexes and what was found stay in the process.
 * All are dropped when reference data is written, here or by another process. Records are also dropped when
 * another process wrote anything at all, since an operator may mend a row by hand; they are cheap to read again.
 */
export function referenceCache(db: Db, store: Store) {
  const marks = changeMarks(db)
  const records = { airports: new Map<number, unknown>(), airlines: new Map(), aircraft: new Map() }
  /** Preparing the shipped rows takes a third of a second; those of the instance are few, and change. */
  const indexes = { shipped: new Map<Kind, Promise<SearchIndex>>(), custom: new Map<Kind, Promise<SearchIndex>>() }
  let results = lru<number[]>(MOST_RESULTS)
  let foreign = marks.foreign()
  let generation = store.generation()

  function dropRecords(): void {
    for (const map of Object.values(records)) map.clear()
  }

  /** A search that is still under way keeps what it finds in the old list, which nobody sees. */
  function dropResults(): void {
    results = lru(MOST_RESULTS)
  }

  function dropIndexes(): void {
    indexes.shipped.clear()
    indexes.custom.clear()
  }

  /** Runs inside the transaction of every write of our own; one row of the instance leaves the other indexes as they are. */
  function wrote(what: Kind | 'everything', before: string): void {
    if (what !== 'everything' && before === generation) indexes.custom.delete(what)
    else dropIndexes()
    dropResults()
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
    dropIndexes()
    dropResults()
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

  function index(kind: Kind, part: keyof typeof indexes): Promise<SearchIndex> {
    let built = indexes[part].get(kind)
    if (!built) {
      built = buildSearchIndex(store.searchable[kind][part])
      indexes[part].set(kind, built)
    }
    return built
  }

  /** The ids of at most ten rows, best first. */
  async function search(kind: Kind, query: string): Promise<number[]> {
    refresh()
    const [kept, name] = [results, `${kind} ${query}`]
    const known = kept.get(name)
    if (known) return known
    const [shipped, custom] = await Promise.all([index(kind, 'shipped'), index(kind, 'custom')])
    const found = bestOf(shipped.find(query), custom.find(query))
    if (query.length <= LONGEST_KEPT) kept.set(name, found)
    return found
  }

  return {
    /** Call once before a batch of look-ups. */
    refresh,
    dropRecords,
    wrote,
    airport: (id: number) => find('airports', id),
    airline: (id: number) => find('airlines', id),
    aircraft: (id: number) => find('aircraft', id),
    search,
  }
}
