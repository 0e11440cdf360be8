import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the byAir parser', () => {
  const text = sampleText('byair.csv')
  const file = parse('byair', text)
  const rows = flights(file)

  test('returns local times, the seat and the booking code in the note', () => {
    expect(rows[1]).toEqual({
      date: '2024-02-10',
      datePrecision: 'day',
      from: { by: 'code', code: 'ZRH' },
      to: { by: 'code', code: 'LHR' },
      departure: { local: '2024-02-10T09:35:00', at: 'from' },
      arrival: { local: '2024-02-10T10:25:00', at: 'to' },
      arrivalDay: 'unknown',
      durationFirst: false,
      airline: { text: 'LX', lookups: [{ by: 'iata', value: 'LX' }] },
      flightNumber: 'LX318',
      note: 'Naïve plan, good day\nBooking code: Q7W2LM',
      seat: 'aisle',
      seatNumber: '14C',
      seatClass: 'economy',
      flightReason: 'business',
    })
  })

  test('distinguishes IATA and ICAO codes of airlines by the position of the number', () => {
    expect([1, 2, 3].map((row) => rows[row]?.airline?.lookups)).toEqual([
      [{ by: 'iata', value: 'LX' }],
      [{ by: 'icao', value: 'SWR' }],
      [{ by: 'iata', value: 'U2' }],
    ])
    expect(rows[5]).not.toHaveProperty('airline')
  })

  test('ignores letter case and spaces', () => {
    expect(rows[2]).toMatchObject({ seat: 'window', seatClass: 'economy+', flightReason: 'leisure' })
    expect(rows[3]).toMatchObject({ seat: 'jumpseat' })
  })

  test('rejects rows of other people, but not rows without an owner', () => {
    expect(reasons(file)).toEqual({
      4: 'The flight is not yours: its ownership is friend.',
      6: 'The date 2024-02-30 is not a day that exists.',
    })
  })

  test('accepts rows of other people with mineOnly=false', () => {
    expect(flights(parse('byair', text, false))[4]).toMatchObject({ flightNumber: 'BA710' })
  })
})
