import { continents, countries } from 'countries-list'
import Papa from 'papaparse'
import { airportTypes } from './contract.ts'
import { isCountry } from './countries.ts'
import { type Candidate, withoutDuplicates } from './same-airports.ts'
import type { ShippedAirport } from './shipped.ts'

/** The country tells apart zones that overlap in contested areas; a lookup that does not know countries may ignore it. */
export type ZoneOf = (latitude: number, longitude: number, country: string) => string

const REQUIRED_COLUMNS = ['id', 'ident', 'type', 'name', 'latitude_deg', 'longitude_deg', 'continent', 'iso_country']

// OurAirports has a code of its own for the Paracel Islands, which ISO does not know; they are run from Sansha in China.
const COUNTRY_OF_OTHER_CODES: Record<string, string> = { XP: 'CN' }

// Placeholders of flight plans and timetables that belong to no place.
const NO_PLACE = new Set(['XXX', 'ZZZ', 'XXXX', 'ZZZZ', 'AFIL'])

// Remarks of editors that are no part of a name; both kinds of brackets, also the wide ones of Chinese keyboards.
const REMARK =
  /[([\uff08]\s*(?:\?*duplicate\?*|\*|under con[a-z]*ion|not (?:fully|yet) open(?:ed)?|unusable|(?:old - )?closed\??|disused\??|planned|proposed|abandoned|in-?active|\?)\s*[)\]\uff09]/giu
const DUPLICATE = /[([\uff08]\s*\??duplicate\??\s*[)\]\uff09]/iu
const NO_AIRPORT = /[([\uff08]\s*(?:delete|bogus)\s*[)\]\uff09]|^non-existent airport$/iu

// Control characters, soft hyphens, zero-width marks and the byte order mark are invisible and break searches.
const INVISIBLE = /[\p{Cc}\p{Cf}]+/gu

type Row = Partial<Record<string, string>>

/** Reads the airports.csv of OurAirports. Rows that cannot be used are left out, each with a sentence in `problems`. */
export function parseOurAirports(
  csv: string | Iterable<string>,
  zoneOf: ZoneOf,
): { airports: ShippedAirport[]; problems: string[] } {
  const problems: string[] = []
  const candidates: Candidate[] = []
  readRows(typeof csv === 'string' ? csv : [...csv].join(''), (row) => {
    const candidate = candidateOf(row)
    if (typeof candidate === 'string') problems.push(`${row.ident || row.id || 'A row'}: ${candidate}`)
    else candidates.push(candidate)
  })
  if (candidates.length === 0) throw new Error('It holds no airport.')
  const kept = withoutDuplicates(candidates, problems)
  const idents = new Set(kept.map(({ ident }) => ident))
  const airports = kept.map(({ ident, icaoCode, markedDuplicate: _, ...row }) => ({
    ...row,
    // An ICAO code that is the ident of another row would stand in the data twice.
    icao: icaoCode !== null && (icaoCode === ident || !idents.has(icaoCode)) ? icaoCode : ident,
    timezone: zoneOf(row.latitude, row.longitude, row.country),
  }))
  return { airports, problems }
}

function readRows(csv: string, use: (row: Row) => void): void {
  const [header = []] = Papa.parse<string[]>(csv, { preview: 1, skipEmptyLines: true }).data
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    throw new Error(`This is not the airports.csv of OurAirports: the column ${missing.join(', ')} is missing.`)
  }
  Papa.parse<Row>(csv, { header: true, skipEmptyLines: true, step: ({ data }) => use(data) })
}

function candidateOf(row: Row): Candidate | string {
  const ident = code(row.ident)
  const named = nameOf(row.name ?? '')
  const latitude = coordinate(row.latitude_deg, 90)
  const longitude = coordinate(row.longitude_deg, 180)
  const country = countryOf(row.iso_country)
  const type = airportTypes.find((known) => known === textOf(row.type ?? ''))
  const sourceId = textOf(row.id ?? '')
  if (!/^\d+$/.test(sourceId)) return 'the id is not a number.'
  if (!/^[A-Z0-9-]{2,8}$/.test(ident)) return 'the ident is not 2 to 8 of A-Z, 0-9 and "-".'
  if (named.toBeDeleted) return 'the name says that there is no such airport.'
  if (named.name === '' || named.name.length > 200) return 'the name is empty or too long.'
  if (latitude === null || longitude === null) return 'the coordinates are not numbers in range.'
  if (type === undefined) return `the type "${textOf(row.type ?? '')}" is unknown.`
  if (country === null) return `the country "${textOf(row.iso_country ?? '')}" is not an ISO 3166-1 code.`
  return {
    sourceId,
    ident,
    icaoCode: placeCode(row.icao_code, /^[A-Z0-9]{4}$/),
    iata: placeCode(row.iata_code, /^[A-Z0-9]{3}$/),
    name: named.name,
    municipality: textOf(row.municipality ?? '').slice(0, 200) || null,
    latitude,
    longitude,
    type,
    continent: continentOf(row.continent, country),
    country,
    markedDuplicate: named.markedDuplicate,
  }
}

function textOf(value: string): string {
  return value
    .replace(/[\t\r\n]+/g, ' ')
    .replace(INVISIBLE, '')
    .replace(/\s+/gu, ' ')
    .trim()
    .normalize('NFC')
}

function nameOf(value: string): { name: string; markedDuplicate: boolean; toBeDeleted: boolean } {
  const text = textOf(value)
  return {
    name: textOf(text.replace(REMARK, ' ').replace(/^[\s?.*]+/u, '')),
    markedDuplicate: DUPLICATE.test(text),
    toBeDeleted: NO_AIRPORT.test(text),
  }
}

function code(value: string | undefined): string {
  return textOf(value ?? '').toUpperCase()
}

function placeCode(value: string | undefined, format: RegExp): string | null {
  const found = code(value)
  return format.test(found) && !NO_PLACE.has(found) ? found : null
}

function coordinate(value: string | undefined, limit: number): number | null {
  const number = value?.trim() ? Number(value) : Number.NaN
  // Six decimals are a tenth of a metre, and keep the shipped file small.
  return Math.abs(number) <= limit ? Number(number.toFixed(6)) : null
}

function countryOf(value: string | undefined): string | null {
  const found = code(value)
  const country = COUNTRY_OF_OTHER_CODES[found] ?? found
  return isCountry(country) ? country : null
}

function continentOf(value: string | undefined, country: string): string {
  const found = code(value)
  return Object.hasOwn(continents, found) ? found : countries[country as keyof typeof countries].continent
}
