import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '../../../lib/text.ts'
import type { airportTypes } from '../contract.ts'
import { packDictionary } from './dictionary.ts'
import { placesOf } from './places.ts'
import { joinSections } from './sections.ts'
import { cityOf, isCommon, spellings } from './texts.ts'

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
}

/** Larger places first; heliports and closed airports after all others. */
const typeOrder: Record<(typeof airportTypes)[number], number> = {
  large_airport: 0,
  medium_airport: 1,
  small_airport: 2,
  seaplane_base: 3,
  balloonport: 4,
  heliport: 5,
  closed: 6,
}
export const HELIPORT = typeOrder.heliport
export const CLOSED = typeOrder.closed

export const codeKinds = { iata: 0, icao: 1, other: 2, weak: 3 } as const
export const KIND_BITS = 2

/** Separators of the fields of a record, and of the items of a list. */
export const EDGE = '\0'
export const COMMA = '\x01'

/** Prefix of a whole name without its spaces: Georgetown comes before George Town. */
export const TOGETHER = '+'

const MAX_USE = 0xffff
const MAX_JOINED_LENGTH = 25

/** Airports by type, airlines with an IATA code before those without. */
const orderOf = (type: string | null, iata: string | null): number =>
  type === null ? Number(iata === null) : (typeOrder[type as keyof typeof typeOrder] ?? HELIPORT)

/** Two letters as a number; 0 for none. */
export const countryNumber = (code: string | null): number =>
  code === null ? 0 : code.charCodeAt(0) * 256 + code.charCodeAt(1)

/** In the order of `FIELDS`. */
const identityOf = ({
  name,
  municipality,
  icao,
  iata,
  country,
}: Omit<SearchRow, 'codes' | 'names' | 'cities' | 'regions' | 'use'>) =>
  [fold(municipality ?? ''), fold(name), icao ?? '', iata ?? '', country ?? ''].join(EDGE).toLowerCase()

export const FIELDS = {
  municipality: 0,
  name: 1,
  icao: 2,
  iata: 3,
  country: 4,
  codes: 5,
  names: 6,
  cities: 7,
  regions: 8,
  key: 9,
} as const

const recordOf = (row: SearchRow) =>
  [identityOf(row), ...[row.codes, row.names, row.cities, row.regions].map((list) => list.join(COMMA)), row.key].join(
    EDGE,
  ) + EDGE

type Lists = Map<string, number[]>

function put(lists: Lists, key: string, value: number): void {
  const list = lists.get(key)
  if (!list) lists.set(key, [value])
  else if (list.at(-1) !== value) list.push(value)
}

interface Sortable {
  row: SearchRow
  order: number
  last: number
  name: string
}

const sortable = (row: SearchRow): Sortable => {
  const order = orderOf(row.type, row.iata)
  return { row, order, last: Math.max(order - HELIPORT + 1, 0), name: fold(row.name) }
}

// By code point; UTF-16 order differs only beyond the basic plane, where no name lies.
export const compareNames = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** The order of results within a rank: the first entries that are found are the best ones. */
const inOrder = (a: Sortable, b: Sortable) =>
  a.last - b.last || b.row.use - a.row.use || a.order - b.order || compareNames(a.name, b.name)

function putCodes(codes: Lists, row: SearchRow, entry: number): void {
  const add = (code: string, kind: number) => put(codes, code.toLowerCase(), (entry << KIND_BITS) | kind)
  if (row.iata) add(row.iata.replace(/\*$/, ''), codeKinds.iata)
  if (row.icao) add(row.icao, codeKinds.icao)
  // Codes of cities have three letters. Codes of an airport without routes may belong to another one.
  const isOfCity = (code: string) => row.type === null || (row.use > 0 && code.length === 3)
  for (const code of row.codes) add(code, isOfCity(code) ? codeKinds.other : codeKinds.weak)
}

const MAX_RUN_WORDS = 3

