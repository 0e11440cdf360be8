import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { localTime } from '../../lib/dates.ts'
import { forEachYielding } from '../../lib/yield.ts'
import { type Flight, type TimeName, timePairs } from '../flights/contract.ts'
import { mapBytes } from '../flights/map-bytes.ts'
import type { FlightService } from '../flights/service.ts'
import type { TrackService } from '../flights/track-service.ts'
import type { LogFlight } from '../flights/user-log.ts'
import type { Airport } from '../reference/contract.ts'
import { codeOf } from '../reference/contract.ts'
import type { Stats } from '../stats/contract.ts'
import type { StatsService } from '../stats/service.ts'
import type { ShareRow } from './store.ts'

/** Flights on one page of the list: a log of any length stays a page of bearable size. */
export const LISTED_AT_ONCE = 200
const MOST_POINTS = 5_000
const MAX_MAP_BYTES = 16 * 1024 * 1024
const MAX_PAGE_BYTES = 8 * 1024 * 1024

export interface VisitorPlace {
  code: string
  name: string
  municipality: string | null
  country: string
  latitude: number
  longitude: number
}

export interface VisitorFlight {
  from: VisitorPlace
  to: VisitorPlace
  distanceKm: number | null
  duration: number | null
  date?: string
  datePrecision?: Flight['datePrecision']
  /** Wall clocks at the airport concerned, as YYYY-MM-DDTHH:MM. */
  times?: Partial<Record<TimeName, string>>
  flightNumber?: string | null
  airline?: string | null
  aircraft?: string | null
  aircraftReg?: string | null
  seat?: string | null
  seatNumber?: string | null
  seatClass?: string | null
}

interface VisitorRoute {
  from: VisitorPlace
  to: VisitorPlace
  count: number
}

export interface VisitorStats {
  flights: number
  distanceKm: number
  durationSeconds: number
  airports: number
  topAirport: string | null
  topRoute: string | null
  topAirline?: string | null
  topAircraft?: string | null
}

/** What is drawn; the same object as long as nothing has been written, so that the drawing can be kept with it. */
export interface VisitorMap {
  routes: VisitorRoute[]
  /** Lines of longitude and latitude. */
  tracks: [number, number][][]
}

/** Exactly what a visitor may see: a part that is hidden is not there at all (contract 4.17). */
export interface VisitorView {
  flightCount: number
  map?: VisitorMap
  /** One page of the list. */
  list?: VisitorFlight[]
  stats?: VisitorStats
  /** The codes of the countries that the flown ones lead to, where figures and map are shown: both tell them already. */
  countries?: string[]
}

const place = (airport: Airport): VisitorPlace => ({
  code: codeOf(airport),
  name: airport.name,
  municipality: airport.municipality,
  country: airport.country,
  latitude: airport.latitude,
  longitude: airport.longitude,
})

function localTimes(flight: LogFlight): Partial<Record<TimeName, string>> {
  const times: Partial<Record<TimeName, string>> = {}
  for (const [first, second] of timePairs) {
    for (const [name, airport] of [
      [first, flight.from],
      [second, flight.to],
    ] as const) {
      const instant = flight[name]
      if (instant !== null) times[name] = localTime(instant, airport.timezone)
    }
  }
  return times
}

function visitorFlight(flight: LogFlight, share: ShareRow): VisitorFlight {
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

function visitorStats(stats: Stats, { showAirlines, showAircraft }: ShareRow): VisitorStats {
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
}

export function visitorView({ db, flights, tracks, stats }: Dependencies) {
  const maps = dataCache<VisitorMap>(db, {
    part: 'flights',
    maxBytes: MAX_MAP_BYTES,
    sizeOf: ({ routes, tracks }) => mapBytes(routes, tracks),
  })
  const pages = dataCache<Buffer>(db, { part: 'everything', maxBytes: MAX_PAGE_BYTES, sizeOf: ({ length }) => length })

  /** Everything that is set about a share, since it may have been read just before somebody else changed it. */
  const keyOf = (share: ShareRow) => JSON.stringify(share)
  const periodOf = ({ dateFrom, dateTo }: ShareRow) => ({ from: dateFrom, to: dateTo })

  async function linesOf(share: ShareRow): Promise<[number, number][][]> {
    // The limit holds for the page: a log with a hundred tracks is drawn no heavier than one with a single track.
    const all = await flights.log.byCodes(share.userId, periodOf(share), 'tracked')
    const tracked = all.slice(0, MOST_POINTS / 2)
    const most = Math.max(2, Math.floor(MOST_POINTS / tracked.length))
    const lines: [number, number][][] = []
    for await (const { line } of tracks.lines(tracked, most)) lines.push(line)
    return lines
  }

  async function draw(share: ShareRow): Promise<VisitorMap> {
    const routes: VisitorRoute[] = []
    await forEachYielding(await flights.routes.of(share.userId, periodOf(share)), ({ from, to, count }) =>
      routes.push({ from: place(from), to: place(to), count }),
    )
    return { routes, tracks: share.showTracks ? await linesOf(share) : [] }
  }

  /** Tracks are long, and anybody may ask for this page: what was read for it serves until a flight is written. */
  const mapOf = (share: ShareRow): Promise<VisitorMap> => maps.load(keyOf(share), () => draw(share))

  /** Newest first; without dates in an order that tells nothing of them. */
  async function listOf(share: ShareRow, page: number): Promise<VisitorFlight[]> {
    const { userId, showDates } = share
    const [limit, offset] = [LISTED_AT_ONCE, (page - 1) * LISTED_AT_ONCE]
    const ids = showDates
      ? flights.log.newest(userId, periodOf(share), { limit, offset })
      : (await flights.log.byCodes(userId, periodOf(share), 'all')).slice(offset, offset + limit)
    return flights.lines(ids, userId).map((flight) => visitorFlight(flight, share))
  }

  const figuresOf = async (share: ShareRow): Promise<Stats | undefined> =>
    share.showStats ? stats.of({ userId: share.userId }, periodOf(share)) : undefined

  /** Nothing of what the owner has marked, and in an order that tells nothing of dates. */
  async function countriesOf({ userId, dateFrom, dateTo }: ShareRow): Promise<string[]> {
    const period = { ...(dateFrom !== null && { dateFrom }), ...(dateTo !== null && { dateTo }) }
    return (await stats.countriesOf(userId, period)).map(({ code }) => code).sort()
  }

  async function view(share: ShareRow, page = 1): Promise<VisitorView> {
    const routes = await flights.routes.of(share.userId, periodOf(share))
    const flightCount = routes.reduce((sum, { count }) => sum + count, 0)
    const figures = await figuresOf(share)
    return {
      flightCount,
      ...(share.showFlightList && { list: await listOf(share, page) }),
      ...(figures && { stats: visitorStats(figures, share) }),
      ...(share.showMap && { map: await mapOf(share) }),
      ...(share.showMap && share.showStats && { countries: await countriesOf(share) }),
    }
  }

  /** A page that is made of a view, kept as long as nothing that a visitor sees can have changed. */
  async function page(share: ShareRow, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
    // Figures also change by themselves, when a flight is completed.
    return pages.load(JSON.stringify([name, share, await figuresOf(share)]), make)
  }

  return {
    view,
    /** The map alone; nothing where the share has none. */
    map: async (share: ShareRow) => (share.showMap ? mapOf(share) : undefined),
    page,
  }
}
