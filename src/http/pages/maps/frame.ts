import { type GeoProjection, geoAzimuthalEqualArea, geoEqualEarth, geoRotation } from 'd3-geo'
import { boundingCircle, greatCirclePoints, type Point } from '../../../lib/sphere.ts'
import { type Extent, MEASURE, measured } from './extent.ts'
import { geoMiller } from './miller.ts'
import { bestTurn, isPolar } from './turn.ts'

/** Natural Earth in two scales: for the world, and for a part of it. */
export type Detail = 'coarse' | 'fine'

/** What is seen of the earth, and how. */
export interface Frame {
  width: number
  height: number
  /** Great circles come out curved. */
  projection: GeoProjection
  /** The same for outlines of land, whose points are so close to each other that nothing has to be curved between them. */
  outlines: GeoProjection
  detail: Detail
  /** What lies farther from the middle is out of sight, in degrees. */
  centre: Point
  radius: number
  /** The parts of a way that are drawn. */
  partsOf: (way: readonly Point[]) => Point[][]
}

const WIDTH = 1000
const MARGIN = 48

/** Between which heights the frame may choose, for a width of 1000. */
export interface Heights {
  least: number
  most: number
}
const AS_FITS: Heights = { least: 400, most: 600 }

/** Up to this radius, in degrees, a log lies in one part of the earth, and the map shows that part as from above it. */
const REGION = 42
/** South of this there is too little land for the usual view of the world. */
const FAR_SOUTH = -40
/** The widest that is still drawn as from above. */
const HEMISPHERE = 80
/** However close the airports are, the map is this wide at least, in pixels for each radian. */
const CLOSEST = WIDTH / ((10 * Math.PI) / 180)
/** Maps of the world: the usual one, and one for logs with ways over a pole. How wide is the earth on the scale of one pixel? */
const worlds = {
  usual: { make: geoEqualEarth, width: 5.4134 },
  polar: { make: geoMiller, width: 2 * Math.PI },
} as const
/** How far a curve may be off, in pixels. */
const SMOOTHNESS = 0.35
/** Around airports at the upper and lower edge of a map of the world. */
const ROOM = 0.08
/** Above ways over a pole, which shall not creep along the edge. */
const POLAR_ROOM = 0.16
/** What a map of the world shows at least; farther north the ways over the pole would creep along its edge. */
const [NORTH_EDGE, SOUTH_EDGE] = [76, -58]

/** A map of the world makes a line of a pole, and what is nearer to it than this would creep along that line. */
const POLE_LINE = 82

/** The farthest from its middle that a map from above can show, in degrees: the point behind the globe has no place. */
const BEHIND = 179.9

const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))

