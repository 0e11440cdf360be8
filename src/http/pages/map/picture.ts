import { type GeoPermissibleObjects, type GeoProjection, geoPath } from 'd3-geo'
import type { Point } from '../../../lib/sphere.ts'
import { type Colour, canvas, lineCollector } from './canvas.ts'
import { SIZES, sizeOf } from './draw.ts'
import { frameOf } from './frame.ts'
import { drawLand } from './land.ts'
import { type MapRoute, PICTURE, planOf } from './plan.ts'

export interface MapColours {
  ground: Colour
  sea: Colour
  land: Colour
  route: Colour
  track: Colour
  ring: Colour
}

const light: MapColours = {
  ground: [245, 247, 250],
  sea: [226, 237, 246],
  land: [200, 212, 205],
  route: [26, 86, 148],
  track: [176, 82, 22],
  ring: [255, 255, 255],
}

const THICKNESS = [0, 1.8, 2.5, 3.3, 4.2, 5.2] as const
const DOT = [0, 6, 7, 8.5, 10, 12] as const

interface Painting {
  routes: Iterable<MapRoute>
  tracks?: readonly Point[][]
  size: { width: number; height: number }
  colours: MapColours
}

/** The map as a picture without words; nothing when there is nothing to draw. */
export async function paintRoutes({ routes, tracks = [], size, colours }: Painting) {
  const { legs, airports } = await planOf(routes)
  if (legs.length === 0) return undefined
  const { width, height } = size
  const shape = Math.round((1000 * height) / width)
  const frame = await frameOf([...legs.map(({ way }) => way), ...tracks], { least: shape, most: shape })
  const scale = width / frame.width
  const linesOf = (projection: GeoProjection, object: GeoPermissibleObjects) => {
    const { context, lines } = lineCollector(scale)
    geoPath(projection, context)(object)
    return lines
  }
  // Anybody may ask for this: others get their turn while it is painted.
  const picture = canvas(width, height, colours.ground)
  await picture.fill(linesOf(frame.projection, { type: 'Sphere' }), colours.sea)
  const { context, lines: land } = lineCollector(scale)
  await drawLand(frame, context)
  await picture.fill(land, colours.land)
  await picture.stroke(land, 0.8, colours.sea)
  for (const size of SIZES) {
    const ways = legs.filter(({ count }) => sizeOf(count) === size).flatMap(({ way }) => frame.partsOf(way))
    const lines = linesOf(frame.projection, { type: 'MultiLineString', coordinates: ways })
    await picture.stroke(lines, THICKNESS[size], colours.route, 0.75)
  }
  const flown = tracks.flatMap(frame.partsOf)
  await picture.stroke(linesOf(frame.projection, { type: 'MultiLineString', coordinates: flown }), 2, colours.track)
  const dots = SIZES.map((size) => ({
    size,
    spots: airports
      .filter(({ visits }) => sizeOf(visits / 2) === size)
      .map(({ point }) => [frame.projection(point)!.map((value) => value * scale) as [number, number]]),
  }))
  for (const { size, spots } of dots) await picture.stroke(spots, DOT[size] + 3, colours.ring)
  for (const { size, spots } of dots) await picture.stroke(spots, DOT[size], colours.route)
  return picture
}

/** The preview that any program can show beside a link, as a PNG. */
export async function paintMap(
  routes: Iterable<MapRoute>,
  tracks: readonly Point[][] = [],
): Promise<Buffer | undefined> {
  const picture = await paintRoutes({ routes, tracks, size: PICTURE, colours: light })
  return picture?.png()
}
