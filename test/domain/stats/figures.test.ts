import { describe, expect, test } from 'vitest'
import { figures } from '../../../src/domain/stats/figures.ts'
import type { Group } from '../../../src/domain/stats/store.ts'

const name = (id: number) => ({ id, name: `Row ${id}`, icao: `I${id}`, iata: null })
// biome-ignore lint/suspicious/noExplicitAny: the figures read only names and codes
const records: any = { airport: name, airline: name, aircraft: name }
/** From, to, airline, type, flights, metres, seconds, first id. */
type Completed = Group extends [...infer Rest, unknown] ? Rest : never
const of = (...groups: Completed[]) =>
  figures(
    groups.map((group): Group => [...group, null]),
    records,
  )

describe('the figures', () => {
  test('do not depend on the order of the groups', () => {
    const groups: Completed[] = [
      [1, 2, 7, null, 2, 1500, 60, 5],
      [2, 1, 8, 3, 2, 1000, null, 1],
      [3, 1, null, 4, 1, null, 30, 2],
    ]
    const wanted = of(...groups)
    for (const order of [
      [1, 0, 2],
      [2, 1, 0],
      [1, 2, 0],
    ])
      expect(of(...order.map((at) => groups[at]!))).toEqual(wanted)
    expect(wanted).toMatchObject({ flights: 5, distanceKm: 3, durationSeconds: 90, airports: 3 })
  })

  test('take the first id of all groups of a tie, not that of the biggest group', () => {
    // Airline 7 has 3 flights in two groups and was met at id 2; airline 8 has 3 flights and was met at id 3.
    const { topAirline } = of([1, 2, 8, null, 3, 0, 0, 3], [1, 2, 7, null, 2, 0, 0, 9], [2, 1, 7, null, 1, 0, 0, 2])
    expect(topAirline).toMatchObject({ id: 7, count: 3 })
  })

  test('meet the destination of a flight before the origin of the next one', () => {
    expect(of([9, 4, null, null, 1, 0, 0, 1], [4, 9, null, null, 1, 0, 0, 2]).topAirport).toMatchObject({
      id: 9,
      count: 2,
    })
    expect(of([5, 6, null, null, 1, 0, 0, 2], [6, 5, null, null, 1, 0, 0, 3]).topAirport?.id).toBe(5)
  })

  test('count a round trip to the same airport twice for that airport, and keep long ids of a route apart', () => {
    expect(of([1, 1, null, null, 2, 0, 0, 1])).toMatchObject({
      airports: 1,
      topAirport: { count: 4 },
      topRoute: { count: 2 },
    })
    const { topRoute } = of([1, 23, null, null, 1, 0, 0, 1], [12, 3, null, null, 2, 0, 0, 2])
    expect(topRoute).toMatchObject({ from: { id: 12 }, to: { id: 3 }, count: 2 })
  })

  test('round half up', () => {
    expect([1499.999, 1500, 2500].map((metres) => of([1, 2, null, null, 1, metres, 0, 1]).distanceKm)).toEqual([
      1, 2, 3,
    ])
  })
})
