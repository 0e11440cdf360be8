import { describe, expect, test } from 'vitest'
import { distanceMeters, greatCircle, splitAtAntimeridian } from '../../src/lib/geo.ts'

const zurich = { latitude: 47.458, longitude: 8.548 }
const losAngeles = { latitude: 33.9425, longitude: -118.408 }
const tokyo = { latitude: 35.5523, longitude: 139.78 }

type Line = ReturnType<typeof greatCircle>
const place = ([longitude, latitude]: Line[number]) => ({ longitude, latitude })
const length = (line: Line) =>
  line.slice(1).reduce((sum, point, index) => sum + distanceMeters(place(line[index]!), place(point)), 0)

describe('a great circle', () => {
  test('connects both ends with the length of the distance', () => {
    for (const [from, to] of [
      [zurich, losAngeles],
      [tokyo, losAngeles],
    ] as const) {
      const line = greatCircle(from, to)
      expect([line[0], line.at(-1)]).toEqual([
        [from.longitude, from.latitude],
        [to.longitude, to.latitude],
      ])
      expect(Math.abs(length(line) - distanceMeters(from, to))).toBeLessThan(50)
      expect(line.length).toBeGreaterThan(30)
    }
  })

  test('has only two points for equal places and antipodes', () => {
    expect(greatCircle(zurich, zurich)).toHaveLength(2)
    expect(greatCircle(zurich, { latitude: -47.458, longitude: -171.452 })).toHaveLength(2)
  })
})

describe('a line across the 180th meridian', () => {
  test('is split at the meridian', () => {
    const line = greatCircle(tokyo, losAngeles)
    const parts = splitAtAntimeridian(line)
    expect(parts).toHaveLength(2)
    const [first, second] = parts as [Line, Line]
    expect([first.at(-1)![0], second[0]![0]]).toEqual([180, -180])
    expect(first.at(-1)![1]).toBe(second[0]![1])
    expect(first.length + second.length).toBe(line.length + 2)
    expect(first.every(([longitude]) => longitude > 0) && second.every(([longitude]) => longitude < 0)).toBe(true)
  })

  test('is one part if it stays on one side', () => {
    expect(splitAtAntimeridian(greatCircle(zurich, losAngeles))).toHaveLength(1)
  })
})
