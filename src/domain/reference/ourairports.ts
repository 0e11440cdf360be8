import { continents, countries } from 'countries-list'
import Papa from 'papaparse'
import { airportTypes } from './contract.ts'
import { isCountry } from './countries.ts'
import type { ShippedAirport } from './shipped.ts'

/** The country distinguishes zones that overlap in contested areas. */
export type ZoneOf = (latitude: number, longitude: number, country: string) => string

const REQUIRED_COLUMNS = ['id', 'ident', 'type', 'name', 'latitude_deg', 'longitude_deg', 'continent', 'iso_country']

// The Paracel Islands have no ISO code; they are administered from Sansha in China.
const COUNTRY_OF_OTHER_CODES: Record<string, string> = { XP: 'CN' }

// Placeholders in flight plans and timetables.
const NO_PLACE = new Set(['XXX', 'ZZZ', 'XXXX', 'ZZZZ', 'AFIL'])

// Remarks of editors, also in full-width brackets.
const REMARK =
  /[([\uff08]\s*(?:\?*duplicate\?*|\*|under con[a-z]*ion|not (?:fully|yet) open(?:ed)?|unusable|(?:old - )?closed\??|disused\??|planned|proposed|abandoned|in-?active|\?)\s*[)\]\uff09]/giu
const DUPLICATE = /[([\uff08]\s*\??duplicate\??\s*[)\]\uff09]/iu
const NO_AIRPORT = /[([\uff08]\s*(?:delete|bogus)\s*[)\]\uff09]|^non-existent airport$/iu

// Control characters, soft hyphens, zero-width marks and the byte order mark.
const INVISIBLE = /[\p{Cc}\p{Cf}]+/gu

const TWIN_KILOMETRES = 3
const SAME_SPOT_KILOMETRES = 0.2

type Row = Partial<Record<string, string>>

/** A usable row. */
type Candidate = Omit<ShippedAirport, 'icao' | 'timezone'> & {
  ident: string
  icaoCode: string | null
  markedDuplicate: boolean
}

/** Reads the airports.csv of OurAirports. Unusable rows are skipped and reported in `problems`. */
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
  if (candidates.length === 0) throw new Error('It has no usable airports.')
  const kept = withoutDuplicates(candidates, problems)
  const idents = new Set(kept.map(({ ident }) => ident))
  const airports = kept.map(({ ident, icaoCode, markedDuplicate: _, ...row }) => ({
    ...row,
    // The ICAO code may be the ident of another row.
    icao: icaoCode !== null && (icaoCode === ident || !idents.has(icaoCode)) ? icaoCode : ident,
    timezone: zoneOf(row.latitude, row.longitude, row.country),
  }))
  return { airports, problems }
}

function readRows(csv: string, use: (row: Row) => void): void {
  const [header = []] = Papa.parse<string[]>(csv, { preview: 1, skipEmptyLines: true }).data
  const missing = REQUIRED_COLUMNS.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    throw new Error(`This is not the airports.csv of OurAirports. Missing columns: ${missing.join(', ')}.`)
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
  // Six decimals are a tenth of a metre.
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

/** Drops duplicates, and removes codes that an earlier row has. */
function withoutDuplicates(rows: Candidate[], problems: string[]): Candidate[] {
  const kept = withoutTwins(withoutRepeatedKeys(rows, problems), problems)
  takeRepeatedCodes(kept, problems)
  return kept
}

function withoutRepeatedKeys(rows: Candidate[], problems: string[]): Candidate[] {
  const ids = new Set<string>()
  const idents = new Set<string>()
  return rows.filter((row) => {
    if (ids.has(row.sourceId) || idents.has(row.ident)) {
      problems.push(`${row.ident}: another row has the same id or ident.`)
      return false
    }
    ids.add(row.sourceId)
    idents.add(row.ident)
    return true
  })
}

/** Drops rows that editors marked as duplicates, and rows equal in name, type and place. */
function withoutTwins(rows: Candidate[], problems: string[]): Candidate[] {
  const namesakes = Map.groupBy(rows, lettersOf)
  const dropped = new Set<Candidate>()
  for (const row of rows) {
    const twin = namesakes
      .get(lettersOf(row))!
      .find((other) => other !== row && !dropped.has(other) && isTwin(row, other))
    const withoutCode = row.icaoCode === null && row.iata === null
    if (!twin && !(row.markedDuplicate && withoutCode)) continue
    dropped.add(row)
    problems.push(`${row.ident}: ${twin ? `it is the same airport as ${twin.ident}` : 'it is marked as a duplicate'}.`)
  }
  return rows.filter((row) => !dropped.has(row))
}

/** For rows with the same name. */
function isTwin(row: Candidate, other: Candidate): boolean {
  if (other.markedDuplicate) return false
  // A marked row with codes and no open namesake nearby is the one in use, such as Western Sydney.
  if (row.markedDuplicate) {
    return other.type !== 'closed' && kilometresBetween(row, other) < TWIN_KILOMETRES
  }
  if (row.icaoCode !== null || row.iata !== null || row.type !== other.type || row.country !== other.country)
    return false
  // The row with a code stays, or else the older one.
  const otherStays = other.icaoCode !== null || other.iata !== null || Number(other.sourceId) < Number(row.sourceId)
  return otherStays && kilometresBetween(row, other) < SAME_SPOT_KILOMETRES
}

function lettersOf(row: Candidate): string {
  return row.name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '')
}

function kilometresBetween(from: Candidate, to: Candidate): number {
  const radians = Math.PI / 180
  const north = (to.latitude - from.latitude) * radians
  const east = (to.longitude - from.longitude) * radians * Math.cos(((from.latitude + to.latitude) / 2) * radians)
  return 6371 * Math.hypot(north, east)
}

function takeRepeatedCodes(rows: readonly Candidate[], problems: string[]): void {
  const iataHolders = new Map<string, string>()
  const icaoHolders = new Map<string, string>()
  const free = (holders: Map<string, string>, found: string | null, row: Candidate): string | null => {
    const holder = found === null ? undefined : holders.get(found)
    if (holder) problems.push(`${row.ident}: the code ${found} belongs to ${holder}.`)
    else if (found !== null) holders.set(found, row.ident)
    return holder ? null : found
  }
  for (const row of rows) {
    row.icaoCode = free(icaoHolders, row.icaoCode, row)
    if (row.type !== 'closed') row.iata = free(iataHolders, row.iata, row)
  }
}
