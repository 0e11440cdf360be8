import { toErrorDetails } from '../../contract/issues.ts'
import { findArrivalDay, isoInstant, localInstant, localTime } from '../../lib/dates.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import { FlightWrite, type TimeName, timePairs } from '../flights/contract.ts'
import { type AirportName, type Moment, type ParsedFlight, shown } from './formats/row.ts'
import type { ReferenceLookup } from './lookup.ts'
import type { Found, FoundAirport } from './new-rows.ts'
import type { Traveller } from './people.ts'

/** A row that keeps the rules, with its references found. */
export interface ResolvedFlight {
  body: FlightWrite
  from: FoundAirport
  to: FoundAirport
  airline: Found | null
  aircraft: Found | null
  /** The number as the file writes it, where the flight gets another: an earlier import may have kept this one. */
  writtenNumber: string | null
}

interface Unusable {
  reasons: readonly string[]
  missing: readonly AirportName[]
}

/** Undefined where the airport is not known. */
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

/** A local arrival whose day the file does not have, or has wrong, gets the day that follows from its departure. */
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
  // Times in the wrong order have no difference; the order rule says so better than a negative duration.
  const both = departure !== null && arrival !== null && departure <= arrival
  const measured = both ? Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000) : null
  return flight.durationFirst ? (flight.duration ?? measured) : (measured ?? flight.duration)
}

/** What could not be matched is kept in words; a note of the file alone stays as it is, even when it is empty. */
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

/** With the airline's IATA code where the file has its ICAO code: people know UAL15 as UA15. */
function numberOf(flight: ParsedFlight, airline: Found | undefined | null, lookup: ReferenceLookup): string | null {
  const code = airline && flight.numberBehindAirline !== null ? lookup.iataOf(airline) : undefined
  return code === undefined ? flight.flightNumber : `${code}${flight.numberBehindAirline}`
}

/** One sentence that names the offending member and, where it is a plain one, its value. */
function reasonOf(body: unknown, { path, message }: ErrorDetail): string {
  const value = path.reduce((inner: unknown, key) => (inner as Record<string, unknown> | null)?.[key], body)
  const name = [`The ${path.join('.')}`, ...(typeof value === 'object' ? [] : [shown(value)])].join(' ')
  return `${name} cannot be used: ${message}`
}

/** The reasons of a body that breaks the rules of 4.2 and 4.3. */
function bodyReasons(body: { date: string | null }, error: Parameters<typeof toErrorDetails>[0], isKnownBad: boolean) {
  // A date that is missing because of another problem is not reported again.
  const isFollowUp = ({ path }: ErrorDetail) => isKnownBad && body.date === null && path[0] === 'date'
  return toErrorDetails(error)
    .filter((detail) => !isFollowUp(detail))
    .map((detail) => reasonOf(body, detail))
}

/** Turns a row of a file into a flight body that keeps the rules of 4.2 and 4.3, or gives all reasons why it does not. */
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
    // The real ids follow when the row is written: some rows are made only then.
    fromId: 1,
    toId: 1,
    // Their custom values go another way.
    passengers: travellers?.map(({ customFields: _, ...passenger }) => passenger),
    ...(flight.track !== undefined && { track: flight.track }),
  }
  const { data, error } = FlightWrite.safeParse(body)
  if (error) reasons.push(...bodyReasons(body, error, reasons.length > 0))
  if (!data || !from || !to || reasons.length > 0) return { reasons, missing }
  const writtenNumber = flightNumber === flight.flightNumber ? null : flight.flightNumber
  return { body: data, from, to, airline: airline ?? null, aircraft: aircraft ?? null, writtenNumber }
}
