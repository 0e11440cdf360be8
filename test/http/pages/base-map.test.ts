import { Resvg } from '@resvg/resvg-js'
import { geoContains, geoPath } from 'd3-geo'
import type { FeatureCollection, Polygon, Position } from 'geojson'
import { feature } from 'topojson-client'
import { describe, expect, test } from 'vitest'
import { baseMapOf, readTopology, type WorldObjects } from '../../../src/http/pages/maps/base-map.ts'
import {
  type Detail,
  type Frame,
  frameOf,
  type ProjectionName,
  projectionNames,
} from '../../../src/http/pages/maps/frame.ts'
import { greatCirclePoints, type Point } from '../../../src/lib/sphere.ts'

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

/** Logs with different projections: the world, a region, a pole, one country. */
const logs = [
  ['around the world', 'ZRH-HND SYD-LAX GRU-CPT'],
  ['across the Pacific', 'LAX-SYD HND-HNL AKL-LAX'],
  ['across the Atlantic', 'JFK-LHR LAX-ZRH'],
  ['around the North Pole', 'LYR-ANC HEL-ANC'],
  ['around the northern hemisphere', 'HEL-ANC JFK-HND DXB-LAX LYR-ANC'],
  ['over the North Pole and beyond', 'HEL-ANC JFK-HND SIN-JFK DXB-LAX'],
  ['in the far south', 'SCL-USH SYD-SCL CPT-USH'],
  ['in Antarctica', 'TNM-FBS'],
  ['in Europe', 'ZRH-LIS OSL-ATH'],
  ['across the date line', 'NAN-APW'],
  ['in one country', 'ZRH-GVA'],
] as const

function frame(log: string, projection: ProjectionName): Promise<Frame> {
  const lines = log.split(' ').map((route) => {
    const [from, to] = route.split('-')
    return greatCirclePoints(places[from!]!, places[to!]!)
  })
  return frameOf(lines, { projection })
}

async function readLand(detail: Detail) {
  const topology = await readTopology<WorldObjects>(`world-${detail}.json`)
  return feature(topology, topology.objects.land) as FeatureCollection<Polygon>
}

/** Renders a path as pixels of four bytes. */
function renderPath({ width, height }: Frame, path: string): Buffer {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><path d="${path}"/></svg>`
  return new Resvg(svg, { font: { loadSystemFonts: false } }).render().pixels
}

/** Returns the fraction of pixels that are clearly different. */
function difference(a: Buffer, b: Buffer): number {
  let different = 0
  for (let alpha = 3; alpha < a.length; alpha += 4) if (Math.abs(a[alpha]! - b[alpha]!) > 100) different++
  return (different * 4) / a.length
}

describe.each(logs)('map of a log %s', (_name, log) => {
  test.each(projectionNames)('shows all visible land although hidden shapes are skipped: %s', async (name) => {
    const view = await frame(log, name)
    const actual = renderPath(view, (await baseMapOf(view)).land)
    // Expected: all land, with nothing skipped before the projection.
    const { projection } = view
    const land = await readLand(view.detail)
    const expected = renderPath(view, geoPath(projection)(land)!)
    expect(difference(actual, expected)).toBeLessThan(0.0005)
    expect(difference(actual, renderPath(view, ''))).toBeGreaterThan(0.001)
  })
})

/** Counts crossings of a line to the east, like the even-odd fill of a flat map. */
function isWithin(rings: readonly Position[][], [x, y]: Point): boolean {
  let isInside = false
  for (const ring of rings) {
    for (const [index, [x1 = 0, y1 = 0]] of ring.entries()) {
      const [x2 = 0, y2 = 0] = ring.at(index - 1)!
      if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) isInside = !isInside
    }
  }
  return isInside
}

describe.each(['coarse', 'fine'] as const)('%s land', async (detail) => {
  const land = await readLand(detail)
  const isOnFlatMap = (place: Point) => land.features.some(({ geometry }) => isWithin(geometry.coordinates, place))
  const isOnGlobe = (place: Point) => geoContains(land, place)

  test.each<[string, Point]>([
    ['North Sea', [3, 56]],
    ['mid-Atlantic', [-40, 25]],
    ['Pacific', [-140, 10]],
    ['Pacific at the date line', [179.99, 30]],
    ['Black Sea', [34, 43.3]],
    ['Caspian Sea', [51, 42]],
    ['Southern Ocean', [100, -60]],
    ['Arctic Ocean', [0, 88]],
  ])('does not cover the %s, flat or on the globe', (_name, place) => {
    expect([isOnFlatMap(place), isOnGlobe(place)]).toEqual([false, false])
  })

  test.each<[string, Point]>([
    ['Sahara', [10, 23]],
    ['Chukotka west of the date line', [179.9, 68]],
    ['Chukotka east of the date line', [-179.9, 68]],
    ['Antarctica', [60, -80]],
    ['South Pole', [0, -89.9]],
  ])('covers %s, flat and on the globe', (_name, place) => {
    expect([isOnFlatMap(place), isOnGlobe(place)]).toEqual([true, true])
  })
})
