/** Letters that compatibility decomposition leaves whole although people type them without their mark. */
const FOLDED: Record<string, string> = {
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  þ: 'th',
}

const foldable = new RegExp(`[${Object.keys(FOLDED).join('')}]`, 'g')

/** No script puts more marks on a letter; more of them would make normalisation take the square of their number. */
const TOO_MANY_MARKS = /(\p{M}{8})\p{M}+/gu

/** Most texts; nothing can be decomposed in them. */
const PLAIN = /^[\0-\x7f]*$/

/** Case and accents removed: what searches compare. Decomposed first, since ™ becomes capital letters. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase()
  return text
    .replace(TOO_MANY_MARKS, '$1')
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(foldable, (letter) => FOLDED[letter]!)
}

/** The words of a folded text: runs of letters and digits. */
export const words = (folded: string): string[] => folded.match(/[\p{L}\p{N}]+/gu) ?? []

/** A flight number or registration as it is compared: upper-cased, without spaces and hyphens. SQL does the same with plain letters only. */
export const plainCode = (code: string): string =>
  code.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[ -]/g, '')

/** The order of code units, which is the same in every language. */
export const compareTexts = (a: string, b: string): number => (a < b ? -1 : Number(a > b))

/** The key under which names count as equal: case ignored in every script. */
export const caseless = (text: string): string => text.normalize('NFC').toLowerCase()

/**
 * Whether a text keeps its limit of code points. To be asked before a text of somebody else is folded, compared or
 * matched: normalising takes time by the square of its length.
 */
export const fits = (text: string, most: number): boolean =>
  text.length <= most || (text.length <= 2 * most && codePoints(text) <= most)

/** Text length as the contract counts it: code points, not UTF-16 units. */
export function codePoints(text: string): number {
  let count = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit <= 0xdbff) count--
  }
  return count
}
