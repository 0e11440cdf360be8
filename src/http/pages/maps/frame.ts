import { type GeoProjection, type GeoRawProjection, geoMercator, geoPath, geoProjection } from 'd3-geo'
import { angleBetween, boundingCircle, type Point } from '../../../lib/sphere.ts'
import { yielder } from '../../../lib/yield.ts'

type Line = readonly Point[]

export const projectionNames = ['globe', 'flat'] as const
export type ProjectionName = (typeof projectionNames)[number]

export type Detail = 'coarse' | 'fine'

/** What a picture shows. A script gives the interactive map the same camera. */
export interface View {
  projection: ProjectionName
  centre: Point
  /** The circumference of the earth at the scale of Mercator, divided by 2π, in units of the picture. */
  scale: number
  height: number
  /** The globe is smaller than the picture, which may be cropped on its sides. */
  isWhole: boolean
}

export interface Frame {
  width: number
  height: number
  view: View
  /** Bends lines along great circles. */
  projection: GeoProjection
  /** For outlines, whose points are too close to need bending. */
  outlines: GeoProjection
  detail: Detail
  /** Anything farther from the centre of the view than this, in degrees, is invisible. */
  radius: number
  /** A line that the projection can draw. */
  drawable: (line: Line) => Line
  /** The radius of the outline of a globe; undefined if it is outside of the picture. */
  limb: number | undefined
}

const WIDTH = 1000
const MARGIN = 56

/** Limits of the height, for a width of 1000. */
export interface Heights {
  least: number
  most: number
  /** Instead of `least` for a flat map. */
  leastFlat?: number
}
const DEFAULT_HEIGHTS: Heights = { least: 420, most: 600 }

/** A log within this radius, in degrees, fills the picture; otherwise the whole globe is visible. */
const MAX_REGION_RADIUS = 38
/** The same for pictures, which may crop a globe. */
const MAX_CROPPED_RADIUS = 58
/** Beyond this radius a globe hides airports, so that a flat map is the default. */
const MAX_GLOBE_RADIUS = 68
/** The north stays at the top of a whole globe. */
const MAX_GLOBE_LATITUDE = 50
/** MapLibre has no camera above a pole. */
const MAX_POLAR_LATITUDE = 80
/** The radius of a whole globe, relative to the height of the picture. */
const GLOBE_SIZE = 0.465

/** Maps show at least seven degrees, in pixels per radian. */
const MAX_SCALE = WIDTH / ((7 * Math.PI) / 180)
/** A flat map is never wider than the world. */
const MIN_FLAT_SCALE = WIDTH / (2 * Math.PI)
/** The latitude limit of Web Mercator. */
const MAX_LATITUDE = 85.05
/** Flat maps of the world show at least these latitudes. */
const [NORTH_EDGE, SOUTH_EDGE] = [72, -56]

/** The distance of the camera in heights of the picture: MapLibre has a field of view of 36.87 degrees. */
const CAMERA_HEIGHTS = 1.5

const PRECISION = 0.35
/** Land is drawn slightly beyond the edges. */
const OVERLAP = 8
/** On phones the map is higher than its picture, up to about this height, so that land is drawn above and below it. */
const MAX_SHOWN_HEIGHT = 740

const RADIANS = Math.PI / 180
const clamp = (value: number, least: number, most: number) => Math.max(least, Math.min(most, value))
const wrapped = (longitude: number) => ((((longitude + 180) % 360) + 360) % 360) - 180
const mercatorY = (latitude: number) => Math.asinh(Math.tan(latitude * RADIANS))
const mercatorLatitude = (y: number) => Math.atan(Math.sinh(y)) / RADIANS

