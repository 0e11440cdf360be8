import type { FigureName } from '../flights/query/scan.ts'
import type { Aircraft, Airport, Records } from '../reference/contract.ts'
import { breakdown, grouped } from './breakdown.ts'
import type { Breakdown, BreakdownBy, BreakdownSort } from './contract.ts'
import type { SumTable } from './group-sums.ts'
import { type PunctualityFound, punctuality } from './punctuality.ts'
import { recordsOf } from './records.ts'
import type { CompletedFlight, People } from './rows.ts'
import { type KeyFigures, logTotals } from './totals.ts'

const MAX_YEARS = 1000
/** Ten, and the group without a key, which is shown separately. */
const MAX_GROUPS = 11
/** For the tree of aircraft families. */
const MAX_AIRCRAFT = 60

const wanted = {
  year: ['key', MAX_YEARS],
  weekday: ['key', 7],
  airport: ['flights', MAX_GROUPS],
  connection: ['flights', MAX_GROUPS],
  airline: ['flights', MAX_GROUPS],
  aircraft: ['flights', MAX_AIRCRAFT],
  aircraftReg: ['flights', MAX_GROUPS],
  country: ['flights', MAX_GROUPS],
  seat: ['flights', MAX_GROUPS],
  seatClass: ['flights', MAX_GROUPS],
  flightReason: ['flights', MAX_GROUPS],
  companion: ['flights', MAX_GROUPS],
} as const satisfies Partial<Record<BreakdownBy, [sort: BreakdownSort, limit: number]>>

type OverviewBy = keyof typeof wanted

/** Half the circumference of the earth, in steps of 400 km. */
const MAX_DISTANCE_STEPS = 50

/** By the distance in steps: 0 for flights below the first one. */
const byDistance = (stepKm: number) =>
  grouped({
    columns: ['meters'],
    keysOf: ({ meters }) => (meters === null ? [] : [Math.floor(meters / 1000 / stepKm)]),
    sort: 'key',
    limit: MAX_DISTANCE_STEPS,
  })

const MAX_CALENDARS = 3

export interface DayFlown {
  date: string
  flights: number
}

function dayCounts() {
  const flights = new Map<string, number>()

  function add(slice: readonly CompletedFlight<'date' | 'precision'>[]): void {
    for (const { date, precision } of slice) if (precision === 'day') flights.set(date, (flights.get(date) ?? 0) + 1)
  }

  function result(): Pick<Overview, 'calendars'> {
    const days = [...flights].map(([date, count]) => ({ date, flights: count }))
    const byYear = [...Map.groupBy(days, ({ date }) => Number(date.slice(0, 4)))]
    const newest = byYear.sort(([left], [right]) => right - left).slice(0, MAX_CALENDARS)
    return { calendars: newest.map(([year, own]) => ({ year, days: own })) }
  }

  return { columns: ['date', 'precision'] as const, add, result }
}

const monthOfYear = ({ date, precision }: CompletedFlight<'date' | 'precision'>) =>
  precision === 'year' ? [] : [Number(date.slice(5, 7))]

const byMonthOfYear = () => grouped({ columns: ['date', 'precision'], keysOf: monthOfYear, sort: 'key', limit: 12 })

interface Milestone {
  month: string
  distanceKm: number
}

/** A chart cannot show more points. */
const MAX_MILESTONES = 400

function cumulative() {
  const meters = new Map<string, number>()

  function add(slice: readonly CompletedFlight<'date' | 'meters'>[]): void {
    for (const flight of slice) {
      const month = flight.date.slice(0, 7)
      meters.set(month, (meters.get(month) ?? 0) + (flight.meters ?? 0))
    }
  }

  function result(): Pick<Overview, 'cumulative' | 'cumulativeKmByYear'> {
    let sum = 0
    const all = [...meters].sort().map(([month, more]) => {
      sum += more
      return { month, distanceKm: Math.round(sum / 1000) }
    })
    const step = Math.ceil(all.length / MAX_MILESTONES)
    return {
      cumulative: all.filter((_, index) => (all.length - 1 - index) % step === 0),
      cumulativeKmByYear: new Map(all.map(({ month, distanceKm }) => [Number(month.slice(0, 4)), distanceKm])),
    }
  }

  return { columns: ['date', 'meters'] as const, add, result }
}

interface Part {
  columns: readonly FigureName[]
  add: (slice: readonly CompletedFlight[], people?: People) => void
}

const columnsOf = (parts: readonly Part[]) => [...new Set(parts.flatMap(({ columns }) => columns))]

