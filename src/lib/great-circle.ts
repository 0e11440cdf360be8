import { ANTIPODAL_DEGREES, angleBetween, greatCirclePoints, type Point } from './sphere.ts'

type LinePoint = [...Point, altitude?: number]

interface Place {
  latitude: number
  longitude: number
}

const STEP_DEGREES = 2
const roundDegrees = (degrees: number) => Math.round(degrees * 1e5) / 1e5

export function greatCircle(from: Place, to: Place): Point[] {
  const ends: [Point, Point] = [
    [from.longitude, from.latitude],
    [to.longitude, to.latitude],
  ]
  // Antipodes have no unique shortest line.
  if (angleBetween(...ends) > ANTIPODAL_DEGREES) return ends
  const between = greatCirclePoints(...ends, STEP_DEGREES).slice(1, -1)
  return [ends[0], ...between.map((point): Point => [roundDegrees(point[0]), roundDegrees(point[1])]), ends[1]]
}

/** Splits a line so that no part crosses the 180th meridian; each part has at least two points. */
export function splitAtAntimeridian(line: readonly LinePoint[]): LinePoint[][] {
  const parts: LinePoint[][] = []
  let part: LinePoint[] = []
  for (const point of line) {
    const last = part.at(-1)
    if (last && Math.abs(point[0] - last[0]) > 180) {
      const side = last[0] > 0 ? 180 : -180
      const toEdge = Math.abs(side - last[0])
      const total = toEdge + Math.abs(side + point[0])
      const latitude = roundDegrees(last[1] + (total === 0 ? 0 : (toEdge / total) * (point[1] - last[1])))
      parts.push([...part, [side, latitude]])
      part = [[-side, latitude]]
    }
    part.push(point)
  }
  return [...parts, part]
}
