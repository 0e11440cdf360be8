import { compareTexts } from '../../../lib/text.ts'
import type { SearchIndex, TermKind } from './index.ts'
import type { Query } from './query.ts'
import { dividedByPlace } from './texts.ts'

export const MAX_RESULTS = 10

/** A match with its sort keys. */
export interface Hit {
  key: string
  rank: number
  use: number
  order: number
  /** Whether the municipality begins with the query. */
  begins: boolean
  name: string
}

/** Best first; also merges the matches of two indexes. */
export const compareHits = (a: Hit, b: Hit): number =>
  a.rank - b.rank ||
  b.use - a.use ||
  a.order - b.order ||
  Number(b.begins) - Number(a.begins) ||
  compareTexts(a.name, b.name)

/** Ranks of airports (contract 4.10). Heliports and closed airports come after all others. */
const airportRank = {
  iata: 1,
  icao: 2,
  wholeName: 3,
  codeWord: 4,
  unusedCode: 5,
  city: 6,
  joinedName: 7,
  countryName: 8,
  nameBegins: 9,
  used: 10,
  shortName: 11,
  town: 12,
  words: 13,
  placed: 14,
  inside: 15,
  country: 16,
}
const HELIPORT_OFFSET = 20
const CLOSED_OFFSET = 40

type IsGone = (entry: number) => boolean

/** Collects at most ten matches. */
function collectHits({ uses, orders, rowOf }: SearchIndex, { folded }: Query, isGone: IsGone = () => false) {
  const found = new Map<number, Hit>()
  const isFull = () => found.size >= MAX_RESULTS

  function add(entries: Iterable<number>, rank: number): void {
    for (const entry of entries) {
      if (isFull()) return
      if (found.has(entry) || isGone(entry)) continue
      const { key, name, municipality } = rowOf(entry)
      const begins = municipality.startsWith(folded)
      found.set(entry, { key, rank, use: uses[entry]!, order: orders[entry]!, begins, name })
    }
  }

  /** Adds sorted entries, except that among equal use and type those whose municipality begins with the query come first. */
  function addBest(entries: Iterable<number>, rank: number): void {
    let [first, second]: [number[], number[]] = [[], []]
    let before: number | undefined
    const settle = () => {
      add(first, rank)
      add(second, rank)
      ;[first, second] = [[], []]
    }
    for (const entry of entries) {
      if (before !== undefined && (uses[entry] !== uses[before] || orders[entry] !== orders[before])) settle()
      if (isFull() || first.length >= MAX_RESULTS) break
      before = entry
      if (found.has(entry) || isGone(entry)) continue
      if (rowOf(entry).municipality.startsWith(folded)) first.push(entry)
      else if (second.length < MAX_RESULTS) second.push(entry)
    }
    settle()
  }

  return { add, addBest, isFull, list: () => [...found.values()] }
}

const ascending = (a: number, b: number) => a - b

const CODES: readonly TermKind[] = ['iata', 'icao', 'cityCode', 'otherCode']

const entriesWithCode = (index: SearchIndex, code: string): number[] =>
  CODES.flatMap((kind) => index.entriesWith(kind, code)).sort(ascending)

/** Intersects lists of entries: counts for each entry how many of them contain it. */
function intersection(size: number) {
  const counts = new Uint8Array(size)
  let lists = 0
  return {
    /** Keeps the entries that are in at least one of these parts. Returns whether there are any. */
    and(...parts: Iterable<number>[]): boolean {
      let isEmpty = true
      for (const part of parts)
        for (const entry of part) {
          if (counts[entry] !== lists) continue
          counts[entry] = lists + 1
          isEmpty = false
        }
      lists++
      return !isEmpty
    },
    or(...parts: Iterable<number>[]): void {
      for (const part of parts) for (const entry of part) counts[entry] = lists
    },
    sorted(): number[] {
      const found: number[] = []
      for (let entry = counts.indexOf(lists); entry !== -1; entry = counts.indexOf(lists, entry + 1)) found.push(entry)
      return found
    },
  }
}

/** Entries with a code that has this prefix. */
const entriesWithCodePrefix = (index: SearchIndex, prefix: string): number[] =>
  [...new Set(CODES.flatMap((kind) => index.entriesWithPrefix(kind, prefix)))].sort(ascending)

/** Entries with a word that has this prefix, or with this code. */
const entriesWithWord = (index: SearchIndex, word: string) => [
  index.entriesWithPrefix('word', word),
  ...CODES.map((kind) => index.entriesWith(kind, word)),
]

/** Shorter words are more often the beginning of a name. In UTF-8, since one Chinese character may be a whole word. */
const MIN_WHOLE_PLACE_BYTES = 4
const MIN_PLACE_BYTES = 2

/** Entries with some words of the query in the country or region of the other words: "London, Canada". */
function entriesInPlaces(index: SearchIndex, { significant }: Query, isWhole: boolean): number[] {
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(significant)) {
    if (Buffer.byteLength(place) < (isWhole ? MIN_WHOLE_PLACE_BYTES : MIN_PLACE_BYTES)) continue
    const inPlace = isWhole ? index.entriesWith('place', place) : index.entriesWithPrefix('place', place)
    if (inPlace.length === 0) continue
    const matches = intersection(index.size)
    matches.and(inPlace)
    for (const word of name) if (!matches.and(...entriesWithWord(index, word))) break
    for (const entry of matches.sorted()) found.add(entry)
  }
  return [...found].sort(ascending)
}

