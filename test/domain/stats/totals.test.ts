import { describe, expect, test } from 'vitest'
import { logTotals } from '../../../src/domain/stats/totals.ts'

const name = (id: number) => ({ id, name: `Row ${id}`, icao: `I${id}`, iata: null })
// biome-ignore lint/suspicious/noExplicitAny: the totals read only names and codes
const records: any = { airport: name, airline: name, aircraft: name }

interface Facts {
  airline?: number
  type?: number
  meters?: number | null
  seconds?: number | null
}
type Flight = Parameters<ReturnType<typeof logTotals>['add']>[0][number]
const flight = (id: number, from: number, to: number, facts: Facts = {}): Flight => {
  const { airline = null, type = null, meters = null, seconds = null } = facts
  return { id, fromId: from, toId: to, airlineId: airline, aircraftId: type, meters, seconds }
}
function totalsOf(...rows: Flight[]) {
  const totals = logTotals()
  for (const row of rows) totals.add([row])
  return totals.stats(() => records)
}

describe('the totals', () => {
  test('do not depend on the order in which flights are read', () => {
    for (const gap of [1, 511, 512, 5000]) {
      const rows = [
        flight(gap, 2, 1, { airline: 8, type: 3, meters: 1000 }),
        flight(2 * gap, 3, 1, { type: 4, seconds: 30 }),
        flight(3 * gap, 1, 2, { airline: 7, meters: 1500, seconds: 60 }),
      ]
      const expected = totalsOf(...rows)
      for (const order of [
        [1, 0, 2],
        [2, 1, 0],
        [1, 2, 0],
      ])
        expect(totalsOf(...order.map((at) => rows[at]!))).toEqual(expected)
      expect(expected).toMatchObject({ flights: 3, distanceKm: 3, durationSeconds: 90, airports: 3 })
      expect(expected).toMatchObject({ topAirline: { id: 8, count: 1 }, topAircraft: { id: 3, count: 1 } })
    }
  })

  test.each([9, 9000])('break ties by the lowest flight id, in any order of reading (%i)', (later) => {
    // Airlines 7 and 8 have two flights each. The lowest flight ids are 2 for airline 7 and 3 for airline 8.
    const eight = [3, 4].map((id) => flight(id, 1, 2, { airline: 8 }))
    const seven = [later, 2].map((id) => flight(id, 2, 1, { airline: 7 }))
    for (const rows of [
      [...eight, ...seven],
      [...seven, ...eight],
    ])
      expect(totalsOf(...rows).topAirline).toMatchObject({ id: 7, count: 2 })
  })

  test('ignore flights without airline or type in the rankings', () => {
    expect(totalsOf(flight(1, 1, 2), flight(2, 1, 2))).toMatchObject({
      flights: 2,
      topAirline: null,
      topAircraft: null,
    })
    const known = flight(3, 1, 2, { airline: 7, type: 8 })
    expect(totalsOf(flight(1, 1, 2), flight(2, 1, 2), known)).toMatchObject({
      topAirline: { id: 7, count: 1 },
      topAircraft: { id: 8, count: 1 },
    })
  })

  test('rank the destination of a flight before the origin of the next one in a tie', () => {
    expect(totalsOf(flight(1, 9, 4), flight(2, 4, 9)).topAirport).toMatchObject({ id: 9, count: 2 })
    expect(totalsOf(flight(2, 5, 6), flight(3, 6, 5)).topAirport?.id).toBe(5)
    expect(totalsOf(flight(1, 5, 6), flight(2, 7, 6), flight(3, 7, 8)).topAirport?.id).toBe(6)
  })

  test('count a flight from and to one airport twice, and distinguish routes with large ids', () => {
    expect(totalsOf(flight(1, 1, 1), flight(2, 1, 1))).toMatchObject({
      airports: 1,
      topAirport: { count: 4 },
      topRoute: { count: 2 },
    })
    const { topRoute } = totalsOf(flight(1, 1, 23), flight(2, 12, 3), flight(3, 12, 3))
    expect(topRoute).toMatchObject({ from: { id: 12 }, to: { id: 3 }, count: 2 })
    const [maxId, smallerId] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER - 1]
    expect(
      totalsOf(flight(1, smallerId, maxId), flight(2, maxId, maxId), flight(3, maxId, maxId)).topRoute,
    ).toMatchObject({
      from: { id: maxId },
      count: 2,
    })
  })

  test('round half up to whole kilometers', () => {
    expect([1499.999, 1500, 2500].map((meters) => totalsOf(flight(1, 1, 2, { meters })).distanceKm)).toEqual([1, 2, 3])
  })
})
