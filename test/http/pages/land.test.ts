import { type GeoContext, geoPath } from 'd3-geo'
import { describe, expect, test } from 'vitest'
import { type Colour, canvas, lineCollector } from '../../../src/http/pages/map/canvas.ts'
import { type Frame, frameOf } from '../../../src/http/pages/map/frame.ts'
import { drawLand } from '../../../src/http/pages/map/land.ts'
import { ringsOf } from '../../../src/http/pages/map/land-file.ts'
import { type Point, wayBetween } from '../../../src/lib/sphere.ts'
import { shippedLand } from '../../support/land.ts'

const places: Record<string, Point> = {
  ZRH: [8.5, 47.5],
  GVA: [6.1, 46.2],
  LIS: [-9.1, 38.8],
  OSL: [11.1, 60.2],
  ATH: [23.9, 37.9],
  LHR: [-0.5, 51.5],
  HEL: [24.9, 60.3],
  LYR: [15.5, 78.2],
  ANC: [-150, 61.2],
  JFK: [-73.8, 40.6],
  LAX: [-118.4, 33.9],
  HNL: [-157.9, 21.3],
  HND: [139.8, 35.5],
  SIN: [104, 1.4],
  DXB: [55.4, 25.2],
  SYD: [151.2, -33.9],
  AKL: [174.8, -37],
  NAN: [177.4, -17.8],
  APW: [-172, -13.8],
  GRU: [-46.5, -23.4],
  CPT: [18.6, -33.9],
  SCL: [-70.8, -33.4],
  USH: [-68.3, -54.8],
  TNM: [-59, -62.2],
  FBS: [-68.1, -67.6],
}

/** Maps of every kind: the world, cut in different places or leaning, a part of it, a pole, a single country. */
const logs = [
  ['around the world', 'ZRH-HND SYD-LAX GRU-CPT'],
  ['across the Pacific', 'LAX-SYD HND-HNL AKL-LAX'],
  ['across the Atlantic', 'JFK-LHR LAX-ZRH'],
  ['around the North Pole', 'LYR-ANC HEL-ANC'],
  ['around all of the north, whose other side is the rim', 'HEL-ANC JFK-HND DXB-LAX LYR-ANC'],
  ['over the North Pole and beyond', 'HEL-ANC JFK-HND SIN-JFK DXB-LAX'],
  ['in the far south', 'SCL-USH SYD-SCL CPT-USH'],
  ['in Antarctica', 'TNM-FBS'],
  ['in Europe', 'ZRH-LIS OSL-ATH'],
  ['where the days meet', 'NAN-APW'],
  ['in one country', 'ZRH-GVA'],
] as const

function frame(log: string): Promise<Frame> {
  return frameOf(
    log.split(' ').map((route) => {
      const [from, to] = route.split('-')
      return wayBetween(places[from!]!, places[to!]!)
    }),
  )
}

const INK: Colour = [0, 0, 0]

/** The colour of every pixel, by the same painter for both. */
async function painted({ width, height }: Frame, draw: (pen: GeoContext) => unknown): Promise<Uint8Array> {
  const { context, lines } = lineCollector(1)
  await draw(context)
  const picture = canvas(width, height, [255, 255, 255])
  await picture.fill(lines, INK)
  return picture.pixels
}

/** The part of all pixels that are clearly different. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let different = 0
  for (let index = 0; index < a.length; index += 3) if (Math.abs(a[index]! - b[index]!) > 100) different++
  return (different * 3) / a.length
}

describe.each(logs)('the map of a log %s', (_name, log) => {
  test('has all land that is in sight, without what was left out to save time', async () => {
    const view = await frame(log)
    const ours = await painted(view, (pen) => drawLand(view, pen))
    // All land of the earth, every line curved, and nothing cut off before it is projected.
    const whole = view.projection
    if (view.radius < 180) whole.clipAngle(179.99)
    const coordinates = shippedLand(view.detail).map(ringsOf)
    const theirs = await painted(view, (pen) => geoPath(whole, pen)({ type: 'MultiPolygon', coordinates }))
    expect(difference(ours, theirs)).toBeLessThan(0.0005)
    const empty = await painted(view, () => undefined)
    expect(difference(ours, empty)).toBeGreaterThan(0.001)
  })
})
