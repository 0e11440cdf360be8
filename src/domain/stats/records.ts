import type { Airport } from '../reference/contract.ts'
import type { CompletedFlight } from './rows.ts'

const EQUATOR_METERS = 40_075_017
const MOON_METERS = 384_400_000

const columns = ['id', 'date', 'precision', 'fromId', 'toId', 'meters', 'seconds'] as const
type Counted = CompletedFlight<(typeof columns)[number]>

function highest<Item>(measure: (item: Item) => number | null) {
  let best: { item: Item; value: number } | undefined
  return {
    add(item: Item): void {
      const value = measure(item)
      if (value !== null && (!best || value > best.value)) best = { item, value }
    },
    found: () => best?.item,
  }
}

const negative = (value: number | null) => (value === null || value <= 0 ? null : -value)

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

export const mapRecord = <Name extends string, From, To>(record: Record<Name, From>, map: (value: From) => To) =>
  Object.fromEntries(Object.entries<From>(record).map(([name, value]) => [name, map(value)])) as Record<Name, To>

const rounded = (value: number, decimals: number) => Math.round(value * 10 ** decimals) / 10 ** decimals

/** The records of contract 16.2. Takes flights by date, then by id; of equal flights the first one counts. */
export function recordsOf(airportOf: (id: number) => Airport | undefined) {
  const flights = {
    longestDistance: highest<Counted>(({ meters }) => meters),
    shortestDistance: highest<Counted>(({ meters }) => negative(meters)),
    longestDuration: highest<Counted>(({ seconds }) => seconds),
    shortestDuration: highest<Counted>(({ seconds }) => negative(seconds)),
  }
  const airports = {
    northernmost: highest<Airport>(({ latitude }) => latitude),
    southernmost: highest<Airport>(({ latitude }) => -latitude),
    easternmost: highest<Airport>(({ longitude }) => longitude),
    westernmost: highest<Airport>(({ longitude }) => -longitude),
  }
  const [days, months] = [busiest(), busiest()]
  const visited = new Set<number>()
  const [measures, directions] = [Object.values(flights), Object.values(airports)]
  let meters = 0
  let first: Counted | undefined
  let latest: Counted | undefined

  function visit(airportId: number): void {
    if (visited.has(airportId)) return
    visited.add(airportId)
    for (const each of directions) each.add(airportOf(airportId)!)
  }

  function add(slice: readonly Counted[]): void {
    for (const flight of slice) {
      meters += flight.meters ?? 0
      first ??= flight
      if (latest?.date !== flight.date) latest = flight
      for (const each of measures) each.add(flight)
      visit(flight.fromId)
      visit(flight.toId)
      if (flight.precision === 'day') days.add(flight.date)
      if (flight.precision !== 'year') months.add(flight.date.slice(0, 7))
    }
  }

  function result() {
    const [day, month] = [days.found(), months.found()]
    return {
      flightIds: {
        ...mapRecord(flights, ({ found }) => found()?.id),
        first: first?.id,
        latest: latest?.id,
      },
      plain: {
        ...mapRecord(airports, ({ found }) => found() ?? null),
        busiestDay: day ? { date: day[0], flights: day[1] } : null,
        busiestMonth: month ? { month: month[0], flights: month[1] } : null,
        aroundTheEarth: rounded(meters / EQUATOR_METERS, 2),
        toTheMoon: rounded(meters / MOON_METERS, 3),
      },
    }
  }

  return { columns, add, result }
}
