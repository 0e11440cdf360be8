import {
  type GeoProjection,
  type GeoRawProjection,
  geoAzimuthalEqualArea,
  geoEqualEarth,
  geoPath,
  geoProjection,
  geoRotation,
} from 'd3-geo'
import { boundingCircle, greatCirclePoints, type Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'

type Line = readonly Point[]

export type Detail = 'coarse' | 'fine'

export interface Frame {
  width: number
  height: number
  /** Bends lines along great circles. */
  projection: GeoProjection
  /** For outlines of land, whose points are too close to need bending. */
  outlines: GeoProjection
  detail: Detail
  /** Anything farther from the centre than the radius, in degrees, is invisible. */
  centre: Point
  radius: number
  partsOf: (line: Line) => Point[][]
}

const WIDTH = 1000
const MARGIN = 48

/** Limits of the height, for a width of 1000. */
export interface Heights {
  least: number
  most: number
}
const DEFAULT_HEIGHTS: Heights = { least: 400, most: 600 }

const MEASURE_SCALE = 1000
/** A log within this radius, in degrees, gets a regional map. */
const MAX_REGION_RADIUS = 42
/** The same for logs near a pole, which world maps distort. */
const MAX_POLAR_RADIUS = 80
/** South of this latitude a world map shows too little land. */
const FAR_SOUTH = -40
/** Lines beyond this latitude are distorted on maps that draw a pole as a line. */
const POLAR_LATITUDE = 74
/** Maps show at least ten degrees, in pixels per radian. */
const MAX_SCALE = WIDTH / ((10 * Math.PI) / 180)
const PRECISION = 0.35
/** Space above and below the airports of a world map, and above lines over a pole. */
const [ROOM, POLAR_ROOM] = [0.08, 0.16]
const [NORTH_EDGE, SOUTH_EDGE] = [76, -58]
/** Equal Earth draws the pole as a line, which closer points would follow. */
const POLE_LINE_LATITUDE = 82
/** An azimuthal map cannot show the point opposite to its centre. */
const MAX_CLIP_ANGLE = 179.9

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

const isPolar = (line: Line) => line.some(([, latitude]) => Math.abs(latitude) > POLAR_LATITUDE)

const rawMiller: GeoRawProjection = (longitude, latitude) => [
  longitude,
  1.25 * Math.log(Math.tan(Math.PI / 4 + 0.4 * latitude)),
]
rawMiller.invert = (x, y) => [x, 2.5 * Math.atan(Math.exp(0.8 * y)) - 0.625 * Math.PI]

/** World maps with their width at scale 1. Miller shows lines over a pole as arcs. */
const worlds = {
  equalEarth: { create: geoEqualEarth, width: 5.4134 },
  miller: { create: () => geoProjection(rawMiller), width: 2 * Math.PI },
} as const

type Extent = Awaited<ReturnType<typeof extentOf>>

async function extentOf(projection: GeoProjection, lines: readonly Line[]) {
  const path = geoPath(projection)
  const turn = yielder()
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const line of lines) {
    const [[left, top], [right, bottom]] = path.bounds({ type: 'LineString', coordinates: [...line] })
    extent.left = Math.min(extent.left, left / MEASURE_SCALE)
    extent.top = Math.min(extent.top, top / MEASURE_SCALE)
    extent.right = Math.max(extent.right, right / MEASURE_SCALE)
    extent.bottom = Math.max(extent.bottom, bottom / MEASURE_SCALE)
    if (turn.isOver()) await turn.end()
  }
  return extent
}

/** The share of lines that a world map with this rotation cuts at its sides or distorts at a pole. */
function costOf(lines: readonly Line[], rotation: [number, number]): number {
  const rotate = geoRotation(rotation)
  let cost = 0
  for (const line of lines) {
    const points = line.map((point) => rotate(point))
    const isCut = points.some(([longitude], index) => index > 0 && Math.abs(longitude - points[index - 1]![0]) > 180)
    const offCentre = points.reduce((sum, [longitude]) => sum + Math.abs(longitude), 0) / points.length / 360
    cost += Number(isCut) + Number(isPolar(points)) + offCentre
  }
  return cost / lines.length
}

/** More lines do not change the choice. */
const MAX_ROTATION_LINES = 80
/** Tilting moves north away from the top, so it must improve this share of the lines. */
const TILT_COST = 0.2
const TILT = 40

