import { codeKinds, compareNames, countryNumber } from './pack.ts'
import type { Packed } from './packed.ts'
import { dividedByPlace } from './places.ts'
import type { Query } from './query.ts'

export const MAX_RESULTS = 10

/** A match with its sort keys. */
export interface Hit {
  rank: number
  use: number
  order: number
  /** Whether the municipality begins with the query. */
  begins: boolean
  name: string
  key: string
}

/** Best first; also merges the matches of two indexes. */
export const compareHits = (a: Hit, b: Hit): number =>
  a.rank - b.rank ||
  b.use - a.use ||
  a.order - b.order ||
  Number(b.begins) - Number(a.begins) ||
  compareNames(a.name, b.name)

export type IsGone = (entry: number) => boolean

/** Entries in order, found lazily. */
export interface Entries {
  /** The first entry from a number on, or -1. */
  next: (from: number) => number
  from: number
  to: number
}

/** Ranks of airports (contract 4.10). Heliports and closed airports come after all others. */
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
const HELIPORT_OFFSET = 20
const CLOSED_OFFSET = 40

export function hits(packed: Packed, query: Query, isGone: IsGone) {
  const { uses, orders } = packed
  const found = new Map<number, Hit>()
  const isFull = () => found.size >= MAX_RESULTS
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

  /** Adds entries in order, except that among equal use and type those whose municipality begins with the query come first. */
  function addBest(of: number, { next, from, to }: Entries, matches: (entry: number) => boolean = () => true): void {
    let [first, second]: [number[], number[]] = [[], []]
    let before = -1
    const settle = () => {
      for (const entry of [...first, ...second]) add(entry, of)
      ;[first, second] = [[], []]
    }
    for (let entry = next(from); entry !== -1 && entry < to; entry = next(entry + 1)) {
      if (before !== -1 && (uses[entry] !== uses[before] || orders[entry] !== orders[before])) settle()
      if (isFull() || first.length >= MAX_RESULTS) break
      before = entry
      if (found.has(entry) || isGone(entry)) continue
      const isFirst = begins(entry)
      if ((isFirst || second.length < MAX_RESULTS) && matches(entry)) (isFirst ? first : second).push(entry)
    }
    settle()
  }

  return { add, addBest, isFull, list: () => [...found.values()] }
}

/** Entries with some words of the query in the country or region of the other words: "London, Canada". */
function entriesInPlaces(packed: Packed, { telling }: Query, isWhole: boolean): number[] {
  const { held } = packed
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(telling)) {
    const isLongEnough = place.length >= (isWhole ? MIN_WHOLE_PLACE_LENGTH : MIN_PLACE_LENGTH)
    if (!isLongEnough || !packed.holdPlace(place, isWhole)) continue
    let stage = 1
    for (const word of name) if (!packed.markWord(word, stage++, held)) break
    for (let entry = held.indexOf(stage); entry !== -1; entry = held.indexOf(stage, entry + 1)) found.add(entry)
  }
  return [...found].sort((a, b) => a - b)
}

/** Shorter words are more often the beginning of a name. */
const MIN_WHOLE_PLACE_LENGTH = 4
const MIN_PLACE_LENGTH = 2

/** Entries with all words of the query, or with a code that begins with it. */
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

/** Up to this number, names are read instead of looking for another word. */
const MAX_NAMES_READ = 500

/** Entries whose name or municipality may contain the query: inside a word, or across words. */
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
  // A longer word is more selective.
  if (last && first.length > last.length) looks.reverse()
  let stage = 0
  for (const look of looks) if (look(stage++) <= MAX_NAMES_READ) break
  return { next: (from) => held.indexOf(stage, from), from: 0, to: size }
}

export const between = ({ next }: Entries, from: number, to: number): Entries => ({ next, from, to })

