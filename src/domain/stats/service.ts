import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import type { DataVersion } from '../../db/version.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { keyedQueue } from '../../lib/keyed-queue.ts'
import { yielder } from '../../lib/yield.ts'
import { flightOf } from '../flights/cache/json-cache.ts'
import { type FlightFilter, filterOf, filterOfPeriod } from '../flights/query/filter-contract.ts'
import type { FigureName } from '../flights/query/scan.ts'
import {
  concernsOthers,
  legacyConcernsOthers,
  type Period,
  requireOwnTrips,
  type Target,
  targetOf,
} from '../flights/query/target.ts'
import type { FlightService } from '../flights/service.ts'
import { isCompleted } from '../flights/times.ts'
import type { Records } from '../reference/contract.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { breakdown } from './breakdown.ts'
import type { Breakdown, BreakdownQuery, Punctuality, Stats, StatsQuery, StatsRecords } from './contract.ts'
import { type CountryVisits, countryVisits } from './countries.ts'
import { sumTable } from './group-sums.ts'
import { type Overview, overview, type YearReview, yearReview } from './overview.ts'
import { type PunctualityFound, punctuality } from './punctuality.ts'
import { mapRecord, recordsOf } from './records.ts'
import { type CompletedFlight, type People, peopleAboard } from './rows.ts'
import { logTotals } from './totals.ts'

export type StatsService = ReturnType<typeof statsService>

const MAX_CACHE_BYTES = 4 * 1024 * 1024
/** Attempts to finish a scan without a write in between. */
const MAX_SCANS = 2
/** Each scan holds some megabytes. */
const MAX_RUNNING_SCANS = 4
/** Flights counted between two looks at the clock. */
const CHUNK_SIZE = 200
/** Flights whose passengers are counted in one statement; a flight can have 500. */
const COUNTED_FLIGHTS = 500

interface Selection {
  target: Target
  filter: FlightFilter
}

interface Counter<Result> {
  columns: readonly FigureName[]
  people?: boolean
  loadRecords?: (slice: readonly CompletedFlight[]) => void
  add: (flights: readonly CompletedFlight[], people?: People) => void
  /** Bounds the memory; run after each `add`. */
  spill?: () => Generator<undefined>
  finish?: () => Generator<undefined>
  result: () => Result
  close?: () => void
}

/** Valid until a flight is written, or until another flight counts as completed. */
interface Scan {
  result: unknown
  from: number
  until: number
  version: DataVersion
}

/** Planned flights are scanned too, since they determine how long a result is valid. */
function withPlanned({ target, filter: { completed, ...filter } }: Selection): Selection {
  return { target, filter: completed === false ? { ...filter, completed } : filter }
}

