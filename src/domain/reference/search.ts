import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '../../lib/text.ts'
import type { airportTypes } from './contract.ts'

const MOST_RESULTS = 10
/** Rows folded before other requests get their turn. */
const SLICE = 5_000

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

/** Two letters as one number; 0 for none. */
const countryNumber = (code: string) => (code.length === 2 ? code.charCodeAt(0) * 256 + code.charCodeAt(1) : 0)

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
    text: municipality === null ? folded : `${folded}\t${fold(municipality)}`,
    codes: [icao, iata].map((code) => code?.toLowerCase() ?? '').join('\t'),
    country: country?.toLowerCase() ?? null,
    // Airports by type, airlines with an IATA code before those without.
    order: type === null ? Number(iata === null) : (typeOrder[type as keyof typeof typeOrder] ?? 9),
  }
}

// Names are compared by code point; UTF-16 order differs only beyond the basic plane, where no name lies.
const compare = (a: Entry, b: Entry) => a.order - b.order || (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id - b.id)

/** All entries in one text, in the order of the results: the first ones found are the best ones. */
interface Corpus {
  text: string
  /** Where each entry begins. */
  starts: Int32Array
}

function corpus(parts: string[]): Corpus {
  const starts = new Int32Array(parts.length)
  let at = 0
  for (let index = 0; index < parts.length; index++) {
    starts[index] = at
    at += parts[index]!.length + 1
  }
  return { text: `\n${parts.join('\n')}\n`, starts }
}

/** The entry in which a position of the text lies. */
function entryAt({ starts }: Corpus, position: number): number {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle]! < position) low = middle
    else high = middle - 1
  }
  return low
}

/** Calls for every occurrence, in order, until it returns false. */
function scan({ text }: Corpus, query: string, each: (position: number) => boolean): void {
  for (let at = text.indexOf(query); at !== -1; at = text.indexOf(query, at + 1)) if (!each(at)) return
}

/** The first entries that hold one of the patterns, in their order. */
function entriesWith(codes: Corpus, patterns: string[]): number[] {
  const found = new Set<number>()
  for (const pattern of patterns) {
    let count = 0
    scan(codes, pattern, (at) => {
      found.add(entryAt(codes, at + 1))
      return ++count < MOST_RESULTS
    })
  }
  return [...found].sort((a, b) => a - b)
}

const isWordCharacter = (character: string) => /[\p{L}\p{N}]/u.test(character)

/** A low surrogate is judged with its high half. */
function beginsWord(text: string, position: number): boolean {
  const before = text.charCodeAt(position - 1)
  const isLow = before >= 0xdc00 && before <= 0xdfff
  return !isWordCharacter(isLow ? text.slice(position - 2, position) : text[position - 1]!)
}

export interface SearchIndex {
  /** At most ten ids, best first (contract 4.10). */
  find: (query: string) => number[]
}

/** Folds every name once; long tables are folded in slices, so that nobody waits for it. */
export async function buildSearchIndex(rows: Iterable<SearchRow>): Promise<SearchIndex> {
  const all = [...rows]
  const entries: Entry[] = []
  for (let from = 0; from < all.length; from += SLICE) {
    entries.push(...all.slice(from, from + SLICE).map(toEntry))
    await nextTurn()
  }
  entries.sort(compare)
  await nextTurn()
  const ids = Int32Array.from(entries, ({ id }) => id)
  const countries = Uint16Array.from(entries, ({ country }) => countryNumber(country ?? ''))
  const codes = corpus(entries.map((entry) => entry.codes))
  const names = corpus(entries.map((entry) => entry.text))

  function byName(query: string, wanted: number): { word: number[]; inside: number[] } {
    const word = new Set<number>()
    const inside = new Set<number>()
    scan(names, query, (at) => {
      if (beginsWord(names.text, at)) word.add(entryAt(names, at))
      else if (inside.size < wanted) inside.add(entryAt(names, at))
      return word.size < wanted
    })
    return { word: [...word], inside: [...inside] }
  }

  function find(text: string): number[] {
    const query = fold(text.trim())
    if (query === '' || /[\n\t]/.test(query)) return []
    const found = new Set<number>()
    const add = (list: Iterable<number>) => {
      for (const entry of list) if (found.size < MOST_RESULTS) found.add(entry)
      return found.size < MOST_RESULTS
    }
    const equal = () => entriesWith(codes, [`\n${query}\t`, `\t${query}\n`])
    const begins = () => entriesWith(codes, [`\n${query}`, `\t${query}`])
    if (add(equal()) && add(begins())) {
      // Up to ten of these may be in the list already.
      const { word, inside } = byName(query, 2 * MOST_RESULTS)
      if (add(word) && add(inside) && query.length === 2) {
        const country = countryNumber(query)
        for (let entry = 0; entry < countries.length; entry++) if (countries[entry] === country && !add([entry])) break
      }
    }
    return [...found].map((entry) => ids[entry]!)
  }

  return { find }
}
