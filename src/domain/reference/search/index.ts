import { setImmediate as nextTurn } from 'node:timers/promises'
import { compareTexts, fold, words } from '../../../lib/text.ts'
import type { airportTypes } from '../contract.ts'
import { cityOf, isCommon, placesOf, spellings } from './texts.ts'

export interface SearchRow {
  /** The id in the shipped data; the id in the table for a changed or custom row. */
  key: string
  name: string
  municipality: string | null
  icao: string | null
  iata: string | null
  country: string | null
  type: string | null
  /** Number of known routes. */
  use: number
  /** Of the city, former codes, and codes of other lists. */
  codes: readonly string[]
  /** Other names of an airport and places near it; models of an aircraft type. */
  names: readonly string[]
  /** Names of the city; common names of an airline or aircraft type. */
  cities: readonly string[]
  regions: readonly string[]
  /** Whether a closed airport without an IATA code once had scheduled flights. */
  wasServed?: boolean
}

/** Rows are JSON lines in the order of results, which numbers them. Terms are tab-separated lines, sorted by byte. */
export interface IndexText {
  rows: Buffer
  terms: Buffer
}

/** Larger places first, then closed airports that had scheduled flights; heliports and other closed ones come last. */
const typeOrder: Record<(typeof airportTypes)[number] | 'former', number> = {
  large_airport: 0,
  medium_airport: 1,
  former: 2,
  small_airport: 3,
  seaplane_base: 4,
  balloonport: 5,
  heliport: 6,
  closed: 7,
}

/** Airports by type, airlines with an IATA code before those without. */
function orderOf({ type, iata, wasServed = false }: SearchRow): number {
  if (type === null) return Number(iata === null)
  if (type === 'closed' && (iata !== null || wasServed)) return typeOrder.former
  return typeOrder[type as keyof typeof typeOrder] ?? typeOrder.heliport
}

interface Sortable {
  row: SearchRow
  order: number
  /** 0, except for heliports and closed airports. */
  last: number
  name: string
}

function sortable(given: SearchRow): Sortable {
  // The table of routes may lag behind.
  const row = given.type === 'closed' ? { ...given, use: 0 } : given
  const order = orderOf(row)
  return { row, order, last: Math.max(order - typeOrder.heliport + 1, 0), name: fold(row.name) }
}

/** The order of results within a rank: the first entries that are found are the best ones. */
const inOrder = (a: Sortable, b: Sortable) =>
  a.last - b.last || b.row.use - a.row.use || a.order - b.order || compareTexts(a.name, b.name)

const MAX_RUN_WORDS = 3
const MAX_JOINED_LENGTH = 25

/** Adjacent words, joined: Fokker100, TwinOtter, AirBerlin. */
function runsOf(spelling: readonly string[]): string[] {
  return spelling.flatMap((_, start) =>
    Array.from({ length: MAX_RUN_WORDS - 1 }, (_, more) => spelling.slice(start, start + 2 + more))
      .filter((run, more) => run.length === 2 + more)
      .map((run) => run.join(''))
      .filter((run) => run.length <= MAX_JOINED_LENGTH),
  )
}

/** What a term is; the first part of its line. */
export type TermKind =
  | 'iata'
  | 'icao'
  /** Three letters, of a city or a former code; all other codes of airlines and aircraft types. */
  | 'cityCode'
  /** Codes that may belong to another airport. */
  | 'otherCode'
  /** Of names and municipalities. */
  | 'word'
  /** Whole names of rows in use, which rank before prefixes. */
  | 'name'
  /** The same without spaces: Georgetown comes before George Town. */
  | 'joinedName'
  /** Words of the models of aircraft types. */
  | 'model'
  /** Countries and regions of airports in use, for "london canada". */
  | 'place'
  | 'country'

type Put = (kind: TermKind, term: string) => void

function putCodes(put: Put, row: SearchRow): void {
  if (row.iata) put('iata', row.iata.toLowerCase().replace(/\*$/, ''))
  if (row.icao) put('icao', row.icao.toLowerCase())
  // Codes of cities have three letters. Codes of an airport without routes may belong to another one.
  const isOfCity = (code: string) => row.type === null || (row.use > 0 && code.length === 3)
  for (const code of row.codes) put(isOfCity(code) ? 'cityCode' : 'otherCode', code.toLowerCase())
}

