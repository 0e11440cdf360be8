import { codeKinds, compareNames, countryNumber } from './pack.ts'
import type { Packed } from './packed.ts'
import { dividedByPlace } from './places.ts'
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
export type IsGone = (entry: number) => boolean

/** Some entries in order, looked for as they are needed. */
export interface Entries {
  /** The first one from a place on; -1 when there is none. */
  next: (from: number) => number
  from: number
  to: number
}

/** Ranks of airports (contract 4.10); heliports and closed airports have ranks 4 to 6 of their own behind all others. */
const rank = {
  iata: 1,
  icao: 2,
  city: 3,
  wholeName: 4,
  joinedName: 5,
  countryName: 6,
  nameBegins: 7,
  used: 8,
  shortName: 9,
  town: 10,
  words: 11,
  placed: 12,
  inside: 13,
  country: 14,
}
const HELIPORTS_BEHIND = 20
const CLOSED_BEHIND = 40

/** The best entries that were found so far. */
export function hits(packed: Packed, query: Query, isGone: IsGone) {
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
   * type the ones whose municipality begins with the query come first. Nothing is looked at once ten are found.
   */
  function addBest(of: number, { next, from, to }: Entries, matches: (entry: number) => boolean = () => true): void {
    let [first, second]: [number[], number[]] = [[], []]
    let before = -1
    const settle = () => {
      for (const entry of [...first, ...second]) add(entry, of)
      ;[first, second] = [[], []]
    }
    for (let entry = next(from); entry !== -1 && entry < to; entry = next(entry + 1)) {
      if (before !== -1 && (uses[entry] !== uses[before] || orders[entry] !== orders[before])) settle()
      if (isFull() || first.length >= MOST_RESULTS) break
      before = entry
      if (found.has(entry) || isGone(entry)) continue
      const isFirst = begins(entry)
      if ((isFirst || second.length < MOST_RESULTS) && matches(entry)) (isFirst ? first : second).push(entry)
    }
    settle()
  }

  return { add, addBest, isFull, list: () => [...found.values()] }
}

/**
 * Entries with some words of the query that lie in the country or region which the other words name: a city is also
 * called "London, Canada".
 */
function entriesInPlaces(packed: Packed, { telling }: Query, isWhole: boolean): number[] {
  const { held } = packed
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(telling)) {
    const isLongEnough = place.length >= (isWhole ? SHORTEST_WHOLE_PLACE : SHORTEST_PLACE)
    if (!isLongEnough || !packed.holdPlace(place, isWhole)) continue
    let stage = 1
    for (const word of name) if (!packed.markWord(word, stage++, held)) break
    for (let entry = held.indexOf(stage); entry !== -1; entry = held.indexOf(stage, entry + 1)) found.add(entry)
  }
  return [...found].sort((a, b) => a - b)
}

/** Shorter ones, and beginnings of longer ones, are more often the beginning of another word of a name. */
const SHORTEST_WHOLE_PLACE = 4
const SHORTEST_PLACE = 2

/** Entries that have all words of the query, or a code that begins with it. */
export function entriesWithWords(packed: Packed, query: Query): Entries {
  const { bytes, words, commonWords } = query
  const placed = entriesInPlaces(packed, query, true)
  const { marks, size } = packed
  marks.fill(0)
  let stage = 0
  for (const word of words) if (!packed.markWord(word, stage++)) break
  for (const word of commonWords) {
    packed.markWord(word, stage)
    for (let entry = 0; entry < packed.withoutUse; entry++) if (marks[entry] === stage) marks[entry] = stage + 1
    stage++
  }
  for (const entry of placed) marks[entry] = stage
  packed.markCodes(bytes, stage)
  return { next: (from) => marks.indexOf(stage, from), from: 0, to: size }
}

/** The names of so many entries are read rather than to look for another word of them. */
const MOST_READ = 500

/** Entries whose name or municipality may hold the query: inside one word, or over several words in a row. */
export function entriesHolding(packed: Packed, { bytes, typed }: Query): Entries {
  const { held, size } = packed
  const [first, ...others] = typed
  if (!first) return { next: (from) => packed.nextHolding(bytes, from), from: 0, to: size }
  held.fill(0)
  const last = others.pop()
  const looks = !last
    ? [(stage: number) => packed.holdInside(first, stage)]
    : [
        ...others.map((word) => (stage: number) => packed.holdWhole(word, stage)),
        (stage: number) => packed.holdBeginning(last, stage),
        (stage: number) => packed.holdEnd(first, stage),
      ]
  // A long word leaves fewer entries than a short one.
  if (last && first.length > last.length) looks.reverse()
  let stage = 0
  for (const look of looks) if (look(stage++) <= MOST_READ) break
  return { next: (from) => held.indexOf(stage, from), from: 0, to: size }
}

/** Of some entries those from one place up to another. */
export const between = ({ next }: Entries, from: number, to: number): Entries => ({ next, from, to })

