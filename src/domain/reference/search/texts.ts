import { countries } from 'countries-list'
import { fold, words } from '../../../lib/text.ts'
import { otherCountryNames } from '../shipped.ts'

/** Words of nearly every airport. */
const COMMON = new Set([
  ...['airport', 'airports', 'international', 'internacional', 'internazionale', 'intl', 'aeroport', 'aeropuerto'],
  ...['aeroporto', 'flughafen', 'luchthaven', 'lufthavn', 'flygplats', 'lotnisko', 'havalimani', 'havaalani'],
  ...['lentoasema', 'aeroportul', 'aerodrom', 'bandara', 'مطار', 'الدولي', 'aerodrome', 'of', 'the', 'de', 'di'],
  ...['do', 'du', 'del'],
])
const MIN_PREFIX_LENGTH = 4

/** Words of nearly every airline. */
const COMMON_IN_AIRLINES = new Set([
  ...['air', 'airline', 'airlines', 'airways', 'lines', 'aviation', 'international', 'the', 'of'],
])

export const isCommon = (word: string): boolean => COMMON.has(word)

export const isCommonInAirlines = (word: string): boolean => COMMON_IN_AIRLINES.has(word)

/** Whether a word is common or, at the end of a query, the beginning of a common word. Not for short ones: "new de". */
export function isCommonInQuery(word: string, index: number, count: number): boolean {
  if (index === 0 || index < count - 1) return isCommon(word)
  return word.length >= MIN_PREFIX_LENGTH && COMMON.values().some((common) => common.startsWith(word))
}

const PLACE_KINDS = new Set([
  ...['island', 'islands', 'isle', 'isles', 'city'],
  ...['insel', 'stadt', 'eiland', 'stad'],
  ...['ile', 'iles', 'ville'],
  ...['isla', 'islas', 'ciudad', 'ilha', 'cidade', 'isola', 'citta'],
  ...['koh', 'ko', 'pulau'],
])

export const isPlaceKind = (word: string): boolean => PLACE_KINDS.has(word)

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

const LATIN: Record<string, string> = { ä: 'ae', ö: 'oe', ü: 'ue', ø: 'oe', å: 'aa' }
const LATIN_LETTER = /[äöüøå]/gi
const APOSTROPHE = /['’‘ʻʼ`´]/g

export const withoutApostrophes = (text: string): string => text.replace(APOSTROPHE, '')

/** The words of a name, and of its other spellings: Muenchen, OHare, Saint Louis. */
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

/** The first part of "Paris (Roissy-en-France)" or "Oslo / Gardermoen". */
export const cityOf = (municipality: string): string => municipality.split(/[(/,]/)[0]!.trim()

let otherNames: ReadonlyMap<string, string[]> | undefined

export function placesOf(country: string | null, regions: readonly string[]): string[] {
  otherNames ??= otherCountryNames()
  const code = country?.toUpperCase() ?? ''
  const known = countries[code as keyof typeof countries]
  const ofCountry = known ? [code, known.name, known.native, ...(otherNames.get(code) ?? [])] : []
  const spelled = [...ofCountry, ...regions].flatMap(spellings)
  return spelled.map((words) => words.filter((word) => !isCommon(word)).join(' ')).filter(Boolean)
}

const MAX_PLACE_WORDS = 4
const MAX_QUERY_WORDS = 8

/** Splits words into a name and a country or region before or after it. */
export function* dividedByPlace(words: readonly string[]): Generator<[name: string[], place: string]> {
  if (words.length > MAX_QUERY_WORDS) return
  for (let length = 1; length <= MAX_PLACE_WORDS && length < words.length; length++) {
    const parts = [
      [words.slice(0, -length), words.slice(-length)],
      [words.slice(length), words.slice(0, length)],
    ] as const
    for (const [name, place] of parts) yield [name, place.join(' ')]
  }
}
