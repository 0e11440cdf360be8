import { english } from '../messages/english.ts'
import { AppError } from './errors.ts'

const MAX_LINES = 1_000_000
const MAX_SEPARATORS_PER_LINE = 10_000

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d
const QUOTE = 0x22
const COMMA = 0x2c
const SEMICOLON = 0x3b
const TAB = 0x09

const tooComplex = (message: string) => new AppError('validation_failed', message)

/** Rejects text with too many lines or separators: each piece takes many times the memory of its bytes. */
export function checkTextLimits(bytes: Uint8Array): void {
  let [lines, separators] = [0, 0]
  for (let index = 0; index < bytes.length; index++) {
    const byte = bytes[index]!
    if (byte === LINE_FEED || byte === CARRIAGE_RETURN) {
      separators = 0
      if (++lines > MAX_LINES) throw tooComplex(english.files.tooManyLines)
    } else if (byte === COMMA || byte === SEMICOLON || byte === TAB || byte === QUOTE) {
      if (++separators > MAX_SEPARATORS_PER_LINE) throw tooComplex(english.files.tooManySeparators)
    }
  }
}
