import { greatCirclePoints, type Point } from '../../../lib/sphere.ts'
import { compareTexts } from '../../../lib/text.ts'
import { forEachYielding } from '../../../lib/yield.ts'

/** The size of the picture that messengers and networks show beside a link, in pixels. */
export const PICTURE = { width: 1200, height: 630 } as const

export interface MapPlace {
  /** For links to the log; visitors have none. */
  id?: number
  code: string
  name: string
  municipality: string | null
  latitude: number
  longitude: number
}

interface CodedPlace extends Omit<MapPlace, 'code' | 'id'> {
  id: number
  iata: string | null
  icao: string
}

export const mapPlace = ({ id, iata, icao, name, municipality, latitude, longitude }: CodedPlace): MapPlace => ({
  id,
  code: iata ?? icao,
  name,
  municipality,
  latitude,
  longitude,
})

interface MapDay {
  date: string
  precision: 'day' | 'month' | 'year'
}

/** Flights from one airport to another; the way back is a route of its own here and one line on the map. */
export interface MapRoute {
  from: MapPlace
  to: MapPlace
  count: number
  /** How many of them are still to come. */
  planned?: number
  /** Absent where days are nobody's business. */
  first?: MapDay
  last?: MapDay
}

export interface Airport {
  place: MapPlace
  point: Point
  visits: number
}

export interface Leg {
  ends: [Airport, Airport]
  count: number
  planned: number
  first: MapDay | undefined
  last: MapDay | undefined
}

/** More lines than these would be a tangle: the most flown are drawn. */
const MOST_LEGS = 400

// Two airports may share a code, but not a place; and east and west meet.
const pointOf = ({ longitude, latitude }: MapPlace): Point => [longitude === -180 ? 180 : longitude, latitude]

const earlier = (a: MapDay | undefined, b: MapDay | undefined) => (a && b && b.date < a.date ? b : (a ?? b))
const later = (a: MapDay | undefined, b: MapDay | undefined) => (a && b && b.date > a.date ? b : (a ?? b))

const byCode = (a: Airport, b: Airport) => (a.place.code < b.place.code ? -1 : a.place.code > b.place.code ? 1 : 0)

/** Both directions of a route together, the most flown first, and of these so many; a log may have any number of routes. */
export async function legsOf(routes: Iterable<MapRoute>, most: number) {
  const airports = new Map<string, Airport>()
  const legs = new Map<string, Leg>()

  function meet(place: MapPlace, count: number): [string, Airport] {
    const point = pointOf(place)
    const key = point.join(' ')
    const airport = airports.get(key) ?? { place, point, visits: 0 }
    airport.visits += count
    airports.set(key, airport)
    return [key, airport]
  }

  await forEachYielding(routes, ({ from, to, count, planned = 0, first, last }) => {
    const [one, other] = [meet(from, count), meet(to, count)].sort(([a], [b]) => compareTexts(a, b))
    const key = `${one![0]} ${other![0]}`
    const leg = legs.get(key) ?? { ends: [one![1], other![1]], count: 0, planned: 0, first, last }
    leg.count += count
    leg.planned += planned
    leg.first = earlier(leg.first, first)
    leg.last = later(leg.last, last)
    legs.set(key, leg)
  })
  const byCount = (a: Leg, b: Leg) => b.count - a.count || byCode(a.ends[0], b.ends[0])
  const ordered = [...legs.values()].sort(byCount)
  const drawn = ordered.slice(0, most)
  const shown = new Set(drawn.flatMap(({ ends }) => ends))
  return {
    legs: drawn,
    /** How many routes there are in all. */
    legCount: ordered.length,
    airportCount: airports.size,
    airports: [...shown].sort((a, b) => b.visits - a.visits || byCode(a, b)),
  }
}

/** What there is to draw, with the ways. */
export async function planOf(routes: Iterable<MapRoute>) {
  const { legs, ...rest } = await legsOf(routes, MOST_LEGS)
  const withWays = legs.map((leg) => ({ ...leg, way: greatCirclePoints(leg.ends[0].point, leg.ends[1].point) }))
  return { ...rest, legs: withWays }
}

export type Plan = Awaited<ReturnType<typeof planOf>>
