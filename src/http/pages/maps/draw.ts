import { geoPath } from 'd3-geo'
import type { Language } from '../../../lib/languages.ts'
import { angleBetween, greatCirclePoints, midpoint, type Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'
import { type BaseMap, baseMapOf } from './base-map.ts'
import { type Frame, frameOf, type Heights, type ProjectionName, type View } from './frame.ts'
import type { HeightPart } from './heights.ts'
import { type Box, type Label, placeLabels } from './labels.ts'
import { pathWriter, tenth } from './path.ts'
import { type PlaceName, placeNames } from './place-names.ts'
import { legsOf, type MapPlace, type MapRoute } from './plan.ts'

/** Sizes of dots and lines: each stands for twice as many flights as the one before. */
type Size = 1 | 2 | 3 | 4 | 5

/** The parts of an SVG map, in units of its view box. */
export interface MapDrawing {
  width: number
  height: number
  language: Language
  view: View
  /** The other projection of the same log. */
  otherView: View
  base: BaseMap
  /** The radius of the outline of a globe. */
  limb: number | undefined
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
  /** Of oceans, countries and cities. */
  names: PlaceName[]
}

/** More lines would be a tangle. */
const MAX_LEGS = 400

const sizeOf = (count: number): Size => Math.min(5, 1 + Math.floor(Math.log2(Math.max(1, count)))) as Size

async function linesPath({ projection, drawable }: Frame, lines: readonly Point[][]): Promise<string> {
  const { context, text } = pathWriter()
  const draw = geoPath(projection, context)
  const turn = yielder()
  for (const line of lines) {
    draw({ type: 'LineString', coordinates: [...drawable(line)] })
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

/** The middle of the most visited airports. */
const middleOf = (airports: readonly { point: Point; visits: number }[]) =>
  midpoint(
    airports.flatMap(({ point, visits }) => Array.from({ length: 1 + Math.floor(Math.log2(visits)) }, () => point)),
  )

export interface DrawingOptions {
  /** Without one, a globe if it shows all airports. */
  projection?: ProjectionName | undefined
  language?: Language
  heights?: readonly HeightPart[]
  limits?: Heights
  /** Fills a picture with its routes. */
  isCropped?: boolean
  /** Draws the world even without routes. */
  isEmptyAllowed?: boolean
}

/** The dots of airports, which names of places must not cover. */
const DOT = 6

/** Draws routes as great circles. */
export async function drawMap(
  routes: Iterable<MapRoute>,
  tracks: readonly Point[][] = [],
  { projection: name, language = 'en', heights = [], limits, isCropped, isEmptyAllowed = false }: DrawingOptions = {},
): Promise<MapDrawing | undefined> {
  const plan = await legsOf(routes, MAX_LEGS)
  if (plan.legs.length === 0 && !isEmptyAllowed) return undefined
  const greatCircles = plan.legs.map(({ ends: [from, to], count, planned }) => ({
    size: sizeOf(count),
    isPlanned: planned === count,
    line: greatCirclePoints(from.point, to.point),
  }))
  const flown = [...tracks, ...heights.map(({ line }) => line)]
  const lines = [...greatCircles.map(({ line }) => line), ...flown]
  const options = {
    heights: limits,
    isCropped,
    ...(plan.airports.length > 0 && { middle: middleOf(plan.airports) }),
    points: [...plan.airports.map(({ point }) => point), ...flown.flat()],
  }
  const frame = await frameOf(lines, { ...options, projection: name })
  const { projection, width, height, view, limb } = frame
  const otherName = view.projection === 'globe' ? 'flat' : 'globe'
  const other = await frameOf(lines, { ...options, projection: otherName })
  const legs: MapDrawing['legs'] = []
  for (const size of [1, 2, 3, 4, 5] as const) {
    for (const isPlanned of [false, true]) {
      const alike = greatCircles.filter((each) => each.size === size && each.isPlanned === isPlanned)
      const path = await linesPath(
        frame,
        alike.map(({ line }) => line),
      )
      if (path !== '') legs.push({ size, isPlanned, path })
    }
  }
  const altitudes: MapDrawing['heights'] = []
  for (const [band, parts] of Map.groupBy(heights, ({ band }) => band)) {
    altitudes.push({
      band,
      path: await linesPath(
        frame,
        parts.map(({ line }) => line),
      ),
    })
  }
  const airports = plan.airports.flatMap(({ place, point, visits }) => {
    // Not on the other side of the globe, nor at a pole of a flat map.
    const [x, y] = (angleBetween(view.centre, point) < frame.radius && projection(point)) || [-1, -1]
    const isInside = x >= 0 && x <= width && y >= 0 && y <= height
    return isInside ? [{ x: tenth(x), y: tenth(y), size: sizeOf(visits / 2), code: place.code, name: place.name }] : []
  })
  const labels = labelsOf(airports, frame)
  const dots = airports.map(({ x, y }): Box => ({ left: x - DOT, right: x + DOT, top: y - DOT, bottom: y + DOT }))
  return {
    width,
    height,
    language,
    view,
    otherView: other.view,
    base: await baseMapOf(frame),
    limb,
    legs,
    tracks: await linesPath(frame, tracks),
    heights: altitudes,
    airports,
    lines: plan.legs.map(({ ends: [from, to], count }) => ({ from: from.place, to: to.place, count })),
    routeCount: plan.legCount,
    airportCount: plan.airportCount,
    labels,
    names: await placeNames(frame, language, [...labels.wide.map(({ box }) => box), ...dots]),
  }
}