/** Chooses the rotation of a world map, in steps of ten degrees. It tilts if many lines pass a pole. */
async function bestRotation(all: readonly Line[]): Promise<[number, number]> {
  const turn = yielder()
  const lines = all.slice(0, MAX_ROTATION_LINES)
  const tilts = lines.filter(isPolar).length > lines.length * TILT_COST ? [0, -TILT, TILT] : [0]
  let best: { rotation: [number, number]; cost: number } = { rotation: [0, 0], cost: Infinity }
  for (const tilt of tilts) {
    for (let longitude = -180; longitude < 180; longitude += 10) {
      const cost = costOf(lines, [longitude, tilt]) + (tilt === 0 ? 0 : TILT_COST)
      if (cost < best.cost) best = { rotation: [longitude, tilt], cost }
      if (turn.isOver()) await turn.end()
    }
  }
  return best.rotation
}

/** Around a pole no side is up, so the longer side of the log becomes horizontal. */
function horizontalAngle(projection: GeoProjection, points: Line): number {
  const spots = points.map((point) => projection(point)!)
  const [cx, cy] = [0, 1].map((axis) => spots.reduce((sum, spot) => sum + spot[axis]!, 0) / spots.length)
  let [xx, yy, xy] = [0, 0, 0]
  for (const [x, y] of spots) {
    xx += (x - cx!) ** 2
    yy += (y - cy!) ** 2
    xy += (x - cx!) * (y - cy!)
  }
  return Math.round((Math.atan2(2 * xy, xx - yy) / 2) * (180 / Math.PI))
}

function azimuthal([longitude, latitude]: Point, points: Line): GeoProjection {
  const projection = geoAzimuthalEqualArea().rotate([-longitude, -latitude]).scale(MEASURE_SCALE).translate([0, 0])
  return Math.abs(latitude) > 60 ? projection.angle(horizontalAngle(projection, points)) : projection
}

export async function frameOf(lines: readonly Line[], heights = DEFAULT_HEIGHTS): Promise<Frame> {
  const points = lines.flat()
  const { centre, radius } = boundingCircle(points)
  const isAroundPole = FAR_SOUTH > centre[1] || lines.some(isPolar)
  if (radius > (isAroundPole ? MAX_POLAR_RADIUS : MAX_REGION_RADIUS)) return worldFrame(lines, heights)
  const projection = azimuthal([Math.round(centre[0]), Math.round(centre[1])], points)
  return closeFrame(projection, await extentOf(projection, lines), heights)
}

/** Fits the extent into the frame with a margin. The edges are those of a world map. */
function closeFrame(
  projection: GeoProjection,
  { left, top, right, bottom }: Extent,
  { least, most }: Heights,
  edges?: Pick<Extent, 'top' | 'bottom'>,
  airports?: Line,
): Frame {
  const [across, down] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)]
  const wanted = clamp((down / across) * (WIDTH - 2 * MARGIN) + 2 * MARGIN, least, most)
  const scale = Math.min((WIDTH - 2 * MARGIN) / across, (wanted - 2 * MARGIN) / down, MAX_SCALE)
  const middle = ((top + bottom) / 2) * scale
  const highest = Math.max(middle - wanted / 2, edges ? edges.top * scale : -Infinity)
  const lowest = Math.min(middle + wanted / 2, edges ? edges.bottom * scale : Infinity)
  const height = Math.round(clamp(lowest - highest, least, most))
  projection.scale(scale).translate([WIDTH / 2 - ((left + right) / 2) * scale, -highest])
  return framed(projection, height, edges !== undefined, airports)
}

