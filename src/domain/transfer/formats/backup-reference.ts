import { isObject } from '../../../lib/objects.ts'
import type { JsonObject } from './json.ts'
import { type AirportName, noteProblem, type ReferenceName, shown } from './row.ts'
import { airport, named } from './values.ts'

/** An object by its ICAO code, by its plain code, or by its IATA code only when it has neither; or a bare code. */
export function backupAirport(role: 'from' | 'to', value: unknown): AirportName | null {
  if (!isObject(value)) {
    const bare = codeOf(value ?? '')
    return bare === null ? null : airport(role, 'code', bare)
  }
  const [icao, code, iata] = [textOf(value.icao), textOf(value.code), textOf(value.iata)]
  const name = icao ? airport(role, 'icao', icao) : code ? airport(role, 'code', code) : airport(role, 'iata', iata)
  return name && { ...name, record: airportRecord(value) }
}

/** An object by all its names, an ICAO code, or null. */
export function backupName(member: 'airline' | 'aircraft', value: unknown = null): ReferenceName | null {
  if (value === null) return null
  if (!isObject(value)) return named('', [['icao', codeOf(value) ?? undefined]])
  const [icao, iata, name] = [textOf(value.icao), textOf(value.iata), textOf(value.name)]
  const found = named(name, [
    ['icao', icao],
    ['iata', member === 'airline' ? iata : undefined],
    ['name', name],
  ])
  const { name: recordName, icao: recordIcao, iata: recordIata } = value
  const record = { name: recordName, icao: recordIcao, ...(member === 'airline' && { iata: recordIata }) }
  return found && { ...found, record }
}

/** The members of an export under the names that a write of reference data has. */
function airportRecord(value: JsonObject): Record<string, unknown> {
  const { icao, code, iata, name, municipality, type, continent, country } = value
  return {
    icao: icao ?? code,
    iata,
    name,
    municipality,
    latitude: value.lat ?? value.latitude,
    longitude: value.lon ?? value.longitude,
    timezone: value.tz ?? value.timezone,
    type,
    continent,
    country,
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value.trim() : '')

const codeOf = (value: unknown): string | null =>
  typeof value === 'string' ? value.trim() : noteProblem(`The code is ${shown(value)} and not text.`)
