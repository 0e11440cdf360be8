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

function count(tally: Tally | RouteTally, flightId: number): void {
  tally.count++
  if (flightId < tally.firstId) tally.firstId = flightId
}

function countById(tallies: Map<number, Tally>, id: number | null, flightId: number): void {
  if (id === null) return
  const known = tallies.get(id)
  if (known) count(known, flightId)
  else tallies.set(id, { id, count: 1, firstId: flightId })
}

/** Counts up a log that comes in slices, in any order. */
export function logScan() {
  const airlines = new Map<number, Tally>()
  const aircraft = new Map<number, Tally>()
  const routes = new Map<number, Map<number, RouteTally>>()
  const sums = { flights: 0, meters: 0, seconds: 0 }

  function countRoute(fromId: number, toId: number, flightId: number): void {
    const known = routes.get(fromId)
    const tally = known?.get(toId)
    if (tally) {
      count(tally, flightId)
      return
    }
    const made = { fromId, toId, count: 1, firstId: flightId }
    if (known) known.set(toId, made)
    else routes.set(fromId, new Map([[toId, made]]))
  }

  return {
    add(slice: readonly CompletedFlight[]): void {
      for (const { id, fromId, toId, airlineId, aircraftId, meters, seconds } of slice) {
        sums.flights++
        sums.meters += meters ?? 0
        sums.seconds += seconds ?? 0
        countRoute(fromId, toId, id)
        countById(airlines, airlineId, id)
        countById(aircraft, aircraftId, id)
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
