import { describe, expect, test } from 'vitest'
import { figures } from '../../../src/domain/stats/figures.ts'
import { logParts, type Parts } from '../../../src/domain/stats/parts.ts'
import type { Row } from '../../../src/domain/stats/store.ts'

const NOW = 1_000
const name = (id: number) => ({ id, name: `Row ${id}`, icao: `I${id}`, iata: null })
// biome-ignore lint/suspicious/noExplicitAny: the figures read only names and codes
const records: any = { airport: name, airline: name, aircraft: name }

interface Facts {
  airline?: number
  type?: number
  meters?: number | null
  seconds?: number | null
  completed?: number
}
const flight = (id: number, from: number, to: number, facts: Facts = {}): Row => {
  const { airline = null, type = null, meters = null, seconds = null, completed = 0 } = facts
  return [id, '2024-03-01', from, to, airline, type, meters, seconds, completed]
}
const statsOf = (parts: Parts) => figures(parts.counts(), records)
function partsOf(...rows: Row[]): Parts {
  const parts = logParts()
  parts.add(rows, NOW)
  return parts
}
const of = (...rows: Row[]) => statsOf(partsOf(...rows))

describe('the figures', () => {
  test('do not depend on the order in which flights are read, nor on the blocks that they lie in', () => {
    for (const apart of [1, 511, 512, 5000]) {
      const rows = [
        flight(apart, 2, 1, { airline: 8, type: 3, meters: 1000 }),
        flight(2 * apart, 3, 1, { type: 4, seconds: 30 }),
        flight(3 * apart, 1, 2, { airline: 7, meters: 1500, seconds: 60 }),
      ]
      const wanted = of(...rows)
      for (const order of [
        [1, 0, 2],
        [2, 1, 0],
        [1, 2, 0],
      ])
        expect(of(...order.map((at) => rows[at]!))).toEqual(wanted)
      expect(wanted).toMatchObject({ flights: 3, distanceKm: 3, durationSeconds: 90, airports: 3 })
      expect(wanted).toMatchObject({ topAirline: { id: 8, count: 1 }, topAircraft: { id: 3, count: 1 } })
    }
  })

  test.each([9, 9000])('give a tie to the one that was met first, whatever is read first (%i)', (later) => {
    // Airlines 7 and 8 have two flights each; 7 was met at id 2 and 8 at id 3.
    const eight = [3, 4].map((id) => flight(id, 1, 2, { airline: 8 }))
    const seven = [later, 2].map((id) => flight(id, 2, 1, { airline: 7 }))
    for (const rows of [
      [...eight, ...seven],
      [...seven, ...eight],
    ])
      expect(of(...rows).topAirline).toMatchObject({ id: 7, count: 2 })
  })

  test('know no favourite among flights without airline and type, however many', () => {
    expect(of(flight(1, 1, 2), flight(2, 1, 2))).toMatchObject({ flights: 2, topAirline: null, topAircraft: null })
    const known = flight(3, 1, 2, { airline: 7, type: 8 })
    expect(of(flight(1, 1, 2), flight(2, 1, 2), known)).toMatchObject({
      topAirline: { id: 7, count: 1 },
      topAircraft: { id: 8, count: 1 },
    })
  })

  test('meet the destination of a flight before the origin of the next one', () => {
    expect(of(flight(1, 9, 4), flight(2, 4, 9)).topAirport).toMatchObject({ id: 9, count: 2 })
    expect(of(flight(2, 5, 6), flight(3, 6, 5)).topAirport?.id).toBe(5)
    expect(of(flight(1, 5, 6), flight(2, 7, 6), flight(3, 7, 8)).topAirport?.id).toBe(6)
  })

  test('count a round trip to the same airport twice for that airport, and keep long ids of a route apart', () => {
    expect(of(flight(1, 1, 1), flight(2, 1, 1))).toMatchObject({
      airports: 1,
      topAirport: { count: 4 },
      topRoute: { count: 2 },
    })
    const { topRoute } = of(flight(1, 1, 23), flight(2, 12, 3), flight(3, 12, 3))
    expect(topRoute).toMatchObject({ from: { id: 12 }, to: { id: 3 }, count: 2 })
    const [most, less] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    expect(of(flight(1, less, most), flight(2, most, most), flight(3, most, most)).topRoute).toMatchObject({
      from: { id: most },
      count: 2,
    })
  })

  test('round half up', () => {
    expect([1499.999, 1500, 2500].map((meters) => of(flight(1, 1, 2, { meters })).distanceKm)).toEqual([1, 2, 3])
  })
})

describe('the parts of a log', () => {
  test('leave out what is not completed, and know when that changes', () => {
    const parts = partsOf(
      flight(1, 1, 2, { completed: NOW - 1 }),
      flight(2, 1, 2, { completed: NOW + 30 }),
      flight(600, 1, 2, { completed: NOW }),
      flight(5000, 1, 2, { completed: 0 }),
    )
    expect(statsOf(parts).flights).toBe(2)
    expect(parts.window()).toEqual({ from: NOW, until: NOW })
    expect([NOW - 1, NOW, NOW + 1, NOW + 30, NOW + 31].map((now) => parts.outdated(now))).toEqual([
      [0, 1, 9],
      [],
      [1],
      [1],
      [0, 1],
    ])
  })

  test('can be replaced one by one, also by nothing', () => {
    const parts = partsOf(flight(1, 1, 2, { meters: 5000 }), flight(600, 3, 4, { meters: 7000, seconds: 9 }))
    parts.replace(0, [flight(2, 6, 5, { airline: 3, meters: 1000 })], NOW)
    expect(statsOf(parts)).toEqual(
      of(flight(2, 6, 5, { airline: 3, meters: 1000 }), flight(600, 3, 4, { meters: 7000, seconds: 9 })),
    )
    parts.replace(1, [], NOW)
    parts.replace(77, [], NOW)
    expect(statsOf(parts)).toEqual(of(flight(2, 6, 5, { airline: 3, meters: 1000 })))
    parts.replace(0, [], NOW)
    expect(statsOf(parts)).toEqual(of())
    expect(parts.window()).toEqual({ from: Number.NEGATIVE_INFINITY, until: Number.POSITIVE_INFINITY })
  })
})
