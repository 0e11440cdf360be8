import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

/** The flights and airports that stand out among completed flights (contract 16.2). */

const EQUATOR_METERS = 40_075_017
const MOON_METERS = 384_400_000

interface Best {
  flight: CompletedFlight
  value: number
}

/** Of equals the earlier date, then the lower id. */
const isBefore = (left: CompletedFlight, right: CompletedFlight) =>
  left.date === right.date ? left.id < right.id : left.date < right.date

function highest(measure: (flight: CompletedFlight) => number | null) {
  let best: Best | undefined
  return {
    add(flight: CompletedFlight): void {
      const value = measure(flight)
      if (value === null) return
      const wins = !best || value > best.value || (value === best.value && isBefore(flight, best.flight))
      if (wins) best = { flight, value }
    },
    found: () => best?.flight,
  }
}

const negative = (value: number | null) => (value === null || value <= 0 ? null : -value)
const asDay = ({ date }: CompletedFlight) => Date.parse(`${date}T00:00:00Z`)

/** Where several airports lie equally far, the one met first. */
function outermost(measure: (airport: Airport) => number) {
  let best: { airport: Airport; value: number; flight: CompletedFlight } | undefined
  return {
    add(flight: CompletedFlight, airports: readonly Airport[]): void {
      for (const airport of airports) {
        const value = measure(airport)
        const wins = !best || value > best.value || (value === best.value && isBefore(flight, best.flight))
        if (wins) best = { airport, value, flight }
      }
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

/** Counts up a log that comes in slices. Flights are named by id: only the few that stand out are read whole. */
export function recordsOf(airportOf: (id: number) => Airport | undefined) {
  const flights = {
    longestDistance: highest(({ meters }) => meters),
    shortestDistance: highest(({ meters }) => negative(meters)),
    longestDuration: highest(({ seconds }) => seconds),
    shortestDuration: highest(({ seconds }) => negative(seconds)),
    first: highest((flight) => -asDay(flight)),
    latest: highest(asDay),
  }
  const airports = {
    northernmost: outermost(({ latitude }) => latitude),
    southernmost: outermost(({ latitude }) => -latitude),
    easternmost: outermost(({ longitude }) => longitude),
    westernmost: outermost(({ longitude }) => -longitude),
  }
  const [days, months] = [busiest(), busiest()]
  let meters = 0

  function add(slice: readonly CompletedFlight[]): void {
    for (const flight of slice) {
      meters += flight.meters ?? 0
      for (const each of Object.values(flights)) each.add(flight)
      const ends = [airportOf(flight.fromId)!, airportOf(flight.toId)!]
      for (const each of Object.values(airports)) each.add(flight, ends)
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
        first: idOf(flights.first),
        latest: idOf(flights.latest),
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

  return { add, result }
}
