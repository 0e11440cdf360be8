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

interface Entry {
  id: number
  name: string
  text: string
  codes: string
  country: string | null
  order: number
}

function toEntry([id, name, municipality, icao, iata, country, type]: SearchRow): Entry {
  const folded = fold(name)
  return {
    id,
    name: folded,
    text: municipality === null ? folded : `${folded}${EDGE}${fold(municipality)}`,
    codes: [icao, iata].map((code) => code?.toLowerCase() ?? '').join(EDGE),
    country: country?.toLowerCase() ?? null,
    // Airports by type, airlines with an IATA code before those without.
    order: type === null ? Number(iata === null) : (typeOrder[type as keyof typeof typeOrder] ?? 9),
  }
}

// Names are compared by code point; UTF-16 order differs only beyond the basic plane, where no name lies.
type Ordered = Pick<Entry, 'order' | 'name' | 'id'>
const compare = (a: Ordered, b: Ordered) =>
  a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)

function merge(a: readonly Entry[], b: readonly Entry[]): Entry[] {
  const merged: Entry[] = []
  let [i, j] = [0, 0]
  while (i < a.length && j < b.length) merged.push(compare(a[i]!, b[j]!) < 0 ? a[i++]! : b[j++]!)
  for (; i < a.length; i++) merged.push(a[i]!)
  for (; j < b.length; j++) merged.push(b[j]!)
  return merged
}

/** A table in the order of the results, read and sorted in slices, so that nobody waits for it. */
async function sortedEntries(slice: (after: number, limit: number) => SearchRow[]): Promise<Entry[]> {
  let runs: Entry[][] = []
  for (let rows = slice(0, SLICE); rows.length > 0; rows = slice(rows.at(-1)![0], SLICE)) {
    runs.push(rows.map(toEntry).sort(compare))
    await nextTurn()
  }
  while (runs.length > 1) {
    const longer: Entry[][] = []
    for (let index = 0; index < runs.length; index += 2) {
      longer.push(merge(runs[index]!, runs[index + 1] ?? []))
      await nextTurn()
    }
    runs = longer
  }
  return runs[0] ?? []
}

/** All entries in one text, in the order of the results: the first ones found are the best ones. */
interface Corpus {
  text: string
  /** Where each entry begins. */
  starts: Int32Array
}

function corpus(parts: string[]): Corpus {
  const starts = new Int32Array(parts.length)
  let at = 1
  for (let index = 0; index < parts.length; index++) {
    starts[index] = at
    at += parts[index]!.length + 1
  }
  return { text: `${EDGE}${parts.join(EDGE)}${EDGE}`, starts }
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
export interface Hit {
  rank: number
  order: number
  name: string
  id: number
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

export async function buildSearchIndex(slice: (after: number, limit: number) => SearchRow[]): Promise<SearchIndex> {
  const entries = await sortedEntries(slice)
  const ids = Float64Array.from(entries, ({ id }) => id)
  const orders = Uint8Array.from(entries, ({ order }) => order)
  const countries = Uint16Array.from(entries, ({ country }) => countryNumber(country))
  await nextTurn()
  const codes = corpus(entries.map((entry) => entry.codes))
  await nextTurn()
  const names = corpus(entries.map((entry) => entry.text))

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
