import { type GeoPermissibleObjects, type GeoProjection, geoGraticule, geoPath } from 'd3-geo'
import { greatCirclePoints, type Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import { type Frame, frameOf, type Heights } from './frame.ts'
import type { HeightPart } from './heights.ts'
import { type Label, placeLabels } from './labels.ts'
import { drawLand } from './land.ts'
import { pathWriter, tenth } from './path.ts'
import { legsOf, type MapPlace, type MapRoute } from './plan.ts'

/** Sizes of dots and lines: each stands for twice as many flights as the one before. */
type Size = 1 | 2 | 3 | 4 | 5

/** The parts of an SVG map, in units of its view box. */
export interface MapDrawing {
  width: number
  height: number
  sea: string
  grid: string
  land: string
  borders: string
  /** By number of flights; routes with only planned flights are separate. */
  legs: { size: Size; isPlanned: boolean; path: string }[]
  tracks: string
  heights: { band: number | undefined; path: string }[]
  airports: { x: number; y: number; size: Size; code: string; name: string }[]
  /** Both directions together, most flown first. */
  lines: { from: MapPlace; to: MapPlace; count: number }[]
  /** Including routes that are not drawn. */
  routeCount: number
  airportCount: number
  labels: { wide: Label[]; narrow: Label[] }
}

/** More lines would be a tangle. */
const MAX_LEGS = 400

const sizeOf = (count: number): Size => Math.min(5, 1 + Math.floor(Math.log2(Math.max(1, count)))) as Size

function pathOf(projection: GeoProjection, shape: GeoPermissibleObjects): string {
  const { context, text } = pathWriter(2)
  geoPath(projection, context)(shape)
  return text()
}

const gridStep = (scale: number) => (scale > 1200 ? 5 : scale > 400 ? 10 : 30)

async function linesPath({ projection, partsOf }: Frame, lines: readonly Point[][]): Promise<string> {
  const { context, text } = pathWriter()
  const draw = geoPath(projection, context)
  const turn = yielder()
  for (const line of lines) {
    draw({ type: 'MultiLineString', coordinates: partsOf(line) })
    if (turn.isOver()) await turn.end()
  }
  return text()
}

function labelsOf(airports: MapDrawing['airports'], { width, height }: Frame): MapDrawing['labels'] {
  const [one, other] = airports
  // The labels of a single line are placed at its ends, unless it is steep.
  const isFlat = airports.length === 2 && Math.abs(one!.x - other!.x) > Math.abs(one!.y - other!.y)
  const middle = isFlat ? (one!.x + other!.x) / 2 : 0
  const spots = airports.map(({ x, y, code }) => ({
    x,
    y,
    text: code,
    ...(isFlat && { free: x < middle ? (-1 as const) : (1 as const) }),
  }))
  return {
    wide: placeLabels(spots, { width, height, fontSize: 13, most: 90 }),
    narrow: placeLabels(spots, { width, height, fontSize: 30, most: 24 }),
  }
}

export interface FlightMapOptions {
  heights?: readonly HeightPart[]
  limits?: Heights
}

/** Draws routes as great circles; undefined without routes. */
export async function drawMap(
  routes: Iterable<MapRoute>,
  tracks: readonly Point[][] = [],
  { heights = [], limits }: FlightMapOptions = {},
): Promise<MapDrawing | undefined> {
  const plan = await legsOf(routes, MAX_LEGS)
  if (plan.legs.length === 0) return undefined
  const greatCircles = plan.legs.map(({ ends: [from, to], count, planned }) => ({
    size: sizeOf(count),
    isPlanned: planned === count,
    line: greatCirclePoints(from.point, to.point),
  }))
  const frame = await frameOf(
    [...greatCircles.map(({ line }) => line), ...tracks, ...heights.map(({ line }) => line)],
    limits,
  )
  const { projection, width, height } = frame
  const legs: MapDrawing['legs'] = []
  for (const size of [1, 2, 3, 4, 5] as const) {
    for (const isPlanned of [false, true]) {
      const alike = greatCircles.filter((each) => each.size === size && each.isPlanned === isPlanned)
      const lines = alike.map(({ line }) => line)
      const path = await linesPath(frame, lines)
      if (path !== '') legs.push({ size, isPlanned, path })
    }
  }
  const altitudes: MapDrawing['heights'] = []
  for (const [band, parts] of Map.groupBy(heights, ({ band }) => band)) {
    const lines = parts.map(({ line }) => line)
    altitudes.push({ band, path: await linesPath(frame, lines) })
  }
  const airports = plan.airports.map(({ place, point, visits }) => {
    const [x, y] = projection(point)!
    return { x: tenth(x), y: tenth(y), size: sizeOf(visits / 2), code: place.code, name: place.name }
  })
  const step = gridStep(projection.scale())
  return {
    width,
    height,
    sea: pathOf(projection, { type: 'Sphere' }),
    grid: pathOf(projection, geoGraticule().step([step, step])()),
    ...(await drawLand(frame)),
    legs,
    tracks: await linesPath(frame, tracks),
    heights: altitudes,
    airports,
    lines: plan.legs.map(({ ends: [from, to], count }) => ({ from: from.place, to: to.place, count })),
    routeCount: plan.legCount,
    airportCount: plan.airportCount,
    labels: labelsOf(airports, frame),
  }
}
