import { isoInstant, localInstant, localTime, parseInstant } from '../../lib/dates.ts'
import { english } from '../../messages/english.ts'
import type { Airline, Airport } from '../reference/contract.ts'
import type { FlightNumberService } from '../reference/flight-number-service.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightDraft } from './contract.ts'
import type { DocumentFlight, Moment, Place } from './document-flight.ts'

export interface ResolvedFlight {
  source: DocumentFlight
  flight: FlightDraft
  airline: Airline | undefined
  unresolved: string[]
}

function instantOf(moment: Moment | null, airport: Airport | undefined): string | undefined {
  if (moment === null) return undefined
  if ('instant' in moment) return moment.instant
  if (!airport) return undefined
  const [day, clock] = moment.local.split('T') as [string, string]
  const instant = isoInstant(localInstant(day, clock, airport.timezone))
  return parseInstant(instant) === undefined ? undefined : instant
}

/** Calls `find` once per key. */
function remembered<Result>(find: (key: string, date: string | undefined) => Result) {
  const known = new Map<string, Result>()
  return (key: string, date: string | undefined): Result => {
    const id = `${key} ${date}`
    if (!known.has(id)) known.set(id, find(key, date))
    return known.get(id)!
  }
}

const omitEmpty = <Value extends object>(value: Value) =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each != null)) as {
    [Name in keyof Value]?: NonNullable<Value[Name]>
  }

/** Looks up the airports and airlines of one document, as of the day of each flight (contract 17.8). */
export function flightResolver(reference: ReferenceService, flightNumbers: FlightNumberService, userId: string) {
  const { codes, records } = reference
  const airportId = remembered((code, date) => codes.airport(code, code.length === 3 ? 'iata' : 'icao', date))
  const airlineId = remembered((code, date) => codes.airline(code, code.length === 3 ? 'icao' : 'iata', date))
  const airlineNamed = remembered((name) => codes.airline(name, 'name'))
  const carrierOf = remembered((flightNumber, date) =>
    flightNumbers.carrierOf({ flightNumber, ...(date !== undefined && { date }) }),
  )

  const airportOf = (place: Place | null, date: string | undefined): Airport | undefined => {
    const id = place?.code ? airportId(place.code, date) : undefined
    return id === undefined ? undefined : records.airport(id)
  }

  function airlineOf({ airline, flightNumber }: DocumentFlight, date: string | undefined): Airline | undefined {
    const id =
      (airline?.code ? airlineId(airline.code.toUpperCase(), date) : undefined) ??
      (airline?.name ? airlineNamed(airline.name, undefined) : undefined)
    if (id !== undefined) return records.airline(id)
    return airline || flightNumber === null ? undefined : carrierOf(flightNumber, date)?.airline
  }

  /** The only leg of the flight number on the day between these airports. */
  function legOf(flightNumber: string, date: string, [from, to]: (Airport | undefined)[]) {
    const legs = carrierOf(flightNumber, date)?.legs() ?? []
    const fitting = legs.filter(
      (leg) =>
        (leg.since === null || leg.since <= date) && (!from || leg.from.id === from.id) && (!to || leg.to.id === to.id),
    )
    return fitting.length === 1 ? fitting[0] : undefined
  }

  function routeOf({ from, to, flightNumber }: DocumentFlight, date: string | undefined) {
    const known = [airportOf(from, date), airportOf(to, date)]
    const isMissing = (!known[0] && !from?.code) || (!known[1] && !to?.code)
    const leg = isMissing && flightNumber !== null && date !== undefined ? legOf(flightNumber, date, known) : undefined
    return [known[0] ?? (from?.code ? undefined : leg?.from), known[1] ?? (to?.code ? undefined : leg?.to)] as const
  }

  function unknownAirport(place: Place | null, unknown: string): string {
    const name = place?.code ?? place?.name
    return name ? english.documents.unknownAirport({ airport: name }) : unknown
  }

  return function resolve(source: DocumentFlight): ResolvedFlight {
    const written = source.date ?? (source.departure && Object.values(source.departure)[0]!.slice(0, 10)) ?? undefined
    const [from, to] = routeOf(source, written)
    const departure = instantOf(source.departure, from)
    const date =
      source.date ?? (departure !== undefined && from ? localTime(departure, from.timezone).slice(0, 10) : written)
    const airline = airlineOf(source, date)
    let arrival = instantOf(source.arrival, to)
    const unresolved: string[] = []
    if (date === undefined) unresolved.push(english.documents.unknownDate)
    if (!from) unresolved.push(unknownAirport(source.from, english.documents.unknownOrigin))
    if (!to) unresolved.push(unknownAirport(source.to, english.documents.unknownDestination))
    if (departure !== undefined && arrival !== undefined && arrival < departure) {
      arrival = undefined
      unresolved.push(english.documents.arrivalFirst)
    }
    const { airline: named, seatNumber, seatClass } = source
    if (!airline && (named || source.flightNumber !== null)) {
      const name = named?.code ?? named?.name
      const { unknownAirline, unknownAirlineOf } = english.documents
      unresolved.push(
        name ? unknownAirline({ airline: name }) : unknownAirlineOf({ flightNumber: source.flightNumber! }),
      )
    }
    const prefix = /^\d+[A-Z]?$/.test(source.flightNumber ?? '') ? (airline?.iata?.replace('*', '') ?? '') : ''
    const { departureTerminal, departureGate, arrivalTerminal, arrivalGate } = source
    return {
      source,
      airline,
      unresolved,
      flight: omitEmpty({
        date,
        fromId: from?.id,
        toId: to?.id,
        departureScheduled: departure,
        arrivalScheduled: arrival,
        ...{ departureTerminal, departureGate, arrivalTerminal, arrivalGate },
        flightNumber: source.flightNumber === null ? null : prefix + source.flightNumber,
        airlineId: airline?.id,
        passengers:
          seatNumber === null && seatClass === null ? null : [{ userId, ...omitEmpty({ seatNumber, seatClass }) }],
      }) as FlightDraft,
    }
  }
}
