import { type Point, wayBetween } from './sphere.ts'

/** The size of the picture that messengers and networks show beside a link, in pixels. */
export const PICTURE = { width: 1200, height: 630 } as const

export interface MapPlace {
  code: string
  name: string
  municipality: string | null
  latitude: number
  longitude: number
}

interface CodedPlace extends Omit<MapPlace, 'code'> {
  iata: string | null
  icao: string
}

export const mapPlace = ({ iata, icao, name, municipality, latitude, longitude }: CodedPlace): MapPlace => ({
  code: iata ?? icao,
  name,
  municipality,
  latitude,
  longitude,
})

/** Flights from one airport to another; the way back is a route of its own here and one line on the map. */
export interface MapRoute {
  from: MapPlace
  to: MapPlace
  count: number
}

export interface Airport {
  place: MapPlace
  point: Point
  visits: number
}

export interface Leg {
  ends: [Airport, Airport]
  count: number
  way: Point[]
}

/** More lines than these would be a tangle: the most flown are drawn. */
const MOST_LEGS = 400

// Two airports may share a code, but not a place; and east and west meet.
const pointOf = ({ longitude, latitude }: MapPlace): Point => [longitude === -180 ? 180 : longitude, latitude]

const byCode = (a: Airport, b: Airport) => (a.place.code < b.place.code ? -1 : a.place.code > b.place.code ? 1 : 0)

/** What there is to draw: both directions of a route together, the most flown first. */
export function planOf(routes: readonly MapRoute[]) {
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

  for (const { from, to, count } of routes) {
    const [first, second] = [meet(from, count), meet(to, count)].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    const key = `${first![0]} ${second![0]}`
    const leg = legs.get(key)
    if (leg) leg.count += count
    else {
      const ends: [Airport, Airport] = [first![1], second![1]]
      legs.set(key, { ends, count, way: [] })
    }
  }
  const ordered = [...legs.values()].sort((a, b) => b.count - a.count || byCode(a.ends[0], b.ends[0]))
  const drawn = ordered.slice(0, MOST_LEGS)
  for (const leg of drawn) leg.way = wayBetween(leg.ends[0].point, leg.ends[1].point)
  const shown = new Set(drawn.flatMap(({ ends }) => ends))
  return {
    legs: drawn,
    /** How many routes there are in all. */
    legCount: ordered.length,
    airportCount: airports.size,
    airports: [...shown].sort((a, b) => b.visits - a.visits || byCode(a, b)),
  }
}

export type Plan = ReturnType<typeof planOf>
