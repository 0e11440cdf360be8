import { codeKinds, compareNames, countryNumber } from './pack.ts'
import type { Packed } from './packed.ts'
import type { Query } from './query.ts'

export const MOST_RESULTS = 10

/** A row that was found, with what it is ordered by. */
export interface Hit {
  rank: number
  use: number
  order: number
  /** The municipality begins with the query. */
  begins: boolean
  name: string
  key: string
}

/** Those of one search, best first; what two indexes found is put together by the same order. */
export const compareHits = (a: Hit, b: Hit): number =>
  a.rank - b.rank ||
  b.use - a.use ||
  a.order - b.order ||
  Number(b.begins) - Number(a.begins) ||
  compareNames(a.name, b.name)

/** Entries that are no longer what the table holds. */
type IsGone = (entry: number) => boolean

/** Ranks of airports (contract 4.10); heliports and closed airports have ranks 4 to 6 of their own behind all others. */
const rank = { iata: 1, icao: 2, city: 3, wholeName: 4, words: 5, inside: 6, country: 7 }
const HELIPORTS_BEHIND = 10
const CLOSED_BEHIND = 20

/** The best entries that were found so far. */
function hits(packed: Packed, query: Query, isGone: IsGone) {
  const { uses, orders } = packed
  const found = new Map<number, Hit>()
  const isFull = () => found.size >= MOST_RESULTS
  const begins = (entry: number) => packed.beginsMunicipality(entry, query.bytes)

  function add(entry: number, of: number): void {
    if (isFull() || found.has(entry) || isGone(entry)) return
    found.set(entry, {
      rank: of,
      use: uses[entry]!,
      order: orders[entry]!,
      begins: begins(entry),
      name: packed.nameOf(entry),
      key: packed.keyOf(entry),
    })
  }

  /**
   * Adds the best of these entries. They stand in the order of results but for one thing: among those of equal use and
   * type the ones whose municipality begins with the query come first.
   */
  function addBest(of: number, entries: Uint32Array, matches: (entry: number) => boolean = () => true): void {
    let [first, second]: [number[], number[]] = [[], []]
    let before = entries[0]!
    const settle = () => {
      for (const entry of [...first, ...second]) add(entry, of)
      ;[first, second] = [[], []]
    }
    for (const entry of entries) {
      if (uses[entry] !== uses[before] || orders[entry] !== orders[before]) settle()
      if (isFull() || first.length >= MOST_RESULTS) break
      before = entry
      if (found.has(entry) || isGone(entry)) continue
      const isFirst = begins(entry)
      if ((isFirst || second.length < MOST_RESULTS) && matches(entry)) (isFirst ? first : second).push(entry)
    }
    settle()
  }

  return { found, add, addBest, isFull, list: () => [...found.values()] }
}

/** Entries that have all words of the query, or a code that begins with it. */
function entriesWithWords(packed: Packed, { bytes, words, commonWords }: Query): Uint32Array {
  const { marks } = packed
  marks.fill(0)
  let stage = 0
  for (const word of words) packed.markWord(word, stage++)
  for (const word of commonWords) {
    packed.markWord(word, stage)
    for (let entry = 0; entry < packed.withoutUse; entry++) if (marks[entry] === stage) marks[entry] = stage + 1
    stage++
  }
  packed.markCodes(bytes, stage)
  return packed.marked(stage)
}

/** Two words of a query leave few enough entries, whose names are then read; one letter leaves too many. */
const WORDS_LOOKED_FOR = 2
const SHORTEST_LOOKED_FOR = 2

/** Reading the names of more entries takes longer than going through the text of all. */
const MOST_READ = 2000
/** Of what is found in that text, which is in order, the first ones are enough. */
const MOST_HELD = 100

/** Entries whose name or municipality may hold the query. */
function entriesHolding(packed: Packed, { bytes, words }: Query): Uint32Array {
  const lookedFor = words.filter((word) => word.length >= SHORTEST_LOOKED_FOR).slice(0, WORDS_LOOKED_FOR)
  if (lookedFor.length === 0) return packed.holding(bytes, MOST_HELD)
  packed.marks.fill(0)
  for (const [stage, word] of lookedFor.entries()) packed.markContaining(word, stage)
  const found = packed.marked(lookedFor.length)
  return found.length > MOST_READ ? packed.holding(bytes, MOST_HELD) : found
}

