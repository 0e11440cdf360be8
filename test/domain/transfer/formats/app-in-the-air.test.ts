import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the App in the Air parser', () => {
  const text = sampleText('app-in-the-air.txt')
  const file = parse('appintheair', text)
  const rows = flights(file)

  test('returns exact times and the local day of departure', () => {
    expect(rows[1]).toEqual({
      date: '2018-04-02',
      datePrecision: 'day',
      from: { by: 'iata', code: 'ZRH' },
      to: { by: 'iata', code: 'OSL' },
      departure: { instant: '2018-04-02T06:10:00.000Z' },
      arrival: { instant: '2018-04-02T08:35:00.000Z' },
      arrivalDay: 'exact',
      durationFirst: false,
      airline: { text: 'LX', lookups: [{ by: 'iata', value: 'LX' }] },
      aircraft: { text: '32A', lookups: [{ by: 'iata', value: '32A' }] },
      flightNumber: 'LX1210',
      seatNumber: '2A',
      seatClass: 'business',
    })
    expect(rows[2]).toMatchObject({ date: '2018-04-07', departure: { instant: '2018-04-06T22:30:00.000Z' } })
  })

  test('uses local times if those in UTC are missing, and vice versa', () => {
    expect(rows[4]).toMatchObject({ date: '2018-06-01', departure: { local: '2018-06-01T13:40:00', at: 'from' } })
    expect(rows[6]).toMatchObject({ departure: { instant: '2018-06-09T02:05:00.000Z' } })
    expect(rows[6]).not.toHaveProperty('date')
  })

  test('maps its five classes and omits others', () => {
    expect([1, 2, 4, 6].map((row) => rows[row]?.seatClass)).toEqual(['business', 'economy+', 'economy', undefined])
  })

  test('rejects flights of other people and malformed lines', () => {
    expect(reasons(file)).toEqual({
      3: 'The flight is not yours: its trip has the owner OTHER.',
      5: 'The flight line has 5 fields, not 17.',
      7: 'The row has no date.',
      8: 'The time last week is not an ISO date-time.',
    })
  })

  test('accepts flights of other people with mineOnly=false', () => {
    expect(flights(parse('appintheair', text, false))[3]).toMatchObject({ flightNumber: 'BA709' })
  })

  test('rejects a file without a trip', () => {
    expect(() => parse('appintheair', 'flights:\n')).toThrow('The file has no line beginning with Ownership.')
  })
})