function putNames(put: Put, row: SearchRow): void {
  const isAirport = row.type !== null
  const municipality = row.municipality ?? ''
  const names = [row.name, municipality, ...row.cities]
  const searched = isAirport ? [...names, ...row.names] : names
  for (const word of spellings(searched.join(' ')).flat()) put('word', word)
  if (!isAirport) {
    for (const run of names.flatMap(spellings).flatMap(runsOf)) put('word', run)
    for (const spelling of row.names.flatMap(spellings))
      for (const word of [...spelling, ...runsOf(spelling)]) put('model', word)
  }
  const hasWholeName = isAirport ? row.use > 0 : row.use > 0 || row.iata !== null || row.cities.length > 0
  if (!hasWholeName) return
  for (const spelling of [...names, cityOf(municipality)].flatMap(spellings)) {
    const significant = spelling.filter((word) => !isCommon(word))
    put('name', spelling.join(' '))
    if (significant.length > 0) put('name', significant.join(' '))
    const joined = significant.join('')
    if (significant.length < 2 || joined.length > MAX_JOINED_LENGTH) continue
    put('word', joined)
    put('joinedName', joined)
  }
}

function putPlaces(put: Put, row: SearchRow): void {
  if (row.country) put('country', row.country.toLowerCase())
  const isOpen = row.type !== null && row.type !== 'closed' && orderOf(row) < typeOrder.heliport
  if (!isOpen || (row.use === 0 && row.iata === null)) return
  for (const place of placesOf(row.country, row.regions)) put('place', place)
}

type RowLine = [
  use: number,
  order: number,
  key: string,
  municipality: string,
  name: string,
  codes?: readonly string[],
  names?: readonly string[],
  cities?: readonly string[],
  regions?: readonly string[],
]

function lineOf({ row, order, name }: Sortable): string {
  const { use, key, municipality, codes, names, cities, regions } = row
  const line: RowLine = [use, order, key, fold(municipality ?? ''), name]
  const lists = [codes, names, cities, regions]
  return `${JSON.stringify(lists.every(({ length }) => length === 0) ? line : [...line, ...lists])}\n`
}

const CHUNK_SIZE = 1000
const SEPARATOR = /[\t\n]/