/** Adjacent words, joined: Fokker100, TwinOtter, AirBerlin. */
function runsOf(spelling: readonly string[]): string[] {
  return spelling.flatMap((_, start) =>
    Array.from({ length: MAX_RUN_WORDS - 1 }, (_, more) => spelling.slice(start, start + 2 + more))
      .filter((run, more) => run.length === 2 + more)
      .map((run) => run.join(''))
      .filter((run) => run.length <= MAX_JOINED_LENGTH),
  )
}

/** Indexes every word of a row's names; of rows in use also whole names, which rank before prefixes. */
function putNames(dictionaries: { words: Lists; wholes: Lists; models: Lists }, row: SearchRow, entry: number): void {
  const { words, wholes, models } = dictionaries
  const city = row.municipality === null ? [] : [row.municipality, cityOf(row.municipality)]
  const isWhole =
    row.type === null
      ? row.use > 0 || row.iata !== null || row.cities.length > 0
      : row.use > 0 && orderOf(row.type, null) < CLOSED
  const ofNames = row.type === null ? models : words
  for (const spelling of row.names.flatMap(spellings))
    for (const word of [...spelling, ...(row.type === null ? runsOf(spelling) : [])]) put(ofNames, word, entry)
  for (const spelling of [row.name, ...city, ...row.cities].flatMap(spellings)) {
    for (const word of spelling) put(words, word, entry)
    if (row.type === null) for (const run of runsOf(spelling)) put(words, run, entry)
    if (!isWhole) continue
    const telling = spelling.filter((word) => !isCommon(word))
    put(wholes, spelling.join(' '), entry)
    put(wholes, telling.join(' '), entry)
    const joined = telling.join('')
    if (telling.length < 2 || joined.length > MAX_JOINED_LENGTH) continue
    put(words, joined, entry)
    put(wholes, TOGETHER + joined, entry)
  }
}

/** Countries and regions of airports in use, for "london canada". */
function putPlaces(places: Lists, row: SearchRow, entry: number): void {
  const isOpen = row.type !== null && orderOf(row.type, null) < HELIPORT
  if (!isOpen || (row.use === 0 && row.iata === null)) return
  for (const place of placesOf(row.country, row.regions)) put(places, place, entry)
}

const CHUNK_SIZE = 1000

export async function packSearch(rows: readonly SearchRow[]): Promise<Buffer> {
  const sorted = rows.map(sortable).sort(inOrder)
  const records = sorted.map(({ row }) => Buffer.from(recordOf(row)))
  const recordStarts = new Uint32Array(rows.length + 1)
  for (const [entry, record] of records.entries()) recordStarts[entry + 1] = recordStarts[entry]! + record.length
  const codes: Lists = new Map()
  const words: Lists = new Map()
  const wholes: Lists = new Map()
  const places: Lists = new Map()
  const models: Lists = new Map()
  for (const [entry, { row }] of sorted.entries()) {
    putCodes(codes, row, entry)
    putNames({ words, wholes, models }, row, entry)
    putPlaces(places, row, entry)
    if (entry % CHUNK_SIZE === CHUNK_SIZE - 1) await nextTurn()
  }
  wholes.delete('')
  const keys = sorted.map(({ row }, entry) => ({ key: Buffer.from(row.key), entry }))
  return joinSections({
    uses: Uint16Array.from(sorted, ({ row }) => Math.min(row.use, MAX_USE)),
    orders: Uint8Array.from(sorted, ({ order }) => order),
    countries: Uint16Array.from(sorted, ({ row }) => countryNumber(row.country?.toLowerCase() ?? null)),
    recordStarts,
    records: Buffer.concat(records),
    byKey: Uint32Array.from(
      keys.sort((a, b) => Buffer.compare(a.key, b.key)),
      ({ entry }) => entry,
    ),
    dictionaries: [codes, words, wholes, places, models].map(packDictionary),
  })
}
