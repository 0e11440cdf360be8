import { type GeoContext, type GeoPermissibleObjects, type GeoProjection, geoPath } from 'd3-geo'
import { inDigits } from '../../../lib/english.ts'
import { lru } from '../../../lib/lru.ts'
import { landAround } from './atlas.ts'
import { type Frame, frameOf } from './frame.ts'
import { drawGrid } from './grid.ts'
import { type Label, placeLabels } from './labels.ts'
import { drawLand } from './land.ts'
import { pathWriter } from './path.ts'
import { type MapPlace, type MapRoute, type Plan, planOf } from './plan.ts'
import type { Point } from './sphere.ts'

/** Five sizes of dots and lines: each stands for about twice as many flights as the one before. */
type Size = 1 | 2 | 3 | 4 | 5

/** Everything that an SVG of the map consists of; numbers are units of its view box. */
export interface MapDrawing {
  width: number
  height: number
  sea: string
  grid: string
  land: string
  /** Lines by how often they were flown. */
  legs: { size: Size; path: string }[]
  tracks: string
  airports: { x: number; y: number; size: Size; code: string; name: string }[]
  /** The same in words, both directions together, the most flown first. */
  lines: { from: MapPlace; to: MapPlace; count: number }[]
  /** Once for a screen and once for a phone, where letters have to be larger. */
  labels: { wide: Label[]; narrow: Label[] }
  title: string
  description: string
}

export const SIZES: readonly Size[] = [1, 2, 3, 4, 5]
export const sizeOf = (count: number): Size => Math.min(5, 1 + Math.floor(Math.log2(Math.max(1, count)))) as Size

const several = (count: number, one: string) => `${inDigits(count)} ${count === 1 ? one : `${one}s`}`

function wordsOf({ legs, legCount, airportCount }: Plan): Pick<MapDrawing, 'title' | 'description'> {
  const [first] = legs
  const parts = [`${several(legCount, 'route')} between ${several(airportCount, 'airport')} on a map of the earth.`]
  if (first && first.count > 1) {
    const [from, to] = first.ends.map(({ place }) => place.code)
    parts.push(`Most flown: ${from} – ${to}, ${several(first.count, 'time')}.`)
  }
  if (legs.length < legCount) parts.push(`The ${inDigits(legs.length)} most flown are drawn.`)
  return { title: `Map of ${several(legCount, 'route')}`, description: parts.join(' ') }
}

function written(leastStep: number, draw: (pen: GeoContext) => void): string {
  const { context, text } = pathWriter(leastStep)
  draw(context)
  return text()
}

const pathOf = (projection: GeoProjection, shape: GeoPermissibleObjects, leastStep = 0) =>
  written(leastStep, (pen) => geoPath(projection, pen)(shape))

/** Land and lines of a view are the same for everybody who sees it. */
const MOST_GROUNDS = 12
const grounds = lru<Pick<MapDrawing, 'sea' | 'grid' | 'land'>>(MOST_GROUNDS)

async function groundOf(frame: Frame) {
  const kept = grounds.get(frame.key)
  if (kept) return kept
  const land = await landAround(frame.detail, frame.centre, frame.radius)
  const ground = {
    sea: pathOf(frame.projection, { type: 'Sphere' }, 2),
    grid: written(2, (pen) => drawGrid(frame, pen)),
    land: written(0.9, (pen) => drawLand(land, frame, pen)),
  }
  grounds.set(frame.key, ground)
  return ground
}

const tenth = (value: number) => Math.round(value * 10) / 10

function labelsOf(airports: MapDrawing['airports'], { width, height }: Frame): MapDrawing['labels'] {
  const spots = airports.map(({ x, y, code }) => ({ x, y, text: code }))
  return {
    wide: placeLabels(spots, { width, height, fontSize: 13, most: 90 }),
    narrow: placeLabels(spots, { width, height, fontSize: 30, most: 24 }),
  }
}

/** The routes as great circles and the tracks as flown; nothing when there is nothing to draw. */
export async function drawMap(
  routes: readonly MapRoute[],
  tracks: readonly Point[][] = [],
): Promise<MapDrawing | undefined> {
  const plan = planOf(routes)
  if (plan.legs.length === 0) return undefined
  const frame = frameOf([...plan.legs.map(({ way }) => way), ...tracks])
  const { projection, width, height, partsOf } = frame
  const legs = SIZES.map((size) => ({
    size,
    path: pathOf(projection, {
      type: 'MultiLineString',
      coordinates: plan.legs.filter(({ count }) => sizeOf(count) === size).flatMap(({ way }) => partsOf(way)),
    }),
  }))
  const airports = plan.airports.map(({ place, point, visits }) => {
    const [x, y] = projection(point)!
    return { x: tenth(x), y: tenth(y), size: sizeOf(visits / 2), code: place.code, name: place.name }
  })
  return {
    width,
    height,
    ...(await groundOf(frame)),
    legs: legs.filter(({ path }) => path !== ''),
    tracks: pathOf(projection, { type: 'MultiLineString', coordinates: tracks.flatMap(partsOf) }),
    airports,
    lines: plan.legs.map(({ ends: [from, to], count }) => ({ from: from.place, to: to.place, count })),
    labels: labelsOf(airports, frame),
    ...wordsOf(plan),
  }
}
