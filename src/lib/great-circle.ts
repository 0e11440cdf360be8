import { ALMOST_OPPOSITE, angleBetween, type Point, wayBetween } from './sphere.ts'

/** Of a track also with its height. */
type Spot = [...Point, altitude?: number]

interface Place {
  latitude: number
  longitude: number
}

/** A bend every two degrees or so looks round on any map. */
const STEP = 2
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

/** The shortest way between two places, as points from the one to the other. */
export function greatCircle(from: Place, to: Place): Point[] {
  const ends: [Point, Point] = [
    [from.longitude, from.latitude],
    [to.longitude, to.latitude],
  ]
  // Of antipodes there is no one way.
  if (angleBetween(...ends) > ALMOST_OPPOSITE) return ends
  const between = wayBetween(...ends, STEP).slice(1, -1)
  return [ends[0], ...between.map((point): Point => [rounded(point[0]), rounded(point[1])]), ends[1]]
}

/** The same line in parts, none of which crosses the 180th meridian; each has two points or more. */
export function withoutWrap(line: readonly Spot[]): Spot[][] {
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
