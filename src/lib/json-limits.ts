import { isAscii } from 'node:buffer'
import { randomInt } from 'node:crypto'
import { english } from '../messages/english.ts'
import { AppError } from './errors.ts'
import { yielder } from './yield.ts'

interface JsonLimits {
  subject: 'body' | 'file'
  maxItemsPerList: number
  /** Members that give an object a new set of keys: these take most time and memory to parse. */
  maxNewMembers: number
  maxValueBytes: number
}

const MEBIBYTE = 1024 * 1024

/** The longest list is the points of a track; a whole track with all columns takes 24 MB by this estimate. */
const BODY_LIMITS: JsonLimits = {
  subject: 'body',
  maxItemsPerList: 100_000,
  maxNewMembers: 50_000,
  maxValueBytes: 32 * MEBIBYTE,
}
const MAX_BODY_HEAP_BYTES = 48 * MEBIBYTE
/** Heap for the text of a file and its values in a worker; 20 MB of track points take 110 MB by this estimate. */
const MAX_FILE_HEAP_BYTES = 112 * MEBIBYTE

/** Text that is not ASCII takes two bytes of heap per character. */
const textBytes = (text: Buffer) => text.length * (isAscii(text) ? 1 : BYTES_PER_CHARACTER)

/** Estimated heap bytes; an item may be a boxed number. */
const LIST_BYTES = 48
const OBJECT_BYTES = 64
const TEXT_BYTES = 24
const BYTES_PER_CHARACTER = 2
const VALUE_BYTES = 24
/** About a millisecond of scanning between checks of the clock. */
const SLICE_BYTES = 128 * 1024

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const LIST = 0x5b
const LIST_END = 0x5d
const OBJECT = 0x7b
const OBJECT_END = 0x7d

const NOT_COUNTED = 0
/** FNV-1a; the seed is random so that different keys cannot be made to have the same hash. */
const HASH_PRIME = 0x01000193
const HASH_SEED = randomInt(2 ** 31)
/** Bounds the memory of the scan itself. */
const MAX_DEPTH = 250_000
const MAX_PATH_LENGTH = 20
const MAX_KEY_BYTES = 100
/** `__proto__` as plain text and with every character escaped. */
const PROTO_KEY_BYTES = { min: 9, max: 54 }

const tooManyValues = ({ subject }: JsonLimits) =>
  subject === 'file'
    ? new AppError('validation_failed', english.files.tooManyValues)
    : new AppError('validation_failed', english.input.bodyTooComplex, {
        details: [{ code: 'too_big', path: [], message: english.input.fewerValues }],
      })

const tooManyItems = (path: string[]) =>
  new AppError('validation_failed', english.input.bodyNotValid, {
    details: [{ code: 'too_big', path, message: english.input.fewerItems }],
  })

function endOfText(body: Uint8Array, start: number): number {
  let index = start + 1
  while (index < body.length && body[index] !== QUOTE) index += body[index] === BACKSLASH ? 2 : 1
  return index
}