export interface Overview {
  figures: KeyFigures
  by: Record<OverviewBy, Breakdown>
  byMonthOfYear: Breakdown
  byDistance: Breakdown
  /** The newest years with flights on known days. */
  calendars: { year: number; days: DayFlown[] }[]
  cumulative: Milestone[]
  cumulativeKmByYear: ReadonlyMap<number, number>
  records: ReturnType<ReturnType<typeof recordsOf>['result']>
  punctuality: PunctualityFound
}

const entriesOf = <Key extends string, Value>(object: Record<Key, Value>) => Object.entries(object) as [Key, Value][]

/** Everything on the statistics page, from one scan of a user's log. */
export function overview(userId: string, distanceStepKm: number, records: Records, openTable: () => SumTable) {
  const totals = logTotals()
  const breakdowns = entriesOf(wanted).map(
    ([by, [sort, limit]]) => [by, breakdown({ target: { userId }, by, sort, limit, openTable }, records)] as const,
  )
  const months = byMonthOfYear()
  const distances = byDistance(distanceStepKm)
  const days = dayCounts()
  const distance = cumulative()
  const extremes = recordsOf(records.airport)
  const delays = punctuality()

  const groupings = [...breakdowns.map(([, each]) => each), months, distances]
  const parts: Part[] = [...groupings, totals, distance, days, extremes, delays]

  function add(slice: readonly CompletedFlight[], people?: People): void {
    for (const each of parts) each.add(slice, people)
  }

  function* spill(): Generator<undefined> {
    for (const each of groupings) yield* each.spill()
  }

  function* finish(): Generator<undefined> {
    for (const each of groupings) yield* each.finish()
  }

  const close = () => {
    for (const each of groupings) each.close()
  }

  const result = (): Overview => ({
    figures: totals.keyFigures(records),
    by: Object.fromEntries(breakdowns.map(([by, each]) => [by, each.result()])) as Overview['by'],
    byMonthOfYear: months.result(),
    byDistance: distances.result(),
    ...distance.result(),
    ...days.result(),
    records: extremes.result(),
    punctuality: delays.result(),
  })

  return { columns: columnsOf(parts), people: true, add, spill, finish, result, close }
}

export interface YearReview {
  figures: KeyFigures
  before: KeyFigures
  byMonth: Breakdown
  /** Visited for the first time, in order. */
  firsts: { airports: Airport[]; countries: string[]; aircraft: Aircraft[] }
  routes: { from: Airport; to: Airport; count: number }[]
  records: ReturnType<ReturnType<typeof recordsOf>['result']>
  punctuality: PunctualityFound
}

/** Takes the flights up to the end of the year, oldest first. */
export function yearReview(year: number, records: Records) {
  const [own, before] = [logTotals(), logTotals()]
  const [months, extremes, delays] = [byMonthOfYear(), recordsOf(records.airport), punctuality()]
  const firstYears = {
    airports: new Map<number, number>(),
    countries: new Map<string, number>(),
    aircraft: new Map<number, number>(),
  }
  const parts: Part[] = [own, months, extremes, delays]
  const yearOf = ({ date }: CompletedFlight<'date'>) => Number(date.slice(0, 4))

  function addKey<Key>(firstYear: Map<Key, number>, key: Key, flown: number): void {
    if (!firstYear.has(key)) firstYear.set(key, flown)
  }

  const firstInYear = <Key>(firstYear: Map<Key, number>) =>
    [...firstYear].filter(([, first]) => first === year).map(([key]) => key)

  function add(slice: readonly CompletedFlight[]): void {
    for (const flight of slice) {
      const flown = yearOf(flight)
      for (const id of [flight.fromId, flight.toId]) {
        addKey(firstYears.airports, id, flown)
        addKey(firstYears.countries, records.airport(id)!.country, flown)
      }
      if (flight.aircraftId !== null) addKey(firstYears.aircraft, flight.aircraftId, flown)
    }
    const ofYear = slice.filter((flight) => yearOf(flight) === year)
    for (const each of parts) each.add(ofYear)
    before.add(slice.filter((flight) => yearOf(flight) === year - 1))
  }

  const result = (): YearReview => ({
    figures: own.keyFigures(records),
    before: before.keyFigures(records),
    byMonth: months.result(),
    firsts: {
      airports: firstInYear(firstYears.airports).map((id) => records.airport(id)!),
      countries: firstInYear(firstYears.countries),
      aircraft: firstInYear(firstYears.aircraft).map((id) => records.aircraft(id)!),
    },
    routes: own.flownRoutes(records),
    records: extremes.result(),
    punctuality: delays.result(),
  })

  return { columns: columnsOf(parts), add, finish: months.finish, result }
}
