import type { Dictionary } from './dictionary.ts'

export interface Sections {
  uses: Uint16Array
  orders: Uint8Array
  countries: Uint16Array
  recordStarts: Uint32Array
  records: Buffer
  byKey: Uint32Array
  /** Codes, words, whole names, places, and words of models. */
  dictionaries: Dictionary[]
}

const DICTIONARIES = 5
/** Alignment of Uint32Array. */
const aligned = (bytes: number) => Math.ceil(bytes / 4) * 4

const bytesOf = (part: NodeJS.ArrayBufferView) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)

/** Lengths compress to a fifth of offsets. */
const lengthsOf = (starts: Uint32Array) => starts.map((start, index) => start - (starts[index - 1] ?? 0))

function toStarts(lengths: Uint32Array): Uint32Array {
  for (let index = 1; index < lengths.length; index++) lengths[index]! += lengths[index - 1]!
  return lengths
}

/** Concatenates all sections after a list of their lengths, in little-endian order. */
export function joinSections({ dictionaries, ...plain }: Sections): Buffer {
  const { uses, orders, countries, recordStarts, records, byKey } = plain
  const ofDictionaries = dictionaries.flatMap(({ keys, keyStarts, lists, listStarts }) => [
    keys,
    lengthsOf(keyStarts),
    lists,
    lengthsOf(listStarts),
  ])
  const parts = [uses, orders, countries, lengthsOf(recordStarts), records, byKey, ...ofDictionaries].map(bytesOf)
  const lengths = Uint32Array.from(parts, (part) => part.length)
  const padded = parts.flatMap((part) => [part, Buffer.alloc(aligned(part.length) - part.length)])
  return Buffer.concat([bytesOf(lengths), ...padded])
}

/** Overwrites the given bytes. */
export function splitSections(bytes: Buffer): Sections {
  // Typed arrays need an aligned buffer.
  const { buffer, byteOffset } = bytes.byteOffset % 4 === 0 ? bytes : Buffer.from(Uint8Array.from(bytes).buffer)
  const parts = 6 + 4 * DICTIONARIES
  const lengths = new Uint32Array(buffer, byteOffset, parts)
  let at = byteOffset + 4 * parts
  let part = 0
  const next = () => {
    const length = lengths[part++]!
    const start = at
    at += aligned(length)
    return { start, length }
  }
  const take8 = () => {
    const { start, length } = next()
    return Buffer.from(buffer, start, length)
  }
  const take16 = () => {
    const { start, length } = next()
    return new Uint16Array(buffer, start, length / 2)
  }
  const take32 = () => {
    const { start, length } = next()
    return new Uint32Array(buffer, start, length / 4)
  }
  return {
    uses: take16(),
    orders: take8(),
    countries: take16(),
    recordStarts: toStarts(take32()),
    records: take8(),
    byKey: take32(),
    dictionaries: Array.from({ length: DICTIONARIES }, () => ({
      keys: take8(),
      keyStarts: toStarts(take32()),
      lists: take8(),
      listStarts: toStarts(take32()),
    })),
  }
}
