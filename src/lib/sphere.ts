/** Degrees on the globe. */
export type Point = [longitude: number, latitude: number]

type Vector = [x: number, y: number, z: number]

const RADIANS = Math.PI / 180

function vectorOf([longitude, latitude]: Point): Vector {
  const [a, b] = [longitude * RADIANS, latitude * RADIANS]
  return [Math.cos(b) * Math.cos(a), Math.cos(b) * Math.sin(a), Math.sin(b)]
}

const pointOf = ([x, y, z]: Vector): Point => [Math.atan2(y, x) / RADIANS, Math.atan2(z, Math.hypot(x, y)) / RADIANS]

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

const angle = (a: Vector, b: Vector) => Math.acos(Math.max(-1, Math.min(1, dot(a, b)))) / RADIANS

export const angleBetween = (a: Point, b: Point): number => angle(vectorOf(a), vectorOf(b))

/** Of length one; opposite points have no middle, and then any will do. */
function unit([x, y, z]: Vector): Vector {
  const length = Math.hypot(x, y, z)
  return length < 1e-9 ? [1, 0, 0] : [x / length, y / length, z / length]
}

function sum(vectors: readonly Vector[]): Vector {
  const total: Vector = [0, 0, 0]
  for (const [x, y, z] of vectors) {
    total[0] += x
    total[1] += y
    total[2] += z
  }
  return total
}

/** @public used by a script of the browser */
export const middleOf = (points: readonly Point[]): Point => pointOf(unit(sum(points.map(vectorOf))))

/** Nearly the smallest circle on the globe that holds all points: its centre walks towards whatever lies farthest. */
export function circleAround(points: readonly Point[]): { centre: Point; radius: number } {
  const vectors = points.map(vectorOf)
  // A log of a thousand flights has thousands of points, and all are asked sixty times.
  const farthest = (from: Vector) => {
    const [x, y, z] = from
    let [best, least] = [from, x * x + y * y + z * z]
    for (let index = 0; index < vectors.length; index++) {
      const other = vectors[index]!
      const near = x * other[0] + y * other[1] + z * other[2]
      if (near < least) {
        least = near
        best = other
      }
    }
    return best
  }
  let centre = unit(sum(vectors))
  for (let step = 2; step < 60; step++) {
    const [x, y, z] = farthest(centre)
    centre = unit([
      centre[0] + (x - centre[0]) / step,
      centre[1] + (y - centre[1]) / step,
      centre[2] + (z - centre[2]) / step,
    ])
  }
  return { centre: pointOf(centre), radius: angle(centre, farthest(centre)) }
}

/** A point on the great circle between two others, `part` of the way along. */
function between(a: Vector, b: Vector, part: number): Point {
  const whole = angle(a, b) * RADIANS
  const [f, g] = [Math.sin((1 - part) * whole), Math.sin(part * whole)]
  return pointOf(unit([a[0] * f + b[0] * g, a[1] * f + b[1] * g, a[2] * f + b[2] * g]))
}

export const ALMOST_OPPOSITE = 179.99

/**
 * The shortest way from one point to another, by points that are a few degrees apart, so that what lies between two of
 * them is never in doubt. Between opposite points every way is as short, and one is chosen.
 */
export function wayBetween(from: Point, to: Point, degrees = 10): Point[] {
  const [a, b] = [vectorOf(from), vectorOf(to)]
  const apart = angle(a, b)
  // A quarter of the globe to the side, on the equator, is halfway to the opposite of any point.
  if (apart > ALMOST_OPPOSITE) return [from, [from[0] > 90 ? from[0] - 270 : from[0] + 90, 0], to]
  const steps = Math.ceil(apart / degrees)
  const inner = Array.from({ length: Math.max(0, steps - 1) }, (_, index) => between(a, b, (index + 1) / steps))
  return [from, ...inner, to]
}
