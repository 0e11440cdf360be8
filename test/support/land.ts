import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Detail } from '../../src/http/pages/map/atlas.ts'
import { eachPoint, landsIn } from '../../src/http/pages/map/land-file.ts'
import type { Point } from '../../src/http/pages/map/sphere.ts'

export function shippedLand(detail: Detail) {
  const bytes = readFileSync(join(import.meta.dirname, `../../src/http/pages/assets/land-${detail}.bin`))
  const numbers = new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength))
  return { numbers, lands: landsIn(numbers) }
}

/** The rings of one piece of land as lists of points. */
export function ringsAt(numbers: Int16Array, start: number): Point[][] {
  let at = start + 1
  return Array.from({ length: numbers[start]! }, () => {
    const ring: Point[] = []
    at = eachPoint(numbers, at, (longitude, latitude) => ring.push([longitude, latitude]))
    return ring
  })
}
