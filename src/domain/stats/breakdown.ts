import type { Target } from '../flights/target.ts'
import type { Aircraft, Airline, Airport } from '../reference/contract.ts'
import type { Breakdown, BreakdownBy, BreakdownGroup, BreakdownSort } from './contract.ts'
import type { Alike, CompletedFlight } from './rows.ts'

/** Figures of completed flights in groups (contract 16.2). */

export interface Records {
  airport: (id: number) => Airport | undefined
  airline: (id: number) => Airline | undefined
  aircraft: (id: number) => Aircraft | undefined
}

type Key = string | number | null

export interface Sum {
  flights: number
  meters: number
  seconds: number
  known: number
}

export const nothing = (): Sum => ({ flights: 0, meters: 0, seconds: 0, known: 0 })

export function count(sum: Sum, { flights, meters, seconds, known }: CompletedFlight): void {
  sum.flights += flights
  sum.meters += meters ?? 0
  sum.seconds += seconds ?? 0
  sum.known += known
}

function plus(left: Sum, right: Sum): Sum {
  return {
    flights: left.flights + right.flights,
    meters: left.meters + right.meters,
    seconds: left.seconds + right.seconds,
    known: left.known + right.known,
  }
}

export const figures = ({ flights, meters, seconds, known }: Sum) => ({
  flights,
  distanceKm: Math.round(meters / 1000),
  durationSeconds: seconds,
  durationKnown: known,
})

/** Monday is 1. */
const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

const plainCode = (code: string) =>
  code.replace(/[a-z]/g, (letter) => letter.toUpperCase()).replace(/[ -]/g, '') || null

const ends = { fromId: 'f.from_id', toId: 'f.to_id' }

/** What flights of the same groups are alike in, so that SQL can sum them up; several people are counted one by one. */
export const alikeBy = (by: BreakdownBy, target: Target): Alike | undefined =>
  target === 'all' ? alikeInAll[by] : (alikeInAll[by] ?? alikeInLog[by])

const alikeInLog: Partial<Record<BreakdownBy, Alike>> = {
  seat: { seat: 'p.seat' },
  seatClass: { seatClass: 'p.seat_class' },
  flightReason: { flightReason: 'p.flight_reason' },
}

const alikeInAll: Partial<Record<BreakdownBy, Alike>> = {
  year: { date: 'substr(f.date, 1, 4)' },
  month: { date: 'substr(f.date, 1, 7)', precision: 'f.date_precision' },
  weekday: { date: 'f.date', precision: 'f.date_precision' },
  airport: ends,
  route: ends,
  connection: ends,
  country: ends,
  continent: ends,
  airline: { airlineId: 'f.airline_id' },
  aircraft: { aircraftId: 'f.aircraft_id' },
  aircraftReg: { registration: 'f.aircraft_reg' },
}

/** The groups to which a flight belongs; none where it is not precise enough. */
function keysOf(by: BreakdownBy, flight: CompletedFlight, records: Records): Key[] {
  const { date, precision, fromId, toId } = flight
  const ends = <Value>(of: (airport: Airport) => Value) => [
    ...new Set([of(records.airport(fromId)!), of(records.airport(toId)!)]),
  ]
  switch (by) {
    case 'year':
      return [Number(date.slice(0, 4))]
    case 'month':
      return precision === 'year' ? [] : [date.slice(0, 7)]
    case 'weekday':
      return precision === 'day' ? [weekday(date)] : []
    case 'airport':
      return fromId === toId ? [fromId] : [fromId, toId]
    case 'route':
      return [`${fromId}-${toId}`]
    case 'connection':
      return [`${Math.min(fromId, toId)}-${Math.max(fromId, toId)}`]
    case 'airline':
      return [flight.airlineId]
    case 'aircraft':
      return [flight.aircraftId]
    case 'aircraftReg':
      return [flight.registration === null ? null : plainCode(flight.registration)]
    case 'country':
      return ends(({ country }) => country)
    case 'continent':
      return ends(({ continent }) => continent)
    case 'seat':
    case 'seatClass':
    case 'flightReason':
      return flight.people.map((person) => person[by])
    case 'companion':
      return flight.people.map(({ key }) => key)
  }
}

/** What a group has beside its key and figures. */
function described(by: BreakdownBy, key: Key, records: Records, names: ReadonlyMap<Key, string>): object {
  const airportAt = (index: number) => records.airport(Number(String(key).split('-')[index]))!
  switch (by) {
    case 'airport':
      return { airport: records.airport(key as number)! }
    case 'route':
    case 'connection':
      return { from: airportAt(0), to: airportAt(1) }
    case 'airline':
      return { airline: key === null ? null : records.airline(key as number)! }
    case 'aircraft':
      return { aircraft: key === null ? null : records.aircraft(key as number)! }
    case 'companion':
      return { name: names.get(key)! }
    default:
      return {}
  }
}

/** Ascending; what has no key comes last. */
function byKey([left]: [Key, Sum], [right]: [Key, Sum]): number {
  if (left === right) return 0
  if (left === null) return 1
  if (right === null) return -1
  return left < right ? -1 : 1
}

const measures = {
  flights: ({ flights }: Sum) => flights,
  // As it is shown: groups that look equal are ordered by their keys.
  distance: ({ meters }: Sum) => Math.round(meters / 1000),
  duration: ({ seconds }: Sum) => seconds,
  key: () => 0,
} as const satisfies Record<BreakdownSort, (sum: Sum) => number>

interface Wanted {
  by: BreakdownBy
  sort: BreakdownSort
  limit: number
}

interface Grouping {
  keysOf: (flight: CompletedFlight) => readonly Key[]
  /** What a group has beside its key and figures. */
  described?: (key: Key) => object
  sort: BreakdownSort
  limit: number
}

/** Counts up a log that comes in slices, in groups of any kind. */
export function grouped({ keysOf, described = () => ({}), sort, limit }: Grouping) {
  const groups = new Map<Key, Sum>()
  const total = nothing()

  function add(flights: readonly CompletedFlight[]): void {
    for (const flight of flights) {
      const keys = keysOf(flight)
      if (keys.length > 0) count(total, flight)
      for (const key of keys) {
        const sum = groups.get(key) ?? nothing()
        count(sum, flight)
        groups.set(key, sum)
      }
    }
  }

  function result(): Breakdown {
    const measure = measures[sort]
    const sorted = [...groups].sort((left, right) => measure(right[1]) - measure(left[1]) || byKey(left, right))
    const rest = sorted.slice(limit).map(([, sum]) => sum)
    return {
      total: figures(total),
      groups: sorted
        .slice(0, limit)
        .map(([key, sum]) => ({ key, ...described(key), ...figures(sum) }) as BreakdownGroup),
      others: rest.length === 0 ? null : figures(rest.reduce(plus, nothing())),
    }
  }

  /** How many groups there are, the one without a key left out. */
  const size = () => groups.size - (groups.has(null) ? 1 : 0)

  return { add, result, size }
}

/** The groups that the contract knows. */
export function breakdown({ by, sort, limit }: Wanted, records: Records) {
  const names = new Map<Key, string>()
  const groups = grouped({
    keysOf: (flight) => keysOf(by, flight, records),
    described: (key) => described(by, key, records, names),
    sort,
    limit,
  })

  function add(flights: readonly CompletedFlight[]): void {
    groups.add(flights)
    if (by !== 'companion') return
    for (const { people } of flights) for (const { key, name } of people) names.set(key, name)
  }

  return { ...groups, add }
}