export async function writeIndex(rows: readonly SearchRow[]): Promise<IndexText> {
  const sorted = rows.map(sortable).sort(inOrder)
  const lists = new Map<string, number[]>()
  for (const [entry, { row }] of sorted.entries()) {
    const put: Put = (kind, term) => {
      if (SEPARATOR.test(term)) return
      const line = `${kind}\t${term}`
      const list = lists.get(line)
      if (!list) lists.set(line, [entry])
      else if (list.at(-1) !== entry) list.push(entry)
    }
    putCodes(put, row)
    putNames(put, row)
    putPlaces(put, row)
    if (entry % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn()
  }
  const terms = [...lists].map(([term, entries]) => Buffer.from(`${term}\t${entries.join(' ')}\n`))
  return { rows: Buffer.from(sorted.map(lineOf).join('')), terms: Buffer.concat(terms.sort(Buffer.compare)) }
}

const [TAB, NEWLINE, ZERO] = Buffer.from('\t\n0')

/** The first line that does not sort before a text. */
function lineFrom(lines: Buffer, text: Buffer): number {
  let [low, high] = [0, lines.length]
  while (low < high) {
    const middle = (low + high) >> 1
    const start = middle === 0 ? 0 : lines.lastIndexOf(NEWLINE!, middle - 1) + 1
    if (lines.compare(text, 0, text.length, start, Math.min(start + text.length, lines.length)) < 0)
      low = lines.indexOf(NEWLINE!, middle) + 1
    else high = start
  }
  return low
}

/** The numbers behind the second tab of a line. Returns where the next line begins. */
function readEntries(lines: Buffer, line: number, found: number[]): number {
  let at = lines.indexOf(TAB!, lines.indexOf(TAB!, line) + 1) + 1
  for (let entry = 0; ; ) {
    const byte = lines[at++]!
    if (byte >= ZERO!) entry = 10 * entry + byte - ZERO!
    else {
      found.push(entry)
      entry = 0
      if (byte === NEWLINE) return at
    }
  }
}

/** The part of the lines that begin with a text. This byte does not occur in UTF-8. */
const rangeOf = (lines: Buffer, text: Buffer) =>
  [lineFrom(lines, text), lineFrom(lines, Buffer.concat([text, Buffer.of(0xff)]))] as const

/** The numbers at the ends of all lines that begin with a kind and a text. */
function entriesOf(lines: Buffer, kind: TermKind, prefix: string, end = ''): number[] {
  if (SEPARATOR.test(prefix)) return []
  const [from, to] = rangeOf(lines, Buffer.from(`${kind}\t${prefix}${end}`))
  const found: number[] = []
  for (let at = from; at < to; ) at = readEntries(lines, at, found)
  return found
}

/** Where each line of a kind begins, and where its term begins and ends. */
function* linesOfKind(lines: Buffer, kind: TermKind): Generator<[line: number, start: number, end: number]> {
  const head = `${kind}\t`
  const [from, to] = rangeOf(lines, Buffer.from(head))
  for (let line = from; line < to; line = lines.indexOf(NEWLINE!, line) + 1) {
    const start = line + head.length
    yield [line, start, lines.indexOf(TAB!, start)]
  }
}

/** Finds words that contain a text. Searches a copy of the words without their entry numbers. */
function wordSearch(terms: Buffer) {
  const [starts, lines]: [number[], number[]] = [[], []]
  // A buffer per word would take many times the memory.
  const copy = Buffer.allocUnsafe(terms.length)
  let length = 0
  for (const [line, start, end] of linesOfKind(terms, 'word')) {
    starts.push(length)
    lines.push(line)
    length += terms.copy(copy, length, start, end)
    copy[length++] = NEWLINE!
  }
  const [all, begins] = [Buffer.from(copy.subarray(0, length)), Uint32Array.from([...starts, length])]

  /** The entries with such a word, in order. */
  return (text: string): number[] => {
    const found: number[] = []
    for (let at = all.indexOf(text); at !== -1; ) {
      const word = entryAt(begins, at)
      readEntries(terms, lines[word]!, found)
      at = all.indexOf(text, begins[word + 1])
    }
    return [...new Set(found)].sort((a, b) => a - b)
  }
}

export type SearchIndex = ReturnType<typeof openIndex>

export function openIndex({ rows, terms }: IndexText) {
  const lineStarts = [0]
  for (let end = rows.indexOf(NEWLINE!); end !== -1; end = rows.indexOf(NEWLINE!, end + 1)) lineStarts.push(end + 1)
  const starts = Uint32Array.from(lineStarts)
  const size = starts.length - 1
  const uses = new Uint32Array(size)
  const orders = new Uint8Array(size)
  for (let entry = 0; entry < size; entry++) {
    // "[use,order,…": the order has one digit.
    const comma = rows.indexOf(',', starts[entry])
    uses[entry] = Number(rows.toString('latin1', starts[entry]! + 1, comma))
    orders[entry] = rows[comma + 1]! - ZERO!
  }
  const firstWith = (list: Uint32Array | Uint8Array, matches: (value: number) => boolean) => {
    const entry = list.findIndex(matches)
    return entry === -1 ? size : entry
  }
  const heliports = firstWith(orders, (order) => order >= typeOrder.heliport)

  /** Name and municipality are folded. */
  function rowOf(entry: number) {
    const line = rows.toString('utf8', starts[entry], starts[entry + 1])
    const [, , key, municipality, name, codes = [], names = [], cities = [], regions = []] = JSON.parse(line) as RowLine
    return { key, municipality, name, codes, names, cities, regions }
  }

  let entriesWithPart: ReturnType<typeof wordSearch> | undefined

  /** Entries whose name or municipality contains a text, in order: the longest word of the text is in one of their words. */
  function entriesContaining(text: string) {
    entriesWithPart ??= wordSearch(terms)
    const longest = words(text).reduce((best, word) => (word.length > best.length ? word : best), '')
    const candidates = longest === '' ? Array.from(uses.keys()) : entriesWithPart(longest)
    return function* (from = 0, to = size): Generator<number> {
      for (const entry of candidates) {
        if (entry < from || entry >= to) continue
        const { name, municipality } = rowOf(entry)
        if (name.includes(text) || municipality.includes(text)) yield entry
      }
    }
  }

  return {
    size,
    /** Entries are sorted: with routes, `withoutUse`, `heliports`, `closed`. */
    withoutUse: Math.min(
      firstWith(uses, (use) => use === 0),
      heliports,
    ),
    heliports,
    closed: firstWith(orders, (order) => order >= typeOrder.closed),
    uses,
    orders,
    rowOf,
    /** Entries with exactly this term, in order. */
    entriesWith: (kind: TermKind, term: string) => entriesOf(terms, kind, term, '\t'),
    /** Entries with a term that has this prefix; an entry may repeat. */
    entriesWithPrefix: (kind: TermKind, prefix: string) => entriesOf(terms, kind, prefix),
    /** Terms of a kind, each with its first entry. */
    *termsOf(kind: TermKind): Generator<[term: string, entry: number]> {
      for (const [line, start, end] of linesOfKind(terms, kind)) {
        const entries: number[] = []
        readEntries(terms, line, entries)
        yield [terms.toString('utf8', start, end), entries[0]!]
      }
    },
    entriesContaining,
  }
}

function entryAt(starts: Uint32Array, at: number): number {
  let [low, high] = [0, starts.length - 2]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= at) low = middle
    else high = middle - 1
  }
  return low
}
