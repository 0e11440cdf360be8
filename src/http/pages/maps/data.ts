import type { Point } from '../../../lib/sphere.ts'
import type { Formats } from '../framework/formats.ts'
import { legsOf, type MapRoute } from './plan.ts'

/** More would be slow on a phone. */
const MAX_ROUTES = 2000

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

export async function mapData(
  routes: Iterable<MapRoute>,
  tracks: readonly Track[],
  formats?: Formats,
): Promise<string> {
  const { legs, legCount, airports } = await legsOf(routes, MAX_ROUTES)
  const places = new Map(airports.map((airport, index) => [airport, index]))
  const pair = (ids: readonly (number | undefined)[]) => ids.toSorted().join(' ')
  const tracked = new Set(tracks.flatMap(({ ends }) => (ends ? [pair(ends)] : [])))
  return JSON.stringify({
    airports: airports.map(({ place: { id, code, name, municipality }, point, visits }) => ({
      id,
      code,
      name,
      city: municipality ?? name,
      at: rounded(point),
      visits,
    })),
    routes: legs.map(({ ends, count, planned, first, last }) => ({
      ends: ends.map((end) => places.get(end)!),
      count,
      ...(planned > 0 && { planned }),
      ...(formats && first && { first: formats.day(first.date, first.precision) }),
      ...(formats && last && { last: formats.day(last.date, last.precision) }),
      ...(tracked.has(pair(ends.map(({ place }) => place.id))) && { tracked: true }),
    })),
    routeCount: legCount,
    tracks: tracks.map(({ line }) => stepsOf(line)),
    ...(tracks.some(({ band }) => band !== undefined) && { bands: tracks.map(({ band = null }) => band) }),
  })
}
