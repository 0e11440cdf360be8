import type { Airport, Records } from '../reference/contract.ts'
import { idsInFlights, type RecordIds } from '../reference/kinds.ts'
import type { Stats } from './contract.ts'
import { addFlight, emptySum, figures, summed } from './group-sums.ts'
import type { CompletedFlight } from './rows.ts'

const columns = ['id', 'fromId', 'toId', 'airlineId', 'aircraftId', ...summed] as const

export interface KeyFigures {
  flights: number
  distanceKm: number
  durationSeconds: number
  durationKnown: number
  airports: number
  countries: number
  airlines: number
}

interface Tally {
  id: number
  count: number
  /** Ties go to the lowest position. */
  position: number
}

function addTo(tallies: Map<number, Tally>, id: number | null, position: number, count = 1): void {
  if (id === null) return
  const known = tallies.get(id)
  if (!known) tallies.set(id, { id, count, position })
  else {
    known.count += count
    if (position < known.position) known.position = position
  }
}

function top<Each extends Tally>(tallies: Iterable<Each>): Each | undefined {
  let best: Each | undefined
  for (const each of tallies)
    if (!best || each.count > best.count || (each.count === best.count && each.position < best.position)) best = each
  return best
}

/** Totals and favourites of flights, which may be added in any order. */
export function logTotals() {
  const total = emptySum()
  const [airlines, aircraft] = [new Map<number, Tally>(), new Map<number, Tally>()]
  const destinations = new Map<number, Map<number, Tally>>()

  function add(flights: readonly CompletedFlight<(typeof columns)[number]>[]): void {
    for (const flight of flights) {
      const { id, fromId, toId } = flight
      addFlight(total, flight)
      addTo(airlines, flight.airlineId, id)
      addTo(aircraft, flight.aircraftId, id)
      const tallies = destinations.get(fromId) ?? new Map<number, Tally>()
      addTo(tallies, toId, id)
      destinations.set(fromId, tallies)
    }
  }

  const routes = () =>
    [...destinations].flatMap(([fromId, tallies]) => [...tallies.values()].map((tally) => ({ fromId, ...tally })))

  function airports(): Map<number, Tally> {
    const tallies = new Map<number, Tally>()
    for (const { fromId, id, count, position } of routes()) {
      // The origin of a flight comes before its destination.
      addTo(tallies, fromId, 2 * position, count)
      addTo(tallies, id, 2 * position + 1, count)
    }
    return tallies
  }

  function stats(recordsOf: (ids: RecordIds) => Records): Stats {
    const visited = airports()
    const [topAirport, topRoute] = [top(visited.values()), top(routes())]
    const [topAirline, topAircraft] = [top(airlines.values()), top(aircraft.values())]
    const records = recordsOf(
      idsInFlights([
        { fromId: topAirport?.id, airlineId: topAirline?.id, aircraftId: topAircraft?.id },
        { fromId: topRoute?.fromId, toId: topRoute?.id },
      ]),
    )
    const place = (id: number) => {
      const { name, icao, iata } = records.airport(id)!
      return { id, name, icao, iata }
    }
    const airline = topAirline && records.airline(topAirline.id)!
    const type = topAircraft && records.aircraft(topAircraft.id)!
    const { durationKnown: _, ...sums } = figures(total)
    return {
      ...sums,
      airports: visited.size,
      topAirline: airline
        ? { id: airline.id, name: airline.name, iata: airline.iata, icao: airline.icao, count: topAirline.count }
        : null,
      topAirport: topAirport ? { ...place(topAirport.id), count: topAirport.count } : null,
      topAircraft: type ? { id: type.id, name: type.name, icao: type.icao, count: topAircraft.count } : null,
      topRoute: topRoute ? { from: place(topRoute.fromId), to: place(topRoute.id), count: topRoute.count } : null,
    }
  }

  function keyFigures({ airport }: Records): KeyFigures {
    const visited = airports()
    return {
      ...figures(total),
      airports: visited.size,
      countries: new Set(visited.keys().map((id) => airport(id)!.country)).size,
      airlines: airlines.size,
    }
  }

  const flownRoutes = ({ airport }: Records): { from: Airport; to: Airport; count: number }[] =>
    routes().map(({ fromId, id, count }) => ({ from: airport(fromId)!, to: airport(id)!, count }))

  return { columns, add, stats, keyFigures, flownRoutes }
}
