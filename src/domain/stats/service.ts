import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { DataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { keyedQueue } from '../../lib/keyed-queue.ts'
import type { Flight } from '../flights/contract.ts'
import { type FlightFilter, filterOf } from '../flights/filter-contract.ts'
import { flightOf } from '../flights/json-cache.ts'
import type { FigureName } from '../flights/scan.ts'
import type { FlightService } from '../flights/service.ts'
import { concernsOthers, legacyConcernsOthers, type Period, type Target, targetOf } from '../flights/target.ts'
import { isCompleted } from '../flights/times.ts'
import type { Records } from '../reference/contract.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { breakdown } from './breakdown.ts'
import type { Breakdown, BreakdownQuery, Stats, StatsQuery, StatsRecords } from './contract.ts'
import { type CountryVisits, countryVisits } from './countries.ts'
import { figures } from './figures.ts'
import { sumTable } from './group-sums.ts'
import { groupsIn, type Overview, overview } from './overview.ts'
import { recordsOf } from './records.ts'
import { type CompletedFlight, type People, peopleAboard } from './rows.ts'
import { logScan } from './scan.ts'
import { type YearReview, yearReview } from './year.ts'

export type StatsService = ReturnType<typeof statsService>

const MAX_CACHE_BYTES = 4 * 1024 * 1024
const BYTES_OF_FIGURES = 2 * 1024
const BYTES_OF_GROUP = 300
/** How often a log that is written meanwhile is gone through in turns. */
const MAX_SCANS = 2
/** A scan that took less CPU time than this may be repeated without yielding. */
const MAX_AT_ONCE_MICROS = 60_000
/** Beyond these, scans wait: each holds some megabytes. */
const MAX_RUNNING_SCANS = 4
/** For what is counted in a dozen ways at once. */
const FEW_FLIGHTS = 200
const EVER = { from: null, to: null }

interface Selection {
  target: Target
  filter: FlightFilter
}

/** Counts up completed flights that come in slices. */
interface Counter<Result> {
  /** What it must know of each. */
  columns: readonly FigureName[]
  /** Whether it must know who else is aboard. */
  people?: boolean
  add: (slice: readonly CompletedFlight[], people?: People) => void
  /** Keeps its memory bounded; run after each `add`. */
  spill?: () => Generator<undefined>
  /** Run once, after the last flight. */
  finish?: () => Generator<undefined>
  result: () => Result
  close?: () => void
  /** How many flights it takes at a time, where it does much with each. */
  step?: number
  /** How many things the result is a list of: what its memory goes by. */
  sizeOf?(result: Result): number
}

/** Holds until a flight is written, or until another one counts as completed: dashboards ask again and again. */
interface Counted {
  result: unknown
  bytes: number
  from: number
  until: number
}

interface Scanned extends Counted {
  cpuMicros: number
  /** Of the data when the scan began. */
  version: DataVersion
}

/** Only completed flights count anyway: the others are left to the scan, which tells from them until when a result holds. */
function withPlanned({ target, filter: { completed, ...filter } }: Selection): Selection {
  return { target, filter: completed === false ? { ...filter, completed } : filter }
}

interface Dependencies {
  db: Db
  clock: Clock
  flights: FlightService
  reference: ReferenceService
}

export function statsService({ db, clock, flights, reference }: Dependencies) {
  const { aboard, parts } = peopleAboard(db)
  const { records } = reference
  const cache = dataCache<Counted>(db, { part: 'flights', maxBytes: MAX_CACHE_BYTES, sizeOf: ({ bytes }) => bytes })
  const running = new Map<string, Promise<Scanned>>()
  const runQueued = keyedQueue(MAX_RUNNING_SCANS)
  const openTable = () => sumTable(db)
  const inOneState = db.$client.transaction((read: () => Scanned) => read()).deferred

  /** As many flights at a time as are counted while others wait, with those aboard if the counter needs them. */
  function* portions(flights: readonly CompletedFlight[], target: Target, { people, step }: Counter<unknown>) {
    const most = step ?? (people ? FEW_FLIGHTS : Number.POSITIVE_INFINITY)
    for (const part of people ? parts(flights) : [flights]) {
      const everybody = people ? aboard(part, target) : undefined
      for (const some of inChunks(part, most)) yield { some, everybody }
    }
  }

  /** Goes through a log, oldest first, and stops after every slice. */
  function* slices(
    { target, filter }: Selection,
    counter: Counter<unknown>,
  ): Generator<undefined, Omit<Scanned, 'cpuMicros'>> {
    const [version, now] = [cache.version(), clock()]
    const columns = [...new Set([...counter.columns, 'completedFrom' as const])]
    let until = Number.POSITIVE_INFINITY
    for (const slice of flights.log.figures({ target, filter, order: 'oldest' }, now, columns)) {
      const completed = slice.filter(({ completedFrom }) => isCompleted(completedFrom, now))
      // The first instant at which one more is.
      if (completed.length < slice.length)
        for (const { completedFrom } of slice)
          if (!isCompleted(completedFrom, now)) until = Math.min(until, completedFrom)
      // Others have their turn also where nothing is to be counted.
      if (completed.length === 0) {
        yield
        continue
      }
      for (const { some, everybody } of portions(completed, target, counter)) {
        counter.add(some, everybody)
        yield
        if (counter.spill) yield* counter.spill()
      }
    }
    if (counter.finish) yield* counter.finish()
    const result = counter.result()
    const groups = counter.sizeOf?.(result) ?? 0
    return { result, bytes: BYTES_OF_FIGURES + groups * BYTES_OF_GROUP, from: now, until, version }
  }

  /** Measures the CPU time of the slices. */
  function* measured(selection: Selection, counter: Counter<unknown>): Generator<undefined, Scanned> {
    const work = slices(selection, counter)
    let cpuMicros = 0
    try {
      for (;;) {
        const begin = process.cpuUsage()
        const { done, value } = work.next()
        const { user, system } = process.cpuUsage(begin)
        cpuMicros += user + system
        if (done) return { ...value, cpuMicros }
        yield
      }
    } finally {
      counter.close?.()
    }
  }

  function keep(name: string, scanned: Scanned): Scanned {
    if (cache.version() === scanned.version) cache.set(name, scanned, scanned.version)
    return scanned
  }

  async function inTurns(name: string, selection: Selection, counter: Counter<unknown>): Promise<Scanned> {
    const work = measured(selection, counter)
    for (;;) {
      const { done, value } = work.next()
      if (done) return keep(name, value)
      await nextTurn()
    }
  }

  /** Whoever asks for the same log waits for the same scan. */
  function shared(name: string, selection: Selection, counter: () => Counter<unknown>): Promise<Scanned> {
    const known = running.get(name)
    if (known) return known
    const lane = selection.target === 'all' ? '' : selection.target.userId
    const started = runQueued(lane, () => inTurns(name, selection, counter())).finally(() => running.delete(name))
    running.set(name, started)
    return started
  }

  function atOnce(name: string, selection: Selection, counter: Counter<unknown>): unknown {
    const scanned = inOneState(() => {
      const work = measured(selection, counter)
      for (;;) {
        const { done, value } = work.next()
        if (done) return value
      }
    })
    return keep(name, scanned).result
  }

  /** Goes through a log while others are served, and again where it was written meanwhile. */
  async function counted<Result>(kind: string, asking: Selection, counter: () => Counter<Result>): Promise<Result> {
    const selection = withPlanned(asking)
    const name = JSON.stringify([kind, selection.target, selection.filter])
    const asked = cache.version() ?? 0
    let last: Scanned | undefined
    for (let scans = 0; ; scans++) {
      const now = clock()
      const known = cache.get(name)
      if (known && known.from <= now && now <= known.until) return known.result as Result
      if (last && scans >= MAX_SCANS) {
        // The log changes during every scan. A scan that began after the request is recent enough for a large log.
        if (last.cpuMicros <= MAX_AT_ONCE_MICROS) return atOnce(name, selection, counter()) as Result
        if ((last.version ?? 0) >= asked) return last.result as Result
      }
      last = await shared(name, selection, counter)
    }
  }

  /** The same with the records of the flights that are counted. */
  const countedWith = <Result>(kind: string, asking: Selection, counterOf: (records: Records) => Counter<Result>) =>
    counted(kind, asking, () => {
      const known = records.batch()
      const counter = counterOf(known)
      const add: Counter<Result>['add'] = (slice, people) => {
        known.add(idsInFlights(slice))
        counter.add(slice, people)
      }
      return { ...counter, add }
    })

  const statsCounter = (): Counter<Stats> => {
    const scan = logScan()
    return { ...scan, result: () => figures(scan.result(), records.batch) }
  }

  const statsOf = (target: Target, filter: FlightFilter): Promise<Stats> =>
    counted('stats', { target, filter }, statsCounter)

  /** For those who have decided already: pages and shares. */
  const of = (target: Target, { from, to }: Period = EVER): Promise<Stats> =>
    statsOf(target, { ...(from !== null && { dateFrom: from }), ...(to !== null && { dateTo: to }) })

  async function get(caller: Caller, query: StatsQuery): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: concernsOthers(caller, query) })
    return statsOf(targetOf(caller, query), filterOf(query) ?? {})
  }

  /** The same for the legacy API, which knows no filter. */
  async function getLegacy(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: legacyConcernsOthers(query) })
    return of(targetOf(caller, query))
  }

  async function getBreakdown(caller: Caller, query: BreakdownQuery): Promise<Breakdown> {
    authorize(caller, 'getStatsBreakdown', { otherUsers: concernsOthers(caller, query) })
    const { by, sort, limit } = query
    const target = targetOf(caller, query)
    return countedWith(`breakdown ${by} ${sort} ${limit}`, { target, filter: filterOf(query) ?? {} }, (known) => ({
      ...breakdown({ target, by, sort, limit, openTable }, known),
      sizeOf: ({ groups }) => groups.length,
    }))
  }

  async function getRecords(caller: Caller, query: StatsQuery): Promise<StatsRecords> {
    authorize(caller, 'getStatsRecords', { otherUsers: concernsOthers(caller, query) })
    const selection = { target: targetOf(caller, query), filter: filterOf(query) ?? {} }
    return readRecords(await countedWith('records', selection, ({ airport }) => recordsOf(airport)))
  }

  /** Only the few flights that stand out are read whole, as they are now. */
  function readRecords({ flightIds, plain }: Overview['records']): StatsRecords {
    const ids = [...new Set(Object.values(flightIds).filter((id) => id !== undefined))]
    const read = new Map(flights.jsonOf(ids).map((flight) => [flight.id, flightOf(flight)]))
    const found = (id: number | undefined): Flight | null => (id === undefined ? null : (read.get(id) ?? null))
    return {
      longestDistance: found(flightIds.longestDistance),
      shortestDistance: found(flightIds.shortestDistance),
      longestDuration: found(flightIds.longestDuration),
      shortestDuration: found(flightIds.shortestDuration),
      first: found(flightIds.first),
      latest: found(flightIds.latest),
      ...plain,
    }
  }

  /** Own flights only: everything that the page of statistics shows, from one walk over the log. */
  async function getOverview(caller: Caller, filter: FlightFilter) {
    authorize(caller, 'getStatsBreakdown', { otherUsers: false })
    const { userId } = caller
    const found = await countedWith<Overview>(
      'overview',
      { target: { userId }, filter: filterOf(filter) ?? {} },
      (known) => ({
        ...overview(userId, known, openTable),
        step: FEW_FLIGHTS,
        sizeOf: groupsIn,
      }),
    )
    return { ...found, records: readRecords(found.records) }
  }

  /** The same for a year in review. The routes stay the same list as long as the log is not written. */
  async function getYear(caller: Caller, year: number) {
    authorize(caller, 'getStatsBreakdown', { otherUsers: false })
    const dateTo = `${String(year).padStart(4, '0')}-12-31`
    const found = await countedWith<YearReview>(
      `year ${year}`,
      { target: { userId: caller.userId }, filter: { dateTo } },
      (known) => ({ ...yearReview(year, known), step: FEW_FLIGHTS, sizeOf: ({ routes }) => routes.length }),
    )
    return { ...found, records: readRecords(found.records) }
  }

  /** The countries of a user's completed flights, for those who have decided already. */
  const countriesOf = (userId: string, filter: FlightFilter = {}): Promise<CountryVisits[]> =>
    countedWith('countries', { target: { userId }, filter: filterOf(filter) ?? {} }, ({ airport }) =>
      countryVisits(airport),
    )

  return { get, getLegacy, getBreakdown, getRecords, getOverview, getYear, countriesOf, of }
}
