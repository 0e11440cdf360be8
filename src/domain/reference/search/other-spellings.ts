import { fold } from '../../../lib/text.ts'
import type { ReferenceKind } from '../kinds.ts'
import { withoutApostrophes } from './texts.ts'

/** Cyrillic and Greek letters as on English maps. */
const LETTERS: Record<string, string> = {
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ё: 'e', ж: 'zh', з: 'z', и: 'i', й: 'y', к: 'k', л: 'l' },
  ...{ м: 'm', н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch', ш: 'sh' },
  ...{ щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya' },
  ...{ і: 'i', ї: 'i', є: 'ie', ґ: 'g', ў: 'u' },
  ...{ ј: 'j', љ: 'lj', њ: 'nj', џ: 'dz', ђ: 'd', ћ: 'c', ѓ: 'gj', ќ: 'kj', ѕ: 'dz' },
  ...{ ә: 'a', ғ: 'g', қ: 'k', ң: 'n', ө: 'o', ұ: 'u', ү: 'u', һ: 'h' },
  ...{ α: 'a', β: 'v', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm', ν: 'n' },
  ...{ ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps', ω: 'o' },
}
const UKRAINIAN: Record<string, string> = { и: 'y', г: 'h' }
const SOUTH_SLAVIC: Record<string, string> = { х: 'h', ж: 'z', ц: 'c', ч: 'c', ш: 's', щ: 'sht', ъ: 'a' }
const LANGUAGES = [{}, UKRAINIAN, SOUTH_SLAVIC] as const

const GREEK_OR_CYRILLIC = /[\u0370-\u03ff\u0400-\u04ff]/

/** Romanises Cyrillic and Greek names, for airports without such names in the data. Empty for other scripts. */
export function romanised(text: string): string[] {
  if (!GREEK_OR_CYRILLIC.test(text)) return []
  const lower = text.normalize('NFC').toLowerCase()
  const plain = lower
    .replace(/[ыи]й(?!\p{L})/gu, 'ы')
    .normalize('NFD')
    .replace(/и\u0306/g, 'й')
    .replace(/і\u0308/g, 'ї')
    .replace(/ο\u0301?υ\u0301?/g, 'ou')
    .replace(/\p{M}/gu, '')
  const spelled = LANGUAGES.map((letters: Record<string, string>) =>
    plain.replace(/\p{L}/gu, (letter) => letters[letter] ?? LETTERS[letter] ?? letter),
  )
  return [...new Set(spelled)]
}

/** Prefixes and suffixes in scripts without spaces: 成田国際空港, 김포공항. */
const AIRPORT = /^(?:สนามบิน|ท่าอากาศยาน)|(?:国際|國際|国际|국제)?(?:空港|机场|機場|공항)$/gu

/** Additions that the data lacks: "Heathrow Terminal 5", "Santorini National". */
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

const MAX_WORDS = 4

/** Pairs of adjacent words joined, then all words joined: "Guang Zhou", "Kempe Gowda". */
function joined(text: string): string[] {
  const list = text.split(/[\s-]+/).filter(Boolean)
  if (list.length < 2 || list.length > MAX_WORDS) return []
  const pairs = list.slice(1).map((word, index) => list.with(index, list[index]! + word).toSpliced(index + 1, 1))
  return [...pairs, [list.join('')]].map((spelling) => spelling.join(' '))
}

const WITHOUT_SPACES = /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー]{3,8}$/u
const CITY_LENGTHS = [4, 3, 2]

/** A city and its airport in a script without spaces, then the city alone: 大阪伊丹, 武汉天河. */
function divided(text: string): string[] {
  if (!WITHOUT_SPACES.test(text)) return []
  const letters = [...text]
  const parts = CITY_LENGTHS.filter((length) => length < letters.length).map((length) => [
    letters.slice(0, length).join(''),
    letters.slice(length).join(''),
  ])
  return [...parts.map((part) => part.join(' ')), ...parts.map(([city]) => city!)]
}

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

/** Customer variants (A320-214, 737-8K5, 777-328ER) and letters after the number (MD-11F, CRJ-900LR). */
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

/** Alternatives for a query without results, the most probable first. */
export function otherSpellings(text: string, kind: ReferenceKind = 'airports'): string[] {
  // No index entry contains this character.
  if (text.includes('\0')) return []
  const others = spellingsOf[kind](text)
  const asTyped = [text.trim().normalize('NFC'), fold(text.trim())]
  return [...new Set(others)].filter((spelling) => spelling !== '' && !asTyped.includes(spelling))
}
