import type { Aircraft, Airline, Airport } from '../reference/contract.ts'
import type { Stats } from './contract.ts'
import type { Group } from './store.ts'

interface Records {
  airport: (id: number) => Airport | undefined
  airline: (id: number) => Airline | undefined
  aircraft: (id: number) => Aircraft | undefined
}

/** Counts keys and remembers where each was met first, since ties go to the first. */
function tally<Key>() {
  const counts = new Map<Key, { count: number; first: number }>()
  return {
    add(key: Key, count: number, first: number): void {
      const found = counts.get(key)
      if (!found) counts.set(key, { count, first })
      else {
        found.count += count
        found.first = Math.min(found.first, first)
      }
    },
    size: () => counts.size,
    top(): { key: Key; count: number } | undefined {
      let best: { key: Key; count: number; first: number } | undefined
      for (const [key, { count, first }] of counts) {
        if (!best || count > best.count || (count === best.count && first < best.first)) best = { key, count, first }
      }
      return best
    },
  }
}

const place = ({ id, name, icao, iata }: Airport) => ({ id, name, icao, iata })

/** The figures of contract 4.11. */
export function figures(groups: readonly Group[], records: Records): Stats {
  const airports = tally<number>()
  const airlines = tally<number>()
  const aircraft = tally<number>()
  const routes = tally<string>()
  let [flights, meters, seconds] = [0, 0, 0]
  for (const [fromId, toId, airlineId, aircraftId, count, distance, duration, firstId] of groups) {
    if (firstId === null) continue
    flights += count
    meters += distance ?? 0
    seconds += duration ?? 0
    // In one flight the origin is met before the destination.
    airports.add(fromId, count, 2 * firstId)
    airports.add(toId, count, 2 * firstId + 1)
    if (airlineId !== null) airlines.add(airlineId, count, firstId)
    if (aircraftId !== null) aircraft.add(aircraftId, count, firstId)
    routes.add(`${fromId} ${toId}`, count, firstId)
  }
  const airport = airports.top()
  const airline = airlines.top()
  const type = aircraft.top()
  const route = routes.top()
  const ends = route?.key.split(' ').map((id) => place(records.airport(Number(id))!))
  return {
    flights,
    distanceKm: Math.round(meters / 1000),
    durationSeconds: seconds,
    airports: airports.size(),
    topAirline: airline ? { ...nameAndCodes(records.airline(airline.key)!), count: airline.count } : null,
    topAirport: airport ? { ...place(records.airport(airport.key)!), count: airport.count } : null,
    topAircraft: type ? { ...nameAndCode(records.aircraft(type.key)!), count: type.count } : null,
    topRoute: route && ends ? { from: ends[0]!, to: ends[1]!, count: route.count } : null,
  }
}

const nameAndCodes = ({ id, name, iata, icao }: Airline) => ({ id, name, iata, icao })
const nameAndCode = ({ id, name, icao }: Aircraft) => ({ id, name, icao })
