import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the JetLovers parser', () => {
  const file = parse('jetlovers', sampleText('jetlovers.csv'))
  const rows = flights(file)

  test('returns days without times, and airline and aircraft by name', () => {
    expect(rows[1]).toEqual({
      date: '2010-09-17',
      datePrecision: 'day',
      from: { by: 'iata', code: 'ZRH' },
      to: { by: 'iata', code: 'CPH' },
      arrivalDay: 'exact',
      durationFirst: false,
      airline: { text: 'Swiss', lookups: [{ by: 'name', value: 'Swiss' }] },
      aircraft: { text: 'Avro RJ100', lookups: [{ by: 'name', value: 'Avro RJ100' }] },
      flightNumber: 'LX1266',
      aircraftReg: 'HB-IXN',
      seat: 'window',
      seatNumber: '8F',
      seatClass: 'economy',
      flightReason: 'leisure',
    })
  })

  test('maps known letters and omits others', () => {
    const letters = [2, 3, 4, 5].map((row) => [rows[row]?.seat, rows[row]?.seatClass, rows[row]?.flightReason])
    expect(letters).toEqual([
      ['aisle', 'business', 'business'],
      ['middle', 'business', 'crew'],
      [undefined, 'economy+', 'other'],
      [undefined, undefined, undefined],
    ])
  })

  test('rejects a row without a date', () => {
    expect(reasons(file)).toEqual({ 6: 'The row has no date.' })
  })
})
