import { type GeoPermissibleObjects, type GeoProjection, geoGraticule, geoPath } from 'd3-geo'
import { formatNumber, pluralize } from '../../../lib/english.ts'
import type { Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import { type Frame, frameOf, type Heights } from './frame.ts'
import type { HeightPart } from './heights.ts'
import { type Label, placeLabels } from './labels.ts'
import { drawLand } from './land.ts'
import { pathWriter, tenth } from './path.ts'
import { type MapPlace, type MapRoute, type Plan, planOf } from './plan.ts'

/** Sizes of dots and lines: each stands for about twice as many flights as the one before. */
type Size = 1 | 2 | 3 | 4 | 5

/** The parts of an SVG map, in units of its view box. */
export interface MapDrawing {
  width: number
  height: number
  sea: string
  grid: string
  land: string
  borders: string
  /** Lines by number of flights; routes that are only planned are separate. */
  legs: { size: Size; isPlanned: boolean; path: string }[]
  tracks: string
  /** A track in the colours of its altitudes. */
  heights: { band: number | undefined; path: string }[]
  airports: { x: number; y: number; size: Size; code: string; name: string }[]
  /** For the list: both directions together, the most flown first. */
  lines: { from: MapPlace; to: MapPlace; count: number }[]
  /** Including routes that are not drawn. */
  routeCount: number
  /** For a wide screen, and larger ones for a phone. */
  labels: { wide: Label[]; narrow: Label[] }
  title: string
  description: string
}

const SIZES: readonly Size[] = [1, 2, 3, 4, 5]
const sizeOf = (count: number): Size => Math.min(5, 1 + Math.floor(Math.log2(Math.max(1, count)))) as Size

function wordsOf({ legs, legCount, airportCount }: Plan): Pick<MapDrawing, 'title' | 'description'> {
  const [first] = legs
  const parts = [`${pluralize(legCount, 'route')} between ${pluralize(airportCount, 'airport')} on a map of the earth.`]
  if (first && first.count > 1) {
    const [from, to] = first.ends.map(({ place }) => place.code)
    parts.push(`Most flown: ${from} – ${to}, ${pluralize(first.count, 'time')}.`)
  }
  if (legs.length < legCount) parts.push(`The ${formatNumber(legs.length)} most flown are drawn.`)
  return { title: `Map of ${pluralize(legCount, 'route')}`, description: parts.join(' ') }
}

function pathOf(projection: GeoProjection, shape: GeoPermissibleObjects, leastStep = 0): string {
  const { context, text } = pathWriter(leastStep)
  geoPath(projection, context)(shape)
  return text()
}

/** Degrees from one line of longitude or latitude to the next. */
const stepAt = (scale: number) => (scale > 1200 ? 5 : scale > 400 ? 10 : 30)

function gridOf({ projection }: Frame): string {
  const step = stepAt(projection.scale())
  return pathOf(projection, geoGraticule().step([step, step])(), 2)
}

const LINES_PER_CHUNK = 40

async function linesPath(projection: GeoProjection, lines: readonly Point[][]): Promise<string> {
  const { context, text } = pathWriter()
  const draw = geoPath(projection, context)
  const turn = yielder()
  for (let from = 0; from < lines.length; from += LINES_PER_CHUNK) {
    draw({ type: 'MultiLineString', coordinates: lines.slice(from, from + LINES_PER_CHUNK) })
    if (turn.isOver()) await turn.end()
  }
  return text()
}

function labelsOf(airports: MapDrawing['airports'], { width, height }: Frame): MapDrawing['labels'] {
  const [one, other] = airports
  // Both labels of a single line are placed beside it, unless it is steep.
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

/** Options of the map of one flight. */
export interface Close {
  heights?: readonly HeightPart[]
  limits?: Heights
}

/** Draws routes as great circles; undefined without routes. */
export async function drawMap(
  routes: Iterable<MapRoute>,
  tracks: readonly Point[][] = [],
  { heights = [], limits }: Close = {},
): Promise<MapDrawing | undefined> {
  const plan = await planOf(routes)
  if (plan.legs.length === 0) return undefined
  const turn = yielder()
  const frame = await frameOf(
    [...plan.legs.map(({ way }) => way), ...tracks, ...heights.map(({ line }) => line)],
    limits,
  )
  const { projection, width, height, partsOf } = frame
  const legs: MapDrawing['legs'] = []
  for (const [size, isPlanned] of SIZES.flatMap((each) => [[each, false] as const, [each, true] as const])) {
    if (turn.isOver()) await turn.end()
    const ways = plan.legs
      .filter(({ count, planned }) => sizeOf(count) === size && (planned === count) === isPlanned)
      .flatMap(({ way }) => partsOf(way))
    const path = await linesPath(projection, ways)
    if (path !== '') legs.push({ size, isPlanned, path })
  }
  const linesOf = (lines: readonly Point[][]) => linesPath(projection, lines.flatMap(partsOf))
  const flown = await linesOf(tracks)
  const coloured: MapDrawing['heights'] = []
  for (const [band, parts] of Map.groupBy(heights, ({ band }) => band)) {
    coloured.push({ band, path: await linesOf(parts.map(({ line }) => line)) })
  }
  if (turn.isOver()) await turn.end()
  const airports = plan.airports.map(({ place, point, visits }) => {
    const [x, y] = projection(point)!
    return { x: tenth(x), y: tenth(y), size: sizeOf(visits / 2), code: place.code, name: place.name }
  })
  const labels = labelsOf(airports, frame)
  return {
    width,
    height,
    sea: pathOf(projection, { type: 'Sphere' }, 2),
    grid: gridOf(frame),
    ...(await drawLand(frame)),
    legs,
    tracks: flown,
    heights: coloured,
    airports,
    lines: plan.legs.map(({ ends: [from, to], count }) => ({ from: from.place, to: to.place, count })),
    routeCount: plan.legCount,
    labels,
    ...wordsOf(plan),
  }
}
