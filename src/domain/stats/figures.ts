import type { Aircraft, Airline, Airport, Records } from '../reference/contract.ts'
import { idsInFlights, type RecordIds } from '../reference/kinds.ts'
import type { Stats } from './contract.ts'
import type { LogScan, RouteTally, Tally } from './scan.ts'

type RecordsOf = (ids: RecordIds) => Records

/** The one met most often, of several the one met first. */
function top<Each extends { count: number; firstId: number }>(all: readonly Each[]): Each | undefined {
  let best: Each | undefined
  for (const each of all) {
    if (!best || each.count > best.count || (each.count === best.count && each.firstId < best.firstId)) best = each
  }
  return best
}

function airportsOf(routes: readonly RouteTally[]): Tally[] {
  const tallies = new Map<number, Tally>()
  const add = (id: number, count: number, firstId: number) => {
    const known = tallies.get(id) ?? { id, count: 0, firstId }
    tallies.set(id, { id, count: known.count + count, firstId: Math.min(known.firstId, firstId) })
  }
  for (const { fromId, toId, count, firstId } of routes) {
    // In one flight the origin is met before the destination.
    add(fromId, count, 2 * firstId)
    add(toId, count, 2 * firstId + 1)
  }
  return [...tallies.values()]
}

const place = ({ id, name, icao, iata }: Airport) => ({ id, name, icao, iata })
const nameAndCodes = ({ id, name, iata, icao }: Airline) => ({ id, name, iata, icao })
const nameAndCode = ({ id, name, icao }: Aircraft) => ({ id, name, icao })

/** The figures of contract 4.11. */
export function figures({ flights, meters, seconds, ...tallies }: LogScan, recordsOf: RecordsOf): Stats {
  const airports = airportsOf(tallies.routes)
  const airport = top(airports)
  const airline = top(tallies.airlines)
  const type = top(tallies.aircraft)
  const route = top(tallies.routes)
  const records = recordsOf(
    idsInFlights([
      { fromId: airport?.id, airlineId: airline?.id, aircraftId: type?.id },
      { fromId: route?.fromId, toId: route?.toId },
    ]),
  )
  const placeOf = (id: number) => place(records.airport(id)!)
  return {
    flights,
    distanceKm: Math.round(meters / 1000),
    durationSeconds: seconds,
    airports: airports.length,
    topAirline: airline ? { ...nameAndCodes(records.airline(airline.id)!), count: airline.count } : null,
    topAirport: airport ? { ...placeOf(airport.id), count: airport.count } : null,
    topAircraft: type ? { ...nameAndCode(records.aircraft(type.id)!), count: type.count } : null,
    topRoute: route ? { from: placeOf(route.fromId), to: placeOf(route.toId), count: route.count } : null,
  }
}