/** The earth seen from a distance of this many radii from its centre, which is how MapLibre draws a globe. */
function perspective(distance: number): GeoProjection {
  const raw: GeoRawProjection = (longitude, latitude) => {
    const cosine = Math.cos(latitude)
    const factor = (distance - 1) / (distance - cosine * Math.cos(longitude))
    return [factor * cosine * Math.sin(longitude), factor * Math.sin(latitude)]
  }
  raw.invert = (x, y) => {
    const away = Math.hypot(x, y)
    if (away === 0) return [0, 0]
    const beyond = distance - 1
    const sine = (distance - Math.sqrt(1 - (away ** 2 * (distance + 1)) / beyond)) / (beyond / away + away / beyond)
    return [Math.atan2(x * sine, away * Math.sqrt(1 - sine ** 2)), Math.asin((y * sine) / away)]
  }
  return geoProjection(raw).clipAngle(Math.acos(1 / distance) / RADIANS - 1e-3)
}

interface Extent {
  left: number
  top: number
  right: number
  bottom: number
}

async function extentOf(projection: GeoProjection, lines: readonly Line[]): Promise<Extent> {
  const path = geoPath(projection)
  const turn = yielder()
  const extent = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity }
  for (const line of lines) {
    const [[left, top], [right, bottom]] = path.bounds({ type: 'LineString', coordinates: [...line] })
    extent.left = Math.min(extent.left, left)
    extent.top = Math.min(extent.top, top)
    extent.right = Math.max(extent.right, right)
    extent.bottom = Math.max(extent.bottom, bottom)
    if (turn.isOver()) await turn.end()
  }
  return extent
}

/** The height and the scale at which an extent fits into the picture with a margin. */
function fitInto({ left, top, right, bottom }: Extent, { least, most }: Heights) {
  const [across, down] = [Math.max(right - left, 1e-9), Math.max(bottom - top, 1e-9)]
  const height = Math.round(clamp((down / across) * (WIDTH - 2 * MARGIN) + 2 * MARGIN, least, most))
  return { height, factor: Math.min((WIDTH - 2 * MARGIN) / across, (height - 2 * MARGIN) / down) }
}

const landOverlap = (height: number) => Math.max(OVERLAP, (MAX_SHOWN_HEIGHT - height) / 2)

const clipTo = (projection: GeoProjection, height: number, overlap = OVERLAP) =>
  projection.clipExtent([
    [-OVERLAP, -overlap],
    [WIDTH + OVERLAP, height + overlap],
  ])

/** Cameras have few decimals, so that logs with the same airports share a map. */
const rounded = ([longitude, latitude]: Point): Point => [Number(longitude.toFixed(1)), Number(latitude.toFixed(1))]

function globe(centre: Point, radius: number, height: number): GeoProjection {
  return perspective(1 + (CAMERA_HEIGHTS * height) / radius)
    .rotate([-centre[0], -centre[1]])
    .scale(radius)
    .translate([WIDTH / 2, height / 2])
}

/** The radius of the globe in pixels whose outline has this radius. */
function radiusOfOutline(outline: number, height: number): number {
  const distance = CAMERA_HEIGHTS * height
  return outline ** 2 / distance + outline * Math.sqrt((outline / distance) ** 2 + 1)
}

function outlineOf(radius: number, height: number): number {
  const distance = CAMERA_HEIGHTS * height
  return (distance * radius) / Math.sqrt(distance ** 2 + 2 * distance * radius)
}

function globeFrame(centre: Point, radius: number, height: number, isWhole: boolean): Frame {
  const make = (overlap?: number) => clipTo(globe(centre, radius, height), height, overlap)
  const limb = outlineOf(radius, height)
  const projection = make().precision(PRECISION)
  return {
    width: WIDTH,
    height,
    view: { projection: 'globe', centre, scale: radius * Math.cos(centre[1] * RADIANS), height, isWhole },
    projection,
    outlines: make(landOverlap(height)).precision(0),
    detail: radius > 600 ? 'fine' : 'coarse',
    radius: projection.clipAngle()!,
    drawable: (line) => line,
    limb: limb < Math.hypot(WIDTH, height) / 2 ? limb : undefined,
  }
}

