import { normalizeCode } from '../../lib/text.ts'
import type { FigureName } from '../flights/scan.ts'
import type { Target } from '../flights/target.ts'
import type { Airport, Records } from '../reference/contract.ts'
import type { Breakdown, BreakdownBy, BreakdownGroup, BreakdownSort } from './contract.ts'
import { count, groupSums, include, type Key, nothing, type Sum, type SumTable, summed } from './group-sums.ts'
import { type CompletedFlight, GUEST, type People, type Person } from './rows.ts'

/** Figures of completed flights in groups (contract 16.2). */

/** The first groups in an order, and the sum of the rest, without sorting all groups. */
function firstGroups(limit: number, compare: (a: [Key, Sum], b: [Key, Sum]) => number) {
  const first: [Key, Sum][] = []
  const others = nothing()

  function add(group: [Key, Sum]): void {
    if (first.length === limit && compare(group, first[limit - 1]!) > 0) {
      include(others, group[1])
      return
    }
    let [low, high] = [0, first.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (compare(first[middle]!, group) < 0) low = middle + 1
      else high = middle
    }
    first.splice(low, 0, group)
    if (first.length > limit) include(others, first.pop()![1])
  }

  return { first, others, add }
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
  records: Records,
  people: readonly Person[] | undefined,
): readonly Key[] {
  const { date, precision, fromId, toId } = flight
  const ends = (of: (airport: Airport) => string) => {
    const [from, to] = [of(records.airport(fromId)!), of(records.airport(toId)!)]
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
      return [normalizeCode(flight.registration ?? '') || null]
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
      return { name: names.get(key) ?? String(key).slice(GUEST.length) }
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
  openTable?: () => SumTable
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
  /** For groupings without a limit on the number of groups. */
  openTable?: (() => SumTable) | undefined
}

/** Counts up a log that comes in slices, in groups of any kind. */
export function grouped<Name extends FigureName>(grouping: Grouping<Name>) {
  const { keysOf, described = () => ({}), sort, limit } = grouping
  const columns = [...grouping.columns, ...summed]
  const sums = groupSums(grouping.openTable)
  const total = nothing()
  const measure = measures[sort]
  const {
    first,
    others,
    add: addGroup,
  } = firstGroups(limit, (left, right) => measure(right[1]) - measure(left[1]) || byKey(left, right))

  function add(flights: readonly CompletedFlight<Name | 'id' | (typeof summed)[number]>[], people?: People): void {
    for (const flight of flights) {
      const keys = keysOf(flight, people && (people.get(flight.id) ?? NOBODY))
      if (keys.length > 0) count(total, flight)
      for (const key of keys) sums.add(key, flight)
    }
  }

  /** Finds the first groups; to be run once, before the result is taken. */
  function* finish(): Generator<undefined> {
    for (const some of sums.all()) {
      for (const group of some ?? []) addGroup(group)
      yield
    }
  }

  const result = (): Breakdown => ({
    total: figures(total),
    groups: first.map(([key, sum]) => ({ key, ...described(key), ...figures(sum) }) as BreakdownGroup),
    others: others.flights > 0 ? figures(others) : null,
  })

  return { columns, add, spill: sums.spill, finish, result, close: sums.close }
}

/** The groups that the contract knows. */
export function breakdown({ target, by, sort, limit, openTable }: Wanted, records: Records) {
  const names = new Map<Key, string>()
  const people = countsPeople(by, target)
  const groups = grouped<FigureName>({
    columns: people ? ['id'] : columnsBy[by],
    keysOf: (flight, aboard) => keysOf(by, flight, records, aboard),
    described: (key) => described(by, key, records, names),
    sort,
    limit,
    openTable,
  })

  function add(flights: readonly CompletedFlight[], aboard?: People): void {
    groups.add(flights, people ? aboard : undefined)
    if (by !== 'companion') return
    // The key of a guest has the name already.
    for (const { id } of flights)
      for (const { key, name } of aboard!.get(id) ?? NOBODY) if (!key.startsWith(GUEST)) names.set(key, name)
  }

  return { ...groups, add, people }
}