async function runInTurns(steps: Generator<undefined> | undefined): Promise<void> {
  for (const _ of steps ?? []) await nextTurn()
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
  const cache = dataCache<Scan>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ result }) => JSON.stringify(result).length,
  })
  const running = new Map<string, Promise<Scan>>()
  const runQueued = keyedQueue(MAX_RUNNING_SCANS)
  const openTable = () => sumTable(db)

  async function count(completed: readonly CompletedFlight[], target: Target, counter: Counter<unknown>) {
    const turn = yielder()
    counter.loadRecords?.(completed)
    const perPart = counter.people ? inChunks(completed, COUNTED_FLIGHTS).flatMap(parts) : [completed]
    for (const part of perPart) {
      if (turn.isOver()) await turn.end()
      const people = counter.people ? aboard(part, target) : undefined
      for (const chunk of inChunks(part, CHUNK_SIZE)) {
        counter.add(chunk, people)
        await runInTurns(counter.spill?.())
        if (turn.isOver()) await turn.end()
      }
    }
  }

  async function scan({ target, filter }: Selection, counter: Counter<unknown>): Promise<Scan> {
    const [version, now] = [cache.version(), clock()]
    const columns = [...new Set([...counter.columns, 'completedFrom' as const])]
    let until = Number.POSITIVE_INFINITY
    try {
      for (const slice of flights.log.figures({ target, filter, order: 'oldest' }, now, columns)) {
        const completed = slice.filter(({ completedFrom }) => isCompleted(completedFrom, now))
        if (completed.length < slice.length)
          for (const { completedFrom } of slice)
            if (!isCompleted(completedFrom, now)) until = Math.min(until, completedFrom)
        await nextTurn()
        if (completed.length > 0) await count(completed, target, counter)
      }
      await runInTurns(counter.finish?.())
      return { result: counter.result(), from: now, until, version }
    } finally {
      counter.close?.()
    }
  }

  /** Requests for the same figures share a scan. */
  function shared(name: string, selection: Selection, counter: () => Counter<unknown>): Promise<Scan> {
    const known = running.get(name)
    if (known) return known
    const lane = selection.target === 'all' ? '' : selection.target.userId
    const started = runQueued(lane, () => scan(selection, counter())).finally(() => running.delete(name))
    running.set(name, started)
    return started
  }

  async function counted<Result>(kind: string, requested: Selection, counter: () => Counter<Result>): Promise<Result> {
    const selection = withPlanned(requested)
    const name = JSON.stringify([kind, selection.target, selection.filter])
    const firstVersion = cache.version() ?? 0
    let last: Scan | undefined
    for (let scans = 0; ; scans++) {
      const known = cache.get(name)
      if (known && known.from <= clock() && clock() <= known.until) return known.result as Result
      // A log that is written all the time gets the figures of a scan that began after the request.
      if (last && scans >= MAX_SCANS && (last.version ?? 0) >= firstVersion) return last.result as Result
      last = await shared(name, selection, counter)
      cache.set(name, last, last.version)
    }
  }

  const countedWith = <Result>(kind: string, requested: Selection, counterOf: (records: Records) => Counter<Result>) =>
    counted(kind, requested, () => {
      const known = records.batch()
      return { ...counterOf(known), loadRecords: (slice) => known.add(idsInFlights(slice)) }
    })

  const statsCounter = (): Counter<Stats> => {
    const totals = logTotals()
    return { ...totals, result: () => totals.stats(records.batch) }
  }

  const statsOf = (target: Target, filter: FlightFilter): Promise<Stats> =>
    counted('stats', { target, filter }, statsCounter)

  /** Without authorization, for pages and shares. */
  const of = (target: Target, period: Period = { from: null, to: null }): Promise<Stats> =>
    statsOf(target, filterOfPeriod(period))

  async function get(caller: Caller, query: StatsQuery): Promise<Stats> {
    requireOwnTrips(caller, query)
    authorize(caller, 'getStats', { otherUsers: concernsOthers(caller, query) })
    return statsOf(targetOf(caller, query), filterOf(query) ?? {})
  }

  async function getLegacy(caller: Caller, query: { scope: string; userId?: string | undefined }): Promise<Stats> {
    authorize(caller, 'getStats', { otherUsers: legacyConcernsOthers(query) })
    return of(targetOf(caller, query))
  }

  async function getBreakdown(caller: Caller, query: BreakdownQuery): Promise<Breakdown> {
    requireOwnTrips(caller, query)
    authorize(caller, 'getStatsBreakdown', { otherUsers: concernsOthers(caller, query) })
    const { by, sort, limit } = query
    const target = targetOf(caller, query)
    return countedWith(`breakdown ${by} ${sort} ${limit}`, { target, filter: filterOf(query) ?? {} }, (known) =>
      breakdown({ target, by, sort, limit, openTable }, known),
    )
  }

  async function getRecords(caller: Caller, query: StatsQuery): Promise<StatsRecords> {
    requireOwnTrips(caller, query)
    authorize(caller, 'getStatsRecords', { otherUsers: concernsOthers(caller, query) })
    const selection = { target: targetOf(caller, query), filter: filterOf(query) ?? {} }
    return readRecords(await countedWith('records', selection, ({ airport }) => recordsOf(airport)))
  }

  /** Finds flights by id; null for an unknown one. */
  function readFlights(wanted: readonly (number | undefined)[]) {
    const ids = [...new Set(wanted.filter((id) => id !== undefined))]
    const read = new Map(flights.jsonOf(ids).map((flight) => [flight.id, flightOf(flight)]))
    return (id: number | undefined) => (id !== undefined && read.get(id)) || null
  }

  function readRecords({ flightIds, plain }: Overview['records']): StatsRecords {
    return { ...mapRecord(flightIds, readFlights(Object.values(flightIds))), ...plain }
  }

  async function getPunctuality(caller: Caller, query: StatsQuery): Promise<Punctuality> {
    requireOwnTrips(caller, query)
    authorize(caller, 'getStatsPunctuality', { otherUsers: concernsOthers(caller, query) })
    const selection = { target: targetOf(caller, query), filter: filterOf(query) ?? {} }
    return readPunctuality(await counted('punctuality', selection, punctuality))
  }

  function readPunctuality({ departure, arrival, lostSeconds }: PunctualityFound): Punctuality {
    const find = readFlights([departure.worstId, arrival.worstId])
    const read = ({ worstId, ...delays }: PunctualityFound['arrival']) => ({ ...delays, worst: find(worstId) })
    return { departure: read(departure), arrival: read(arrival), lostSeconds }
  }

  async function getOverview(caller: Caller, filter: FlightFilter, distanceStepKm: number) {
    authorize(caller, 'getStatsBreakdown', { otherUsers: false })
    const { userId } = caller
    const selection = { target: { userId }, filter: filterOf(filter) ?? {} }
    const found = await countedWith<Overview>(`overview ${distanceStepKm}`, selection, (known) =>
      overview(userId, distanceStepKm, known, openTable),
    )
    return { ...found, records: readRecords(found.records), punctuality: readPunctuality(found.punctuality) }
  }

  /** The caller's own flights. The list of routes is the same object until a flight is written. */
  async function getYear(caller: Caller, year: number) {
    authorize(caller, 'getStatsBreakdown', { otherUsers: false })
    const dateTo = `${String(year).padStart(4, '0')}-12-31`
    const selection = { target: { userId: caller.userId }, filter: { dateTo } }
    const found = await countedWith<YearReview>(`year ${year}`, selection, (known) => yearReview(year, known))
    return { ...found, records: readRecords(found.records), punctuality: readPunctuality(found.punctuality) }
  }

  /** The countries of a user's completed flights, without authorization. */
  const countriesOf = (userId: string, filter: FlightFilter = {}): Promise<CountryVisits[]> =>
    countedWith('countries', { target: { userId }, filter: filterOf(filter) ?? {} }, ({ airport }) =>
      countryVisits(airport),
    )

  return { get, getLegacy, getBreakdown, getRecords, getPunctuality, getOverview, getYear, countriesOf, of }
}
