import { type GeoContext, geoAzimuthalEqualArea, geoEqualEarth, geoGraticule, geoPath } from 'd3-geo'
import { describe, expect, test } from 'vitest'
import { landAround } from '../../../src/http/pages/map/atlas.ts'
import { type Colour, canvas, lineCollector } from '../../../src/http/pages/map/canvas.ts'
import { type Frame, frameOf } from '../../../src/http/pages/map/frame.ts'
import { drawGrid } from '../../../src/http/pages/map/grid.ts'
import { drawLand } from '../../../src/http/pages/map/land.ts'
import { type Point, wayBetween } from '../../../src/http/pages/map/sphere.ts'
import { ringsAt, shippedLand } from '../../support/land.ts'

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
  ['in Europe', 'ZRH-LIS OSL-ATH'],
  ['where the days meet', 'NAN-APW'],
  ['in one country', 'ZRH-GVA'],
] as const

function frame(log: string): Frame {
  return frameOf(
    log.split(' ').map((route) => {
      const [from, to] = route.split('-')
      return wayBetween(places[from!]!, places[to!]!)
    }),
  )
}

const INK: Colour = [0, 0, 0]

/** The colour of every pixel, by the same painter for both. */
function painted({ width, height }: Frame, draw: (pen: GeoContext) => void, isArea: boolean): Uint8Array {
  const { context, lines } = lineCollector(1)
  draw(context)
  const picture = canvas(width, height, [255, 255, 255])
  if (isArea) picture.fill(lines, INK)
  else picture.stroke(lines, 2, INK)
  return picture.pixels
}

/** The part of all pixels that are clearly different. */
function difference(a: Uint8Array, b: Uint8Array): number {
  let different = 0
  for (let index = 0; index < a.length; index += 3) if (Math.abs(a[index]! - b[index]!) > 100) different++
  return (different * 3) / a.length
}

/** Views of the whole earth, which logs need rarely or never: every side, every pole and all of the rim are in them. */
function whole(isWorld: boolean, [longitude, latitude]: Point): Frame {
  const projection = (isWorld ? geoEqualEarth() : geoAzimuthalEqualArea())
    .rotate([-longitude, -latitude])
    .scale(isWorld ? 180 : 140)
    .translate([500, 300])
    .precision(0.35)
    .clipExtent([
      [-8, -8],
      [1008, 608],
    ])
  const centre: Point = [longitude, latitude]
  const partsOf: Frame['partsOf'] = (way) => [[...way]]
  return { width: 1000, height: 600, projection, isWorld, detail: 'coarse', centre, radius: 180, partsOf, key: '' }
}

const views: [string, Frame][] = [
  ...logs.map(([name, log]): [string, Frame] => [`a log ${name}`, frame(log)]),
  ['the earth', whole(true, [0, 0])],
  ['the earth from its other side', whole(true, [175, 0])],
  ['the earth leaning forward', whole(true, [-120, 40])],
  ['the earth leaning back', whole(true, [60, -40])],
  ['the globe above the North Pole', whole(false, [0, 88])],
  ['the globe above the Pacific', whole(false, [-170, 0])],
  ['the globe above Europe', whole(false, [10, 50])],
]

describe.each(views)('the map of %s', (_name, view) => {
  test('has the land where d3 draws it', async () => {
    const { numbers, lands } = shippedLand(view.detail)
    const coordinates = lands.map(({ start }) => ringsAt(numbers, start))
    const seen = await landAround(view.detail, view.centre, view.radius)
    const ours = painted(view, (pen) => drawLand(seen, view, pen), true)
    const theirs = painted(view, (pen) => geoPath(view.projection, pen)({ type: 'MultiPolygon', coordinates }), true)
    // Where the side of the map cuts a country, d3 follows the curve of the side and we do not.
    expect(difference(ours, theirs)).toBeLessThan(0.005)
    const empty = painted(view, () => undefined, true)
    expect(difference(ours, empty)).toBeGreaterThan(0.001)
  })

  test('has the lines of longitude and latitude where d3 draws them', () => {
    const scale = view.projection.scale()
    const step = scale > 1200 ? 5 : scale > 400 ? 10 : 30
    const ours = painted(view, (pen) => drawGrid(view, pen), false)
    const theirs = painted(view, (pen) => geoPath(view.projection, pen)(geoGraticule().step([step, step])()), false)
    // Along the rim of a globe, where all lines run together, ours end a little earlier.
    expect(difference(ours, theirs)).toBeLessThan(view.isWorld ? 0.0022 : 0.008)
  })
})
