import { describe, expect, test } from 'vitest'
import { distanceMeters } from '../../src/lib/geo.ts'

const at = (latitude: number, longitude: number) => ({ latitude, longitude })
const HALF_CIRCUMFERENCE = Math.PI * 6371008.8

describe('great-circle distances', () => {
  test.each([
    [at(55.618, 12.656), at(51.4706, -0.4619), 979614.36],
    [at(40.6398, -73.7789), at(51.4706, -0.4619), 5539654.48],
    [at(0, 179.5), at(0, -179.5), HALF_CIRCUMFERENCE / 180],
    [at(90, 0), at(-90, 0), HALF_CIRCUMFERENCE],
    [at(90, 12), at(90, -140), 0],
  ])('from %o to %o are correct to the centimetre', (from, to, meters) => {
    expect(distanceMeters(from, to)).toBeCloseTo(meters, 2)
    expect(distanceMeters(to, from)).toBeCloseTo(meters, 2)
  })

  test('are 0 for the same place', () => {
    for (let step = -900; step <= 900; step += 7) {
      const place = at(step / 10, step / 5)
      expect(distanceMeters(place, { ...place })).toBe(0)
    }
  })

  test('are half the circumference between antipodes', () => {
    for (let step = -890; step <= 890; step++) {
      const distance = distanceMeters(at(step / 10, step / 6), at(-step / 10, step / 6 + (step > 0 ? -180 : 180)))
      expect(Math.abs(distance - HALF_CIRCUMFERENCE)).toBeLessThan(1)
    }
  })
})
