import { fold, words } from '../../../lib/text.ts'

/** Said of nearly every airport: whoever types one of these means the other words. */
const COMMON = new Set([
  'airport',
  'airports',
  'international',
  'internacional',
  'internazionale',
  'intl',
  'aeroport',
  'aeropuerto',
  'aeroporto',
  'flughafen',
  'luchthaven',
  'lufthavn',
  'flygplats',
  'lotnisko',
  'havalimani',
  'havaalani',
  'lentoasema',
  'aeroportul',
  'aerodrom',
  'bandara',
  'مطار',
  'الدولي',
  'aerodrome',
  'of',
  'the',
  'de',
  'di',
  'do',
  'du',
  'del',
])
const SHORTEST_BEGINNING = 4

/** The same of airlines. */
const OF_AIRLINES = new Set([
  'air',
  'airline',
  'airlines',
  'airways',
  'lines',
  'aviation',
  'international',
  'the',
  'of',
])

export const isCommon = (word: string): boolean => COMMON.has(word)

export const isOfAirlines = (word: string): boolean => OF_AIRLINES.has(word)

/**
 * Whether a word of a query says nothing, or is about to become one that does. A short one at the end may be the
 * beginning of something else: "new de".
 */
export function isSaidAnyway(word: string, index: number, count: number): boolean {
  if (index === 0 || index < count - 1) return isCommon(word)
  return word.length >= SHORTEST_BEGINNING && COMMON.values().some((common) => common.startsWith(word))
}

/** What kind of place a name stands for, in the languages in which people put it before or behind the name. */
const PLACE_KINDS = new Set([
  ...['island', 'islands', 'isle', 'isles', 'city'],
  ...['insel', 'stadt', 'eiland', 'stad'],
  ...['ile', 'iles', 'ville'],
  ...['isla', 'islas', 'ciudad', 'ilha', 'cidade', 'isola', 'citta'],
  ...['koh', 'ko', 'pulau'],
])

export const isPlaceKind = (word: string): boolean => PLACE_KINDS.has(word)

/** The same word in two spellings. */
const OTHER_SPELLING: Record<string, string> = {
  saint: 'st',
  st: 'saint',
  sainte: 'ste',
  ste: 'sainte',
  sankt: 'saint',
  fort: 'ft',
  ft: 'fort',
  mount: 'mt',
  mt: 'mount',
}

/** How people write these letters where their keyboard lacks them. */
const LATIN: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const LATIN_LETTER = /[äöüøå]/gi
const APOSTROPHE = /['’‘ʻʼ`´]/g

export const withoutApostrophes = (text: string): string => text.replace(APOSTROPHE, '')

/** A name as it is searched, and as people also write it: Muenchen, OHare, Saint Louis. Each is a row of words. */
export function spellings(text: string): string[][] {
  const composed = text.normalize('NFC')
  const written = new Set([
    composed,
    composed.replace(LATIN_LETTER, (letter) => LATIN[letter.toLowerCase()]!),
    withoutApostrophes(composed),
  ])
  const found = new Map<string, string[]>()
  for (const one of written) {
    const plain = words(fold(one))
    const other = plain.map((word) => OTHER_SPELLING[word] ?? word)
    for (const spelling of [plain, other]) if (spelling.length > 0) found.set(spelling.join(' '), spelling)
  }
  return [...found.values()]
}

/** A city without what stands behind it: "Paris (Roissy-en-France)", "Oslo / Gardermoen". */
export const cityOf = (municipality: string): string => municipality.split(/[(/,]/)[0]!.trim()
