/** Sorted keys with their entries, as bytes: 150 000 objects would take ten times the memory. */
export interface Dictionary {
  keys: Buffer
  keyStarts: Uint32Array
  lists: Uint8Array
  listStarts: Uint32Array
}

/** Terminates each key. */
export const KEY_END = Buffer.from('\n')

export function packDictionary(entries: ReadonlyMap<string, readonly number[]>): Dictionary {
  const sorted = [...entries.keys()].map((key) => Buffer.from(`${key}\n`)).sort(Buffer.compare)
  const keyStarts = new Uint32Array(sorted.length + 1)
  const listStarts = new Uint32Array(sorted.length + 1)
  const lists: number[] = []
  for (const [index, key] of sorted.entries()) {
    keyStarts[index + 1] = keyStarts[index]! + key.length
    let before = 0
    for (const entry of entries.get(key.toString('utf8', 0, key.length - 1))!) {
      // Differences between entries as LEB128.
      for (let step = entry - before; ; step >>>= 7) {
        lists.push(step > 127 ? (step & 127) | 128 : step)
        if (step <= 127) break
      }
      before = entry
    }
    listStarts[index + 1] = lists.length
  }
  return { keys: Buffer.concat(sorted), keyStarts, lists: Uint8Array.from(lists), listStarts }
}

/** The entries of the key at an index, in order. */
export function* entriesOf({ lists, listStarts }: Dictionary, place: number): Generator<number> {
  const end = listStarts[place + 1]!
  let value = 0
  for (let at = listStarts[place]!; at < end; ) {
    let byte = lists[at++]!
    let step = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = lists[at++]!
      step |= (byte & 127) << shift
    }
    value += step
    yield value
  }
}

interface Marking {
  marks: Uint8Array
  /** Only entries with this mark get the next one; by default all do. */
  stage?: number
  next: number
  /** Low bits that do not belong to the entry number. */
  bits?: number
}

/** Marks and counts the entries of a range of keys. Inlines `entriesOf`, which is ten times slower as a generator. */
export function markEntries(dictionary: Dictionary, [from, to]: readonly [number, number], marking: Marking): number {
  const { lists, listStarts } = dictionary
  const { marks, stage = -1, next, bits = 0 } = marking
  const end = listStarts[to]!
  let place = from
  let stop = listStarts[from]!
  let [value, count] = [0, 0]
  for (let at = stop; at < end; ) {
    if (at === stop) {
      value = 0
      stop = listStarts[++place]!
    }
    let byte = lists[at++]!
    let step = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = lists[at++]!
      step |= (byte & 127) << shift
    }
    value += step
    if (stage === -1 || marks[value >> bits] === stage) {
      marks[value >> bits] = next
      count++
    }
  }
  return count
}

function firstFrom({ keys, keyStarts }: Dictionary, text: Buffer): number {
  let low = 0
  let high = keyStarts.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    const [start, end] = [keyStarts[middle]!, keyStarts[middle + 1]! - 1]
    if (keys.compare(text, 0, text.length, start, end) < 0) low = middle + 1
    else high = middle
  }
  return low
}

function hasAt(keys: Buffer, text: Buffer, start: number): boolean {
  if (start + text.length > keys.length) return false
  for (let index = 0; index < text.length; index++) if (keys[start + index] !== text[index]) return false
  return true
}

/** The range of keys with a prefix. */
export function beginningWith(dictionary: Dictionary, text: Buffer): [from: number, to: number] {
  // This byte does not occur in UTF-8.
  return [firstFrom(dictionary, text), firstFrom(dictionary, Buffer.concat([text, Buffer.of(0xff)]))]
}

export function placeOf(dictionary: Dictionary, text: Buffer): number | undefined {
  const { keys, keyStarts } = dictionary
  const place = firstFrom(dictionary, text)
  const isThere = place < keyStarts.length - 1 && keyStarts[place + 1]! - keyStarts[place]! - 1 === text.length
  return isThere && hasAt(keys, text, keyStarts[place]!) ? place : undefined
}

/** The indexes of the keys that contain a text. */
export function* containing({ keys, keyStarts }: Dictionary, text: Buffer): Generator<number> {
  for (let at = keys.indexOf(text); at !== -1; ) {
    let low = 0
    let high = keyStarts.length - 2
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (keyStarts[middle]! <= at) low = middle
      else high = middle - 1
    }
    yield low
    at = keys.indexOf(text, keyStarts[low + 1]!)
  }
}
