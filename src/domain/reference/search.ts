import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '../../lib/text.ts'
import type { airportTypes } from './contract.ts'

const MOST_RESULTS = 10
/** Rows read, folded and sorted before other requests get their turn. */
const SLICE = 5_000

/** Stands around every text that is searched; no name holds it, and no query may. */
const EDGE = '\0'

export type SearchRow = [
  id: number,
  name: string,
  municipality: string | null,
  icao: string | null,
  iata: string | null,
  country: string | null,
  type: string | null,
]

/** Larger places first. */
const typeOrder: Record<(typeof airportTypes)[number], number> = {
  large_airport: 0,
  medium_airport: 1,
  small_airport: 2,
  seaplane_base: 3,
  balloonport: 4,
  heliport: 5,
  closed: 6,
}

/** Two letters a–z as one number; 0 for none. */
const countryNumber = (code: string | null) => (code === null ? 0 : code.charCodeAt(0) * 256 + code.charCodeAt(1))

/** What a row is ordered by. */
interface Place {
  order: number
  name: string
  id: number
}

// By code point; UTF-16 order differs only beyond the basic plane, where no name lies.
const compareNames = (a: string, b: string) => (a < b ? -1 : Number(a > b))
const compare = (a: Place, b: Place) => a.order - b.order || compareNames(a.name, b.name) || a.id - b.id

/** Airports by type, airlines with an IATA code before those without. */
const orderOf = (type: string | null, iata: string | null) =>
  type === null ? Number(iata === null) : (typeOrder[type as keyof typeof typeOrder] ?? 9)

/** Both codes of a row, or nothing in their places. */
const codesOf = (icao: string | null, iata: string | null) =>
  `${icao?.toLowerCase() ?? ''}${EDGE}${iata?.toLowerCase() ?? ''}`

/**
 * A table as it was read, a column each: an object for every row would be garbage of thirty megabytes when the index
 * stands.
 */
interface Columns {
  ids: number[]
  orders: number[]
  names: string[]
  municipalities: (string | null)[]
  codes: string[]
  countries: number[]
}

function take(columns: Columns, rows: readonly SearchRow[]): void {
  for (const [id, name, municipality, icao, iata, country, type] of rows) {
    columns.ids.push(id)
    columns.orders.push(orderOf(type, iata))
    columns.names.push(fold(name))
    columns.municipalities.push(municipality === null ? null : fold(municipality))
    columns.codes.push(codesOf(icao, iata))
    columns.countries.push(countryNumber(country?.toLowerCase() ?? null))
  }
}

type Compare = (a: number, b: number) => number

function merge(a: Int32Array, b: Int32Array, compareRows: Compare): Int32Array {
  const merged = new Int32Array(a.length + b.length)
  let [i, j] = [0, 0]
  for (let at = 0; at < merged.length; at++) {
    const isFirst = j === b.length || (i < a.length && compareRows(a[i]!, b[j]!) < 0)
    merged[at] = isFirst ? a[i++]! : b[j++]!
  }
  return merged
}

/** A table and the order of its results, read and sorted in slices, so that nobody waits for it. */
async function readSorted(slice: (after: number, limit: number) => SearchRow[]) {
  const columns: Columns = { ids: [], orders: [], names: [], municipalities: [], codes: [], countries: [] }
  const { ids, orders, names } = columns
  const compareRows: Compare = (a, b) =>
    orders[a]! - orders[b]! || compareNames(names[a]!, names[b]!) || ids[a]! - ids[b]!
  let runs: Int32Array[] = []
  for (let rows = slice(0, SLICE); rows.length > 0; rows = slice(rows.at(-1)![0], SLICE)) {
    const first = ids.length
    take(columns, rows)
    runs.push(Int32Array.from(rows, (_, index) => first + index).sort(compareRows))
    await nextTurn()
  }
  while (runs.length > 1) {
    const longer: Int32Array[] = []
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(merge(runs[index]!, runs[index + 1] ?? new Int32Array(), compareRows))
      await nextTurn()
    }
    runs = longer
  }
  return { columns, sorted: runs[0] ?? new Int32Array() }
}

/** All entries in one text, in the order of the results: the first ones found are the best ones. */
interface Corpus {
  text: string
  /** Where each entry begins. */
  starts: Int32Array
}

function corpus(sorted: Int32Array, textOf: (row: number) => string): Corpus {
  const starts = new Int32Array(sorted.length)
  const parts = ['']
  let at = 1
  for (const [entry, row] of sorted.entries()) {
    const text = textOf(row)
    starts[entry] = at
    at += text.length + 1
    parts.push(text)
  }
  parts.push('')
  return { text: parts.join(EDGE), starts }
}

