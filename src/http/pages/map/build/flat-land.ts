import { type GeoContext, geoEquirectangular, geoPath } from 'd3-geo'
import type { Point } from '../../../../lib/sphere.ts'
import { landsIn, ringsOf } from '../land-file.ts'
import { stepsOf } from '../steps.ts'

const PARTS = 180
/** Of the flat map, in degrees. */
const SCALE = 180 / Math.PI

function collector() {
  const rings: Point[][] = []
  const context: GeoContext = {
    beginPath: () => undefined,
    moveTo: (x, y) => rings.push([[x, -y]]),
    lineTo: (x, y) => rings.at(-1)!.push([x, -y]),
    closePath: () => rings.at(-1)!.push(rings.at(-1)![0]!),
    arc: () => undefined,
  }
  return { rings, context }
}

/**
 * Land for the map in the browser, which is a flat one, bent around a globe: cut where the world's edge is. Each ring is the
 * number of its points, then its first point and the steps to the others, in 16 bits. Holes are left out: what lies in
 * them is a country of its own.
 */
export function flatLand(file: Buffer): Buffer {
  const lands = landsIn(new Int16Array(file.buffer, file.byteOffset, file.byteLength / 2))
  const { rings, context } = collector()
  const draw = geoPath(geoEquirectangular().scale(SCALE).translate([0, 0]).precision(0), context)
  for (const land of lands) draw({ type: 'Polygon', coordinates: ringsOf(land).slice(0, 1) })
  const numbers: number[] = []
  for (const ring of rings) {
    numbers.push(ring.length)
    for (const step of stepsOf(ring, PARTS)) numbers.push(step)
  }
  return Buffer.from(Int16Array.from(numbers).buffer)
}
