import { fold } from '../../../lib/text.ts'
import type { ReferenceKind } from '../kinds.ts'
import { romanised } from './romanised.ts'
import { withoutApostrophes } from './texts.ts'

/** What stands before or behind the name of an airport in scripts without spaces: 成田国際空港, 김포공항. */
const AIRPORT = /^(?:สนามบิน|ท่าอากาศยาน)|(?:国際|國際|国际|국제)?(?:空港|机场|機場|공항)$/gu

/** What people add to the name of an airport and the data does not: "Heathrow Terminal 5", "Santorini National". */
const ADDED = [
  /(?<=\s)(?:terminal\s?\w{0,2}|t\d\w?)$/,
  ...['national', 'nazionale', 'nacional', 'regional', 'natsionalny', 'mezhdunarodny', 'internasional', 'nemzetkozi'],
  ...['uluslararasi', 'bandar udara', 'lapangan terbang', 'san bay', 'quoc te', 'letiste', 'letisko', 'letalisce'],
  ...['zracna luka', 'letishte', 'letishche', 'aerolimenas', 'diethnis', 'repuloter', 'lidosta', 'lennujaam'],
  ...['oro uostas', 'flugvollur', 'terminal'],
].map((part) => (typeof part === 'string' ? new RegExp(`(?<![\\p{L}\\p{N}])${part}(?![\\p{L}\\p{N}])`, 'gu') : part))

const withoutAdded = (folded: string): string =>
  ADDED.reduce((text, part) => text.replace(part, ' '), folded)
    .trim()
    .replace(/\s+/g, ' ')

const MOST_WORDS = 4

/**
 * Two words that follow one another, and then all of them, as one: "Guang Zhou", "Kempe Gowda". What is invisible parts no
 * words.
 */
function joined(text: string): string[] {
  const list = text.split(/[\s-]+/).filter(Boolean)
  if (list.length < 2 || list.length > MOST_WORDS) return []
  const pairs = list.slice(1).map((word, index) => list.with(index, list[index]! + word).toSpliced(index + 1, 1))
  return [...pairs, [list.join('')]].map((spelling) => spelling.join(' '))
}

const WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]{3,8}$/u
/** So many characters has the name of a city; the longest first. */
const CITY_LENGTHS = [4, 3, 2]

/**
 * A city and its airport in a script without spaces, then the city alone: 大阪伊丹, 武汉天河. An airport whose name the data
 * lacks is most often the one of its city.
 */
function divided(text: string): string[] {
  if (!WITHOUT_SPACES.test(text)) return []
  const letters = [...text]
  const parts = CITY_LENGTHS.filter((length) => length < letters.length).map((length) => [
    letters.slice(0, length).join(''),
    letters.slice(length).join(''),
  ])
  return [...parts.map((part) => part.join(' ')), ...parts.map(([city]) => city!)]
}

/** How a query for an airport that finds nothing may be meant, the likeliest first. */
function spellingsOfAirport(text: string): string[] {
  const composed = text.trim().normalize('NFC')
  const plain = composed.replace(AIRPORT, '')
  return [
    ...romanised(text),
    plain,
    withoutApostrophes(composed),
    ...[text, ...romanised(text)].map((spelling) => withoutAdded(fold(spelling.trim()))),
    ...joined(withoutApostrophes(fold(text))),
    ...divided(plain),
  ]
}

/**
 * The same for an aircraft type. Airlines fly models of their own, of which the hundreds are the type (A320-214, 737-8K5,
 * 777-328ER), and makers put letters behind the number (MD-11F, CRJ-900LR).
 */
function spellingsOfAircraft(text: string): string[] {
  const folded = fold(text.trim())
  const type = folded.replace(
    /(3[1-8]\d|7\d7)-([1-9])[0-9a-z]{2}(?![0-9])/,
    (_, family, series) => `${family}-${series}00`,
  )
  return [...romanised(text), type, type.replace(/(?<=00) ?[a-z]+$/, ''), folded.replace(/(?<=\d) ?[a-z]{1,2}$/, '')]
}

const spellingsOf: Record<ReferenceKind, (text: string) => string[]> = {
  airports: spellingsOfAirport,
  airlines: romanised,
  aircraft: spellingsOfAircraft,
}

/** How a query that finds nothing may be meant, the likeliest first. */
export function otherSpellings(text: string, kind: ReferenceKind = 'airports'): string[] {
  // Nothing is found by a text with this character in it, in no spelling.
  if (text.includes('\0')) return []
  const others = spellingsOf[kind](text)
  const asTyped = [text.trim().normalize('NFC'), fold(text.trim())]
  return [...new Set(others)].filter((spelling) => spelling !== '' && !asTyped.includes(spelling))
}
