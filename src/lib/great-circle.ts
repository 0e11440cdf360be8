type Point = [longitude: number, latitude: number, altitude?: number]

interface Place {
  latitude: number
  longitude: number
}

const DEGREE = Math.PI / 180
/** A bend every two degrees or so looks round on any map. */
const STEP = 2 * DEGREE
const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5

const vector = ({ latitude, longitude }: Place): [number, number, number] => {
  const [phi, lambda] = [latitude * DEGREE, longitude * DEGREE]
  return [Math.cos(phi) * Math.cos(lambda), Math.cos(phi) * Math.sin(lambda), Math.sin(phi)]
}

/** The shortest way between two places, as points from the one to the other. */
export function greatCircle(from: Place, to: Place): Point[] {
  const [a, b] = [vector(from), vector(to)]
  const angle = Math.acos(Math.max(-1, Math.min(1, a[0] * b[0] + a[1] * b[1] + a[2] * b[2])))
  const ends: [Point, Point] = [
    [from.longitude, from.latitude],
    [to.longitude, to.latitude],
  ]
  const sine = Math.sin(angle)
  // Of the same place and of antipodes there is no one way.
  if (sine < 1e-9) return ends
  const steps = Math.ceil(angle / STEP)
  const between = Array.from({ length: steps - 1 }, (_, index): Point => {
    const part = (index + 1) / steps
    const [p, q] = [Math.sin((1 - part) * angle) / sine, Math.sin(part * angle) / sine]
    const [x, y, z] = [p * a[0] + q * b[0], p * a[1] + q * b[1], p * a[2] + q * b[2]]
    return [rounded(Math.atan2(y, x) / DEGREE), rounded(Math.atan2(z, Math.hypot(x, y)) / DEGREE)]
  })
  return [ends[0], ...between, ends[1]]
}

/** The same line in parts, none of which crosses the 180th meridian; each has two points or more. */
export function withoutWrap(line: readonly Point[]): Point[][] {
  const parts: Point[][] = []
  let part: Point[] = []
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
