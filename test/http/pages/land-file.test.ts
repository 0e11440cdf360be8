import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { landsIn, packLand, ringsAt } from '../../../src/http/pages/map/land-file.ts'
import { angleBetween, type Point } from '../../../src/http/pages/map/sphere.ts'

const ring = (...points: Point[]): Point[] => [...points, points[0]!]

describe('a file of land', () => {
  test('gives back what was packed, rings and all, also from one end of the earth to the other', () => {
    const pieces: Point[][][] = [
      [ring([10, 10], [20, 10], [20, 20]), ring([12, 11], [13, 11], [13, 12])],
      [ring([-180, 90], [180, 90], [180, -90], [-180, -90])],
    ]
    const numbers = packLand(pieces)
    const lands = landsIn(numbers)
    expect(lands.map(({ start }) => ringsAt(numbers, start).rings)).toEqual(pieces)
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
  ])('is shipped: %s', (name, least) => {
    const file = readFileSync(join(import.meta.dirname, `../../../src/http/pages/assets/land-${name}.bin.br`))
    const bytes = brotliDecompressSync(file)
    const numbers = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
    const lands = landsIn(numbers)
    expect(lands.length).toBeGreaterThan(least)
    for (const { start } of lands) {
      for (const [longitude, latitude] of ringsAt(numbers, start).rings.flat()) {
        expect(Math.abs(longitude) <= 180.01 && Math.abs(latitude) <= 90).toBe(true)
      }
    }
  })
})