/** All entries, or none if there are more than `max`. */
function listed({ next, from, to }: Entries, max: number): number[] {
  const found: number[] = []
  for (let entry = next(from); entry !== -1 && entry < to; entry = next(entry + 1)) {
    if (found.length === max) return []
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

function entriesInCountry(packed: Packed, { telling }: Query): Entries {
  if (telling.length === 0 || !packed.holdPlace(Buffer.from(telling.join(' ')), true)) return NONE
  return inOrder(listed({ next: (from) => packed.held.indexOf(1, from), from: 0, to: packed.size }, packed.size))
}

/** Entries with routes and a name that begins with these words: "san d" finds San Diego. Not for a single word. */
function entriesBeginning(packed: Packed, { typed, names }: Query): Entries {
  if (typed.length < 2) return NONE
  packed.held.fill(0)
  for (const name of names) packed.holdNamed(name)
  return { next: (from) => packed.held.indexOf(1, from), from: 0, to: packed.withoutUse }
}

const MAX_NAMED = 2000

/** Entries with this whole name, in order; `isTogether` compares without spaces. */
export const entriesNamed = (packed: Packed, { names }: Query, isTogether = false): number[] =>
  [...new Set(names.flatMap((name) => [...packed.withName(name, isTogether)]))].sort((a, b) => a - b)

/** The same with a country or region, also as a code: "Boston MA". */
function entriesNamedInPlaces(packed: Packed, { telling }: Query): number[] {
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(telling)) {
    if (place.length < MIN_PLACE_LENGTH || !packed.holdPlace(place, true)) continue
    for (const isTogether of [false, true])
      for (const entry of packed.withName(name.join(' '), isTogether)) if (packed.held[entry] === 1) found.add(entry)
  }
  return [...found].sort((a, b) => a - b)
}

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

  // "Mali" and "Uruguay" mean airports of the country, not names that begin with it.
  const ofCountry = entriesInCountry(packed, query)
  if (query.folded.length > MIN_PLACE_LENGTH) addBest(rank.countryName, between(ofCountry, 0, withoutUse))
  addBest(rank.nameBegins, entriesBeginning(packed, query))
  if (isFull()) return list()

  const withWords = query.words.length === 0 ? NONE : entriesWithWords(packed, query)
  const [others, last] = [between(withWords, 0, heliports), between(withWords, heliports, size)]
  // A heliport or closed airport with exactly this name comes first if no other airport has it.
  // With this name of the town only, it comes after airports with routes: "duba" is the beginning of Dubai.
  const hasName = (entry: number) => packed.hasWhole(entry, 'name', bytes)
  const hasTown = (entry: number) => packed.hasWhole(entry, 'municipality', bytes)
  const isNamed = (entry: number) => hasName(entry) || hasTown(entry)
  const candidatesByName = named.length === 0 ? listed(last, MAX_NAMED).filter(isNamed) : []
  const exact = candidatesByName.length > 0 && !listed(others, size).some(isNamed) ? candidatesByName : []
  addBest(rank.wholeName, inOrder(exact.filter(hasName)))
  addBest(rank.used, between(others, 0, withoutUse))
  for (const entry of packed.withName(query.shortName)) if (entry < heliports) add(entry, rank.shortName)
  addBest(rank.town, inOrder(exact))
  addBest(rank.words, between(others, withoutUse, heliports))
  if (!isFull()) addBest(rank.placed, inOrder(entriesInPlaces(packed, query, false)))
  if (isFull()) return list()

  const country = /^[a-z]{2}$/.test(query.folded) ? packed.inCountry(countryNumber(query.folded)) : ofCountry
  const candidates = entriesHolding(packed, query)
  const parts: [behind: number, from: number, to: number][] = [
    [0, 0, heliports],
    [HELIPORT_OFFSET, heliports, closed],
    [CLOSED_OFFSET, closed, size],
  ]
  for (const [behind, from, to] of parts) {
    if (behind > 0) addBest(rank.words + behind, between(withWords, from, to))
    if (!isFull()) addBest(rank.inside + behind, between(candidates, from, to), (entry) => packed.holds(entry, bytes))
    if (!isFull()) addBest(rank.country + behind, between(country, from, to))
    if (isFull()) break
  }
  return list()
}
