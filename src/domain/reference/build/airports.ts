import { correctAirports, sharedCodes } from '../airport-corrections.ts'
import { parseOurAirports } from '../ourairports.ts'
import { AIRPORT_COLUMNS, type AirportCorrection, type ShippedAirport } from '../shipped.ts'
import { zoneOf } from './zones.ts'

interface Airports {
  airports: ShippedAirport[]
  /** Of airports.tsv. */
  text: string
  /** What was left out of the source and why. */
  notes: string[]
}

export function airportsText(csv: string, corrections: AirportCorrection[]): Airports {
  const parsed = parseOurAirports(csv, zoneOf)
  const corrected = correctAirports(parsed.airports, corrections, zoneOf)
  const airports = [...corrected.airports]
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
