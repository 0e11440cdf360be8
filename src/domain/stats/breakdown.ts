import { normalizeCode } from '../../lib/text.ts'
import type { FigureName } from '../flights/query/scan.ts'
import type { Target } from '../flights/query/target.ts'
import type { Records } from '../reference/contract.ts'
import type { Breakdown, BreakdownBy, BreakdownGroup, BreakdownQuery, BreakdownSort } from './contract.ts'
import {
  addFlight,
  addSum,
  emptySum,
  figures,
  groupSums,
  type Key,
  type Sum,
  type SumTable,
  summed,
} from './group-sums.ts'
import { type CompletedFlight, GUEST, type People, type Person } from './rows.ts'

const weekday = (date: string) => new Date(`${date}T00:00:00Z`).getUTCDay() || 7

interface GroupBy {
  columns: readonly FigureName[]
  /** The groups of a flight; none if its date is not precise enough. */
  keysOf: (flight: CompletedFlight, records: Records, people: readonly Person[] | undefined) => readonly Key[]
  describe?: (key: Key, records: Records) => object
}

const ends = ['fromId', 'toId'] as const

const distinct = <Item>(from: Item, to: Item) => (from === to ? [from] : [from, to])

const byPlace = (member: 'country' | 'continent'): GroupBy => ({
  columns: ends,
  keysOf: ({ fromId, toId }, { airport }) => distinct(airport(fromId)![member], airport(toId)![member]),
})

const bySeating = (member: 'seat' | 'seatClass' | 'flightReason'): GroupBy => ({
  columns: [member],
  keysOf: (flight, _, people) => (people ? people.map((person) => person[member]) : [flight[member]]),
})

function fromAndTo(key: Key, { airport }: Records) {
  const [from, to] = String(key)
    .split('-')
    .map((id) => airport(Number(id))!)
  return { from, to }
}

const groupings: Record<BreakdownBy, GroupBy> = {
  year: { columns: ['date'], keysOf: ({ date }) => [Number(date.slice(0, 4))] },
  month: {
    columns: ['date', 'precision'],
    keysOf: ({ date, precision }) => (precision === 'year' ? [] : [date.slice(0, 7)]),
  },
  weekday: {
    columns: ['date', 'precision'],
    keysOf: ({ date, precision }) => (precision === 'day' ? [weekday(date)] : []),
  },
  airport: {
    columns: ends,
    keysOf: ({ fromId, toId }) => distinct(fromId, toId),
    describe: (key, { airport }) => ({ airport: airport(key as number)! }),
  },
  route: { columns: ends, keysOf: ({ fromId, toId }) => [`${fromId}-${toId}`], describe: fromAndTo },
  connection: {
    columns: ends,
    keysOf: ({ fromId, toId }) => [`${Math.min(fromId, toId)}-${Math.max(fromId, toId)}`],
    describe: fromAndTo,
  },
  country: byPlace('country'),
  continent: byPlace('continent'),
  airline: {
    columns: ['airlineId'],
    keysOf: ({ airlineId }) => [airlineId],
    describe: (key, { airline }) => ({ airline: key === null ? null : airline(key as number)! }),
  },
  aircraft: {
    columns: ['aircraftId'],
    keysOf: ({ aircraftId }) => [aircraftId],
    describe: (key, { aircraft }) => ({ aircraft: key === null ? null : aircraft(key as number)! }),
  },
  aircraftReg: {
    columns: ['registration'],
    keysOf: ({ registration }) => [normalizeCode(registration ?? '') || null],
  },
  seat: bySeating('seat'),
  seatClass: bySeating('seatClass'),
  flightReason: bySeating('flightReason'),
  companion: { columns: ['id'], keysOf: (_, __, people) => people!.map(({ key }) => key) },
}

/** Whether passengers other than the owner of the log count. */
const countsPeople = (by: BreakdownBy, target: Target) =>
  by === 'companion' || (target === 'all' && (by === 'seat' || by === 'seatClass' || by === 'flightReason'))

function byKey([left]: [Key, Sum], [right]: [Key, Sum]): number {
  if (left === right) return 0
  if (left === null) return 1
  if (right === null) return -1
  return left < right ? -1 : 1
}

const measures = {
  flights: ({ flights }: Sum) => flights,
  // As displayed, so that groups with equal figures are ordered by key.
  distance: ({ meters }: Sum) => Math.round(meters / 1000),
  duration: ({ seconds }: Sum) => seconds,
  key: () => 0,
} as const satisfies Record<BreakdownSort, (sum: Sum) => number>

interface Wanted extends Pick<BreakdownQuery, 'by' | 'sort' | 'limit'> {
  target: Target
  openTable?: () => SumTable
}

interface Grouping<Name extends FigureName> {
  columns: readonly Name[]
  /** If passengers are given, they count instead of the owner of the log. */
  keysOf: (flight: CompletedFlight<Name>, people: readonly Person[] | undefined) => readonly Key[]
  describe?: (key: Key) => object
  sort: BreakdownSort
  limit: number
  /** For an unlimited number of groups. */
  openTable?: (() => SumTable) | undefined
}

export function grouped<Name extends FigureName>(grouping: Grouping<Name>) {
  const { keysOf, describe = () => ({}), sort, limit } = grouping
  const columns = [...grouping.columns, ...summed]
  const sums = groupSums(grouping.openTable)
  const [total, others] = [emptySum(), emptySum()]
  const measure = measures[sort]
  let first: [Key, Sum][] = []

  function add(flights: readonly CompletedFlight<Name | 'id' | (typeof summed)[number]>[], people?: People): void {
    for (const flight of flights) {
      const keys = keysOf(flight, people && (people.get(flight.id) ?? []))
      if (keys.length > 0) addFlight(total, flight)
      for (const key of keys) sums.add(key, flight)
    }
  }

  /** To be run once, before `result`. */
  function* finish(): Generator<undefined> {
    for (const chunk of sums.all()) {
      const sorted = [...first, ...(chunk ?? [])].sort(
        (left, right) => measure(right[1]) - measure(left[1]) || byKey(left, right),
      )
      first = sorted.slice(0, limit)
      for (const [, sum] of sorted.slice(limit)) addSum(others, sum)
      yield
    }
  }

  const result = (): Breakdown => ({
    total: figures(total),
    groups: first.map(([key, sum]) => ({ key, ...describe(key), ...figures(sum) }) as BreakdownGroup),
    others: others.flights > 0 ? figures(others) : null,
  })

  return { columns, add, spill: sums.spill, finish, result, close: sums.close }
}

/** Groups flights by a key of contract 16.2. */
export function breakdown({ target, by, sort, limit, openTable }: Wanted, records: Records) {
  const names = new Map<Key, string>()
  const people = countsPeople(by, target)
  const { columns, keysOf, describe } = groupings[by]
  const groups = grouped<FigureName>({
    columns: people ? ['id'] : columns,
    keysOf: (flight, aboard) => keysOf(flight, records, aboard),
    describe: (key) =>
      by === 'companion'
        ? { name: names.get(key) ?? String(key).slice(GUEST.length) }
        : (describe?.(key, records) ?? {}),
    sort,
    limit,
    openTable,
  })

  function add(flights: readonly CompletedFlight[], aboard?: People): void {
    groups.add(flights, people ? aboard : undefined)
    if (by !== 'companion') return
    // The key of a guest contains the name.
    for (const { id } of flights)
      for (const { key, name } of aboard!.get(id) ?? []) if (!key.startsWith(GUEST)) names.set(key, name)
  }

  return { ...groups, add, people }
}
