import { find } from 'geo-tz/all'
import { correctAirports, sharedCodes } from '../airport-corrections.ts'
import { parseOurAirports } from '../ourairports.ts'
import { AIRPORT_COLUMNS, type AirportCorrection, type ShippedAirport } from '../shipped.ts'
import { type Cells, csvText } from './files.ts'

/** The notes say which rows of the source were skipped, and why. */
export function airportsText(csv: string, corrections: AirportCorrection[]) {
  const parsed = parseOurAirports(csv, zoneOf)
  const corrected = correctAirports(parsed.airports, corrections, zoneOf)
  const { airports } = corrected
  const problems = [...corrected.problems, ...sharedCodes(airports)]
  if (problems.length > 0) throw new Error(`airport-corrections.csv does not fit the source:\n${problems.join('\n')}`)
  return {
    airports,
    text: `${AIRPORT_COLUMNS.join('\t')}\n${airports.map((airport) => `${lineOf(airport)}\n`).join('')}`,
    notes: parsed.problems,
  }
}

function lineOf({ sourceId, icao, iata, name, municipality, ...place }: ShippedAirport): string {
  const { latitude, longitude, timezone, type, continent, country } = place
  return [sourceId, icao, iata, name, municipality, latitude, longitude, timezone, type, continent, country].join('\t')
}

/** Former codes are aliases, idents that OurAirports kept, and ICAO codes in the keywords of airports with routes. */
export function formerCodesText(
  airports: readonly ShippedAirport[],
  { source, aliases, use }: { source: Cells[]; aliases: Cells[]; use: ReadonlyMap<string, number> },
): string {
  const held = new Set(airports.flatMap(({ icao, iata }) => [icao, iata ?? icao]))
  const byId = new Map(airports.map((airport) => [airport.sourceId, airport]))
  const wrong = aliases.filter(({ code = '', icao = '' }) => held.has(code) || !held.has(icao))
  if (wrong.length > 0) {
    throw new Error(
      `airport-aliases.csv names a code that is in use, or an unknown airport: ${wrong.map(({ code }) => code).join(', ')}.`,
    )
  }
  const found = new Map<string, string>()
  const add = (code: string, icao: string) => {
    if (!held.has(code) && !found.has(code)) found.set(code, icao)
  }
  for (const { code = '', icao = '' } of aliases) add(code, icao)
  for (const { id = '', ident = '' } of source) {
    const airport = byId.get(id)
    if (airport && /^[A-Z]{4}$/.test(ident)) add(ident, airport.icao)
  }
  for (const { id = '', keywords = '' } of source) {
    const airport = byId.get(id)
    if (!airport || !use.has(airport.icao)) continue
    for (const word of keywords.split(/[,;/]/)) if (/^[A-Z]{4}$/.test(word.trim())) add(word.trim(), airport.icao)
  }
  const rows = [...found].map(([code, icao]) => ({ code, icao }))
  return csvText(
    ['code', 'icao'],
    rows.sort((one, other) => (one.code < other.code ? -1 : 1)),
  )
}

// Zones that overlap in the boundary data. Without Asia/Urumqi: airlines and airports in Xinjiang use Beijing time.
const COUNTRY_OF_OVERLAPPING_ZONE: Record<string, string> = {
  'Africa/Juba': 'SS',
  'Africa/Khartoum': 'SD',
  'Asia/Hebron': 'PS',
  'Asia/Jerusalem': 'IL',
  'Asia/Shanghai': 'CN',
  'Asia/Tbilisi': 'GE',
  'Europe/Moscow': 'RU',
}

export function zoneOf(latitude: number, longitude: number, country: string): string {
  const zones = find(latitude, longitude)
  return zones.find((zone) => COUNTRY_OF_OVERLAPPING_ZONE[zone] === country) ?? zones[0] ?? 'Etc/UTC'
}