/** More steps do not move the camera noticeably. */
const CAMERA_STEPS = 5

/** Perspective moves points, so that scale and centre are found step by step. */
async function regionalGlobe(lines: readonly Line[], start: Point, heights: Heights): Promise<Frame> {
  let centre = start
  let { most: height } = heights
  let radius = WIDTH
  for (let step = 0; step < CAMERA_STEPS; step++) {
    const projection = globe(centre, radius, height)
    const extent = await extentOf(projection, lines)
    const middle = projection.invert!([(extent.left + extent.right) / 2, (extent.top + extent.bottom) / 2])
    const next = fitInto(extent, heights)
    if (middle && Number.isFinite(middle[0])) centre = [middle[0], middle[1]]
    radius = Math.min(radius * next.factor, MAX_SCALE)
    height = next.height
  }
  return globeFrame(rounded(centre), Math.round(radius), height, false)
}

/** Mercator has no poles. */
const MAX_DRAWN_LATITUDE = 89

const withoutPoles = (line: Line): Point[] =>
  line.map(([longitude, latitude]) => [longitude, clamp(latitude, -MAX_DRAWN_LATITUDE, MAX_DRAWN_LATITUDE)])

/** The share of lines that a flat map around this longitude cuts at its sides. */
function cutsAt(longitude: number, lines: readonly Line[]): number {
  let cost = 0
  for (const line of lines) {
    let [isCut, offCentre, before] = [false, 0, Number.NaN]
    for (const [east] of line) {
      const shifted = wrapped(east - longitude)
      if (Math.abs(shifted - before) > 180) isCut = true
      offCentre += Math.abs(shifted)
      before = shifted
    }
    cost += Number(isCut) + offCentre / line.length / 360
  }
  return cost
}

/** More lines do not change the choice. */
const MAX_CUT_LINES = 80
const LONGITUDE_STEP = 10

async function bestLongitude(all: readonly Line[]): Promise<number> {
  const lines = all.slice(0, MAX_CUT_LINES)
  const turn = yielder()
  let best = { longitude: 0, cost: Infinity }
  for (let longitude = -180; longitude < 180; longitude += LONGITUDE_STEP) {
    const cost = cutsAt(longitude, lines)
    if (cost < best.cost) best = { longitude, cost }
    if (turn.isOver()) await turn.end()
  }
  return best.longitude
}

const mercator = (centre: Point, scale: number, height: number) =>
  geoMercator()
    .rotate([-centre[0], 0])
    .scale(scale)
    .translate([WIDTH / 2, height / 2 + mercatorY(centre[1]) * scale])

/** Degrees from the centre to the farthest corner. */
function radiusOfFlat(projection: GeoProjection, centre: Point, scale: number, height: number): number {
  if (WIDTH / scale > Math.PI) return 180
  const overlap = landOverlap(height)
  const corners = [-overlap, height + overlap].flatMap((y) =>
    [0, WIDTH / 2, WIDTH].map((x) => projection.invert!([x, y])!),
  )
  return Math.max(...corners.map((corner) => angleBetween(centre, corner as Point))) + 1
}

