import { describe, expect, test } from 'vitest'
import { landsIn, packLand, ringsOf } from '../../../src/http/pages/map/land-file.ts'
import { angleBetween, type Point } from '../../../src/lib/sphere.ts'
import { shippedLand } from '../../support/land.ts'

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
