import { angleBetween, middleOf, type Point } from './sphere.ts'

/**
 * Land as a list of 16-bit numbers: for each piece the number of its rings; for each ring the number of its points, then
 * its first point and the steps to the others, in parts of a degree. It is a tenth of what the same points are as objects.
 */
const PARTS = 180

export function packLand(pieces: readonly Point[][][]): Int16Array {
  const numbers: number[] = []
  for (const rings of pieces) {
    numbers.push(rings.length)
    for (const ring of rings) {
      numbers.push(ring.length)
      let [x, y] = [0, 0]
      for (const [longitude, latitude] of ring) {
        const [nextX, nextY] = [Math.round(longitude * PARTS), Math.round(latitude * PARTS)]
        // A step from one side of the earth to the other is too long for 16 bits; it comes back whole by overflow.
        numbers.push(nextX - x, nextY - y)
        x = nextX
        y = nextY
      }
    }
  }
  return Int16Array.from(numbers)
}

/** One piece of land: where it is in the file, and a circle on the globe that holds it. */
export interface Land {
  start: number
  centre: Point
  /** In degrees. */
  radius: number
}

function ringAt(numbers: Int16Array, start: number): { ring: Point[]; end: number } {
  const count = numbers[start]!
  const ring: Point[] = []
  let [x, y] = [0, 0]
  for (let point = 0; point < count; point++) {
    x = ((x + numbers[start + 1 + 2 * point]!) << 16) >> 16
    y += numbers[start + 2 + 2 * point]!
    ring.push([x / PARTS, y / PARTS])
  }
  return { ring, end: start + 1 + 2 * count }
}

export function ringsAt(numbers: Int16Array, start: number): { rings: Point[][]; end: number } {
  const rings: Point[][] = []
  let at = start + 1
  for (let index = 0; index < numbers[start]!; index++) {
    const { ring, end } = ringAt(numbers, at)
    rings.push(ring)
    at = end
  }
  return { rings, end: at }
}

const ENOUGH_POINTS = 24

/** The circle is taken from some points of the outline: it has to tell what is far away, not more. */
function circleOf(outline: readonly Point[]) {
  const step = Math.ceil(outline.length / ENOUGH_POINTS)
  const some = outline.filter((_, index) => index % step === 0)
  const centre = middleOf(some)
  const radius = Math.max(...some.map((point) => angleBetween(centre, point)))
  return { centre, radius: radius * 1.2 + 1 }
}

export function landsIn(numbers: Int16Array): Land[] {
  const lands: Land[] = []
  let start = 0
  while (start < numbers.length) {
    const { rings, end } = ringsAt(numbers, start)
    lands.push({ start, ...circleOf(rings[0]!) })
    start = end
  }
  return lands
}