async function flatFrame(
  lines: readonly Line[],
  start: Point,
  { most, leastFlat, ...others }: Heights,
): Promise<Frame> {
  const heights = { most, least: leastFlat ?? others.least }
  const unit = geoMercator().rotate([-start[0], 0]).scale(1).translate([0, 0])
  const edge = mercatorY(MAX_LATITUDE)
  const extent =
    lines.length > 0
      ? await extentOf(unit, lines.map(withoutPoles))
      : { left: -Math.PI, right: Math.PI, top: 0, bottom: 0 }
  // Lines over a pole leave the map.
  extent.top = clamp(extent.top, -edge, edge)
  extent.bottom = clamp(extent.bottom, -edge, edge)
  let { factor: scale, height } = fitInto(extent, heights)
  let middle = (extent.left + extent.right) / 2
  if (scale < MIN_FLAT_SCALE) {
    scale = MIN_FLAT_SCALE
    if (extent.right - extent.left > Math.PI * 1.9) middle = 0
    extent.top = Math.min(extent.top, -mercatorY(NORTH_EDGE))
    extent.bottom = Math.max(extent.bottom, -mercatorY(SOUTH_EDGE))
    height = Math.round(clamp((extent.bottom - extent.top) * scale, heights.least, heights.most))
  }
  scale = Math.min(scale, MAX_SCALE)
  const reach = height / 2 / scale
  const y = clamp(-(extent.top + extent.bottom) / 2, reach - edge, edge - reach)
  const centre = rounded([wrapped(start[0] + middle / RADIANS), mercatorLatitude(y)])
  scale = Number(scale.toPrecision(4))
  const make = (overlap?: number) => clipTo(mercator(centre, scale, height), height, overlap)
  return {
    width: WIDTH,
    height,
    view: { projection: 'flat', centre, scale, height, isWhole: false },
    projection: make().precision(PRECISION),
    outlines: make(landOverlap(height)).precision(0),
    detail: scale / Math.cos(centre[1] * RADIANS) > 600 ? 'fine' : 'coarse',
    radius: radiusOfFlat(mercator(centre, scale, height), centre, scale, height),
    drawable: withoutPoles,
    limb: undefined,
  }
}

/** Airports nearer to the outline are hard to see. */
const OUTLINE_MARGIN = 6

/** Around the first centre that shows all airports with the north at the top, or a pole in the middle if need be. */
function wholeGlobe(lines: readonly Line[], centres: readonly Point[], heights: Heights): Frame {
  const height = heights.most
  const size = Math.round(radiusOfOutline(GLOBE_SIZE * height, height))
  const frames = [MAX_GLOBE_LATITUDE, MAX_POLAR_LATITUDE].flatMap((most) =>
    centres.map(([longitude, latitude]) =>
      globeFrame(rounded([longitude, clamp(latitude, -most, most)]), size, height, true),
    ),
  )
  const ends = lines.flatMap((line) => [line[0]!, line.at(-1)!])
  const showsAll = ({ view, radius }: Frame) =>
    ends.every((end) => angleBetween(view.centre, end) < radius - OUTLINE_MARGIN)
  return frames.find(showsAll) ?? frames[0]!
}

/** Without any point, Europe and Africa are in the middle. */
const EMPTY_CENTRE: Point = [12, 28]

interface FrameOptions {
  /** Without one, a globe if it shows all airports. */
  projection?: ProjectionName | undefined
  heights?: Heights | undefined
  /** Fills the picture with larger logs too. */
  isCropped?: boolean | undefined
  /** The preferred middle of a whole globe. */
  middle?: Point
  /** Airports and points of tracks. A circle around the airports contains the great circles between them. */
  points?: Line
}

export async function frameOf(
  lines: readonly Line[],
  { projection, heights = DEFAULT_HEIGHTS, isCropped = false, middle, points = lines.flat() }: FrameOptions = {},
): Promise<Frame> {
  if (points.length === 0) {
    return projection === 'flat' ? flatFrame([], EMPTY_CENTRE, heights) : wholeGlobe([], [EMPTY_CENTRE], heights)
  }
  const { centre, radius } = boundingCircle(points)
  if ((projection ?? (radius > MAX_GLOBE_RADIUS ? 'flat' : 'globe')) === 'flat') {
    const start = radius > MAX_REGION_RADIUS ? await bestLongitude(lines) : centre[0]
    return flatFrame(lines, [start, 0], heights)
  }
  if (radius <= (isCropped ? MAX_CROPPED_RADIUS : MAX_REGION_RADIUS)) return regionalGlobe(lines, centre, heights)
  return wholeGlobe(lines, [middle ?? centre, centre], heights)
}
