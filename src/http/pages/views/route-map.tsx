import type { VisitorPlace, VisitorRoute } from '../../../domain/shares/visitor.ts'

type Point = readonly [longitude: number, latitude: number]

interface Frame {
  left: number
  top: number
  width: number
  height: number
}

const STEP_DEGREES = 3
const GRID_DEGREES = 15

const radians = (degrees: number) => (degrees * Math.PI) / 180
const degrees = (angle: number) => (angle * 180) / Math.PI
const at = ({ longitude, latitude }: VisitorPlace): Point => [longitude, latitude]

/** Places on the great circle from one airport to another, close enough together to look like a curve. */
function greatCircle([fromLon, fromLat]: Point, [toLon, toLat]: Point): Point[] {
  const [a, b] = [radians(fromLat), radians(toLat)]
  const [p, q] = [radians(fromLon), radians(toLon)]
  const cosine = Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(q - p)
  const angle = Math.acos(Math.max(-1, Math.min(1, cosine)))
  const sine = Math.sin(angle)
  // The same place, and antipodes, between which every way is as short as any other.
  const ends: Point[] = [
    [fromLon, fromLat],
    [toLon, toLat],
  ]
  if (sine < 1e-9) return ends
  const steps = Math.ceil(degrees(angle) / STEP_DEGREES)
  return Array.from({ length: steps + 1 }, (_, index): Point => {
    const [f, g] = [Math.sin((1 - index / steps) * angle) / sine, Math.sin((index / steps) * angle) / sine]
    const x = f * Math.cos(a) * Math.cos(p) + g * Math.cos(b) * Math.cos(q)
    const y = f * Math.cos(a) * Math.sin(p) + g * Math.cos(b) * Math.sin(q)
    const z = f * Math.sin(a) + g * Math.sin(b)
    return [degrees(Math.atan2(y, x)), degrees(Math.atan2(z, Math.hypot(x, y)))]
  })
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** A line in degrees, north up; where it leaves the map on one side it goes on at the other. */
function path(points: readonly Point[]): string {
  return points
    .map(([longitude, latitude], index) => {
      const before = points[index - 1]
      const leaps = before === undefined || Math.abs(longitude - before[0]) > 180
      return `${leaps ? 'M' : 'L'}${round(longitude)} ${round(-latitude)}`
    })
    .join('')
}

/** What is drawn, with some room around it. */
function frameOf(points: readonly Point[]): Frame {
  let [west, east, south, north] = [180, -180, 90, -90]
  for (const [longitude, latitude] of points) {
    west = Math.min(west, longitude)
    east = Math.max(east, longitude)
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
  }
  const room = 2 + Math.max(east - west, north - south) * 0.06
  const [left, top] = [west - room, -north - room]
  return { left, top, width: east - west + 2 * room, height: north - south + 2 * room }
}

/** Meridians and parallels, so that the eye has something to hold on to. */
function grid({ left, top, width, height }: Frame): string {
  const lines = (from: number, length: number) => {
    const first = Math.ceil(from / GRID_DEGREES) * GRID_DEGREES
    return Array.from({ length: Math.max(0, Math.floor((from + length - first) / GRID_DEGREES) + 1) }, (_, index) =>
      round(first + index * GRID_DEGREES),
    )
  }
  const meridians = lines(left, width).map((x) => `M${x} ${round(top)}V${round(top + height)}`)
  const parallels = lines(top, height).map((y) => `M${round(left)} ${y}H${round(left + width)}`)
  return [...meridians, ...parallels].join('')
}

/** The routes as great circles and the tracks as flown, as one drawing that needs no script. */
export function RouteMap({ routes, tracks }: { routes: VisitorRoute[]; tracks: [number, number][][] }) {
  const circles = routes.map(({ from, to }) => greatCircle(at(from), at(to)))
  // Two airports may share a code, but not a place.
  const airports = new Map(routes.flatMap(({ from, to }) => [from, to]).map((place) => [at(place).join(' '), place]))
  const frame = frameOf([...circles.flat(), ...tracks.flat()])
  const line = { fill: 'none', stroke: 'currentColor', 'vector-effect': 'non-scaling-stroke' } as const
  return (
    <svg
      viewBox={`${round(frame.left)} ${round(frame.top)} ${round(frame.width)} ${round(frame.height)}`}
      width="100%"
      role="img"
      aria-label={`Map of ${routes.length} ${routes.length === 1 ? 'route' : 'routes'}`}
    >
      <path {...line} opacity="0.15" d={grid(frame)} />
      <path {...line} opacity="0.6" stroke-width="1.5" d={circles.map(path).join('')} />
      {tracks.length > 0 && <path {...line} stroke-width="2" d={tracks.map(path).join('')} />}
      {[...airports].map(([key, place]) => (
        <circle
          key={key}
          cx={round(place.longitude)}
          cy={round(-place.latitude)}
          r={round(Math.max(frame.width, frame.height) / 200)}
          fill="currentColor"
        >
          <title>{`${place.code} ${place.name}`}</title>
        </circle>
      ))}
    </svg>
  )
}
