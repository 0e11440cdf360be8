import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

/** The flights and airports that stand out among completed flights (contract 16.2). */

const EQUATOR_METERS = 40_075_017
const MOON_METERS = 384_400_000

const columns = ['id', 'date', 'precision', 'fromId', 'toId', 'meters', 'seconds'] as const
type Counted = CompletedFlight<(typeof columns)[number]>

/** Flights come in their order, so that of equals the first one met has the earlier date, then the lower id. */
function highest(measure: (flight: Counted) => number | null) {
  let best: { flight: Counted; value: number } | undefined
  return {
    add(flight: Counted): void {
      const value = measure(flight)
      if (value !== null && (!best || value > best.value)) best = { flight, value }
    },
    found: () => best?.flight,
  }
}

const negative = (value: number | null) => (value === null || value <= 0 ? null : -value)

/** Where several airports lie equally far, the one met first. */
function outermost(measure: (airport: Airport) => number) {
  let best: { airport: Airport; value: number } | undefined
  return {
    add(airport: Airport): void {
      const value = measure(airport)
      if (!best || value > best.value) best = { airport, value }
    },
    found: () => best?.airport ?? null,
  }
}

function busiest() {
  const counts = new Map<string, number>()
  return {
    add: (key: string) => counts.set(key, (counts.get(key) ?? 0) + 1),
    found(): [key: string, flights: number] | undefined {
      let best: [string, number] | undefined
      for (const [key, flights] of counts) {
        if (!best || flights > best[1] || (flights === best[1] && key < best[0])) best = [key, flights]
      }
      return best
    },
  }
}

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** Counts up a log that comes in slices, oldest first. Flights are named by id: only the few that stand out are read whole. */
export function recordsOf(airportOf: (id: number) => Airport | undefined) {
  const flights = {
    longestDistance: highest(({ meters }) => meters),
    shortestDistance: highest(({ meters }) => negative(meters)),
    longestDuration: highest(({ seconds }) => seconds),
    shortestDuration: highest(({ seconds }) => negative(seconds)),
  }
  const airports = {
    northernmost: outermost(({ latitude }) => latitude),
    southernmost: outermost(({ latitude }) => -latitude),
    easternmost: outermost(({ longitude }) => longitude),
    westernmost: outermost(({ longitude }) => -longitude),
  }
  const [days, months] = [busiest(), busiest()]
  const met = new Set<number>()
  const [measures, directions] = [Object.values(flights), Object.values(airports)]
  let meters = 0
  let first: Counted | undefined
  /** The first one of the latest day. */
  let latest: Counted | undefined

  function meet(airportId: number): void {
    if (met.has(airportId)) return
    met.add(airportId)
    for (const each of directions) each.add(airportOf(airportId)!)
  }

  function add(slice: readonly Counted[]): void {
    for (const flight of slice) {
      meters += flight.meters ?? 0
      first ??= flight
      if (latest?.date !== flight.date) latest = flight
      for (const each of measures) each.add(flight)
      meet(flight.fromId)
      meet(flight.toId)
      if (flight.precision === 'day') days.add(flight.date)
      if (flight.precision !== 'year') months.add(flight.date.slice(0, 7))
    }
  }

  function result() {
    const [day, month] = [days.found(), months.found()]
    const idOf = ({ found }: ReturnType<typeof highest>) => found()?.id
    return {
      flightIds: {
        longestDistance: idOf(flights.longestDistance),
        shortestDistance: idOf(flights.shortestDistance),
        longestDuration: idOf(flights.longestDuration),
        shortestDuration: idOf(flights.shortestDuration),
        first: first?.id,
        latest: latest?.id,
      },
      plain: {
        northernmost: airports.northernmost.found(),
        southernmost: airports.southernmost.found(),
        easternmost: airports.easternmost.found(),
        westernmost: airports.westernmost.found(),
        busiestDay: day ? { date: day[0], flights: day[1] } : null,
        busiestMonth: month ? { month: month[0], flights: month[1] } : null,
        aroundTheEarth: rounded(meters / EQUATOR_METERS, 2),
        toTheMoon: rounded(meters / MOON_METERS, 3),
      },
    }
  }

  return { columns, add, result }
}
