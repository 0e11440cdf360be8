import { beginningWith, containing, type Dictionary, entriesOf, KEY_END, markEntries, placeOf } from './dictionary.ts'
import { CLOSED, COMMA, EDGE, FIELDS, HELIPORT, KIND_BITS, TOGETHER } from './pack.ts'
import { splitSections } from './sections.ts'

const EDGE_BYTE = 0

/** Searches packed rows. Entries are numbered from 0, the best first. */
export type Packed = ReturnType<typeof openPacked>

export function openPacked(bytes: Buffer) {
  const { uses, orders, countries, recordStarts, records, byKey, dictionaries } = splitSections(bytes)
  const [codes, words, wholes, places, models] = dictionaries as [
    Dictionary,
    Dictionary,
    Dictionary,
    Dictionary,
    Dictionary,
  ]
  const size = uses.length
  /** The number of words of the query that each entry has matched so far; reused by all searches. */
  const marks = Buffer.alloc(size)
  /** The same for words that a name contains. */
  const held = Buffer.alloc(size)

  const firstFrom = (order: number) => {
    const found = orders.findIndex((each) => each >= order)
    return found === -1 ? size : found
  }
  const [heliports, closed] = [firstFrom(HELIPORT), firstFrom(CLOSED)]
  const unused = uses.subarray(0, heliports).indexOf(0)

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

  /** The entry of a byte offset. */
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

  function holds(entry: number, text: Buffer): boolean {
    return records.subarray(recordStarts[entry]!, fieldStart(entry, FIELDS.icao)).includes(text)
  }

  function hasWhole(entry: number, field: 'name' | 'municipality', text: Buffer): boolean {
    const start = fieldStart(entry, FIELDS[field])
    return hasAt(text, start) && records[start + text.length] === EDGE_BYTE
  }

  /** Entries with exactly this code, in order, with the kind of the code. */
  function* withCode(code: Buffer): Generator<[entry: number, kind: number]> {
    const place = placeOf(codes, code)
    if (place === undefined) return
    for (const value of entriesOf(codes, place)) yield [value >> KIND_BITS, value & ((1 << KIND_BITS) - 1)]
  }

  function markContaining(text: Buffer, stage: number): number {
    const marking = { marks: held, stage, next: stage + 1 }
    let count = 0
    for (const place of containing(words, text)) count += markEntries(words, [place, place + 1], marking)
    return count
  }

  return {
    size,
    /** Entries are sorted: with routes, `withoutUse`, `heliports`, `closed`. */
    heliports,
    closed,
    withoutUse: unused === -1 ? heliports : unused,
    uses,
    orders,
    marks,
    held,
    nameOf: (entry: number) => textOf(entry, FIELDS.name),
    keyOf: (entry: number) => textOf(entry, FIELDS.key),
    otherCodes: (entry: number) => listOf(entry, FIELDS.codes),
    otherNames: (entry: number) => listOf(entry, FIELDS.names),
    cityNames: (entry: number) => listOf(entry, FIELDS.cities),
    regionsOf: (entry: number) => listOf(entry, FIELDS.regions),
    holds,
    hasWhole,
    withCode,
    beginsMunicipality: (entry: number, text: Buffer) => hasAt(text, recordStarts[entry]!),
    /** Entries with this whole name, in order; `isTogether` ignores their spaces. */
    *withName(name: string, isTogether = false): Generator<number> {
      const place = placeOf(wholes, Buffer.from(isTogether ? TOGETHER + name : name))
      if (place !== undefined) yield* entriesOf(wholes, place)
    },
    /** Marks entries with a whole name that has this prefix. */
    holdNamed(name: string): void {
      markEntries(wholes, beginningWith(wholes, Buffer.from(name)), { marks: held, next: 1 })
    },
    /** Moves entries to the next stage that have a word with this prefix, or this code. Returns whether there are any. */
    markWord(word: Buffer, stage: number, into: Buffer = marks): boolean {
      let count = markEntries(words, beginningWith(words, word), { marks: into, stage, next: stage + 1 })
      for (const [entry] of withCode(word)) {
        if (into[entry] !== stage) continue
        into[entry] = stage + 1
        count++
      }
      return count > 0
    },
    markModel: (word: Buffer, stage: number): boolean =>
      markEntries(models, beginningWith(models, word), { marks, stage, next: stage + 1 }) > 0,
    /** Marks entries in the country or region with this name or prefix. Returns whether there are any. */
    holdPlace(name: Buffer, isWhole: boolean): boolean {
      const place = isWhole ? placeOf(places, name) : undefined
      const range = isWhole ? ([place ?? 0, place === undefined ? 0 : place + 1] as const) : beginningWith(places, name)
      held.fill(0)
      return markEntries(places, range, { marks: held, next: 1 }) > 0
    },
    /** These move entries to the next stage by a whole word, a prefix, a suffix or a substring, and count them. */
    holdWhole(word: Buffer, stage: number): number {
      const place = placeOf(words, word)
      return place === undefined ? 0 : markEntries(words, [place, place + 1], { marks: held, stage, next: stage + 1 })
    },
    holdBeginning: (word: Buffer, stage: number): number =>
      markEntries(words, beginningWith(words, word), { marks: held, stage, next: stage + 1 }),
    holdEnd: (word: Buffer, stage: number): number => markContaining(Buffer.concat([word, KEY_END]), stage),
    holdInside: markContaining,
    markCodes(text: Buffer, mark: number): void {
      markEntries(codes, beginningWith(codes, text), { marks, next: mark, bits: KIND_BITS })
    },
    nextHolding(text: Buffer, from: number): number {
      const at = from < size ? records.indexOf(text, recordStarts[from]!) : -1
      return at === -1 ? -1 : entryAt(at)
    },
    inCountry: (country: number) => ({ next: (from: number) => countries.indexOf(country, from), from: 0, to: size }),
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
  }
}
