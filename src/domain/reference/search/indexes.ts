import type { Db } from '../../../db/open.ts'
import { dataVersion } from '../../../db/version.ts'
import type { ReferenceKind } from '../kinds.ts'
import { readCoverage } from './coverage.ts'
import { compareHits, findAirports, type Hit, MAX_RESULTS } from './find.ts'
import { findCoded } from './find-coded.ts'
import { otherSpellings } from './other-spellings.ts'
import { packSearch, type SearchRow } from './pack.ts'
import { openPacked, type Packed } from './packed.ts'
import { readQuery } from './query.ts'
import { type StoredRow, storedRows } from './rows.ts'
import { shippedIndex } from './shipped-index.ts'

/** The shipped index, its outdated entries, and an index of the rows that replace them. */
interface Shipped {
  packed: Packed | undefined
  gone: ReadonlySet<number>
  changed: Packed
}

/** Adds what only the shipped index has. */
function searchRow(row: StoredRow, shipped: Packed | undefined): SearchRow {
  const entry = row.sourceId === null ? undefined : shipped?.entryOf(row.sourceId)
  const known =
    shipped && entry !== undefined
      ? {
          use: shipped.uses[entry]!,
          codes: shipped.otherCodes(entry),
          names: shipped.otherNames(entry),
          cities: shipped.cityNames(entry),
          regions: shipped.regionsOf(entry),
        }
      : { use: 0, codes: [], names: [], cities: [], regions: [] }
  return { ...row, ...known, key: String(row.id) }
}

/** The indexes of one kind, built on first use. */
export function searchIndexes(db: Db, kind: ReferenceKind) {
  const versions = dataVersion(db)
  const rows = storedRows(db, kind)
  const find = kind === 'airports' ? findAirports : findCoded
  let shipped: Promise<Shipped> | undefined
  let own: Promise<Packed> | undefined
  let madeUnder = versions.of('reference')
  let shippedState = versions.referenceState()

  async function pack(list: readonly StoredRow[], from?: Packed): Promise<Packed> {
    return openPacked(await packSearch(list.map((row) => searchRow(row, from))))
  }

  async function openShipped(): Promise<Shipped> {
    const { version, changed, missing, upTo } = readCoverage(db, kind)
    const packed = version === '' ? undefined : shippedIndex(kind)
    const differing = rows.listed(changed, upTo)
    const gone = [...missing, ...differing.map(({ sourceId }) => sourceId!)].map((key) => packed?.entryOf(key) ?? -1)
    return { packed, gone: new Set(gone), changed: await pack(differing, packed) }
  }

  function dropOutdated(): void {
    const now = versions.of('reference')
    if (now === madeUnder) return
    madeUnder = now
    own = undefined
    const state = versions.referenceState()
    if (state === shippedState) return
    shippedState = state
    shipped = undefined
  }

  /** The ids of at most ten rows, best first (contract 4.10). */
  async function best(text: string): Promise<number[]> {
    const found = await bestOf(text)
    if (found.length > 0) return found
    for (const spelling of otherSpellings(text, kind)) {
      const other = await bestOf(spelling)
      if (other.length > 0) return other
    }
    return []
  }

  async function bestOf(text: string): Promise<number[]> {
    const query = readQuery(text)
    if (!query) return []
    dropOutdated()
    shipped ??= openShipped()
    own ??= pack(rows.own())
    const { packed, gone, changed } = await shipped
    const never = () => false
    const byId = (hits: Hit[]) => hits.map((hit) => ({ ...hit, id: Number(hit.key) }))
    const ofShipped = packed ? find(packed, query, (entry) => gone.has(entry)) : []
    const ids = rows.idsOf(ofShipped.map(({ key }) => key))
    const found = [
      ...ofShipped.flatMap((hit) => {
        const id = ids.get(hit.key)
        return id === undefined ? [] : { ...hit, id }
      }),
      ...byId(find(changed, query, never)),
      ...byId(find(await own, query, never)),
    ]
    return found
      .sort((a, b) => compareHits(a, b) || a.id - b.id)
      .slice(0, MAX_RESULTS)
      .map(({ id }) => id)
  }

  return {
    best,
    /** Only a custom row was written: the shipped rows are unchanged. */
    shippedStays(before: string, after: string): void {
      if (before === shippedState) shippedState = after
    },
  }
}
