import { countries } from 'countries-list'
import { isCommon, spellings } from './texts.ts'

/** What people also call a country behind the name of a city. */
const ALSO: Record<string, readonly string[]> = {
  AE: ['UAE', 'Emirates'],
  BA: ['Bosnia'],
  BE: ['Belgique', 'Belgien'],
  CD: ['Congo', 'DRC', 'DR Congo'],
  CG: ['Congo', 'Congo Brazzaville'],
  CH: ['Suisse', 'Svizzera'],
  CI: ['Ivory Coast'],
  CV: ['Cape Verde'],
  CZ: ['Czech Republic'],
  DO: ['Dominicana'],
  ES: ['Spanien', 'Espagne', 'Spagna'],
  FR: ['Frankreich', 'Francia'],
  GB: ['UK', 'England', 'Britain', 'Great Britain'],
  GR: ['Hellas', 'Griechenland', 'Grèce'],
  IT: ['Italien', 'Italie'],
  KR: ['Korea', 'Republic of Korea'],
  KP: ['DPRK'],
  MK: ['Macedonia'],
  MM: ['Burma'],
  MO: ['Macau'],
  NL: ['Holland'],
  PF: ['Tahiti'],
  RU: ['Rossiya', 'Russian Federation'],
  SZ: ['Swaziland'],
  TL: ['Timor'],
  TR: ['Turkey', 'Türkei', 'Turquie'],
  TZ: ['Zanzibar'],
  US: ['USA', 'America', 'United States of America'],
  VN: ['Viet Nam'],
}

/** The country and the regions that a row lies in, each in all its spellings. */
export function placesOf(country: string | null, regions: readonly string[]): string[] {
  const known = country === null ? undefined : countries[country.toUpperCase() as keyof typeof countries]
  const ofCountry = known ? [country!, known.name, known.native, ...(ALSO[country!.toUpperCase()] ?? [])] : []
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
