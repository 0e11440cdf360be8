import { angleBetween, middleOf, type Point } from '../../../lib/sphere.ts'
import { stepsOf } from './steps.ts'

/**
 * Land as a list of 16-bit numbers: for each piece a circle on the globe that holds it and the number of its rings; for
 * each ring the number of its points, then its first point and the steps to the others. All are in parts of a degree. It is
 * a tenth of what the same points are as objects.
 */
const PARTS = 180

const ENOUGH_POINTS = 24

/** The circle is taken from some points of the outline: it has to tell what is far away, not more. */
function circleOf(outline: readonly Point[]) {
  const step = Math.ceil(outline.length / ENOUGH_POINTS)
  const some = outline.filter((_, index) => index % step === 0)
  const centre = middleOf(some)
  const radius = Math.max(...some.map((point) => angleBetween(centre, point)))
  return { centre, radius: radius * 1.2 + 1 }
}

export function packLand(pieces: readonly Point[][][]): Int16Array {
  const numbers: number[] = []
  for (const rings of pieces) {
    const { centre, radius } = circleOf(rings[0]!)
    numbers.push(...[...centre, Math.min(180, radius)].map((degrees) => Math.round(degrees * PARTS)), rings.length)
    for (const ring of rings) {
      numbers.push(ring.length)
      for (const step of stepsOf(ring, PARTS)) numbers.push(step)
    }
  }
  return Int16Array.from(numbers)
}

/** One piece of land: where its rings are in the file, and a circle on the globe that holds it. */
export interface Land {
  numbers: Int16Array
  start: number
  centre: Point
  /** In degrees. */
  radius: number
}

const CIRCLE = 3

export function landsIn(numbers: Int16Array): Land[] {
  const lands: Land[] = []
  let at = 0
  while (at < numbers.length) {
    const [longitude, latitude, radius] = [numbers[at]! / PARTS, numbers[at + 1]! / PARTS, numbers[at + 2]! / PARTS]
    const start = at + CIRCLE
    lands.push({ numbers, start, centre: [longitude, latitude], radius })
    at = start + 1
    for (let ring = 0; ring < numbers[start]!; ring++) at += 1 + 2 * numbers[at]!
  }
  return lands
}

/** The outline of a piece of land, and the holes in it, as lists of points. */
export function ringsOf({ numbers, start }: Land): Point[][] {
  let at = start + 1
  return Array.from({ length: numbers[start]! }, () => {
    const ring: Point[] = []
    const end = at + 1 + 2 * numbers[at]!
    let [x, y] = [0, 0]
    for (at += 1; at < end; at += 2) {
      // A step around the earth comes back whole by overflow.
      x = ((x + numbers[at]!) << 16) >> 16
      y += numbers[at + 1]!
      ring.push([x / PARTS, y / PARTS])
    }
    return ring
  })
}
