import sjson from 'secure-json-parse'
import { isObject } from '../../../lib/objects.ts'
import { english } from '../../../messages/english.ts'
import { UnreadableFile } from './row.ts'

export const isCalendar = (text: string) => /^BEGIN:VCALENDAR/i.test(text)

export function fileText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new UnreadableFile(english.import.empty)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(wholeCharacters(bytes))
  } catch (cause) {
    // A wrong guess at another encoding would garble names and notes.
    throw new UnreadableFile(english.import.notUtf8, { cause })
  }
}

export interface Content {
  text: string
  /** Throws UnreadableFile. */
  json: () => Record<string, unknown>
}

export function contentOf(text: string): Content {
  let document: Record<string, unknown> | undefined
  return {
    text,
    json: () => {
      document ??= readJsonObject(text)
      return document
    },
  }
}

/** Drops keys that could reach a prototype. */
function readJsonObject(text: string): Record<string, unknown> {
  let value: unknown
  try {
    value = sjson.parse(text.trim(), undefined, { protoAction: 'remove', constructorAction: 'remove' })
  } catch (cause) {
    throw new UnreadableFile(english.files.notJson, { cause })
  }
  if (!isObject(value)) throw new UnreadableFile(english.import.notObject)
  return value
}

const TAB = 0x09
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const SPACE = 0x20

/** Calendar lines may be folded inside a character, so they are unfolded as bytes (RFC 5545 section 3.1). */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 40)).toString('utf8').replace('\uFEFF', '').trimStart()
  if (!isCalendar(start)) return bytes
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  for (let index = 0; index < bytes.length; index++) {
    const lineFeed = bytes[index] === CARRIAGE_RETURN ? index + 1 : index
    const isFold = bytes[lineFeed] === LINE_FEED && (bytes[lineFeed + 1] === SPACE || bytes[lineFeed + 1] === TAB)
    if (isFold) index = lineFeed + 1
    else unfolded[length++] = bytes[index]!
  }
  return unfolded.subarray(0, length)
}
