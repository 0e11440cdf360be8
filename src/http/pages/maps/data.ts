import type { FlownFlight } from '../../../domain/flights/map/user-map.ts'
import { distanceMeters } from '../../../lib/geo.ts'
import type { Point } from '../../../lib/sphere.ts'
import type { Formats } from '../framework/formats.ts'
import { legsOf, type MapRoute } from './plan.ts'

/** More would be slow on a phone. */
const MAX_ROUTES = 5000

/** The names that the card of an airport shows. */
const MAX_AIRLINES = 3

/** Coordinates of tracks are in ten-thousandths of a degree, which is eleven metres. */
const PARTS = 10_000

/** Delta encoding: the first point and the steps to the others. */
function stepsOf(line: readonly Point[]): number[] {
  const steps: number[] = []
  let [x, y] = [0, 0]
  for (const [longitude, latitude] of line) {
    const [nextX, nextY] = [Math.round(longitude * PARTS), Math.round(latitude * PARTS)]
    steps.push(nextX - x, nextY - y)
    x = nextX
    y = nextY
  }
  return steps
}

const rounded = ([longitude, latitude]: Point): Point => [Number(longitude.toFixed(5)), Number(latitude.toFixed(5))]

interface Track {
  line: readonly Point[]
  ends?: [number, number]
  band?: number | undefined
}

/** Members that shares may hide. */
interface Details {
  formats?: Formats
  flown?: readonly FlownFlight[]
  airlinesAt?: ReadonlyMap<number, readonly string[]>
}

const MS_PER_DAY = 86_400_000

/** The routes and days of flown flights: the first day, and the days between one flight and the next. */
function replayOf(flown: readonly FlownFlight[], legOf: readonly (number | undefined)[]) {
  const drawn = flown.filter(({ route }) => legOf[route] !== undefined)
  if (drawn.length === 0) return undefined
  const days = drawn.map(({ date }) => Date.parse(date) / MS_PER_DAY)
  return {
    routes: drawn.map(({ route }) => legOf[route]!),
    start: drawn[0]!.date,
    days: days.map((day, index) => day - (days[index - 1] ?? days[0]!)),
  }
}

export async function mapData(
  routes: Iterable<MapRoute>,
  tracks: readonly Track[],
  { formats, flown = [], airlinesAt }: Details = {},
): Promise<string> {
  const { legs, legOf, legCount, airports } = await legsOf(routes, MAX_ROUTES)
  const places = new Map(airports.map((airport, index) => [airport, index]))
  const pair = (ids: readonly (number | undefined)[]) => ids.toSorted().join(' ')
  const tracked = new Set(tracks.flatMap(({ ends }) => (ends ? [pair(ends)] : [])))
  const replay = replayOf(flown, legOf)
  return JSON.stringify({
    airports: airports.map(({ place: { id, code, name, municipality }, point, visits }) => {
      const airlines = (id !== undefined && airlinesAt?.get(id)) || []
      return {
        id,
        code,
        name,
        city: municipality ?? name,
        at: rounded(point),
        visits,
        ...(airlines.length > 0 && { airlines: airlines.slice(0, MAX_AIRLINES) }),
        ...(airlines.length > MAX_AIRLINES && { moreAirlines: airlines.length - MAX_AIRLINES }),
      }
    }),
    routes: legs.map(({ ends, count, planned, first, last }) => ({
      ends: ends.map((end) => places.get(end)!),
      count,
      ...(planned > 0 && { planned }),
      ...(formats && { distance: formats.distance(distanceMeters(ends[0].place, ends[1].place) / 1000) }),
      ...(formats && first && { first: formats.day(first.date, first.precision) }),
      ...(formats && last && { last: formats.day(last.date, last.precision) }),
      ...(tracked.has(pair(ends.map(({ place }) => place.id))) && { tracked: true }),
    })),
    routeCount: legCount,
    tracks: tracks.map(({ line }) => stepsOf(line)),
    ...(tracks.some(({ band }) => band !== undefined) && { bands: tracks.map(({ band = null }) => band) }),
    ...(replay && { replay }),
  })
}
