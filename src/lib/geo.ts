import { ANTIPODAL_DEGREES, angleBetween, greatCirclePoints, type Point } from './sphere.ts'

const EARTH_RADIUS_METERS = 6371008.8

interface Place {
  latitude: number
  longitude: number
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Contract 4.11. */
export function distanceMeters(from: Place, to: Place): number {
  if (from.latitude === to.latitude && from.longitude === to.longitude) return 0
  const [a, b] = [radians(from.latitude), radians(to.latitude)]
  const cosine =
    Math.sin(a) * Math.sin(b) + Math.cos(a) * Math.cos(b) * Math.cos(radians(to.longitude) - radians(from.longitude))
  // Rounding can move the cosine out of its range.
  return EARTH_RADIUS_METERS * Math.acos(Math.max(-1, Math.min(1, cosine)))
}

type Spot = [...Point, altitude?: number]

/** Looks round on any map. */
const STEP_DEGREES = 2
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

export function greatCircle(from: Place, to: Place): Point[] {
  const ends: [Point, Point] = [
    [from.longitude, from.latitude],
    [to.longitude, to.latitude],
  ]
  // Opposite points have no unique great circle.
  if (angleBetween(...ends) > ANTIPODAL_DEGREES) return ends
  const between = greatCirclePoints(...ends, STEP_DEGREES).slice(1, -1)
  return [ends[0], ...between.map((point): Point => [rounded(point[0]), rounded(point[1])]), ends[1]]
}

/** Splits a line at the 180th meridian. Each part has at least two points. */
export function splitAtAntimeridian(line: readonly Spot[]): Spot[][] {
  const parts: Spot[][] = []
  let part: Spot[] = []
  for (const point of line) {
    const last = part.at(-1)
    if (last && Math.abs(point[0] - last[0]) > 180) {
      const side = last[0] > 0 ? 180 : -180
      const way = Math.abs(side - last[0])
      const whole = way + Math.abs(side + point[0])
      const latitude = rounded(last[1] + (whole === 0 ? 0 : (way / whole) * (point[1] - last[1])))
      parts.push([...part, [side, latitude]])
      part = [[-side, latitude]]
    }
    part.push(point)
  }
  return [...parts, part]
}
