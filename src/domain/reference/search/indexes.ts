import type { Db } from '../../../db/open.ts'
import { dataVersion } from '../../../db/version.ts'
import type { ReferenceKind } from '../kinds.ts'
import { readShippedIndex } from '../shipped.ts'
import { type Coverage, readCoverage } from './coverage.ts'
import { compareHits, findAirports, findCoded, findNamedAirports, type Hit, MAX_RESULTS } from './find.ts'
import { openIndex, type SearchIndex, type SearchRow, writeIndex } from './index.ts'
import { spellingCorrector } from './misspellings.ts'
import { otherSpellings } from './other-spellings.ts'
import { readQuery } from './query.ts'
import { type SearchedRow, searchRowStore } from './store.ts'

const opened = new Map<ReferenceKind, SearchIndex>()

/** Shared by all databases of the process. */
export function shippedIndex(kind: ReferenceKind): SearchIndex {
  const known = opened.get(kind) ?? openIndex(readShippedIndex(kind))
  opened.set(kind, known)
  return known
}

const correctors = new Map<ReferenceKind, ReturnType<typeof spellingCorrector>>()

function correctorOf(kind: ReferenceKind) {
  const known = correctors.get(kind) ?? spellingCorrector(shippedIndex(kind))
  correctors.set(kind, known)
  return known
}

export interface SearchResult {
  /** At most ten, best first. */
  ids: number[]
  /** Whether the query was misspelled. */
  isCorrected: boolean
}

export interface NamedRows {
  /** Several if the name is ambiguous. */
  ids: number[]
  isWholeName: boolean
}

const NOTHING_NAMED: NamedRows = { ids: [], isWholeName: false }

type ShippedTerms = Pick<SearchRow, 'use' | 'codes' | 'names' | 'cities' | 'regions'>

const NO_TERMS: ShippedTerms = { use: 0, codes: [], names: [], cities: [], regions: [] }

/** An index of rows of the table, with the terms that only the shipped data has. */
async function indexOf(rows: readonly SearchedRow[], shipped?: ReadonlyMap<string, ShippedTerms>) {
  return openIndex(
    await writeIndex(
      rows.map((row) => ({ ...row, ...(shipped?.get(row.sourceId ?? '') ?? NO_TERMS), key: String(row.id) })),
    ),
  )
}

/** The indexes of one kind, built on first use. */
export function searchIndexes(db: Db, kind: ReferenceKind) {
  const versions = dataVersion(db)
  const rows = searchRowStore(db, kind)
  const find = kind === 'airports' ? findAirports : findCoded
  let shipped: ReturnType<typeof openShipped> | undefined
  let custom: Promise<SearchIndex> | undefined
  let builtFor = versions.of('reference')
  let shippedState: string | undefined

  const stateOf = ({ version, updates }: Coverage) => `${version} ${updates} ${rows.lastShippedId()}`

  /** The shipped index, its outdated entries, and an index of the rows that replace them. */
  async function openShipped() {
    const coverage = readCoverage(db, kind)
    shippedState = stateOf(coverage)
    const index = coverage.version === '' ? undefined : shippedIndex(kind)
    const gone = new Set<number>()
    const terms = new Map<string, ShippedTerms>()
    const outdated = new Set(coverage.outdated)
    if (index && outdated.size > 0)
      for (const [entry, use] of index.uses.entries()) {
        const { key, codes, names, cities, regions } = index.rowOf(entry)
        if (!outdated.has(key)) continue
        gone.add(entry)
        terms.set(key, { use, codes, names, cities, regions })
      }
    return { index, gone, replaced: await indexOf(rows.outdated(coverage.outdated, coverage.upTo), terms) }
  }

  function dropOutdated(): void {
    const version = versions.of('reference')
    if (version === builtFor) return
    builtFor = version
    custom = undefined
    // Most writes are of custom rows.
    if (shippedState !== stateOf(readCoverage(db, kind))) shipped = undefined
  }

  async function open() {
    dropOutdated()
    shipped ??= openShipped()
    custom ??= indexOf(rows.custom())
    try {
      const [ofShipped, ofCustom] = await Promise.all([shipped, custom])
      return { ...ofShipped, custom: ofCustom }
    } catch (error) {
      shipped = undefined
      custom = undefined
      throw error
    }
  }

  async function bestOf(text: string): Promise<number[]> {
    const query = readQuery(text)
    if (!query) return []
    const { index, gone, replaced, custom } = await open()
    const byId = (hits: Hit[]) => hits.map((hit) => ({ ...hit, id: Number(hit.key) }))
    const ofShipped = index ? find(index, query, (entry) => gone.has(entry)) : []
    const ids = rows.idsOf(ofShipped.map(({ key }) => key))
    const found = [
      ...ofShipped.flatMap((hit) => {
        const id = ids.get(hit.key)
        return id === undefined ? [] : { ...hit, id }
      }),
      ...byId(find(replaced, query)),
      ...byId(find(custom, query)),
    ]
    return found
      .sort((a, b) => compareHits(a, b) || a.id - b.id)
      .slice(0, MAX_RESULTS)
      .map(({ id }) => id)
  }

  /** By the names of airports with routes and of airlines. */
  async function corrected(text: string): Promise<number[]> {
    const query = kind === 'aircraft' ? undefined : readQuery(text)
    const { index } = await open()
    const correction = query && index && correctorOf(kind)(query)
    return correction === undefined ? [] : bestOf(correction)
  }

  async function namedExactly(text: string): Promise<NamedRows> {
    const query = readQuery(text)
    if (!query) return NOTHING_NAMED
    const { index, gone, replaced, custom } = await open()
    const ofShipped = index && findNamedAirports(index, query, (entry) => gone.has(entry))
    const known = rows.idsOf(ofShipped?.keys ?? [])
    const lists = [
      ...(ofShipped ? [{ ...ofShipped, ids: ofShipped.keys.flatMap((key) => known.get(key) ?? []) }] : []),
      ...[replaced, custom].map((other) => {
        const found = findNamedAirports(other, query)
        return { ...found, ids: found.keys.map(Number) }
      }),
    ].filter((list) => list.ids.length > 0)
    const level = Math.min(...lists.map((list) => list.level))
    const ids = lists.filter((list) => list.level === level).flatMap((list) => list.ids)
    return { ids, isWholeName: level === 0 }
  }

  /** The airports that a text names, without spelling correction; several if it is ambiguous. */
  async function named(text: string): Promise<NamedRows> {
    for (const spelling of [text, ...otherSpellings(text, kind)]) {
      const found = await namedExactly(spelling)
      if (found.ids.length > 0) return found
    }
    return NOTHING_NAMED
  }

  /** Contract 4.10 and 17.8. */
  async function best(text: string): Promise<SearchResult> {
    for (const spelling of [text, ...otherSpellings(text, kind)]) {
      const ids = await bestOf(spelling)
      if (ids.length > 0) return { ids, isCorrected: false }
    }
    const ids = await corrected(text)
    return { ids, isCorrected: ids.length > 0 }
  }

  return { best, named }
}