/** Entries with all words of the query, or with a code that begins with it. */
function entriesWithWords(index: SearchIndex, query: Query): number[] {
  const matches = intersection(index.size)
  for (const word of query.words) if (!matches.and(...entriesWithWord(index, word))) break
  for (const word of query.commonWords)
    matches.and(...entriesWithWord(index, word), index.uses.keys().take(index.withoutUse))
  matches.or(entriesInPlaces(index, query, true), entriesWithCodePrefix(index, query.folded))
  return matches.sorted()
}

const MIN_BEGINNING_LENGTH = 4

/** Entries with routes and a name that begins with these words: "san d" finds San Diego, "pert" Perth. Not for a short word. */
function entriesBeginning(index: SearchIndex, { typed, folded, names }: Query): number[] {
  if (typed.length < 2 && folded.length < MIN_BEGINNING_LENGTH) return []
  const found = names.flatMap((name) => index.entriesWithPrefix('name', name))
  return [...new Set(found)].filter((entry) => entry < index.withoutUse).sort(ascending)
}

/** Entries with one of these whole names. */
const entriesNamed = (index: SearchIndex, kind: 'name' | 'joinedName', names: readonly string[]): number[] =>
  [...new Set(names.flatMap((name) => index.entriesWith(kind, name)))].sort(ascending)

/** Entries with a whole name in a country or region, also as a code: "Boston MA". */
function entriesNamedInPlaces(index: SearchIndex, { significant }: Query): number[] {
  const found = new Set<number>()
  for (const [name, place] of dividedByPlace(significant)) {
    if (Buffer.byteLength(place) < MIN_PLACE_BYTES) continue
    const inPlace = new Set(index.entriesWith('place', place))
    for (const kind of ['name', 'joinedName'] as const)
      for (const entry of index.entriesWith(kind, name.join(' '))) if (inPlace.has(entry)) found.add(entry)
  }
  return [...found].sort(ascending)
}

const IATA_LENGTH = 3

/** Entries with an IATA code that is a word of the query, and with all other words: "Lima LIM". */
function entriesWithCodeWord(index: SearchIndex, { typed, significant }: Query): number[] {
  if (typed.length < 2) return []
  const codes = new Set(typed.filter((word) => word.length === IATA_LENGTH))
  return [...codes].flatMap((code) => {
    const matches = intersection(index.size)
    if (!matches.and(index.entriesWith('iata', code))) return []
    for (const word of significant) if (word !== code && !matches.and(...entriesWithWord(index, word))) return []
    return matches.sorted()
  })
}

/** The part of sorted entries. */
function between(entries: number[], from: number, to: number): number[] {
  const first = entries.findIndex((entry) => entry >= from)
  return first === -1 ? [] : entries.slice(first, entries.findLastIndex((entry) => entry < to) + 1)
}

/**
 * Airports with routes and this whole name (level 0), or else with routes and all its words (1), or else open ones with
 * all its words (2).
 */
export function findNamedAirports(index: SearchIndex, { names, significant }: Query, isGone: IsGone = () => false) {
  const { heliports, withoutUse, rowOf } = index
  const [first = [], ...others] = significant.map((word) => index.entriesWith('word', word))
  const worded = others.reduce((found, list) => {
    const entries = new Set(list)
    return found.filter((entry) => entries.has(entry))
  }, first)
  const lists = [
    [...entriesNamed(index, 'name', names), ...entriesNamed(index, 'joinedName', names)],
    worded.filter((entry) => entry < withoutUse),
    worded.filter((entry) => entry < heliports),
  ].map((list) => [...new Set(list)].filter((entry) => !isGone(entry)))
  const level = lists.findIndex((list) => list.length > 0)
  return { level, keys: (lists[level] ?? []).slice(0, MAX_RESULTS).map((entry) => rowOf(entry).key) }
}

const MAX_NAMED = 2000
const COUNTRY_CODE_LENGTH = 2