/** On a map from above a pole no side is up, so that the longer side of the log may lie flat. */
function flatAngle(projection: GeoProjection, points: readonly Point[]): number {
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

function fromAbove([longitude, latitude]: Point, points: readonly Point[]): GeoProjection {
  const projection = geoAzimuthalEqualArea().rotate([-longitude, -latitude]).scale(MEASURE).translate([0, 0])
  return Math.abs(latitude) > 60 ? projection.angle(flatAngle(projection, points)) : projection
}

/** Chooses the view that shows these ways best; there must be one way at least. */
export async function frameOf(ways: readonly (readonly Point[])[], heights = AS_FITS): Promise<Frame> {
  const { centre, radius } = boundingCircle(ways.flat())
  const aroundPole = FAR_SOUTH > centre[1] || ways.some(isPolar)
  if (radius > (aroundPole ? HEMISPHERE : REGION)) return worldFrame(ways, heights)
  const projection = fromAbove([Math.round(centre[0]), Math.round(centre[1])], ways.flat())
  return closeFrame(projection, await measured(projection, ways), heights)
}

/** Brings the ways into the frame, with room around them, but nothing beyond the edges of a map of the world. */
function closeFrame(
  projection: GeoProjection,
  { left, top, right, bottom }: Extent,
  { least, most }: Heights,
  edges?: Pick<Extent, 'top' | 'bottom'>,
  ends?: readonly Point[],
): Frame {
  const [across, down] = [Math.max(right - left, 1e-6), Math.max(bottom - top, 1e-6)]
  const wanted = clamp((down / across) * (WIDTH - 2 * MARGIN) + 2 * MARGIN, least, most)
  const scale = Math.min((WIDTH - 2 * MARGIN) / across, (wanted - 2 * MARGIN) / down, CLOSEST)
  const middle = ((top + bottom) / 2) * scale
  const highest = Math.max(middle - wanted / 2, edges ? edges.top * scale : Number.NEGATIVE_INFINITY)
  const lowest = Math.min(middle + wanted / 2, edges ? edges.bottom * scale : Number.POSITIVE_INFINITY)
  const height = Math.round(clamp(lowest - highest, least, most))
  projection.scale(scale).translate([WIDTH / 2 - ((left + right) / 2) * scale, -highest])
  return framed(projection, height, edges !== undefined, ends)
}

async function worldFrame(ways: readonly (readonly Point[])[], limits: Heights): Promise<Frame> {
  const turn = await bestTurn(ways)
  // An upright map would cut them off at its upper edge.
  const isOverPole = turn[1] === 0 && ways.some(isPolar)
  const world = worlds[isOverPole ? 'polar' : 'usual']
  const projection = world.make().rotate(turn).scale(MEASURE).translate([0, 0])
  const extent = await measured(projection, ways)
  const airports = ways.flatMap((way) => [way[0]!, way.at(-1)!])
  const heights = (turn[1] === 0 ? airports : ways.flat()).map((point) => projection(point)![1] / MEASURE)
  const edge = (latitude: number) => world.make().scale(1).translate([0, 0])([0, latitude])![1]
  let top = Math.min(edge(NORTH_EDGE), Math.min(...heights) - ROOM)
  let bottom = Math.max(edge(SOUTH_EDGE), Math.max(...heights) + ROOM)
  if (isOverPole) {
    top = Math.min(top, extent.top - POLAR_ROOM)
    bottom = Math.max(bottom, extent.bottom + POLAR_ROOM)
  }
  const scale = Math.min((WIDTH - 8) / world.width, limits.most / (bottom - top))
  const ends = isOverPole ? undefined : airports
  if ((WIDTH - 2 * MARGIN) / (extent.right - extent.left) > scale * 1.25) {
    const seen = { ...extent, top: Math.max(extent.top, top), bottom: Math.min(extent.bottom, bottom) }
    return closeFrame(projection, seen, limits, { top, bottom }, ends)
  }
  const height = Math.round(clamp((bottom - top) * scale, limits.least, limits.most))
  projection.scale(scale).translate([WIDTH / 2, height / 2 - ((top + bottom) / 2) * scale])
  return framed(projection, height, true, ends)
}

/**
 * On a map of the world a way over a pole leaves at the upper or lower edge and comes back there. It goes on along the edge
 * only where an airport lies so far out itself.
 */
function partsBetween(projection: GeoProjection, height: number, ends: readonly Point[]): Frame['partsOf'] {
  const turned = geoRotation(projection.rotate())
  const latitudeAt = (y: number) => turned(projection.invert!([projection.translate()[0], y])!)[1]
  // A little beyond the edge, so that the way leaves there; and above the earth there is no latitude.
  const edgeAt = (y: number) => Math.min(POLE_LINE, Math.abs(latitudeAt(y)) + 2 || POLE_LINE)
  const latitudes = ends.map((point) => turned(point)[1])
  const north = Math.max(edgeAt(0), ...latitudes)
  const south = Math.min(-edgeAt(height), ...latitudes)
  const isSeen = (point: Point) => turned(point)[1] <= north + 1e-6 && turned(point)[1] >= south - 1e-6
  return (way) => {
    if (way.every(isSeen)) return [[...way]]
    const parts: Point[][] = [[]]
    for (const [index, end] of way.slice(1).entries()) {
      for (const point of greatCirclePoints(way[index]!, end, 1)) {
        if (isSeen(point)) parts.at(-1)!.push(point)
        else if (parts.at(-1)!.length > 0) parts.push([])
      }
    }
    return parts.filter(({ length }) => length > 1)
  }
}

/** How far the farthest corner is from the middle of a map from above, in degrees: what lies beyond need not be drawn. */
function radiusOf(projection: GeoProjection): number {
  const [x, y] = projection.translate()
  const [[left, top], [right, bottom]] = projection.clipExtent()!
  const farthest = Math.hypot(Math.max(x - left, right - x), Math.max(y - top, bottom - y))
  return Math.min(BEHIND, 2 * Math.asin(Math.min(1, farthest / projection.scale() / 2)) * (180 / Math.PI) + 1)
}

/** The view of the same part of the earth without its curves, which are most of the work. */
const withoutCurves = (projection: GeoProjection): GeoProjection =>
  geoAzimuthalEqualArea()
    .rotate(projection.rotate())
    .angle(projection.angle())
    .scale(projection.scale())
    .translate(projection.translate())
    .clipAngle(projection.clipAngle()!)
    .clipExtent(projection.clipExtent())
    .precision(0)

/** With the ends of all ways, those over a pole are cut at the edges. */
function framed(projection: GeoProjection, height: number, isWorld: boolean, ends?: readonly Point[]): Frame {
  const [x, y] = projection.translate()
  projection.translate([Math.round(x), Math.round(y)]).scale(Math.round(projection.scale() * 10) / 10)
  projection.precision(SMOOTHNESS).clipExtent([
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
    outlines: isWorld ? projection : withoutCurves(projection),
    detail: projection.scale() > 600 ? 'fine' : 'coarse',
    centre: [-longitude, -latitude],
    partsOf: ends ? partsBetween(projection, height, ends) : (way) => [[...way]],
    radius,
  }
}
