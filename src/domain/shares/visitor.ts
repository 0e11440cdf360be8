import { dataCache } from '../../db/cache.ts'
import type { Db } from '../../db/open.ts'
import { localTime } from '../../lib/dates.ts'
import { forEachYielding } from '../../lib/yield.ts'
import { type TimeName, timePairs } from '../flights/contract.ts'
import { mapBytes } from '../flights/map/user-map.ts'
import { filterOfPeriod } from '../flights/query/filter-contract.ts'
import type { LogFlight } from '../flights/query/user-log.ts'
import type { FlightService } from '../flights/service.ts'
import type { TrackService } from '../flights/tracks/service.ts'
import type { Airport } from '../reference/contract.ts'
import { codeOf } from '../reference/contract.ts'
import type { Stats } from '../stats/contract.ts'
import type { StatsService } from '../stats/service.ts'
import type { TripService } from '../trips/service.ts'
import type { ShareRow } from './store.ts'

export const PAGE_SIZE = 50
const MAX_POINTS = 5_000

function place(airport: Airport) {
  const { name, municipality, country, latitude, longitude } = airport
  return { code: codeOf(airport), name, municipality, country, latitude, longitude }
}

/** The same object until a flight is written, so that pages can cache the drawing with it. */
export interface VisitorMap {
  routes: { from: ReturnType<typeof place>; to: ReturnType<typeof place>; count: number }[]
  tracks: [number, number][][]
}

/** At the airport concerned, as YYYY-MM-DDTHH:MM. */
function localTimes(flight: LogFlight): Partial<Record<TimeName, string>> {
  const at = (name: TimeName, { timezone }: Airport) => {
    const instant = flight[name]
    return instant === null ? [] : [[name, localTime(instant, timezone)]]
  }
  return Object.fromEntries(
    timePairs.flatMap(([first, second]) => [...at(first, flight.from), ...at(second, flight.to)]),
  )
}

/** Hidden parts are absent (contract 4.17). */
function visitorFlight(flight: LogFlight, share: ShareRow) {
  const { seat, seatNumber, seatClass } = flight
  return {
    from: place(flight.from),
    to: place(flight.to),
    distanceKm: flight.distanceKm,
    duration: flight.duration,
    ...(share.showDates && { date: flight.date, datePrecision: flight.datePrecision }),
    ...(share.showDates && share.showTimes && { times: localTimes(flight) }),
    ...(share.showFlightNumbers && { flightNumber: flight.flightNumber }),
    ...(share.showAirlines && { airline: flight.airline?.name ?? null }),
    ...(share.showAircraft && { aircraft: flight.aircraft?.name ?? null, aircraftReg: flight.aircraftReg }),
    ...(share.showSeat && { seat, seatNumber, seatClass }),
  }
}

export type VisitorFlight = ReturnType<typeof visitorFlight>

function visitorStats(stats: Stats, { showAirlines, showAircraft }: ShareRow) {
  const { flights, distanceKm, durationSeconds, airports, topAirport, topRoute } = stats
  return {
    flights,
    distanceKm,
    durationSeconds,
    airports,
    topAirport: topAirport && codeOf(topAirport),
    topRoute: topRoute && `${codeOf(topRoute.from)} – ${codeOf(topRoute.to)}`,
    ...(showAirlines && { topAirline: stats.topAirline?.name ?? null }),
    ...(showAircraft && { topAircraft: stats.topAircraft?.name ?? null }),
  }
}

interface Dependencies {
  db: Db
  flights: FlightService
  tracks: TrackService
  stats: StatsService
  trips: TripService
}

export function visitorView({ db, flights, tracks, stats, trips }: Dependencies) {
  const maps = dataCache<VisitorMap>(db, {
    part: 'flights',
    maxBytes: 8 * 1024 * 1024,
    sizeOf: ({ routes, tracks }) => mapBytes(routes, tracks),
  })
  const periodOf = ({ dateFrom, dateTo, tripId }: ShareRow) => ({ from: dateFrom, to: dateTo, tripId })

  async function linesOf(share: ShareRow): Promise<[number, number][][]> {
    const all = await flights.log.byCodes(share.userId, periodOf(share), 'tracked')
    const tracked = all.slice(0, MAX_POINTS / 2)
    const most = Math.max(2, Math.floor(MAX_POINTS / tracked.length))
    const lines: [number, number][][] = []
    for await (const { line } of tracks.lines(tracked, most)) lines.push(line)
    return lines
  }

  async function draw(share: ShareRow): Promise<VisitorMap> {
    const routes: VisitorMap['routes'] = []
    await forEachYielding(await flights.log.routes(share.userId, periodOf(share)), ({ from, to, count }) => {
      routes.push({ from: place(from), to: place(to), count })
    })
    return { routes, tracks: share.showTracks ? await linesOf(share) : [] }
  }

  /** The key is the whole share, since another process may change it at any time. */
  const mapOf = async (share: ShareRow): Promise<VisitorMap | undefined> =>
    share.showMap ? maps.load(JSON.stringify(share), () => draw(share)) : undefined

  /** Newest first; without dates, in an order that does not reveal them. */
  async function listOf(share: ShareRow, page: number): Promise<VisitorFlight[]> {
    const { userId, showDates } = share
    const [limit, offset] = [PAGE_SIZE, (page - 1) * PAGE_SIZE]
    const ids = showDates
      ? flights.log.newest(userId, periodOf(share), { limit, offset })
      : (await flights.log.byCodes(userId, periodOf(share), 'all')).slice(offset, offset + limit)
    return flights.lines(ids, userId).map((flight) => visitorFlight(flight, share))
  }

  /** Without the owner's marks, in an order that does not reveal dates. */
  async function countriesOf(share: ShareRow): Promise<string[]> {
    return (await stats.countriesOf(share.userId, filterOfPeriod(periodOf(share)))).map(({ code }) => code).sort()
  }

  const statsOf = async (share: ShareRow) =>
    share.showStats ? visitorStats(await stats.of({ userId: share.userId }, periodOf(share)), share) : undefined

  const tripOf = (share: ShareRow) =>
    share.tripId !== null && share.showDates ? trips.title(share.userId, share.tripId, periodOf(share)) : undefined

  async function view(share: ShareRow, page = 1) {
    const map = await mapOf(share)
    const routes = map?.routes ?? (await flights.log.routes(share.userId, periodOf(share)))
    const flightCount = routes.reduce((sum, { count }) => sum + count, 0)
    const figures = await statsOf(share)
    const trip = tripOf(share)
    return {
      flightCount,
      ...(trip && { trip }),
      ...(share.showFlightList && { list: await listOf(share, page) }),
      ...(figures && { stats: figures }),
      ...(map && { map }),
      ...(share.showMap && share.showStats && { countries: await countriesOf(share) }),
    }
  }

  return { view, map: mapOf, stats: statsOf, countries: countriesOf, trip: tripOf }
}

export type VisitorView = Awaited<ReturnType<ReturnType<typeof visitorView>['view']>>
