import { isCalendar } from './icalendar.ts'
import { type JsonObject, readJsonObject } from './json.ts'
import { UnreadableFile } from './row.ts'

/** The text of a file, without its byte order mark. */
export function fileText(bytes: Uint8Array): string {
  if (bytes.length === 0) throw new UnreadableFile('The file is empty.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(wholeCharacters(bytes))
  } catch (cause) {
    // A guess at another encoding would put wrong letters into names and notes.
    throw new UnreadableFile('The file is not UTF-8 text.', { cause })
  }
}

/** A file in the form that its format needs. */
export interface Content {
  text: string
  /** Throws UnreadableFile. */
  json: () => JsonObject
}

/** Read as JSON at most once, and only where somebody asks. */
export function contentOf(text: string): Content {
  let document: JsonObject | undefined
  return {
    text,
    json: () => {
      document ??= readJsonObject(text)
      return document
    },
  }
}

export const holdsObject = (text: string) => text.trimStart().startsWith('{')

/** Calendars may be folded inside of a character, so that they are unfolded as bytes (RFC 5545 section 3.1). */
function wholeCharacters(bytes: Uint8Array): Uint8Array {
  const start = Buffer.from(bytes.subarray(0, 40)).toString('utf8').replace('\uFEFF', '').trimStart()
  if (!isCalendar(start)) return bytes
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  return Buffer.from(raw.replace(/\r?\n[ \t]/g, ''), 'latin1')
}
