import { describe, expect, test } from 'vitest'
import { ringsIn } from '../../../src/http/pages/assets/map/geometry.js'
import { flatLand } from '../../../src/http/pages/map/build/flat-land.ts'
import { landsIn, packLand, ringsOf } from '../../../src/http/pages/map/land-file.ts'
import { angleBetween, type Point } from '../../../src/lib/sphere.ts'
import { landFile, shippedLand } from '../../support/land.ts'

const ring = (...points: Point[]): Point[] => [...points, points[0]!]

describe('a file of land', () => {
  test('gives back what was packed, rings and all, also from one end of the earth to the other', () => {
    const pieces: Point[][][] = [
      [ring([10, 10], [20, 10], [20, 20]), ring([12, 11], [13, 11], [13, 12])],
      [ring([-180, 90], [180, 90], [180, -90], [-180, -90])],
    ]
    expect(landsIn(packLand(pieces)).map(ringsOf)).toEqual(pieces)
  })

  test('knows for each piece a circle that holds it', () => {
    const [land] = landsIn(packLand([[ring([170, -10], [-170, -10], [-170, 10], [170, 10])]]))
    expect(Math.abs(Math.abs(land!.centre[0]) - 180)).toBeLessThan(3)
    expect(land!.radius).toBeGreaterThan(angleBetween(land!.centre, [170, -10]))
    expect(land!.radius).toBeLessThan(40)
  })

  test.each([
    ['coarse', 250],
    ['fine', 1500],
  ] as const)('is shipped: %s', (name, least) => {
    const lands = shippedLand(name)
    expect(lands.length).toBeGreaterThan(least)
    for (const land of lands) {
      for (const [longitude, latitude] of ringsOf(land).flat()) {
        expect(Math.abs(longitude) <= 180.01 && Math.abs(latitude) <= 90).toBe(true)
      }
    }
  })
})

/** Counts crossings of a line to the east, as a fill of a flat map does. */
function isWithin(ring: readonly Point[], [x, y]: Point): boolean {
  let isInside = false
  for (const [index, [x1, y1]] of ring.entries()) {
    const [x2, y2] = ring.at(index - 1)!
    if (y1 > y !== y2 > y && x < x1 + ((y - y1) * (x2 - x1)) / (y2 - y1)) isInside = !isInside
  }
  return isInside
}

describe.each(['coarse', 'fine'] as const)('the flat outlines of the interactive map, %s', (name) => {
  const { buffer, byteOffset, byteLength } = flatLand(landFile(name))
  const rings: Point[][] = ringsIn(buffer.slice(byteOffset, byteOffset + byteLength))
  const isLand = (place: Point) => rings.some((ring) => isWithin(ring, place))

  test.each<[string, Point]>([
    ['North Sea', [3, 56]],
    ['mid-Atlantic', [-40, 25]],
    ['Pacific', [-140, 10]],
    ['Pacific at the date line', [179.99, 30]],
    ['Black Sea', [34, 43.3]],
    ['Southern Ocean', [100, -60]],
    ['Arctic Ocean', [0, 88]],
  ])('have no land in the %s', (_name, place) => {
    expect(isLand(place)).toBe(false)
  })

  test.each<[string, Point]>([
    ['Sahara', [10, 23]],
    ['Chukotka, west of the date line', [179.9, 68]],
    ['Chukotka, east of the date line', [-179.9, 68]],
    ['Antarctica', [60, -80]],
    ['South Pole', [0, -89.9]],
  ])('have land in %s', (_name, place) => {
    expect(isLand(place)).toBe(true)
  })
})
