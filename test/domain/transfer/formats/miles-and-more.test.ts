import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the Miles & More parser', () => {
  const file = parse('milesandmore', sampleText('miles-and-more.json'))
  const rows = flights(file)

  test('returns exact times without a date, and trims texts', () => {
    expect(rows[1]).toEqual({
      datePrecision: 'day',
      from: { by: 'iata', code: 'FRA' },
      to: { by: 'iata', code: 'JFK' },
      departure: { instant: '2023-11-04T10:00:00.000Z' },
      arrival: { instant: '2023-11-04T18:30:00.000Z' },
      arrivalDay: 'exact',
      duration: 30600,
      durationFirst: false,
      airline: { text: 'LH', lookups: [{ by: 'iata', value: 'LH' }] },
      aircraft: { text: '744', lookups: [{ by: 'iata', value: '744' }] },
      flightNumber: 'LH400',
      note: 'Record locator: X8P2QL\nStatus points: 40\nAward miles: 3280',
      seatClass: 'business',
    })
  })

  test('omits both times and uses DepartureDate if the arrival is before the departure', () => {
    expect(rows[2]).toMatchObject({ date: '2023-11-20', duration: 25500, flightNumber: 'LH401' })
    expect(rows[2]).not.toHaveProperty('departure')
    expect(rows[2]).not.toHaveProperty('arrival')
  })

  test('maps booking classes to cabins', () => {
    const cabin = (CompartmentClass: string) => {
      const segment = { DepartureDate: '2020-01-02', OriginAirportCode: 'FRA', DestinationAirportCode: 'ZRH' }
      const text = JSON.stringify({ SegmentListResponses: [{ ...segment, CompartmentClass }] })
      return flights(parse('milesandmore', text))[1]?.seatClass
    }
    expect([...'AFO'].map(cabin)).toEqual(['first', 'first', 'first'])
    expect(new Set([...'CDJPZ'].map(cabin))).toEqual(new Set(['business']))
    expect(new Set([...'EGN'].map(cabin))).toEqual(new Set(['economy+']))
    expect(new Set([...'BHKLMQSTUVWXYy'].map(cabin))).toEqual(new Set(['economy']))
    expect([cabin(''), cabin('?'), cabin('Business')]).toEqual([undefined, undefined, 'business'])
  })

  test('names the invalid value of a rejected row', () => {
    expect(reasons(file)).toEqual({
      4: 'The duration ages is not a number of minutes.',
      5: 'The row has no date.',
      6: 'The segment is not an object.',
    })
  })

  test('rejects a file without a list of segments', () => {
    expect(() => parse('milesandmore', '{"SegmentListResponses":{}}')).toThrow('The file has no list')
    expect(() => parse('milesandmore', '{"SegmentListResponses":[')).toThrow('The file is not valid JSON.')
    expect(() => parse('milesandmore', '[]')).toThrow('The file does not contain a JSON object.')
  })
})
