import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import { dataCache } from '../../../db/cache.ts'
import type { Db } from '../../../db/open.ts'
import type { Clock } from '../../../lib/clock.ts'
import type { Airport, Records } from '../../reference/contract.ts'
import { idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { Flight } from '../contract.ts'
import type { FlightFilter } from '../query/filter-contract.ts'
import type { FigureRow } from '../query/scan.ts'
import type { FlightService } from '../service.ts'
import { isCompleted } from '../times.ts'
import type { TrackService } from '../tracks/service.ts'

interface FlightDay {
  date: string
  precision: Flight['datePrecision']
}

/** From one airport to another; the opposite direction is another route. */
export interface UserRoute {
  from: Airport
  to: Airport
  count: number
  planned: number
  first: FlightDay
  last: FlightDay
}

export interface UserTrack {
  from: Airport
  to: Airport
  line: [longitude: number, latitude: number][]
}

/** A flown flight, for a replay. */
export interface FlownFlight {
  /** The index of its route. */
  route: number
  date: string
}

export interface UserMap {
  routes: readonly UserRoute[]
  /** Oldest first; empty for logs that are too long for a replay. */
  flown: readonly FlownFlight[]
  /** Names of the airlines at an airport, by its id, most flown first. */
  airlinesAt: ReadonlyMap<number, readonly string[]>
  tracks: readonly UserTrack[]
  /** Counts all flights with a track, drawn or not. */
  trackCount: number
}

interface CachedMap extends UserMap {
  from: number
  until: number
}

const MAX_POINTS = 10_000
const MIN_POINTS_PER_TRACK = 20
const MAX_TRACKS = MAX_POINTS / MIN_POINTS_PER_TRACK

/** More flights would make a replay a blur. */
const MAX_REPLAYED = 20_000

const READ = ['id', 'date', 'precision', 'fromId', 'toId', 'airlineId', 'completedFrom', 'hasTrack'] as const
type Row = Pick<FigureRow, (typeof READ)[number]>

const MAX_CACHE_BYTES = 8 * 1024 * 1024

/** Drawings are cached with their data. */
const BYTES_PER_DRAWING = 256 * 1024
const BYTES_PER_ROUTE = 512
const BYTES_PER_POINT = 64
const BYTES_PER_FLIGHT = 48

export function mapBytes(routes: readonly unknown[], lines: readonly (readonly unknown[])[]): number {
  const points = lines.reduce((sum, line) => sum + line.length, 0)
  return BYTES_PER_DRAWING + routes.length * BYTES_PER_ROUTE + points * BYTES_PER_POINT
}

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  flights: FlightService
  tracks: TrackService
}

/** Routes and tracks of a user's matching flights, cached until a flight is written. */
export function userMap({ db, clock, reference, flights, tracks }: Dependencies) {
  const cache = dataCache<CachedMap>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ routes, tracks, flown }) =>
      flown.length * BYTES_PER_FLIGHT +
      mapBytes(
        routes,
        tracks.map(({ line }) => line),
      ),
  })

  async function linesOf(tracked: readonly Row[], { airport }: Records): Promise<UserTrack[]> {
    const maxPoints = Math.max(MIN_POINTS_PER_TRACK, Math.floor(MAX_POINTS / Math.max(1, tracked.length)))
    const drawn = new Map(tracked.slice(0, MAX_TRACKS).map((row) => [row.id, row]))
    const found: UserTrack[] = []
    for await (const { id, line } of tracks.lines([...drawn.keys()], maxPoints)) {
      const { fromId, toId } = drawn.get(id)!
      found.push({ from: airport(fromId)!, to: airport(toId)!, line })
    }
    return found
  }

  // `completed` is checked here, to know when the next flight is completed.
  async function read(userId: string, { completed, ...filter }: FlightFilter): Promise<CachedMap> {
    const now = clock()
    const routes = new Map<string, UserRoute>()
    const indexes = new Map<UserRoute, number>()
    const flown: FlownFlight[] = []
    const airlinesAt = new Map<number, Map<number, number>>()
    const records = reference.records.batch()
    const tracked: Row[] = []
    let until = Number.POSITIVE_INFINITY

    function add(row: Row): void {
      const { date, precision, fromId, toId, airlineId, completedFrom, hasTrack } = row
      const isFlown = isCompleted(completedFrom, now)
      if (!isFlown) until = Math.min(until, completedFrom)
      if (completed !== undefined && completed !== isFlown) return
      const key = `${fromId}-${toId}`
      const day = { date, precision }
      const route = routes.get(key) ?? {
        from: records.airport(fromId)!,
        to: records.airport(toId)!,
        count: 0,
        planned: 0,
        first: day,
        last: day,
      }
      route.count++
      if (!isFlown) route.planned++
      route.first = day
      routes.set(key, route)
      if (!indexes.has(route)) indexes.set(route, indexes.size)
      if (isFlown && flown.length <= MAX_REPLAYED) flown.push({ route: indexes.get(route)!, date })
      if (airlineId !== null) for (const id of new Set([fromId, toId])) countAirline(id, airlineId)
      if (hasTrack) tracked.push(row)
    }

    function countAirline(airportId: number, airlineId: number): void {
      const counts = airlinesAt.get(airportId) ?? new Map<number, number>()
      counts.set(airlineId, (counts.get(airlineId) ?? 0) + 1)
      airlinesAt.set(airportId, counts)
    }

    const namesOf = (counts: ReadonlyMap<number, number>) =>
      [...counts].sort(([, a], [, b]) => b - a).flatMap(([id]) => records.airline(id)?.name ?? [])

    for (const slice of flights.log.figures({ target: { userId }, filter }, now, READ)) {
      records.add(idsInFlights(slice))
      for (const row of slice) add(row)
      await nextTurn()
    }
    const lines = await linesOf(tracked, records)
    return {
      routes: [...routes.values()],
      // The log is read newest first.
      flown: flown.length > MAX_REPLAYED ? [] : flown.reverse(),
      airlinesAt: new Map([...airlinesAt].map(([id, counts]) => [id, namesOf(counts)])),
      tracks: lines,
      trackCount: tracked.length,
      from: now,
      until,
    }
  }

  /** Returns the same object until something changes, so that drawings can be cached with it. */
  return async function mapOf(caller: Caller, filter: FlightFilter): Promise<UserMap> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const key = JSON.stringify([caller.userId, filter])
    const cached = cache.get(key)
    if (cached && (clock() < cached.from || clock() > cached.until)) cache.delete(key)
    return cache.load(key, () => read(caller.userId, filter))
  }
}
