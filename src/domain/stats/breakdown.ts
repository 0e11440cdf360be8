import { plainCode } from '../../lib/text.ts'
import type { FigureName } from '../flights/scan.ts'
import type { Target } from '../flights/target.ts'
import type { Aircraft, Airline, Airport } from '../reference/contract.ts'
import type { Breakdown, BreakdownBy, BreakdownGroup, BreakdownSort } from './contract.ts'
import type { CompletedFlight, People, Person } from './rows.ts'

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

export const summed = ['meters', 'seconds'] as const

export function count(sum: Sum, { meters, seconds }: CompletedFlight<(typeof summed)[number]>): void {
  sum.flights++
  sum.meters += meters ?? 0
  if (seconds === null) return
  sum.seconds += seconds
  sum.known++
}

function include(sum: Sum, more: Sum): void {
  sum.flights += more.flights
  sum.meters += more.meters
  sum.seconds += more.seconds
  sum.known += more.known
}

/** The first of many in an order. They are not all sorted for it: a log may have a group for each of its flights. */
function firstOf<Item>(items: Iterable<Item>, most: number, compare: (a: Item, b: Item) => number): Item[] {
  const first: Item[] = []
  for (const item of items) {
    if (first.length === most && compare(item, first[most - 1]!) > 0) continue
    let [low, high] = [0, first.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(first[middle]!, item) < 0) low = middle + 1
      else high = middle
    }
    first.splice(low, 0, item)
    if (first.length > most) first.pop()
  }
  return first
}

export const figures = ({ flights, meters, seconds, known }: Sum) => ({
  flights,
  distanceKm: Math.round(meters / 1000),
  durationSeconds: seconds,
  durationKnown: known,
})

/** Monday is 1. */
const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

/** What tells the groups of a flight; the last four are those of people. */
const columnsBy: Record<BreakdownBy, readonly FigureName[]> = {
  year: ['date'],
  month: ['date', 'precision'],
  weekday: ['date', 'precision'],
  airport: ['fromId', 'toId'],
  route: ['fromId', 'toId'],
  connection: ['fromId', 'toId'],
  country: ['fromId', 'toId'],
  continent: ['fromId', 'toId'],
  airline: ['airlineId'],
  aircraft: ['aircraftId'],
  aircraftReg: ['registration'],
  seat: ['seat'],
  seatClass: ['seatClass'],
  flightReason: ['flightReason'],
  companion: ['id'],
}

/** Whether more people count than the one whose log it is, whose place stands with the flight. */
const countsPeople = (by: BreakdownBy, target: Target) =>
  by === 'companion' || (target === 'all' && (by === 'seat' || by === 'seatClass' || by === 'flightReason'))

/** The groups to which a flight belongs; none where it is not precise enough. */
function keysOf(
  by: BreakdownBy,
  flight: CompletedFlight,
  airportOf: (id: number) => Airport,
  people: readonly Person[] | undefined,
): readonly Key[] {
  const { date, precision, fromId, toId } = flight
  const ends = (of: (airport: Airport) => string) => {
    const [from, to] = [of(airportOf(fromId)), of(airportOf(toId))]
    return from === to ? [from] : [from, to]
  }
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
      return [plainCode(flight.registration ?? '') || null]
    case 'country':
      return ends(({ country }) => country)
    case 'continent':
      return ends(({ continent }) => continent)
    case 'seat':
    case 'seatClass':
    case 'flightReason':
      return people ? people.map((person) => person[by]) : [flight[by]]
    case 'companion':
      return people!.map(({ key }) => key)
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
  target: Target
  by: BreakdownBy
  sort: BreakdownSort
  limit: number
}

const NOBODY: readonly Person[] = []

interface Grouping<Name extends FigureName> {
  /** Those that the keys are told by. */
  columns: readonly Name[]
  /** Given people, these count instead of the one whose log it is. */
  keysOf: (flight: CompletedFlight<Name>, people: readonly Person[] | undefined) => readonly Key[]
  /** What a group has beside its key and figures. */
  described?: (key: Key) => object
  sort: BreakdownSort
  limit: number
}

/** Counts up a log that comes in slices, in groups of any kind. */
export function grouped<Name extends FigureName>(grouping: Grouping<Name>) {
  const { keysOf, described = () => ({}), sort, limit } = grouping
  const columns = [...grouping.columns, ...summed]
  const groups = new Map<Key, Sum>()
  const total = nothing()

  function add(flights: readonly CompletedFlight<Name | 'id' | (typeof summed)[number]>[], people?: People): void {
    for (const flight of flights) {
      const keys = keysOf(flight, people && (people.get(flight.id) ?? NOBODY))
      if (keys.length > 0) count(total, flight)
      for (const key of keys) {
        const known = groups.get(key)
        const sum = known ?? nothing()
        count(sum, flight)
        if (!known) groups.set(key, sum)
      }
    }
  }

  function result(): Breakdown {
    const measure = measures[sort]
    const first = firstOf(groups, limit, (left, right) => measure(right[1]) - measure(left[1]) || byKey(left, right))
    const [shown, others] = [new Set(first.map(([key]) => key)), nothing()]
    if (groups.size > shown.size) for (const [key, sum] of groups) if (!shown.has(key)) include(others, sum)
    return {
      total: figures(total),
      groups: first.map(([key, sum]) => ({ key, ...described(key), ...figures(sum) }) as BreakdownGroup),
      others: groups.size > shown.size ? figures(others) : null,
    }
  }

  /** How many groups there are, the one without a key left out. */
  const size = () => groups.size - (groups.has(null) ? 1 : 0)

  return { columns, add, result, size }
}

/** The groups that the contract knows. */
export function breakdown({ target, by, sort, limit }: Wanted, records: Records) {
  const names = new Map<Key, string>()
  // Asked for once for each airport and not for each flight.
  const airports = new Map<number, Airport>()

  function airportOf(id: number): Airport {
    const airport = airports.get(id) ?? records.airport(id)!
    airports.set(id, airport)
    return airport
  }

  const people = countsPeople(by, target)
  const groups = grouped<FigureName>({
    columns: people ? ['id'] : columnsBy[by],
    keysOf: (flight, aboard) => keysOf(by, flight, airportOf, aboard),
    described: (key) => described(by, key, records, names),
    sort,
    limit,
  })

  function add(flights: readonly CompletedFlight[], aboard?: People): void {
    groups.add(flights, people ? aboard : undefined)
    if (by !== 'companion') return
    for (const persons of aboard!.values()) for (const { key, name } of persons) names.set(key, name)
  }

  return { ...groups, add, people }
}
