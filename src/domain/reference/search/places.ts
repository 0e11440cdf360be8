import { countries } from 'countries-list'
import { otherCountryNames } from '../shipped.ts'
import { isCommon, spellings } from './texts.ts'

let otherNames: ReadonlyMap<string, string[]> | undefined

/** The country and the regions that a row lies in, each in all its spellings. */
export function placesOf(country: string | null, regions: readonly string[]): string[] {
  otherNames ??= otherCountryNames()
  const code = country?.toUpperCase() ?? ''
  const known = countries[code as keyof typeof countries]
  const ofCountry = known ? [code, known.name, known.native, ...(otherNames.get(code) ?? [])] : []
  const spelled = [...ofCountry, ...regions].flatMap(spellings)
  return spelled.map((words) => words.filter((word) => !isCommon(word)).join(' ')).filter(Boolean)
}

/** No name of a country or region has more words, and no query that ends in one has more. */
const MOST_WORDS = 4
const MOST_IN_QUERY = 8

/** The ways to read words as a name with a country or region before it or behind it. */
export function* dividedByPlace(words: readonly string[]): Generator<[name: Buffer[], place: Buffer]> {
  if (words.length > MOST_IN_QUERY) return
  for (let length = 1; length <= MOST_WORDS && length < words.length; length++) {
    const parts = [
      [words.slice(0, -length), words.slice(-length)],
      [words.slice(length), words.slice(0, length)],
    ] as const
    for (const [name, place] of parts) yield [name.map((word) => Buffer.from(word)), Buffer.from(place.join(' '))]
  }
}
