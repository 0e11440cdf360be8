import { countries } from 'countries-list'
import { otherCountryNames } from '../shipped.ts'
import { isCommon, spellings } from './texts.ts'

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
export function* dividedByPlace(words: readonly string[]): Generator<[name: Buffer[], place: Buffer]> {
  if (words.length > MAX_QUERY_WORDS) return
  for (let length = 1; length <= MAX_PLACE_WORDS && length < words.length; length++) {
    const parts = [
      [words.slice(0, -length), words.slice(-length)],
      [words.slice(length), words.slice(0, length)],
    ] as const
    for (const [name, place] of parts) yield [name.map((word) => Buffer.from(word)), Buffer.from(place.join(' '))]
  }
}
