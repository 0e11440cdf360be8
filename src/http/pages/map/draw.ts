import { type GeoPermissibleObjects, type GeoProjection, geoGraticule, geoPath } from 'd3-geo'
import { LRUCache } from 'lru-cache'
import { formatNumber, pluralize } from '../../../lib/english.ts'
import type { Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import { type Frame, frameOf, type Heights } from './frame.ts'
import type { HeightPart } from './heights.ts'
import { type Label, placeLabels } from './labels.ts'
import { drawLand } from './land.ts'
import { pathWriter, tenth } from './path.ts'
import { type MapPlace, type MapRoute, type Plan, planOf } from './plan.ts'

/** Five sizes of dots and lines: each stands for about twice as many flights as the one before. */
type Size = 1 | 2 | 3 | 4 | 5

/** Everything that an SVG of the map consists of; numbers are units of its view box. */
export interface MapDrawing {
  width: number
  height: number
  sea: string
  grid: string
  land: string
  borders: string
  /** Lines by how often they were flown; those that are only planned by themselves. */
  legs: { size: Size; isPlanned: boolean; path: string }[]
  tracks: string
  /** A track in the colours of its heights. */
  heights: { band: number | undefined; path: string }[]
  airports: { x: number; y: number; size: Size; code: string; name: string }[]
  /** The same in words, both directions together, the most flown first. */
  lines: { from: MapPlace; to: MapPlace; count: number }[]
  /** How many routes there are, drawn or not. */
  routeCount: number
  /** Once for a screen and once for a phone, where letters have to be larger. */
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

/** Lines that are drawn between two looks at the clock. */
const SOME_LINES = 40

async function linesPath(projection: GeoProjection, lines: readonly Point[][]): Promise<string> {
  const { context, text } = pathWriter()
  const draw = geoPath(projection, context)
  const turn = yielder()
  for (let from = 0; from < lines.length; from += SOME_LINES) {
    draw({ type: 'MultiLineString', coordinates: lines.slice(from, from + SOME_LINES) })
    if (turn.isOver()) await turn.end()
  }
  return text()
}

/** What lies below the routes of a view, the same for everybody who sees it. */
type Ground = Pick<MapDrawing, 'sea' | 'grid' | 'land' | 'borders'>

const MOST_GROUND_CHARACTERS = 2_000_000
const grounds = new LRUCache<string, Ground>({
  maxSize: MOST_GROUND_CHARACTERS,
  sizeCalculation: ({ sea, grid, land, borders }) => sea.length + grid.length + land.length + borders.length,
})

async function groundOf(frame: Frame): Promise<Ground> {
  const kept = grounds.get(frame.key)
  if (kept) return kept
  const ground = {
    sea: pathOf(frame.projection, { type: 'Sphere' }, 2),
    grid: gridOf(frame),
    ...(await drawLand(frame)),
  }
  grounds.set(frame.key, ground)
  return ground
}

function labelsOf(airports: MapDrawing['airports'], { width, height }: Frame): MapDrawing['labels'] {
  const [one, other] = airports
  // The names of both ends stand beside the only line, unless it goes up and down.
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

/** What the map of one flight has beside its route. */
export interface Close {
  heights?: readonly HeightPart[]
  /** How tall the picture may be. */
  limits?: Heights
}

/** The routes as great circles and the tracks as flown; nothing when there is nothing to draw. */
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
    ...(await groundOf(frame)),
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
