import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import type { ReferenceKind } from './kinds.ts'
import { searchIndexes } from './search/indexes.ts'
import type { referenceStore } from './store.ts'

const MAX_RECORD_BYTES = 8 * 1024 * 1024
const BYTES_OF_RECORD = 800
/** People type the same beginnings again and again. */
const MAX_RESULT_BYTES = 512 * 1024
const BYTES_OF_RESULT = 512
const LONGEST_KEPT = 40
/** One of each way: by code, by one letter, by words, by what a name holds, by country, and in vain. */
const FIRST_SEARCHES = ['zrh', 'a', 'new york airport', 'urich', 'o hare', 'ch', 'qzx', 'san j', '738', 'lufth', '-']

/** Each kind has its own numbers among those of all. */
const places: readonly ReferenceKind[] = ['airports', 'airlines', 'aircraft']

type Store = ReturnType<typeof referenceStore>
type Found<K extends ReferenceKind> = ReturnType<Store[K]['find']>

/**
 * Reference data hardly ever changes, so records in use, the search indexes and what was found stay in the process.
 * Indexes and results hold until reference data is written, here or by another process. Records are read again after
 * any write but one of flights, since an operator may mend a row by hand; they are cheap.
 */
export function referenceCache(db: Db, store: Store) {
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
  const indexes = {
    airports: searchIndexes(db, 'airports'),
    airlines: searchIndexes(db, 'airlines'),
    aircraft: searchIndexes(db, 'aircraft'),
  }

  function find<K extends ReferenceKind>(kind: K, id: number, readUnder = records.version()): Found<K> {
    const name = id * places.length + places.indexOf(kind)
    const known = records.keptUnder(readUnder, name)
    if (known) return known as Found<K>
    // Forms name whatever somebody put into them, and PostgreSQL takes nothing but whole numbers to look for.
    if (!Number.isSafeInteger(id)) return undefined as Found<K>
    const row = store[kind].find(id) as Found<K>
    if (row) records.set(name, row, readUnder)
    return row
  }

  /** For many records in one go: whether anything was written is asked once for all of them. */
  function atOnce() {
    const readUnder = records.version()
    return {
      airport: (id: number) => find('airports', id, readUnder),
      airline: (id: number) => find('airlines', id, readUnder),
      aircraft: (id: number) => find('aircraft', id, readUnder),
    }
  }

  /** The ids of at most ten rows, best first. */
  const search = (kind: ReferenceKind, query: string): Promise<number[]> =>
    query.length <= LONGEST_KEPT
      ? results.load(`${kind} ${query}`, () => indexes[kind].best(query))
      : indexes[kind].best(query)

  /** Opens the indexes and looks into them before anybody asks: what runs for the first time takes ten times as long. */
  async function prepareSearch(): Promise<void> {
    for (const kind of Object.keys(indexes) as ReferenceKind[]) {
      for (const query of FIRST_SEARCHES) await indexes[kind].best(query)
    }
  }

  return {
    prepareSearch,
    /** A row of the instance was written in between, and nothing else. */
    shippedStays(before: string, after: string): void {
      for (const index of Object.values(indexes)) index.shippedStays(before, after)
    },
    atOnce,
    airport: (id: number) => find('airports', id),
    airline: (id: number) => find('airlines', id),
    aircraft: (id: number) => find('aircraft', id),
    search,
  }
}
