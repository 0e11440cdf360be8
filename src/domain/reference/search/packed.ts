import { beginningWith, containing, type Dictionary, entriesOf, markEntries, placeOf } from './dictionary.ts'
import { CLOSED, COMMA, EDGE, FIELDS, HELIPORT, KIND_BITS } from './pack.ts'
import { splitSections } from './sections.ts'

const EDGE_BYTE = 0

/** Rows that were packed, and how to look into them. Entries are numbered from 0, the best ones first. */
export type Packed = ReturnType<typeof openPacked>

export function openPacked(bytes: Buffer) {
  const { uses, orders, countries, recordStarts, records, byKey, dictionaries } = splitSections(bytes)
  const [codes, words, wholes] = dictionaries as [Dictionary, Dictionary, Dictionary]
  const size = uses.length
  /** How many words of a query each entry has had so far; one for all searches, which follow one another. */
  const marks = new Uint8Array(size)

  const firstFrom = (order: number) => {
    const found = orders.findIndex((each) => each >= order)
    return found === -1 ? size : found
  }
  const [heliports, closed] = [firstFrom(HELIPORT), firstFrom(CLOSED)]
  const unused = uses.subarray(0, heliports).indexOf(0)

  /** Where a text of a record begins. */
  function fieldStart(entry: number, field: number): number {
    let at = recordStarts[entry]!
    for (let skipped = 0; skipped < field; at++) if (records[at] === EDGE_BYTE) skipped++
    return at
  }

  function textOf(entry: number, field: number): string {
    const start = fieldStart(entry, field)
    return records.toString('utf8', start, records.indexOf(EDGE_BYTE, start))
  }

  const listOf = (entry: number, field: number) => textOf(entry, field).split(COMMA).filter(Boolean)

  /** The entry in whose record a byte lies. */
  function entryAt(position: number): number {
    let [low, high] = [0, size - 1]
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (recordStarts[middle]! <= position) low = middle
      else high = middle - 1
    }
    return low
  }

  function hasAt(text: Buffer, start: number): boolean {
    for (let index = 0; index < text.length; index++) if (records[start + index] !== text[index]) return false
    return true
  }

  /** Whether name or municipality hold a text. */
  function holds(entry: number, text: Buffer): boolean {
    return records.subarray(recordStarts[entry]!, fieldStart(entry, FIELDS.icao)).includes(text)
  }

  /** Whether the whole name or the whole municipality is this text. */
  function isNamed(entry: number, text: Buffer): boolean {
    return [FIELDS.name, FIELDS.municipality].some((field) => {
      const start = fieldStart(entry, field)
      return hasAt(text, start) && records[start + text.length] === EDGE_BYTE
    })
  }

  /** Who has this very code, in order, by the kind of code that it is. */
  function* withCode(code: Buffer): Generator<[entry: number, kind: number]> {
    const place = placeOf(codes, code)
    if (place === undefined) return
    for (const value of entriesOf(codes, place)) yield [value >> KIND_BITS, value & ((1 << KIND_BITS) - 1)]
  }

  return {
    size,
    /** Where the heliports begin, and where the closed airports; entries with routes are before `withoutUse`. */
    heliports,
    closed,
    withoutUse: unused === -1 ? heliports : unused,
    uses,
    orders,
    marks,
    nameOf: (entry: number) => textOf(entry, FIELDS.name),
    keyOf: (entry: number) => textOf(entry, FIELDS.key),
    /** What was packed beside the columns of the table. */
    otherCodes: (entry: number) => listOf(entry, FIELDS.codes),
    otherNames: (entry: number) => listOf(entry, FIELDS.names),
    cityNames: (entry: number) => listOf(entry, FIELDS.cities),
    holds,
    isNamed,
    withCode,
    beginsMunicipality: (entry: number, text: Buffer) => hasAt(text, recordStarts[entry]!),
    /** Entries with this whole name, in order. */
    *withName(name: string): Generator<number> {
      const place = placeOf(wholes, Buffer.from(name))
      if (place !== undefined) yield* entriesOf(wholes, place)
    },
    /** Lifts entries at a stage to the next one if a word of theirs begins with this one, or a code is it. */
    markWord(word: Buffer, stage: number): void {
      markEntries(words, beginningWith(words, word), { marks, stage, next: stage + 1 })
      for (const [entry] of withCode(word)) if (marks[entry] === stage) marks[entry] = stage + 1
    },
    /** The same for entries with a word that holds a text anywhere. */
    markContaining(text: Buffer, stage: number): void {
      for (const place of containing(words, text))
        markEntries(words, [place, place + 1], { marks, stage, next: stage + 1 })
    },
    /** Gives a mark to every entry with a code that begins so. */
    markCodes(text: Buffer, mark: number): void {
      markEntries(codes, beginningWith(codes, text), { marks, next: mark, bits: KIND_BITS })
    },
    /** The first entries whose record holds a text; for those that no word leads to. */
    holding(text: Buffer, most: number): Uint32Array {
      const found: number[] = []
      for (let at = records.indexOf(text); at !== -1 && found.length < most; ) {
        const entry = entryAt(at)
        if (holds(entry, text)) found.push(entry)
        at = records.indexOf(text, recordStarts[entry + 1]!)
      }
      return Uint32Array.from(found)
    },
    /** The entries of a country, in order. */
    inCountry(country: number): Uint32Array {
      const found: number[] = []
      for (let entry = 0; entry < size; entry++) if (countries[entry] === country) found.push(entry)
      return Uint32Array.from(found)
    },
    /** The entries that have a mark, in order. */
    marked(mark: number): Uint32Array {
      let count = 0
      for (let entry = 0; entry < size; entry++) if (marks[entry] === mark) count++
      const found = new Uint32Array(count)
      count = 0
      for (let entry = 0; entry < size; entry++) if (marks[entry] === mark) found[count++] = entry
      return found
    },
    /** The entry that was packed under a key. */
    entryOf(key: string): number | undefined {
      const wanted = Buffer.from(`${key}${EDGE}`)
      let [low, high] = [0, size]
      while (low < high) {
        const middle = (low + high) >> 1
        const start = fieldStart(byKey[middle]!, FIELDS.key)
        const end = records.indexOf(EDGE_BYTE, start)
        if (records.compare(wanted, 0, wanted.length - 1, start, end) < 0) low = middle + 1
        else high = middle
      }
      const entry = byKey[low]
      return entry !== undefined && hasAt(wanted, fieldStart(entry, FIELDS.key)) ? entry : undefined
    },
    /** Whether an entry is still what a row says. */
    isSame(entry: number, identity: string, order: number): boolean {
      const text = Buffer.from(`${identity}${EDGE}`)
      return orders[entry] === order && hasAt(text, recordStarts[entry]!)
    },
  }
}
