import type { Dictionary } from './dictionary.ts'

export interface Sections {
  uses: Uint16Array
  orders: Uint8Array
  countries: Uint16Array
  recordStarts: Uint32Array
  records: Buffer
  /** Entries in the order of their keys. */
  byKey: Uint32Array
  /** Codes, words, whole names, countries and regions, and words of models. */
  dictionaries: Dictionary[]
}

const DICTIONARIES = 5
/** Numbers of four bytes begin at a multiple of four. */
const aligned = (bytes: number) => Math.ceil(bytes / 4) * 4

const bytesOf = (part: NodeJS.ArrayBufferView) => Buffer.from(part.buffer, part.byteOffset, part.byteLength)

/** Where things begin is kept as how long they are, which packs to a fifth. */
const lengthsOf = (starts: Uint32Array) => starts.map((start, index) => start - (starts[index - 1] ?? 0))

function toStarts(lengths: Uint32Array): Uint32Array {
  for (let index = 1; index < lengths.length; index++) lengths[index]! += lengths[index - 1]!
  return lengths
}

/** All parts behind one another, before them how many bytes each has. Numbers have their lowest byte first. */
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

/** Works in the given bytes, which are of no other use from then on. */
export function splitSections(bytes: Buffer): Sections {
  // Views of numbers need a buffer that begins where its memory does.
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