/** The entry in which a position of the text lies. */
function entryAt({ starts }: Corpus, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! <= position) low = middle
    else high = middle - 1
  }
  return low
}

/** Calls for every occurrence, in order, until it returns false. */
function scan({ text }: Corpus, query: string, each: (position: number) => boolean): void {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1)) if (!each(at)) return
}

const isWordCharacter = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** A low surrogate is judged with its high half. */
function beginsWord(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1)
  const isLow = before >= 0xdc00 && before <= 0xdfff
  return !isWordCharacter(isLow ? text.slice(position - 2, position) : text[position - 1]!)
}

/** A row that was found, with what it is ordered by. */
export interface Hit extends Place {
  rank: number
}

export interface SearchIndex {
  /** At most ten, best first (contract 4.10). */
  find: (query: string) => Hit[]
}

/** The best of what several indexes found. */
export const bestOf = (...lists: Hit[][]): number[] =>
  lists
    .flat()
    .sort((a, b) => a.rank - b.rank || compare(a, b))
    .slice(0, MOST_RESULTS)
    .map(({ id }) => id)

/** What is kept of a table. On its own, so that a search holds nothing of how it was read. */
async function tableInOrder(slice: (after: number, limit: number) => SearchRow[]) {
  const { columns, sorted } = await readSorted(slice)
  const ids = Float64Array.from(sorted, (row) => columns.ids[row]!)
  const orders = Uint8Array.from(sorted, (row) => columns.orders[row]!)
  const countries = Uint16Array.from(sorted, (row) => columns.countries[row]!)
  await nextTurn()
  const codes = corpus(sorted, (row) => columns.codes[row]!)
  await nextTurn()
  const names = corpus(sorted, (row) => {
    const [name, municipality] = [columns.names[row]!, columns.municipalities[row]!]
    return municipality === null ? name : `${name}${EDGE}${municipality}`
  })
  return { ids, orders, countries, codes, names }
}

export async function buildSearchIndex(slice: (after: number, limit: number) => SearchRow[]): Promise<SearchIndex> {
  const { ids, orders, countries, codes, names } = await tableInOrder(slice)

  /** The first entries with this code, and those with a code that begins with it. */
  function byCode(query: string): { equal: Set<number>; begins: Set<number> } {
    const equal = new Set<number>()
    const begins = new Set<number>()
    // The query is looked for and not the edge before it: an edge stands every few characters, and each would be a stop.
    scan(codes, query, (at) => {
      if (codes.text[at - 1] !== EDGE) return true
      if (codes.text[at + query.length] === EDGE) equal.add(entryAt(codes, at))
      else if (begins.size < MOST_RESULTS) begins.add(entryAt(codes, at))
      return equal.size < MOST_RESULTS
    })
    return { equal, begins }
  }

  function byName(query: string, wanted: number): { word: Set<number>; inside: Set<number> } {
    const word = new Set<number>()
    const inside = new Set<number>()
    scan(names, query, (at) => {
      if (beginsWord(names.text, at)) word.add(entryAt(names, at))
      else if (inside.size < wanted) inside.add(entryAt(names, at))
      return word.size < wanted
    })
    return { word, inside }
  }

  /** The folded name, which is the first text of an entry. */
  function nameOf(entry: number): string {
    const start = names.starts[entry]!
    return names.text.slice(start, names.text.indexOf(EDGE, start))
  }

  function find(text: string): Hit[] {
    const query = fold(text.trim())
    if (query === '' || query.includes(EDGE)) return []
    /** The rank of each entry, in the order in which they were found. */
    const found = new Map<number, number>()
    const add = (rank: number, list: Iterable<number>) => {
      for (const entry of list) if (found.size < MOST_RESULTS && !found.has(entry)) found.set(entry, rank)
      return found.size < MOST_RESULTS
    }
    const { equal, begins } = byCode(query)
    if (add(1, equal) && add(2, begins)) {
      // Up to ten of these may be in the list already.
      const { word, inside } = byName(query, 2 * MOST_RESULTS)
      if (add(3, word) && add(4, inside) && /^[a-z]{2}$/.test(query)) {
        const country = countryNumber(query)
        for (let entry = 0; entry < countries.length; entry++)
          if (countries[entry] === country && !add(5, [entry])) break
      }
    }
    return [...found].map(([entry, rank]) => ({ rank, order: orders[entry]!, name: nameOf(entry), id: ids[entry]! }))
  }

  return { find }
}
