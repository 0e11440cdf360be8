import { type Airport, codeOf } from '../../../domain/reference/contract.ts'
import type { Point } from '../../../lib/sphere.ts'
import { compareTexts } from '../../../lib/text.ts'
import { forEachYielding } from '../../../lib/yield.ts'

/** The sizes of pictures to share. The card is also the preview of a link. */
export const pictureSizes = {
  story: { width: 1080, height: 1920 },
  square: { width: 1080, height: 1080 },
  card: { width: 1200, height: 630 },
} as const
export type PictureFormat = keyof typeof pictureSizes
export const pictureFormats = Object.keys(pictureSizes) as PictureFormat[]

export interface MapPlace {
  /** For links to the log; visitors have none. */
  id?: number
  code: string
  name: string
  municipality: string | null
  latitude: number
  longitude: number
}

export const mapPlace = (airport: Airport): MapPlace => {
  const { id, name, municipality, latitude, longitude } = airport
  return { id, code: codeOf(airport), name, municipality, latitude, longitude }
}

interface MapDay {
  date: string
  precision: 'day' | 'month' | 'year'
}

export interface MapRoute {
  from: MapPlace
  to: MapPlace
  count: number
  planned?: number
  /** Absent if dates are hidden. */
  first?: MapDay
  last?: MapDay
}

interface VisitedAirport {
  place: MapPlace
  point: Point
  visits: number
}

interface Leg {
  ends: [VisitedAirport, VisitedAirport]
  count: number
  planned: number
  first: MapDay | undefined
  last: MapDay | undefined
}

// The same point for both notations of the date line.
const pointOf = ({ longitude, latitude }: MapPlace): Point => [longitude === -180 ? 180 : longitude, latitude]

const earlier = (a: MapDay | undefined, b: MapDay | undefined) => (a && b && b.date < a.date ? b : (a ?? b))
const later = (a: MapDay | undefined, b: MapDay | undefined) => (a && b && b.date > a.date ? b : (a ?? b))

const byCode = (a: VisitedAirport, b: VisitedAirport) => compareTexts(a.place.code, b.place.code)

/**
 * Combines both directions of each route. Returns at most `limit` legs, most flown first. `legOf` has the index of the leg
 * of each route, if it is drawn.
 */
export async function legsOf(routes: Iterable<MapRoute>, limit: number) {
  const airports = new Map<string, VisitedAirport>()
  const legs = new Map<string, Leg>()
  const keys: string[] = []

  /** Airports are identified by their place, because two may share a code. */
  function visit(place: MapPlace, count: number): [string, VisitedAirport] {
    const point = pointOf(place)
    const key = point.join(' ')
    const airport = airports.get(key) ?? { place, point, visits: 0 }
    airport.visits += count
    airports.set(key, airport)
    return [key, airport]
  }

  await forEachYielding(routes, ({ from, to, count, planned = 0, first, last }) => {
    const [one, other] = [visit(from, count), visit(to, count)].sort(([a], [b]) => compareTexts(a, b))
    const key = `${one![0]} ${other![0]}`
    const leg = legs.get(key) ?? { ends: [one![1], other![1]], count: 0, planned: 0, first, last }
    leg.count += count
    leg.planned += planned
    leg.first = earlier(leg.first, first)
    leg.last = later(leg.last, last)
    legs.set(key, leg)
    keys.push(key)
  })
  const ordered = [...legs].sort(([, a], [, b]) => b.count - a.count || byCode(a.ends[0], b.ends[0]))
  const drawn = ordered.slice(0, limit).map(([, leg]) => leg)
  const indexes = new Map(ordered.slice(0, limit).map(([key], index) => [key, index]))
  const shown = new Set(drawn.flatMap(({ ends }) => ends))
  return {
    legs: drawn,
    legOf: keys.map((key) => indexes.get(key)),
    legCount: ordered.length,
    airportCount: airports.size,
    airports: [...shown].sort((a, b) => b.visits - a.visits || byCode(a, b)),
  }
}