async function worldFrame(lines: readonly Line[], limits: Heights): Promise<Frame> {
  const rotation = await bestRotation(lines)
  const isUpright = rotation[1] === 0
  // Equal Earth would cut lines over a pole at its upper edge.
  const isOverPole = isUpright && lines.some(isPolar)
  const world = worlds[isOverPole ? 'miller' : 'equalEarth']
  const projection = world.create().rotate(rotation).scale(MEASURE_SCALE).translate([0, 0])
  const extent = await extentOf(projection, lines)
  const airports = lines.flatMap((line) => [line[0]!, line.at(-1)!])
  const heights = (isUpright ? airports : lines.flat()).map((point) => projection(point)![1] / MEASURE_SCALE)
  const edge = (latitude: number) => world.create().scale(1).translate([0, 0])([0, latitude])![1]
  let top = Math.min(edge(NORTH_EDGE), Math.min(...heights) - ROOM)
  let bottom = Math.max(edge(SOUTH_EDGE), Math.max(...heights) + ROOM)
  if (isOverPole) {
    top = Math.min(top, extent.top - POLAR_ROOM)
    bottom = Math.max(bottom, extent.bottom + POLAR_ROOM)
  }
  const scale = Math.min((WIDTH - 8) / world.width, limits.most / (bottom - top))
  const ends = isOverPole ? undefined : airports
  if ((WIDTH - 2 * MARGIN) / (extent.right - extent.left) > scale * 1.25) {
    const visible = { ...extent, top: Math.max(extent.top, top), bottom: Math.min(extent.bottom, bottom) }
    return closeFrame(projection, visible, limits, { top, bottom }, ends)
  }
  const height = Math.round(clamp((bottom - top) * scale, limits.least, limits.most))
  projection.scale(scale).translate([WIDTH / 2, height / 2 - ((top + bottom) / 2) * scale])
  return framed(projection, height, true, ends)
}

/** Cuts lines over a pole at the upper and lower edge of a world map, unless an airport lies beyond it. */
function partsBetween(projection: GeoProjection, height: number, airports: Line): Frame['partsOf'] {
  const rotate = geoRotation(projection.rotate())
  const latitudeAt = (y: number) => rotate(projection.invert!([projection.translate()[0], y])!)[1]
  // Slightly beyond the edge, so that lines reach it. Outside the earth the latitude is NaN.
  const edgeAt = (y: number) => Math.min(POLE_LINE_LATITUDE, Math.abs(latitudeAt(y)) + 2 || POLE_LINE_LATITUDE)
  const latitudes = airports.map((point) => rotate(point)[1])
  const north = Math.max(edgeAt(0), ...latitudes)
  const south = Math.min(-edgeAt(height), ...latitudes)
  const isVisible = (point: Point) => rotate(point)[1] <= north + 1e-6 && rotate(point)[1] >= south - 1e-6
  return (line) => {
    if (line.every(isVisible)) return [[...line]]
    const parts: Point[][] = [[]]
    for (const [index, end] of line.slice(1).entries()) {
      for (const point of greatCirclePoints(line[index]!, end, 1)) {
        if (isVisible(point)) parts.at(-1)!.push(point)
        else if (parts.at(-1)!.length > 0) parts.push([])
      }
    }
    return parts.filter(({ length }) => length > 1)
  }
}

/** Degrees from the centre of an azimuthal map to its farthest corner. */
function radiusOf(projection: GeoProjection): number {
  const [x, y] = projection.translate()
  const [[left, top], [right, bottom]] = projection.clipExtent()!
  const farthest = Math.hypot(Math.max(x - left, right - x), Math.max(y - top, bottom - y))
  return Math.min(MAX_CLIP_ANGLE, 2 * Math.asin(Math.min(1, farthest / projection.scale() / 2)) * (180 / Math.PI) + 1)
}

/** The same view without adaptive resampling, which takes most of the time. */
const withoutResampling = (projection: GeoProjection): GeoProjection =>
  geoAzimuthalEqualArea()
    .rotate(projection.rotate())
    .angle(projection.angle())
    .scale(projection.scale())
    .translate(projection.translate())
    .clipAngle(projection.clipAngle()!)
    .clipExtent(projection.clipExtent())
    .precision(0)

/** With airports, lines over a pole are cut at the edges. */
function framed(projection: GeoProjection, height: number, isWorld: boolean, airports?: Line): Frame {
  const [x, y] = projection.translate()
  projection.translate([Math.round(x), Math.round(y)]).scale(Math.round(projection.scale() * 10) / 10)
  projection.precision(PRECISION).clipExtent([
    [-8, -8],
    [WIDTH + 8, height + 8],
  ])
  const radius = isWorld ? 180 : radiusOf(projection)
  if (!isWorld) projection.clipAngle(radius)
  const [longitude, latitude] = projection.rotate()
  return {
    width: WIDTH,
    height,
    projection,
    outlines: isWorld ? projection : withoutResampling(projection),
    detail: projection.scale() > 600 ? 'fine' : 'coarse',
    centre: [-longitude, -latitude],
    partsOf: airports ? partsBetween(projection, height, airports) : (line) => [[...line]],
    radius,
  }
}
