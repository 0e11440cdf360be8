import { airportTypes } from './contract.ts'
import { isCountry } from './countries.ts'
import type { ZoneOf } from './ourairports.ts'
import type { AirportCorrection, ShippedAirport } from './shipped.ts'

/** Lines that do not fit the data are skipped and reported in `problems`. */
export function correctAirports(
  airports: readonly ShippedAirport[],
  corrections: AirportCorrection[],
  zoneOf: ZoneOf,
): { airports: ShippedAirport[]; problems: string[] } {
  const problems: string[] = []
  const byId = new Map(airports.map((airport) => [airport.sourceId, airport]))
  for (const line of corrections) {
    const after = correctedAirport(byId.get(line.id), line, zoneOf)
    if (typeof after === 'string') problems.push(`${line.id} (${line.airport}): ${after}`)
    else if (after) byId.set(line.id, after)
    else byId.delete(line.id)
  }
  return { airports: [...byId.values()], problems }
}

function correctedAirport(
  before: ShippedAirport | undefined,
  line: AirportCorrection,
  zoneOf: ZoneOf,
): ShippedAirport | null | string {
  if (line.action === 'drop') return before ? null : 'there is no such row to drop.'
  if (line.action === 'add') return before ? 'there is already a row with this id.' : addedAirport(line, zoneOf)
  if (line.action !== 'change') return `the action "${line.action}" is not change, drop or add.`
  return before ? changedAirport(before, line, zoneOf) : 'there is no such row to change.'
}

function changedAirport(before: ShippedAirport, line: AirportCorrection, zoneOf: ZoneOf): ShippedAirport | string {
  const after: ShippedAirport = {
    sourceId: before.sourceId,
    icao: line.icao || before.icao,
    iata: cell(line.iata, before.iata),
    name: line.name || before.name,
    municipality: cell(line.municipality, before.municipality),
    latitude: line.latitude === '' ? before.latitude : Number(line.latitude),
    longitude: line.longitude === '' ? before.longitude : Number(line.longitude),
    timezone: line.timezone || before.timezone,
    type: line.type || before.type,
    continent: line.continent || before.continent,
    country: line.country || before.country,
  }
  const moved = line.latitude !== '' || line.longitude !== '' || line.country !== ''
  if (moved && line.timezone === '') after.timezone = zoneOf(after.latitude, after.longitude, after.country)
  return problemOf(after) ?? after
}

function addedAirport(line: AirportCorrection, zoneOf: ZoneOf): ShippedAirport | string {
  if (line.icao === '' || line.name === '' || line.latitude === '' || line.longitude === '') {
    return 'a new row needs icao, name, latitude and longitude.'
  }
  const empty: ShippedAirport = {
    sourceId: line.id,
    icao: '',
    iata: null,
    name: '',
    municipality: null,
    latitude: 0,
    longitude: 0,
    timezone: '',
    type: 'small_airport',
    continent: '',
    country: '',
  }
  return changedAirport(empty, line, zoneOf)
}

function cell(value: string, before: string | null): string | null {
  if (value === '-') return null
  return value || before
}

function problemOf(airport: ShippedAirport): string | null {
  if (!/^[A-Z0-9-]{2,8}$/.test(airport.icao)) return 'the icao is not 2 to 8 of A-Z, 0-9 and "-".'
  if (airport.iata !== null && !/^[A-Z0-9]{3}$/.test(airport.iata)) return 'the iata is not 3 of A-Z and 0-9.'
  if (!(Math.abs(airport.latitude) <= 90 && Math.abs(airport.longitude) <= 180)) return 'the coordinates are wrong.'
  if (!airportTypes.some((known) => known === airport.type)) return `the type "${airport.type}" is unknown.`
  if (!isCountry(airport.country)) return `the country "${airport.country}" is unknown.`
  return null
}

/** Describes each code of several airports. */
export function sharedCodes(airports: Iterable<ShippedAirport>): string[] {
  const holders = new Map<string, string>()
  const problems: string[] = []
  for (const airport of airports) {
    const codes = [airport.icao]
    if (airport.iata !== null && airport.type !== 'closed') codes.push(`IATA ${airport.iata}`)
    for (const code of codes) {
      const holder = holders.get(code)
      if (holder) problems.push(`${airport.sourceId}: the code ${code} belongs to ${holder}.`)
      holders.set(code, airport.sourceId)
    }
  }
  return problems
}
