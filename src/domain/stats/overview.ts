import type { FigureName } from '../flights/scan.ts'
import type { Records } from '../reference/contract.ts'
import { breakdown, figures, grouped } from './breakdown.ts'
import type { Breakdown, BreakdownBy, BreakdownSort } from './contract.ts'
import { count, nothing, type SumTable, summed } from './group-sums.ts'
import { recordsOf } from './records.ts'
import type { CompletedFlight, People } from './rows.ts'

/** Everything that the page of statistics shows, counted up in one walk over a log. */

const MOST_YEARS = 1000
/** Ten, and the group of flights without, which is told apart. */
const MOST_SHOWN = 11

const wanted = {
  year: ['key', MOST_YEARS],
  weekday: ['key', 7],
  airport: ['flights', MOST_SHOWN],
  connection: ['flights', MOST_SHOWN],
  airline: ['flights', MOST_SHOWN],
  aircraft: ['flights', MOST_SHOWN],
  aircraftReg: ['flights', MOST_SHOWN],
  country: ['flights', MOST_SHOWN],
  seat: ['flights', MOST_SHOWN],
  seatClass: ['flights', MOST_SHOWN],
  flightReason: ['flights', MOST_SHOWN],
  companion: ['flights', MOST_SHOWN],
} as const satisfies Partial<Record<BreakdownBy, [sort: BreakdownSort, limit: number]>>

type OverviewBy = keyof typeof wanted

/** Where one class of distances ends and the next begins, in km. */
const distanceLimits = [500, 1500, 4000, 8000]

/** One of them more than there are limits; the last has no end. */
export const distanceClasses = [...distanceLimits, Number.POSITIVE_INFINITY].map((below, index) => ({
  from: distanceLimits[index - 1] ?? 0,
  below,
}))

const distanceClassOf = ({ meters }: CompletedFlight<'meters'>) =>
  meters === null ? [] : [distanceClasses.findIndex(({ below }) => meters / 1000 < below)]

const monthOfYear = ({ date, precision }: CompletedFlight<'date' | 'precision'>) =>
  precision === 'year' ? [] : [Number(date.slice(5, 7))]

/** Months of the year over all years, 1 to 12. */
export const byMonthOfYear = () =>
  grouped({ columns: ['date', 'precision'], keysOf: monthOfYear, sort: 'key', limit: 12 })

/** The figures by which a log is told in one line. */
export interface KeyFigures {
  flights: number
  distanceKm: number
  durationSeconds: number
  /** The number of flights whose duration is known. */
  durationKnown: number
  airports: number
  countries: number
  airlines: number
}

const ofKeyFigures = ['fromId', 'toId', 'airlineId', ...summed] as const

export function keyFigures(records: Records) {
  const total = nothing()
  const [airports, airlines] = [new Set<number>(), new Set<number>()]

  function add(slice: readonly CompletedFlight<(typeof ofKeyFigures)[number]>[]): void {
    for (const flight of slice) {
      count(total, flight)
      airports.add(flight.fromId).add(flight.toId)
      if (flight.airlineId !== null) airlines.add(flight.airlineId)
    }
  }

  const result = (): KeyFigures => ({
    ...figures(total),
    airports: airports.size,
    countries: new Set([...airports].map((id) => records.airport(id)!.country)).size,
    airlines: airlines.size,
  })

  return { columns: ofKeyFigures, add, result }
}

/** How far the log had come by the end of each month that has a flight. */
interface Milestone {
  month: string
  distanceKm: number
}

/** More points than these cannot be told apart in a drawing. */
const MOST_MILESTONES = 400

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
    const step = Math.ceil(all.length / MOST_MILESTONES)
    return {
      cumulative: all.filter((_, index) => (all.length - 1 - index) % step === 0),
      cumulativeKmByYear: new Map(all.map(({ month, distanceKm }) => [Number(month.slice(0, 4)), distanceKm])),
    }
  }

  return { add, result }
}

export interface Overview {
  figures: KeyFigures
  by: Record<OverviewBy, Breakdown>
  byMonthOfYear: Breakdown
  /** Keys are places in the list of distance classes. */
  byDistance: Breakdown
  cumulative: Milestone[]
  /** By the end of each year that has a flight. */
  cumulativeKmByYear: ReadonlyMap<number, number>
  records: ReturnType<ReturnType<typeof recordsOf>['result']>
}

const entriesOf = <Key extends string, Value>(object: Record<Key, Value>) => Object.entries(object) as [Key, Value][]

/** Counts up the log of one user that comes in slices, with everybody else aboard. */
export function overview(userId: string, records: Records, openTable: () => SumTable) {
  const totals = keyFigures(records)
  const breakdowns = entriesOf(wanted).map(
    ([by, [sort, limit]]) => [by, breakdown({ target: { userId }, by, sort, limit, openTable }, records)] as const,
  )
  const months = byMonthOfYear()
  const distances = grouped({
    columns: ['meters'],
    keysOf: distanceClassOf,
    sort: 'key',
    limit: distanceClasses.length,
  })
  const way = cumulative()
  const outstanding = recordsOf(records.airport)

  const plain = [totals, months, distances, outstanding]
  const columns = new Set<FigureName>(
    [...plain, ...breakdowns.map(([, each]) => each)].flatMap((each) => [...each.columns]),
  )

  function add(slice: readonly CompletedFlight[], people?: People): void {
    for (const [, each] of breakdowns) each.add(slice, people)
    for (const each of [...plain, way]) each.add(slice)
  }

  const groupings = [...breakdowns.map(([, each]) => each), months, distances]

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
    figures: totals.result(),
    by: Object.fromEntries(breakdowns.map(([by, each]) => [by, each.result()])) as Overview['by'],
    byMonthOfYear: months.result(),
    byDistance: distances.result(),
    ...way.result(),
    records: outstanding.result(),
  })

  return { columns: [...columns], people: true, add, spill, finish, result, close }
}

/** Groups of which the memory that is kept consists. */
export const groupsIn = ({ by, cumulative, cumulativeKmByYear }: Overview) =>
  Object.values(by).reduce((sum, { groups }) => sum + groups.length, cumulative.length + cumulativeKmByYear.size)
