import { toErrorDetails } from '../../contract/issues.ts'
import { findArrivalDay, isoInstant, localInstant, localTime } from '../../lib/dates.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'
import { FlightWrite, type TimeName, timePairs } from '../flights/contract.ts'
import { type AirportName, type Moment, type ParsedFlight, shown } from './formats/row.ts'
import type { Found, FoundAirport, ReferenceLookup } from './lookup.ts'
import type { Traveller } from './people.ts'

export interface ResolvedFlight {
  body: FlightWrite
  from: FoundAirport
  to: FoundAirport
  airline: Found | null
  aircraft: Found | null
  /** The flight number of the file if another one is stored: an earlier release may have stored this one. */
  writtenNumber: string | null
  /** The airports that have the codes today, if others had them on the day: an earlier release stored these. */
  presentRoute: { from: FoundAirport; to: FoundAirport } | null
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

function instantOf(moment: Moment | null | undefined, zones: Zones, departure: number | null): number | null {
  if (!moment) return null
  if ('instant' in moment) return Date.parse(moment.instant)
  if ('afterDeparture' in moment) return departure === null ? null : departure + moment.afterDeparture * 1000
  const zone = zones[moment.at]
  const [day = '', clock = '00:00'] = moment.local.split('T')
  return zone === undefined ? null : localInstant(day, clock, zone)
}

/** Derives the day of a local arrival from its departure if the file lacks it or has it wrong. */
function correctedArrival(
  moment: Moment | null | undefined,
  { arrivalDay }: ParsedFlight,
  zones: Zones,
  start: number | null,
  end: number | null,
): number | null {
  if (!moment || !('local' in moment) || start === null || end === null || arrivalDay === 'exact') return end
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
    const arrival = correctedArrival(flight[second], flight, zones, start, end)
    times[first] = start === null ? null : isoInstant(start)
    times[second] = arrival === null ? null : isoInstant(arrival)
  }
  return times
}

function durationOf(flight: ParsedFlight, { departure, arrival }: Record<TimeName, string | null>) {
  // The rule on the order of times gives a better message than a negative duration.
  const both = departure !== null && arrival !== null && departure <= arrival
  const measured = both ? Math.floor((Date.parse(arrival) - Date.parse(departure)) / 1000) : null
  return flight.durationFirst ? (flight.duration ?? measured) : (measured ?? flight.duration)
}

/** Adds unmatched airlines and aircraft types to the note. Otherwise the note stays as it is, even if it is empty. */
function noteOf(flight: ParsedFlight, airline: Found | null | undefined, aircraft: Found | null | undefined) {
  const unmatched = [
    flight.airline && !airline && `Airline: ${flight.airline.text}`,
    flight.aircraft && !aircraft && `Aircraft: ${flight.aircraft.text}`,
  ].filter(Boolean)
  return unmatched.length === 0 ? flight.note : [flight.note, ...unmatched].filter(Boolean).join('\n')
}

/** Replaces an ICAO prefix by the IATA code: UAL15 is known as UA15. */
function numberOf(
  { flightNumber = null, numberBehindAirline }: ParsedFlight,
  airline: Found | null | undefined,
  lookup: ReferenceLookup,
) {
  const code = airline && numberBehindAirline ? lookup.iataOf(airline) : undefined
  return code === undefined ? flightNumber : `${code}${numberBehindAirline}`
}

function reasonOf(body: unknown, { path, message }: ErrorDetail): string {
  const value = path.reduce((inner: unknown, key) => (inner as Record<string, unknown> | null)?.[key], body)
  const found = { field: path.join('.'), problem: message }
  const { unusable, unusableWithoutValue } = english.import
  return typeof value === 'object' ? unusableWithoutValue(found) : unusable({ ...found, value: shown(value) })
}

/** For codes. The zone of the airport, which may change the day, depends on its code. */
const dayOfFlight = ({ date, departure }: ParsedFlight): string | undefined =>
  date ?? (departure && 'instant' in departure ? departure.instant.slice(0, 'YYYY-MM-DD'.length) : undefined)

/** Returns a flight body that is valid by contract 4.2 and 4.3, or all reasons to reject the row. */
export function resolveFlight(
  flight: ParsedFlight,
  travellers: readonly Traveller[] | undefined,
  lookup: ReferenceLookup,
  problems: readonly string[],
): ResolvedFlight | Unusable {
  const day = dayOfFlight(flight)
  const from = (flight.from && lookup.airport(flight.from, day)) ?? undefined
  const to = (flight.to && lookup.airport(flight.to, day)) ?? undefined
  const missing = [...(flight.from && !from ? [flight.from] : []), ...(flight.to && !to ? [flight.to] : [])]
  const reasons = [...problems, ...missing.map((name) => lookup.unknownAirport(name, day))]
  const airline = flight.airline && lookup.airline(flight.airline, day)
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
    passengers: travellers?.map(({ customFields: _, ...passenger }) => passenger),
    ...(flight.track !== undefined && { track: flight.track }),
  }
  const { data, error } = FlightWrite.safeParse(body)
  if (error) {
    // A date that is missing because of another problem is not reported again.
    const isReported = ({ path }: ErrorDetail) => path[0] === 'date' && body.date === null && reasons.length > 0
    const details = toErrorDetails(error).filter((detail) => !isReported(detail))
    reasons.push(...details.map((detail) => reasonOf(body, detail)))
  }
  if (!data || !from || !to || reasons.length > 0) return { reasons, missing }
  const writtenNumber = flightNumber === flight.flightNumber ? null : (flight.flightNumber ?? null)
  // A name may be unambiguous only on the day; earlier releases accepted no names.
  const present = { from: lookup.airport(flight.from!) ?? from, to: lookup.airport(flight.to!) ?? to }
  const presentRoute = present.from === from && present.to === to ? null : present
  return { body: data, from, to, airline: airline ?? null, aircraft: aircraft ?? null, writtenNumber, presentRoute }
}
