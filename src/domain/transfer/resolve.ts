import { toErrorDetails } from '../../contract/issues.ts'
import { findArrivalDay, isoInstant, localInstant, localTime } from '../../lib/dates.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import { FlightWrite, type TimeName, timePairs } from '../flights/contract.ts'
import { type AirportName, type Moment, type ParsedFlight, shown } from './formats/row.ts'
import type { ReferenceLookup } from './lookup.ts'
import type { Found, FoundAirport } from './new-rows.ts'
import type { Traveller } from './people.ts'

/** A valid row with its references resolved. */
export interface ResolvedFlight {
  body: FlightWrite
  from: FoundAirport
  to: FoundAirport
  airline: Found | null
  aircraft: Found | null
  /** The flight number of the file if another one is stored: an earlier release may have stored this one. */
  writtenNumber: string | null
}

interface Unusable {
  reasons: readonly string[]
  missing: readonly AirportName[]
}

/** Undefined if the airport is unknown. */
interface Zones {
  from: string | undefined
  to: string | undefined
}

function instantOf(moment: Moment | null, zones: Zones, departure: number | null): number | null {
  if (moment === null) return null
  if ('instant' in moment) return Date.parse(moment.instant)
  if ('afterDeparture' in moment) return departure === null ? null : departure + moment.afterDeparture * 1000
  const zone = zones[moment.at]
  const [day = '', clock = '00:00'] = moment.local.split('T')
  return zone === undefined ? null : localInstant(day, clock, zone)
}

/** Derives the day of a local arrival from its departure if the file lacks it or has it wrong. */
function arrivalOf(
  moment: Moment | null,
  { arrivalDay }: ParsedFlight,
  zones: Zones,
  start: number | null,
  end: number | null,
): number | null {
  if (moment === null || !('local' in moment) || start === null || end === null || arrivalDay === 'exact') return end
  if (arrivalDay === 'rollForward' && end >= start) return end
  const [day = '', clock = ''] = moment.local.split('T')
  return findArrivalDay(day, clock, zones[moment.at]!, start).instant
}

function timesOf(flight: ParsedFlight, zones: Zones): Record<TimeName, string | null> {
  const departure = instantOf(flight.departure, zones, null)
  const times = {} as Record<TimeName, string | null>
  for (const [first, second] of timePairs) {
    const start = instantOf(flight[first], zones, departure)
    const end = instantOf(flight[second], zones, departure)
    const arrival = arrivalOf(flight[second], flight, zones, start, end)
    times[first] = start === null ? null : isoInstant(start)
    times[second] = arrival === null ? null : isoInstant(arrival)
  }
  return times
}

function durationOf(flight: ParsedFlight, { departure, arrival }: Record<TimeName, string | null>): number | null {
  // The rule on the order of times gives a better message than a negative duration.
  const both = departure !== null && arrival !== null && departure <= arrival
  const measured = both ? Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000) : null
  return flight.durationFirst ? (flight.duration ?? measured) : (measured ?? flight.duration)
}

/** Adds unmatched airlines and aircraft types to the note. Otherwise the note stays as it is, even if it is empty. */
function noteOf(
  flight: ParsedFlight,
  airline: Found | undefined | null,
  aircraft: Found | undefined | null,
): string | null {
  const lines: string[] = []
  if (flight.airline && !airline) lines.push(`Airline: ${flight.airline.text}`)
  if (flight.aircraft && !aircraft) lines.push(`Aircraft: ${flight.aircraft.text}`)
  if (lines.length === 0) return flight.note
  return [...(flight.note ? [flight.note] : []), ...lines].join('\n')
}

/** Replaces an ICAO prefix by the IATA code: UAL15 is known as UA15. */
function numberOf(flight: ParsedFlight, airline: Found | undefined | null, lookup: ReferenceLookup): string | null {
  const code = airline && flight.numberBehindAirline !== null ? lookup.iataOf(airline) : undefined
  return code === undefined ? flight.flightNumber : `${code}${flight.numberBehindAirline}`
}

function reasonOf(body: unknown, { path, message }: ErrorDetail): string {
  const value = path.reduce((inner: unknown, key) => (inner as Record<string, unknown> | null)?.[key], body)
  const name = [`The ${path.join('.')}`, ...(typeof value === 'object' ? [] : [shown(value)])].join(' ')
  return `${name} cannot be used: ${message}`
}

function bodyReasons(body: { date: string | null }, error: Parameters<typeof toErrorDetails>[0], isKnownBad: boolean) {
  // A date that is missing because of another problem is not reported again.
  const isFollowUp = ({ path }: ErrorDetail) => isKnownBad && body.date === null && path[0] === 'date'
  return toErrorDetails(error)
    .filter((detail) => !isFollowUp(detail))
    .map((detail) => reasonOf(body, detail))
}

/** Returns a flight body that is valid by contract 4.2 and 4.3, or all reasons to reject the row. */
export function resolveFlight(
  flight: ParsedFlight,
  travellers: readonly Traveller[] | undefined,
  lookup: ReferenceLookup,
  problems: readonly string[],
): ResolvedFlight | Unusable {
  const from = (flight.from && lookup.airport(flight.from)) ?? undefined
  const to = (flight.to && lookup.airport(flight.to)) ?? undefined
  const missing = [...(flight.from && !from ? [flight.from] : []), ...(flight.to && !to ? [flight.to] : [])]
  const reasons = [...problems, ...missing.map(({ code }) => `Airport code ${shown(code)} is not known.`)]
  const airline = flight.airline && lookup.airline(flight.airline)
  const aircraft = flight.aircraft && lookup.aircraft(flight.aircraft)
  const flightNumber = numberOf(flight, airline, lookup)
  const times = timesOf(flight, { from: from?.timezone, to: to?.timezone })
  const localDay = from && times.departure ? localTime(times.departure, from.timezone).slice(0, 10) : null
  const body = {
    ...times,
    date: flight.date ?? localDay,
    datePrecision: flight.datePrecision,
    duration: durationOf(flight, times),
    departureTerminal: flight.departureTerminal,
    departureGate: flight.departureGate,
    arrivalTerminal: flight.arrivalTerminal,
    arrivalGate: flight.arrivalGate,
    flightNumber,
    aircraftReg: flight.aircraftReg,
    note: noteOf(flight, airline, aircraft),
    // Replaced by the real ids in the transaction, which may create the rows.
    fromId: 1,
    toId: 1,
    // Custom values are stored separately.
    passengers: travellers?.map(({ customFields: _, ...passenger }) => passenger),
    ...(flight.track !== undefined && { track: flight.track }),
  }
  const { data, error } = FlightWrite.safeParse(body)
  if (error) reasons.push(...bodyReasons(body, error, reasons.length > 0))
  if (!data || !from || !to || reasons.length > 0) return { reasons, missing }
  const writtenNumber = flightNumber === flight.flightNumber ? null : flight.flightNumber
  return { body: data, from, to, airline: airline ?? null, aircraft: aircraft ?? null, writtenNumber }
}
