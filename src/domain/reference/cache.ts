import { dataCache } from '../../db/data-cache.ts'
import { dataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import { bestOf, buildSearchIndex, type SearchIndex } from './search.ts'
import type { referenceStore } from './store.ts'

const MAX_RECORD_BYTES = 8 * 1024 * 1024
const BYTES_OF_RECORD = 800
/** People type the same beginnings again and again. */
const MAX_RESULT_BYTES = 512 * 1024
const BYTES_OF_RESULT = 512
const LONGEST_KEPT = 40

type Store = ReturnType<typeof referenceStore>
export type Kind = 'airports' | 'airlines' | 'aircraft'
type Found<K extends Kind> = ReturnType<Store[K]['find']>

/**
 * Reference data hardly ever changes, so records in use, the search indexes and what was found stay in the process.
 * Indexes and results hold until reference data is written, here or by another process. Records are read again after
 * any write but one of flights, since an operator may mend a row by hand; they are cheap.
 */
export function referenceCache(db: Db, store: Store) {
  const versions = dataVersion(db)
  const records = dataCache<object>(db, {
    part: 'accounts',
    maxBytes: MAX_RECORD_BYTES,
    sizeOf: () => BYTES_OF_RECORD,
  })
  const results = dataCache<number[]>(db, {
    part: 'reference',
    maxBytes: MAX_RESULT_BYTES,
    sizeOf: () => BYTES_OF_RESULT,
  })
  /** Preparing the shipped rows takes a third of a second; those of the instance are few, and change. */
  const indexes = { shipped: new Map<Kind, Promise<SearchIndex>>(), custom: new Map<Kind, Promise<SearchIndex>>() }
  let indexed = versions.of('reference')
  /** The state of the data that the shipped rows were prepared in. */
  let shippedState = versions.referenceState()

  /** A row of the instance was written in between, and nothing else: the shipped rows are what they were. */
  function shippedStays(before: string, after: string): void {
    if (before === shippedState) shippedState = after
  }

  function dropOldIndexes(): void {
    const now = versions.of('reference')
    if (now === indexed) return
    indexed = now
    indexes.custom.clear()
    const state = versions.referenceState()
    if (state === shippedState) return
    shippedState = state
    indexes.shipped.clear()
  }

  function find<K extends Kind>(kind: K, id: number): Found<K> {
    const name = `${kind} ${id}`
    const readUnder = records.version()
    const known = records.keptUnder(readUnder, name)
    if (known) return known as Found<K>
    const row = store[kind].find(id) as Found<K>
    if (row) records.set(name, row, readUnder)
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

  async function findBest(kind: Kind, query: string): Promise<number[]> {
    dropOldIndexes()
    const [shipped, custom] = await Promise.all([index(kind, 'shipped'), index(kind, 'custom')])
    return bestOf(shipped.find(query), custom.find(query))
  }

  /** The ids of at most ten rows, best first. */
  const search = (kind: Kind, query: string): Promise<number[]> =>
    query.length <= LONGEST_KEPT ? results.load(`${kind} ${query}`, () => findBest(kind, query)) : findBest(kind, query)

  return {
    shippedStays,
    airport: (id: number) => find('airports', id),
    airline: (id: number) => find('airlines', id),
    aircraft: (id: number) => find('aircraft', id),
    search,
  }
}
