import { countries } from 'countries-list'
import { isCommon, spellings } from './texts.ts'

/** What people also call a country behind the name of a city, also in German, French and Spanish. */
const ALSO: Record<string, string> = {
  AE: 'UAE;Emirates;Emirate;Émirats',
  AR: 'Argentinien;Argentine',
  AT: 'Autriche;Oostenrijk',
  AU: 'Australien;Australie',
  BA: 'Bosnia;Bosnien',
  BE: 'Belgique;Belgien;Bélgica',
  BG: 'Bulgarien;Bulgarie;Balgariya',
  BR: 'Brasilien;Brésil',
  CA: 'Kanada',
  CD: 'Congo;DRC;DR Congo;Kongo',
  CG: 'Congo;Congo Brazzaville;Kongo',
  CH: 'Suisse;Svizzera;Suiza',
  CI: 'Ivory Coast;Elfenbeinküste',
  CL: 'Chili',
  CN: 'Chine;Cina;Zhongguo',
  CO: 'Kolumbien;Colombie',
  CU: 'Kuba',
  CV: 'Cape Verde;Kap Verde',
  CY: 'Zypern;Chypre;Chipre;Kypros',
  CZ: 'Czech Republic;Tschechien;Tchéquie',
  DE: 'Allemagne;Alemania;Germania',
  DK: 'Dänemark;Danemark',
  DO: 'Dominicana',
  DZ: 'Algérie;Algerien',
  EG: 'Ägypten;Égypte;Egipto',
  ES: 'Spanien;Espagne;Spagna;Spanje',
  FI: 'Finnland;Finlande',
  FR: 'Frankreich;Francia;Frankrijk',
  GB: 'UK;England;Britain;Great Britain;Grossbritannien;Angleterre',
  GE: 'Georgien;Géorgie',
  GR: 'Hellas;Ellada;Griechenland;Grèce;Grecia',
  HK: 'China',
  HR: 'Kroatien;Croatie;Croazia',
  HU: 'Ungarn;Hongrie',
  ID: 'Indonesien;Indonésie',
  IE: 'Irland;Irlande',
  IN: 'Indien;Inde;Bharat',
  IS: 'Island;Islande',
  IT: 'Italien;Italie',
  JP: 'Japon;Nippon',
  KE: 'Kenia',
  KP: 'DPRK',
  KR: 'Korea;Republic of Korea',
  MA: 'Maroc;Marokko;Marruecos;Marocco',
  MK: 'Macedonia',
  MM: 'Burma;Birma',
  MO: 'Macau;China',
  MT: 'Malte',
  MV: 'Malediven',
  MX: 'Mexiko;Mexique',
  NL: 'Holland;Niederlande;Pays-Bas',
  NO: 'Norwegen;Norvège',
  NZ: 'Neuseeland',
  PF: 'Tahiti',
  PH: 'Philippinen',
  PL: 'Polen;Pologne;Polonia',
  RO: 'Rumänien;Roumanie',
  RS: 'Serbien;Serbie;Srbija',
  RU: 'Rossiya;Russian Federation;Russland;Russie',
  SA: 'Saudi',
  SE: 'Schweden;Suède',
  SI: 'Slowenien',
  SK: 'Slowakei',
  SZ: 'Swaziland',
  TH: 'Thaïlande',
  TL: 'Timor',
  TN: 'Tunisie;Tunesien;Túnez',
  TR: 'Turkey;Türkei;Turquie;Turquía',
  TZ: 'Zanzibar;Tansania',
  UA: 'Ukrayina',
  US: 'USA;America;United States of America;Etats-Unis',
  VN: 'Viet Nam',
  ZA: 'Südafrika;Afrique du Sud;RSA',
}

/** The country and the regions that a row lies in, each in all its spellings. */
export function placesOf(country: string | null, regions: readonly string[]): string[] {
  const known = country === null ? undefined : countries[country.toUpperCase() as keyof typeof countries]
  const ofCountry = known
    ? [country!, known.name, known.native, ...(ALSO[country!.toUpperCase()] ?? '').split(';')]
    : []
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
