/** Letters that NFKD does not decompose although people type them without the mark. */
const FOLDS: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' }

const foldable = new RegExp(`[${Object.keys(FOLDS).join('')}]`, 'g')

/** No script has more marks per letter; normalisation time grows with the square of their number. */
const TOO_MANY_MARKS = /(\p{M}{8})\p{M}+/gu

const ASCII = /^[\0-\x7f]*$/

/** Removes case and accents for search. NFKD comes first because ™ decomposes to capital letters. */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(foldable, (letter) => FOLDS[letter]!)
}

export const words = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** For comparing flight numbers and registrations. SQL does the same. */
export const normalizeCode = (code: string): string =>
  code.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[ -]/g, '')

export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** Names are equal if this is equal: case is ignored in every script. */
export const foldCase = (text: string): string => text.normalize('NFC').toLowerCase()

/** Checks the length in code points. Call it before normalizing user input, which takes quadratic time. */
export const isWithinLength = (text: string, max: number): boolean =>
  text.length <= max || (text.length <= 2 * max && codePoints(text) <= max)

/** The contract counts code points, not UTF-16 units. */
export const codePoints = (text: string): number => text.replace(/[\ud800-\udbff]/g, '').length
