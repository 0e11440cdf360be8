import type { CompletedFlight } from './rows.ts'

/** How often something was met, and in which flight first, since ties go to the first. */
export interface Tally {
  id: number
  count: number
  firstId: number
}

export interface RouteTally {
  fromId: number
  toId: number
  count: number
  firstId: number
}

/** Completed flights, counted up. */
export interface LogScan {
  flights: number
  meters: number
  seconds: number
  routes: RouteTally[]
  airlines: Tally[]
  aircraft: Tally[]
}

const columns = ['id', 'fromId', 'toId', 'airlineId', 'aircraftId', 'meters', 'seconds'] as const
type Counted = CompletedFlight<(typeof columns)[number]>

function count(tally: Tally | RouteTally, { id }: Counted): void {
  tally.count++
  if (id < tally.firstId) tally.firstId = id
}

function countById(tallies: Map<number, Tally>, id: number | null, flight: Counted): void {
  if (id === null) return
  const known = tallies.get(id)
  if (known) count(known, flight)
  else tallies.set(id, { id, count: 1, firstId: flight.id })
}

/** Counts up a log that comes in slices, in any order. */
export function logScan() {
  const airlines = new Map<number, Tally>()
  const aircraft = new Map<number, Tally>()
  const routes = new Map<number, Map<number, RouteTally>>()
  const sums = { flights: 0, meters: 0, seconds: 0 }

  function countRoute(flight: Counted): void {
    const { fromId, toId } = flight
    const known = routes.get(fromId)
    const tally = known?.get(toId)
    if (tally) {
      count(tally, flight)
      return
    }
    const made = { fromId, toId, count: 1, firstId: flight.id }
    if (known) known.set(toId, made)
    else routes.set(fromId, new Map([[toId, made]]))
  }

  return {
    columns,
    add(slice: readonly Counted[]): void {
      for (const flight of slice) {
        sums.flights++
        sums.meters += flight.meters ?? 0
        sums.seconds += flight.seconds ?? 0
        countRoute(flight)
        countById(airlines, flight.airlineId, flight)
        countById(aircraft, flight.aircraftId, flight)
      }
    },
    result: (): LogScan => ({
      ...sums,
      routes: [...routes.values()].flatMap((byDestination) => [...byDestination.values()]),
      airlines: [...airlines.values()],
      aircraft: [...aircraft.values()],
    }),
  }
}
