import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import type { Aircraft, Airline, Airport } from './contract.ts'
import { type RecordIds, type ReferenceKind, referenceKinds } from './kinds.ts'
import { type NamedRows, type SearchResult, searchIndexes } from './search/indexes.ts'
import type { referenceStore } from './store.ts'

const MAX_RECORD_BYTES = 8 * 1024 * 1024
const BYTES_PER_RECORD = 800

type Store = ReturnType<typeof referenceStore>
type Found<K extends ReferenceKind> = ReturnType<Store[K]['find']>

/** Records are read again after any write except one of flights, since an operator may edit a row with SQL. */
export function referenceCache(db: Db, store: Store) {
  const records = dataCache<object>(db, {
    part: 'accounts',
    maxBytes: MAX_RECORD_BYTES,
    sizeOf: () => BYTES_PER_RECORD,
  })
  const searches = {
    airports: searchIndexes(db, 'airports'),
    airlines: searchIndexes(db, 'airlines'),
    aircraft: searchIndexes(db, 'aircraft'),
  }

  const keyOf = (kind: ReferenceKind, id: number) => id * referenceKinds.length + referenceKinds.indexOf(kind)

  function find<K extends ReferenceKind>(kind: K, id: number): Found<K> {
    const readUnder = records.version()
    const known = records.getForVersion(readUnder, keyOf(kind, id))
    if (known) return known as Found<K>
    // PostgreSQL refuses other numbers, which forms may contain.
    if (!Number.isSafeInteger(id)) return undefined as Found<K>
    const row = store[kind].find(id) as Found<K>
    if (row) records.set(keyOf(kind, id), row, readUnder)
    return row
  }

  function readAll(kind: ReferenceKind, ids: Iterable<number>, into: Map<number, object>): void {
    const readUnder = records.version()
    const missing: number[] = []
    for (const id of ids) {
      if (into.has(id)) continue
      const cached = records.getForVersion(readUnder, keyOf(kind, id))
      if (cached) into.set(id, cached)
      else missing.push(id)
    }
    if (missing.length === 0) return
    for (const row of store[kind].findAll(missing)) {
      into.set(row.id, row)
      records.set(keyOf(kind, row.id), row, readUnder)
    }
  }

  /** Reads many records with one statement per kind and call of `add`. */
  function batch(ids: Partial<RecordIds> = {}) {
    const known = {
      airports: new Map<number, Airport>(),
      airlines: new Map<number, Airline>(),
      aircraft: new Map<number, Aircraft>(),
    }
    function add(more: Partial<RecordIds>): void {
      for (const kind of referenceKinds) if (more[kind]) readAll(kind, more[kind], known[kind])
    }
    add(ids)
    return {
      add,
      airport: (id: number) => known.airports.get(id) ?? find('airports', id),
      airline: (id: number) => known.airlines.get(id) ?? find('airlines', id),
      aircraft: (id: number) => known.aircraft.get(id) ?? find('aircraft', id),
    }
  }

  /** In the order of the ids. Unknown ids are skipped. */
  function all<K extends ReferenceKind>(kind: K, ids: readonly number[]): NonNullable<Found<K>>[] {
    const known = new Map<number, NonNullable<Found<K>>>()
    readAll(kind, ids, known)
    return ids.flatMap((id) => known.get(id) ?? [])
  }

  /** Opens the indexes. */
  async function prepareSearch(): Promise<void> {
    for (const { best } of Object.values(searches)) await best('zrh')
  }

  return {
    prepareSearch,
    all,
    records: {
      airport: (id: number) => find('airports', id),
      airline: (id: number) => find('airlines', id),
      aircraft: (id: number) => find('aircraft', id),
      batch,
    },
    search: (kind: ReferenceKind, query: string): Promise<SearchResult> => searches[kind].best(query),
    airportsNamed: (name: string): Promise<NamedRows> => searches.airports.named(name),
  }
}
