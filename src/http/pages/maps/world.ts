import { geoArea, geoCentroid, geoEqualEarth, geoPath } from 'd3-geo'
import type { Feature, FeatureCollection, MultiPolygon, Polygon } from 'geojson'
import { feature } from 'topojson-client'
import type { GeometryCollection } from 'topojson-specification'
import { yielder } from '../../../lib/yield.ts'
import { readTopology } from './base-map.ts'
import { pathWriter, tenth } from './path.ts'

export interface CountryShape {
  code: string
  path: string
  /** The position of the dot of a small country. */
  spot: { x: number; y: number } | undefined
}

const WIDTH = 1000
/** The width of Equal Earth at scale 1. */
const WORLD_WIDTH = 5.4134
/** Cuts the map at the Bering Strait. */
const MIDDLE = 11
/** Smaller countries get a dot. */
const MIN_AREA = 8

const projection = geoEqualEarth()
  .rotate([-MIDDLE, 0])
  .scale((WIDTH - 8) / WORLD_WIDTH)
  .translate([WIDTH / 2, 0])
projection.translate([WIDTH / 2, -projection([MIDDLE, 84])![1]])

export const worldSize = (withAntarctica: boolean) => ({
  width: WIDTH,
  height: Math.round(projection([MIDDLE, withAntarctica ? -90 : -57])![1]),
})

/** On the largest island: the centre of all islands may lie in the sea. */
function spotOf(islands: readonly Polygon[]): CountryShape['spot'] {
  const largest = islands.reduce((best, island) => (geoArea(island) > geoArea(best) ? island : best))
  const [x, y] = projection(geoCentroid(largest))!
  return { x: tenth(x), y: tenth(y) }
}

function shapeOf({ id, geometry }: Feature<MultiPolygon>): CountryShape {
  const isSmall = geoPath(projection).area(geometry) < MIN_AREA
  const { context, text } = pathWriter(isSmall ? 0 : 0.8)
  geoPath(projection, context)(geometry)
  const islands = geometry.coordinates.map((coordinates): Polygon => ({ type: 'Polygon', coordinates }))
  return { code: String(id), path: text(), spot: isSmall ? spotOf(islands) : undefined }
}

async function draw(): Promise<CountryShape[]> {
  const topology = await readTopology<{ countries: GeometryCollection }>('countries.json')
  const { features } = feature(topology, topology.objects.countries) as FeatureCollection<MultiPolygon>
  const turn = yielder()
  const shapes: CountryShape[] = []
  for (const country of features) {
    shapes.push(shapeOf(country))
    if (turn.isOver()) await turn.end()
  }
  return shapes
}

interface Place {
  latitude: number
  longitude: number
}

const MIN_WINDOW = 70
const WINDOW_MARGIN = 0.12
/** Height by width. */
const WINDOW_SHAPE = 0.5

interface Route {
  from: Place
  to: Place
}

export type WorldWindow = ReturnType<typeof worldWindow>

/** The smallest part of the world map with these routes, as lines and points on it. */
function worldWindow(routes: readonly Route[]) {
  const pointOf = ({ latitude, longitude }: Place): [number, number] => [longitude, latitude]
  const lines = { type: 'MultiLineString' as const, coordinates: routes.map(({ from, to }) => [from, to].map(pointOf)) }
  const { context, text } = pathWriter(0.4)
  geoPath(projection, context)(lines)
  const [[left, top], [right, bottom]] = geoPath(projection).bounds(lines)
  const width = Math.max(
    MIN_WINDOW,
    (right - left) * (1 + 2 * WINDOW_MARGIN),
    ((bottom - top) * (1 + 4 * WINDOW_MARGIN)) / WINDOW_SHAPE,
  )
  const height = width * WINDOW_SHAPE
  const corner = [(left + right - width) / 2, (top + bottom - height) / 2]
  const spots = new Map(routes.flatMap(({ from, to }) => [from, to]).map((place) => [pointOf(place).join(), place]))
  const points = [...spots.values()].map((place) => projection(pointOf(place))!.map(tenth) as [number, number])
  return { viewBox: [...corner, width, height].map(tenth).join(' '), lines: text(), points }
}

/** For each list of routes. Undefined if the list is empty. */
export async function worldWindows(lists: readonly (readonly Route[])[]): Promise<(WorldWindow | undefined)[]> {
  const turn = yielder()
  const windows: (WorldWindow | undefined)[] = []
  for (const routes of lists) {
    windows.push(routes.length > 0 ? worldWindow(routes) : undefined)
    if (turn.isOver()) await turn.end()
  }
  return windows
}

let drawn: Promise<CountryShape[]> | undefined

export function worldCountries(): Promise<CountryShape[]> {
  drawn ??= draw().catch((error) => {
    drawn = undefined
    throw error
  })
  return drawn
}
