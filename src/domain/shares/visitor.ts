import { setImmediate as nextTurn } from 'node:timers/promises'
import { localTime } from '../../lib/dates.ts'
import { type Flight, type TimeName, timePairs } from '../flights/contract.ts'
import type { FlightService } from '../flights/service.ts'
import type { TrackService } from '../flights/track-service.ts'
import type { Airport } from '../reference/contract.ts'
import type { Stats } from '../stats/contract.ts'
import type { StatsService } from '../stats/service.ts'
import type { ShareRow } from './store.ts'

const AT_ONCE = 200
const MOST_POINTS = 5_000

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

export interface VisitorRoute {
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

/** Exactly what a visitor may see: a part that is hidden is not there at all (contract 4.17). */
export interface VisitorView {
  flightCount: number
  routes?: VisitorRoute[]
  /** Lines of longitude and latitude. */
  tracks?: [number, number][][]
  list?: VisitorFlight[]
  stats?: VisitorStats
}

const codeOf = ({ iata, icao }: { iata: string | null; icao: string }) => iata ?? icao

const place = (airport: Airport): VisitorPlace => ({
  code: codeOf(airport),
  name: airport.name,
  municipality: airport.municipality,
  country: airport.country,
  latitude: airport.latitude,
  longitude: airport.longitude,
})

function localTimes(flight: Flight): Partial<Record<TimeName, string>> {
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

function visitorFlight(flight: Flight, share: ShareRow): VisitorFlight {
  const own = flight.passengers.find(({ user }) => user?.id === share.userId)
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
    ...(share.showSeat && { seat: own?.seat, seatNumber: own?.seatNumber, seatClass: own?.seatClass }),
  }
}

/** Without dates the order must not tell them either. */
function inOrder(flights: Flight[], showDates: boolean): Flight[] {
  const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
  return showDates
    ? flights.sort((a, b) => text(b.date, a.date) || b.id - a.id)
    : flights.sort((a, b) => text(codeOf(a.from), codeOf(b.from)) || text(codeOf(a.to), codeOf(b.to)) || a.id - b.id)
}

function routesOf(flights: readonly Flight[]): VisitorRoute[] {
  const routes = new Map<string, VisitorRoute>()
  for (const { from, to } of flights) {
    const key = `${from.id} ${to.id}`
    const route = routes.get(key) ?? { from: place(from), to: place(to), count: 0 }
    route.count++
    routes.set(key, route)
  }
  return [...routes.values()]
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

/** All points where there are few, else every n-th and the last one. */
function thinned(points: readonly number[][], most: number): [number, number][] {
  const step = points.length <= most ? 1 : Math.ceil(points.length / (most - 1))
  return points
    .filter((_, index) => index % step === 0 || index === points.length - 1)
    .map(([longitude, latitude]) => [longitude!, latitude!])
}

interface Dependencies {
  flights: FlightService
  tracks: TrackService
  stats: StatsService
}

export function visitorView({ flights, tracks, stats }: Dependencies) {
  async function linesOf(selected: readonly Flight[]): Promise<[number, number][][]> {
    const tracked = selected.filter(({ track }) => track)
    // The limit holds for the page: a log with a hundred tracks is drawn no heavier than one with a single track.
    const most = Math.max(2, Math.floor(MOST_POINTS / tracked.length))
    const lines: [number, number][][] = []
    for (const { id } of tracked) {
      const body = await tracks.body(id)
      if (body) lines.push(thinned(body.coordinates as number[][], most))
    }
    return lines
  }

  return async function view(share: ShareRow): Promise<VisitorView> {
    const target = { userId: share.userId }
    const period = { from: share.dateFrom, to: share.dateTo }
    const ids = flights.log.ids(target, period)
    const selected: Flight[] = []
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      // Anybody may ask for this page: a long log must not keep others waiting.
      if (from > 0) await nextTurn()
      selected.push(...flights.log.read(ids.slice(from, from + AT_ONCE)))
    }
    const ordered = inOrder(selected, share.showDates)
    return {
      flightCount: ordered.length,
      ...(share.showMap && { routes: routesOf(ordered) }),
      ...(share.showMap && share.showTracks && { tracks: await linesOf(ordered) }),
      ...(share.showFlightList && { list: ordered.map((flight) => visitorFlight(flight, share)) }),
      ...(share.showStats && { stats: visitorStats(stats.of(target, period), share) }),
    }
  }
}
