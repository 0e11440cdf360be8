export type Point = [longitude: number, latitude: number]

type Vector = [x: number, y: number, z: number]

const RADIANS = Math.PI / 180

function toVector([longitude, latitude]: Point): Vector {
  const [a, b] = [longitude * RADIANS, latitude * RADIANS]
  return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)]
}

const toPoint = ([x, y, z]: Vector): Point => [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS]

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const angleDegrees = (a: Vector, b: Vector) => Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) / RADIANS

export const angleBetween = (a: Point, b: Point): number => angleDegrees(toVector(a), toVector(b))

/** Opposite points have no mean, so any direction will do. */
function normalize([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z)
  return length < 1e-9 ? [1, 0, 0] : [x / length, y / length, z / length]
}

const sum = (vectors: readonly Vector[]): Vector =>
  vectors.reduce(([a, b, c], [x, y, z]) => [a + x, b + y, c + z], [0, 0, 0])

export const midpoint = (points: readonly Point[]): Point => toPoint(normalize(sum(points.map(toVector))))

/** Approximates the smallest circle around all points by moving its centre towards the farthest point. */
export function boundingCircle(points: readonly Point[]): { centre: Point; radius: number } {
  const vectors = points.map(toVector)
  const farthest = (from: Vector) =>
    vectors.reduce((best, other) => (dot(from, other) < dot(from, best) ? other : best), from)
  let centre = normalize(sum(vectors))
  for (let step = 2; step < 60; step++) {
    const [x, y, z] = farthest(centre)
    const [a, b, c] = centre
    centre = normalize([a + (x - a) / step, b + (y - b) / step, c + (z - c) / step])
  }
  return { centre: toPoint(centre), radius: angleDegrees(centre, farthest(centre)) }
}

function interpolate(a: Vector, b: Vector, fraction: number): Point {
  const total = angleDegrees(a, b) * RADIANS
  const [f, g] = [Math.sin((1 - fraction) * total), Math.sin(fraction * total)]
  return toPoint(normalize([a[0] * f + b[0] * g, a[1] * f + b[1] * g, a[2] * f + b[2] * g]))
}

export const ANTIPODAL_DEGREES = 179.99

/** Points along the great circle, at most `degrees` apart. Between antipodes one of the possible lines is chosen. */
export function greatCirclePoints(from: Point, to: Point, degrees = 10): Point[] {
  const [a, b] = [toVector(from), toVector(to)]
  const apart = angleDegrees(a, b)
  // A point on the equator, 90 degrees to the side.
  if (apart > ANTIPODAL_DEGREES) return [from, [from[0] > 90 ? from[0] - 270 : from[0] + 90, 0], to]
  const steps = Math.ceil(apart / degrees)
  const intermediate = Array.from({ length: Math.max(0, steps - 1) }, (_, index) =>
    interpolate(a, b, (index + 1) / steps),
  )
  return [from, ...intermediate, to]
}