/** Throws if a limit is exceeded: a few bytes of JSON can become a hundred bytes of heap. Invalid JSON is ignored. */
function limitScanner(body: Buffer, limits: JsonLimits) {
  const { subject, maxItemsPerList, maxNewMembers, maxValueBytes } = limits
  /** For each open container: its number of items if it is a list, and the start of the text before it. */
  const items: number[] = []
  const keyStarts: number[] = []
  /** For each open object a hash of its keys so far. */
  const keyHashes: number[] = []
  const seenKeyHashes = new Set<number>()
  let [position, depth, valueBytes, textStart, textEnd] = [0, 0, 0, 0, 0]
  let hasProtoKey = false

  const keyAt = (start: number) =>
    body.subarray(start + 1, Math.min(endOfText(body, start), start + MAX_KEY_BYTES)).toString()

  function path(): string[] {
    if (depth > MAX_PATH_LENGTH) return []
    return items
      .slice(0, depth - 1)
      .map((count, level) => (count === NOT_COUNTED ? keyAt(keyStarts[level + 1]!) : String(count - 1)))
  }

  function isProtoKey(): boolean {
    const length = textEnd - textStart - 1
    if (length < PROTO_KEY_BYTES.min || length > PROTO_KEY_BYTES.max) return false
    const key = body.subarray(textStart + 1, textEnd).toString('latin1')
    return (
      key.replace(/\\u00([0-9a-f]{2})/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16))) === '__proto__'
    )
  }

  function addMember(level: number): void {
    let hash = keyHashes[level]!
    for (let index = textStart; index < textEnd; index++) hash = Math.imul(hash ^ body[index]!, HASH_PRIME)
    keyHashes[level] = hash
    if (seenKeyHashes.has(hash)) return
    seenKeyHashes.add(hash)
    if (seenKeyHashes.size > maxNewMembers) throw tooManyValues(limits)
  }

  function scanSlice(): boolean {
    const end = Math.min(position + SLICE_BYTES, body.length)
    let index = position
    for (; index < end; index++) {
      const byte = body[index]!
      if (byte === QUOTE) {
        textStart = index
        textEnd = endOfText(body, index)
        valueBytes += TEXT_BYTES + BYTES_PER_CHARACTER * (textEnd - textStart)
        index = textEnd
      } else if (byte === COMMA) {
        // The parser fails at a comma outside of all containers.
        if (depth === 0) return true
        if (items[depth - 1] === NOT_COUNTED) continue
        valueBytes += VALUE_BYTES
        if (++items[depth - 1]! > maxItemsPerList)
          throw subject === 'file' ? tooManyValues(limits) : tooManyItems(path())
      } else if (byte === COLON) {
        // The parser fails at a colon outside of an object.
        if (depth === 0 || items[depth - 1] !== NOT_COUNTED) return true
        // Objects share the characters of equal keys.
        valueBytes += VALUE_BYTES - BYTES_PER_CHARACTER * (textEnd - textStart)
        addMember(depth - 1)
        if (isProtoKey()) hasProtoKey = true
      } else if (byte === LIST || byte === OBJECT) {
        valueBytes += byte === LIST ? LIST_BYTES : OBJECT_BYTES
        items[depth] = byte === LIST ? 1 : NOT_COUNTED
        keyStarts[depth] = textStart
        keyHashes[depth++] = HASH_SEED
        if (depth > MAX_DEPTH) throw tooManyValues(limits)
      } else if (byte === LIST_END || byte === OBJECT_END) {
        if (depth === 0 || (items[depth - 1] === NOT_COUNTED) === (byte === LIST_END)) return true
        depth--
      }
    }
    if (valueBytes > maxValueBytes) throw tooManyValues(limits)
    position = index
    return position >= body.length
  }
  return { scanSlice, hasProtoKey: () => hasProtoKey }
}

function scanAll(body: Buffer, limits: JsonLimits): void {
  const { scanSlice } = limitScanner(body, limits)
  while (!scanSlice());
}

/** For bodies of at most 1 MB, whose lists cannot be too long. */
export const scanSmallJson = (body: Buffer) => scanAll(body, { ...BODY_LIMITS, maxItemsPerList: Infinity })

export const scanJsonFile = (file: Buffer) =>
  scanAll(file, { ...BODY_LIMITS, subject: 'file', maxValueBytes: MAX_FILE_HEAP_BYTES - textBytes(file) })

export async function scanJson(body: Buffer): Promise<{ hasProtoKey: boolean }> {
  const maxValueBytes = Math.min(BODY_LIMITS.maxValueBytes, MAX_BODY_HEAP_BYTES - textBytes(body))
  const { scanSlice, hasProtoKey } = limitScanner(body, { ...BODY_LIMITS, maxValueBytes })
  const turn = yielder()
  while (!scanSlice()) if (turn.isOver()) await turn.end()
  return { hasProtoKey: hasProtoKey() }
}
