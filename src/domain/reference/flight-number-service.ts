import { authorize, canUseScope } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { dayOf } from '../../lib/dates.ts'
import { holdersOn } from './codes.ts'
import type { Airline, Airport } from './contract.ts'
import { type NumberReading, readingsOf, spellingsOf } from './flight-number.ts'
import type { FlightSuggestion } from './flight-number-contract.ts'
import { flightNumberStore } from './flight-number-store.ts'
import { type Route, routesStore } from './routes-store.ts'
import type { ReferenceService } from './service.ts'
import { isValidOn } from './validity.ts'

const MAX_SUGGESTIONS = 10
const MAX_OTHER_CARRIERS = 8

export type FlightNumberService = ReturnType<typeof flightNumberService>

interface LookUp {
  /** As returned by `plainFlightNumber`. */
  flightNumber: string
  /** Defaults to today. */
  date?: string | undefined
}

interface Carrier {
  airline: Airline
  reading: NumberReading
  /** Airlines that operate this number for it. */
  flying: readonly number[]
  /** Other airlines with the same code, or whose flights are sold under it. */
  others: readonly number[]
  /** The table of routes may list them for some time after. */
  hasEnded: boolean
}

const plainIata = ({ iata }: Airline) => iata?.replace('*', '')

/** Suggests the user's own flights under a number first, then the shipped route of the day. */
export function flightNumberService({ db, clock, reference }: { db: Db; clock: Clock; reference: ReferenceService }) {
  const store = flightNumberStore(db)
  const routes = routesStore(db)
  const { records, codes, validity } = reference

  /** By the longest code that belongs to an airline. */
  function carrierOf(plain: string, date: string): Carrier | undefined {
    for (const reading of readingsOf(plain)) {
      const isIcao = reading.code.length === 3
      const [holder, ...rest] = holdersOn(codes.airlineHolders(reading.code, isIcao ? 'icao' : 'iata'), date)
      if (holder === undefined) continue
      const others = rest.map(({ id }) => id)
      const sold = isIcao ? { flying: [], others: [] } : codes.airlinesSoldUnder(reading.code, reading.number)
      others.push(...sold.others)
      const airline = records.airline(holder.id)!
      const hasEnded = holder.validUntil !== null && holder.validUntil < date
      return { airline, reading, flying: sold.flying, others: others.slice(0, MAX_OTHER_CARRIERS), hasEnded }
    }
    return undefined
  }

  function logged(userId: string, plain: string, carrier: Carrier | undefined): FlightSuggestion[] {
    const names = carrier ? [plainIata(carrier.airline), carrier.airline.icao] : []
    const spellings = carrier
      ? spellingsOf([carrier.reading.code, ...names.filter((name) => name != null)], carrier.reading)
      : []
    const flights = [...new Set([plain, ...spellings])].flatMap((spelling) => store.logged(userId, spelling))
    flights.sort((a, b) => (a.date === b.date ? b.id - a.id : a.date < b.date ? 1 : -1))
    const newest = new Map<string, (typeof flights)[number]>()
    for (const flight of flights) {
      const route = `${flight.fromId} ${flight.toId}`
      if (!newest.has(route)) newest.set(route, flight)
      if (newest.size === MAX_SUGGESTIONS) break
    }
    return [...newest.values()].map(({ flightNumber, fromId, toId, airlineId }) => {
      const [from, to] = [records.airport(fromId)!, records.airport(toId)!]
      const airline = airlineId === null ? (carrier?.airline ?? null) : records.airline(airlineId)!
      return { flightNumber, airline, airports: [from, to], from, to, source: 'log', since: null }
    })
  }

  /**
   * The newest route of the carrier or of an airline that operates the number for it; otherwise of another airline.
   * Without a route on the day, the earliest later one.
   */
  function shipped({ airline, reading: { code, number }, flying, others }: Carrier, date: string): FlightSuggestion[] {
    const tried = new Set<string | null>([null])
    const legs = (id: number): FlightSuggestion[] => {
      const carrier = records.airline(id)!
      if (tried.has(carrier.icao)) return []
      tried.add(carrier.icao)
      const route = routes.find(carrier.icao!, number, date)
      const flightNumber = `${code.length === 2 ? code : (plainIata(carrier) ?? code)}${number}`
      return route ? legsOf(route, carrier, { flightNumber, date }) : []
    }
    const sinceOf = ([leg]: readonly FlightSuggestion[]) => leg?.since ?? ''
    const isOfDay = (found: FlightSuggestion[]) => found.length > 0 && sinceOf(found) <= date
    const first = (list: FlightSuggestion[][], isBetter: (one: string, other: string) => boolean) =>
      list.reduce((best, found) => (isBetter(sinceOf(found), sinceOf(best)) ? found : best))
    const known = [airline.id, ...flying].map(legs)
    const ofDay = known.filter(isOfDay)
    if (ofDay.length > 0) return first(ofDay, (one, other) => one > other)
    const ofOthers = others.map(legs)
    const later = [...known, ...ofOthers].filter((found) => found.length > 0)
    return ofOthers.find(isOfDay) ?? (later.length > 0 ? first(later, (one, other) => one < other) : [])
  }

  function airportOn(code: string, date: string): Airport | undefined {
    const id = codes.airportOn(code, date)
    const airport = id === undefined ? undefined : records.airport(id)
    if (!airport?.iata || isValidOn(validity.airport(airport), date)) return airport
    // Before the airport opened, another one had its IATA code: Ellinikon for Athens, Don Mueang for Bangkok.
    return records.airport(codes.airport(airport.iata, 'iata', date)!)
  }

  /** One suggestion for each leg between known airports. */
  function legsOf(route: Route, airline: Airline, { flightNumber, date }: Required<LookUp>): FlightSuggestion[] {
    const stops = route.stops.map((code) => airportOn(code, date))
    const airports = stops.filter((stop): stop is Airport => stop !== undefined)
    const legs = new Map<string, FlightSuggestion>()
    for (const [index, to] of stops.entries()) {
      const from = stops[index - 1]
      // Some routes begin where they end.
      if (!from || !to || from.id === to.id || legs.has(`${from.id} ${to.id}`)) continue
      const { since } = route
      legs.set(`${from.id} ${to.id}`, { flightNumber, airline, airports, from, to, source: 'shipped', since })
    }
    return [...legs.values()]
  }

  /**
   * The airline that a number has on a day, and its shipped legs. Callers are authorized for reference data by another
   * operation.
   */
  function carrierAndLegs({ flightNumber, date = dayOf(clock()) }: LookUp) {
    const carrier = carrierOf(flightNumber, date)
    if (!carrier) return undefined
    return { airline: carrier.airline, legs: () => (carrier.hasEnded ? [] : shipped(carrier, date)) }
  }

  function lookUp(caller: Caller, { flightNumber, date = dayOf(clock()) }: LookUp): FlightSuggestion[] {
    authorize(caller, 'lookUpFlightNumber', {})
    const carrier = carrierOf(flightNumber, date)
    const own = canUseScope(caller, 'flight.read.own') ? logged(caller.userId, flightNumber, carrier) : []
    return [...own, ...(carrier && !carrier.hasEnded ? shipped(carrier, date) : [])].slice(0, MAX_SUGGESTIONS)
  }

  return { lookUp, carrierOf: carrierAndLegs }
}