/** All of some entries, or none when there are too many. */
function listed({ next, from, to }: Entries, most: number): number[] {
  const found: number[] = []
  for (let entry = next(from); entry !== -1 && entry < to; entry = next(entry + 1)) {
    if (found.length === most) return []
    found.push(entry)
  }
  return found
}

const inOrder = (entries: readonly number[]): Entries => ({
  next: (from) => entries.find((entry) => entry >= from) ?? -1,
  from: 0,
  to: Number.POSITIVE_INFINITY,
})
const NONE = inOrder([])

/** Entries of the country or region of which the query is the whole name. */
function entriesInCountry(packed: Packed, { telling }: Query): Entries {
  if (telling.length === 0 || !packed.holdPlace(Buffer.from(telling.join(' ')), true)) return NONE
  return inOrder(listed({ next: (from) => packed.held.indexOf(1, from), from: 0, to: packed.size }, packed.size))
}

/**
 * Entries with routes of which a whole name begins with these words in their order: of "san d" San Diego, before those
 * that have both words somewhere. Of one word alone the use decides.
 */
function entriesBeginning(packed: Packed, { typed, names }: Query): Entries {
  if (typed.length < 2) return NONE
  packed.held.fill(0)
  for (const name of names) packed.holdNamed(name)
  return { next: (from) => packed.held.indexOf(1, from), from: 0, to: packed.withoutUse }
}

/** More heliports and closed airports than this have no name of their own in common with a query. */
const MOST_NAMED = 2000

/** Entries of which the query is a whole name, in order; together: of which it is one without its spaces. */
export const entriesNamed = (packed: Packed, { names }: Query, isTogether = false): number[] =>
  [...new Set(names.flatMap((name) => [...packed.withName(name, isTogether)]))].sort((a, b) => a - b)

/** The same with the country or region of the entry beside it, also as a code: "Boston MA". */
function entriesNamedInPlaces(packed: Packed, { telling }: Query): number[] {
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(telling)) {
    if (place.length < SHORTEST_PLACE || !packed.holdPlace(place, true)) continue
    for (const isTogether of [false, true])
      for (const entry of packed.withName(name.join(' '), isTogether)) if (packed.held[entry] === 1) found.add(entry)
  }
  return [...found].sort((a, b) => a - b)
}

/** At most ten airports, by their rank. */
export function findAirports(packed: Packed, query: Query, isGone: IsGone): Hit[] {
  const { heliports, closed, size, withoutUse } = packed
  const { add, addBest, isFull, list } = hits(packed, query, isGone)
  const { bytes } = query
  const byKind: [kind: number, of: number][] = [
    [codeKinds.iata, rank.iata],
    [codeKinds.icao, rank.icao],
    [codeKinds.other, rank.city],
  ]
  for (const [wanted, of] of byKind)
    for (const [entry, kind] of packed.withCode(bytes)) if (kind === wanted) add(entry, of)
  const named = [...entriesNamed(packed, query), ...entriesNamedInPlaces(packed, query)]
  const open = named.filter((entry) => entry < heliports)
  for (const entry of open.length > 0 ? open : named) add(entry, rank.wholeName)
  for (const entry of entriesNamed(packed, query, true)) if (entry < heliports) add(entry, rank.joinedName)
  if (isFull()) return list()

  // Who types "Mali" or "Uruguay" means an airport of that country, not one with a word that begins so.
  const ofCountry = entriesInCountry(packed, query)
  if (query.folded.length > SHORTEST_PLACE) addBest(rank.countryName, between(ofCountry, 0, withoutUse))
  addBest(rank.nameBegins, entriesBeginning(packed, query))
  if (isFull()) return list()

  const withWords = query.words.length === 0 ? NONE : entriesWithWords(packed, query)
  const [others, last] = [between(withWords, 0, heliports), between(withWords, heliports, size)]
  // A heliport or a closed airport whose very name this is stands before the others if none of them has it.
  // Where it has no more than the name of its town, those with routes come first: "duba" is the beginning of Dubai.
  const hasName = (entry: number) => packed.hasWhole(entry, 'name', bytes)
  const hasTown = (entry: number) => packed.hasWhole(entry, 'municipality', bytes)
  const isNamed = (entry: number) => hasName(entry) || hasTown(entry)
  const mayBeMeant = named.length === 0 ? listed(last, MOST_NAMED).filter(isNamed) : []
  const meant = mayBeMeant.length > 0 && !listed(others, size).some(isNamed) ? mayBeMeant : []
  addBest(rank.wholeName, inOrder(meant.filter(hasName)))
  addBest(rank.used, between(others, 0, withoutUse))
  for (const entry of packed.withName(query.shortName)) if (entry < heliports) add(entry, rank.shortName)
  addBest(rank.town, inOrder(meant))
  addBest(rank.words, between(others, withoutUse, heliports))
  if (!isFull()) addBest(rank.placed, inOrder(entriesInPlaces(packed, query, false)))
  if (isFull()) return list()

  const country = /^[a-z]{2}$/.test(query.folded) ? packed.inCountry(countryNumber(query.folded)) : ofCountry
  const candidates = entriesHolding(packed, query)
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