const NONE = new Uint32Array()

/** How many of some entries, which are in order, come before one. */
function countBefore(entries: Uint32Array, limit: number): number {
  let [low, high] = [0, entries.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (entries[middle]! < limit) low = middle + 1
    else high = middle
  }
  return low
}

const between = (entries: Uint32Array, from: number, to: number) =>
  entries.subarray(countBefore(entries, from), countBefore(entries, to))

/** At most ten airports, by their rank. */
export function findAirports(packed: Packed, query: Query, isGone: IsGone): Hit[] {
  const { heliports, closed, size } = packed
  const { add, addBest, isFull, list } = hits(packed, query, isGone)
  const { bytes } = query
  const byKind: [kind: number, of: number][] = [
    [codeKinds.iata, rank.iata],
    [codeKinds.icao, rank.icao],
    [codeKinds.other, rank.city],
  ]
  for (const [wanted, of] of byKind)
    for (const [entry, kind] of packed.withCode(bytes)) if (kind === wanted) add(entry, of)
  const named = new Set(query.names.flatMap((name) => [...packed.withName(name)]))
  const open = [...named].filter((entry) => entry < heliports)
  for (const entry of (open.length > 0 ? open : [...named]).sort((a, b) => a - b)) add(entry, rank.wholeName)
  if (isFull()) return list()

  const withWords = query.words.length === 0 ? NONE : entriesWithWords(packed, query)
  const [others, last] = [between(withWords, 0, heliports), between(withWords, heliports, size)]
  // A heliport or a closed airport whose very name this is stands before the others if none of them has it.
  const isNamed = (entry: number) => packed.isNamed(entry, bytes)
  const meant = named.size === 0 && last.length <= MOST_READ ? last.filter(isNamed) : NONE
  if (meant.length > 0 && !others.some(isNamed)) addBest(rank.wholeName, meant)
  addBest(rank.words, others)
  if (isFull()) return list()

  const candidates = entriesHolding(packed, query)
  const country = /^[a-z]{2}$/.test(query.folded) ? packed.inCountry(countryNumber(query.folded)) : NONE
  const parts: [behind: number, from: number, to: number][] = [
    [0, 0, heliports],
    [HELIPORTS_BEHIND, heliports, closed],
    [CLOSED_BEHIND, closed, size],
  ]
  for (const [behind, from, to] of parts) {
    if (behind > 0) addBest(rank.words + behind, between(withWords, from, to))
    if (!isFull()) addBest(rank.inside + behind, between(candidates, from, to), (entry) => packed.holds(entry, bytes))
    if (!isFull()) addBest(rank.country + behind, between(country, from, to))
    if (isFull()) break
  }
  return list()
}

/** Ranks of airlines and aircraft types. */
const codedRank = { code: 1, codeBegins: 2, words: 3, inside: 4 }

/** At most ten airlines or aircraft types. */
export function findCoded(packed: Packed, query: Query, isGone: IsGone): Hit[] {
  const { add, addBest, isFull, list } = hits(packed, query, isGone)
  const { bytes, words, commonWords } = query
  // A star behind a code is ignored, also in a query.
  const code = query.folded.length > 1 && query.folded.endsWith('*') ? bytes.subarray(0, -1) : bytes
  for (const [entry] of packed.withCode(code)) add(entry, codedRank.code)
  packed.marks.fill(0)
  packed.markCodes(code, 1)
  addBest(codedRank.codeBegins, packed.marked(1))
  if (isFull() || words.length === 0) return list()
  addBest(codedRank.words, entriesWithWords(packed, { ...query, words: [...words, ...commonWords], commonWords: [] }))
  if (!isFull()) addBest(codedRank.inside, entriesHolding(packed, query), (entry) => packed.holds(entry, bytes))
  return list()
}