export function findAirports(index: SearchIndex, query: Query, isGone?: IsGone): Hit[] {
  const { heliports, closed, size, withoutUse, entriesWith } = index
  const { add, addBest, isFull, list } = collectHits(index, query, isGone)
  const { folded, significant, names, shortName } = query
  const isOpen = (entry: number) => entry < heliports
  const isUsed = (entry: number) => entry < withoutUse
  const [iata, icao] = [entriesWith('iata', folded), entriesWith('icao', folded)]
  add(iata.filter(isUsed), airportRank.iata)
  add(icao.filter(isUsed), airportRank.icao)
  const named = [...entriesNamed(index, 'name', names), ...entriesNamedInPlaces(index, query)]
  const open = named.filter(isOpen)
  add(open.length > 0 ? open : named, airportRank.wholeName)
  add(entriesWithCodeWord(index, query), airportRank.codeWord)
  // Also the name of a city, such as Faro.
  add([...iata, ...icao], airportRank.unusedCode)
  add(entriesWith('cityCode', folded), airportRank.city)
  add(entriesNamed(index, 'joinedName', names).filter(isOpen), airportRank.joinedName)
  if (isFull()) return list()

  // "Mali" and "Uruguay" mean airports of the country, not names that begin with it.
  const ofCountry = entriesWith('place', significant.join(' '))
  if (folded.length > COUNTRY_CODE_LENGTH) addBest(between(ofCountry, 0, withoutUse), airportRank.countryName)
  addBest(entriesBeginning(index, query), airportRank.nameBegins)
  if (isFull()) return list()

  const withWords = query.words.length === 0 ? [] : entriesWithWords(index, query)
  const [others, last] = [between(withWords, 0, heliports), between(withWords, heliports, size)]
  // A heliport or closed airport with exactly this name comes first if no other airport has it.
  // With this name of the town only, it comes after airports with routes: "duba" is the beginning of Dubai.
  const hasName = (entry: number) => index.rowOf(entry).name === folded
  const isNamed = (entry: number) => hasName(entry) || index.rowOf(entry).municipality === folded
  const candidates = named.length === 0 && last.length <= MAX_NAMED ? last.filter(isNamed) : []
  const exact = candidates.length > 0 && !others.some(isNamed) ? candidates : []
  addBest(exact.filter(hasName), airportRank.wholeName)
  addBest(between(others, 0, withoutUse), airportRank.used)
  add(entriesWith('name', shortName).filter(isOpen), airportRank.shortName)
  addBest(exact, airportRank.town)
  addBest(between(others, withoutUse, heliports), airportRank.words)
  if (!isFull()) addBest(entriesInPlaces(index, query, false), airportRank.placed)
  if (isFull()) return list()

  const country = /^[a-z]{2}$/.test(folded) ? entriesWith('country', folded) : ofCountry
  const containing = index.entriesContaining(folded)
  const parts: [behind: number, from: number, to: number][] = [
    [0, 0, heliports],
    [HELIPORT_OFFSET, heliports, closed],
    [CLOSED_OFFSET, closed, size],
  ]
  for (const [behind, from, to] of parts) {
    if (behind > 0) addBest(between(withWords, from, to), airportRank.words + behind)
    if (!isFull()) addBest(containing(from, to), airportRank.inside + behind)
    addBest(between(country, from, to), airportRank.country + behind)
  }
  return list()
}

/** Entries with all words of the query, separately or joined: "Viet Jet", "DA-40". */
function entriesWithEvery(index: SearchIndex, query: Query, every: string[]): number[] {
  const found = entriesWithWords(index, { ...query, words: every, commonWords: [] })
  if (query.typed.length < 2) return found
  return [...new Set([...found, ...index.entriesWith('word', query.joined)])].sort(ascending)
}

/** Entries with a model that has all these words: "Challenger 604", "G550". */
function entriesWithModel({ size, entriesWithPrefix }: SearchIndex, words: readonly string[]): number[] {
  const matches = intersection(size)
  for (const word of words) if (!matches.and(entriesWithPrefix('model', word))) break
  return matches.sorted()
}

const codedRank = { code: 1, codeBegins: 2, wholeName: 3, joinedName: 4, words: 5, inside: 6, carrier: 7, model: 8 }

/** At most ten airlines or aircraft types. */
export function findCoded(index: SearchIndex, query: Query, isGone?: IsGone): Hit[] {
  const { add, addBest, isFull, list } = collectHits(index, query, isGone)
  const { folded, typed, joined, words, commonWords, carrier } = query
  // A star after a code is ignored.
  const code = folded.length > 1 ? folded.replace(/\*$/, '') : folded
  add(entriesWithCode(index, code), codedRank.code)
  // Codes with a hyphen or space: "F-16", "DC 3", "A-320".
  if (typed.length > 1) add(entriesWithCode(index, joined), codedRank.code)
  addBest(entriesWithCodePrefix(index, code), codedRank.codeBegins)
  if (isFull() || words.length === 0) return list()
  const names = [...query.names, joined]
  add(entriesNamed(index, 'name', names), codedRank.wholeName)
  add(entriesNamed(index, 'joinedName', names), codedRank.joinedName)
  const every = [...words, ...commonWords]
  addBest(entriesWithEvery(index, query, every), codedRank.words)
  if (!isFull()) addBest(index.entriesContaining(folded)(), codedRank.inside)
  // "Emirates Airlines" finds Emirates, after entries with every word.
  if (!isFull() && carrier.length > 0 && carrier.length < every.length) {
    const known = entriesWithWords(index, { ...query, words: carrier, commonWords: [] })
    addBest(
      known.filter((entry) => entry < index.withoutUse),
      codedRank.carrier,
    )
  }
  if (!isFull()) addBest(entriesWithModel(index, every), codedRank.model)
  if (!isFull() && typed.length > 1) addBest(entriesWithModel(index, [joined]), codedRank.model)
  return list()
}
