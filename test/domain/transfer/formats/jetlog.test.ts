import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the Jetlog parser', () => {
  const file = parse('jetlog', sampleText('jetlog.csv'))
  const rows = flights(file)

  test('returns local times, the duration in minutes, and seat, class and reason', () => {
    expect(rows[1]).toMatchObject({
      date: '2021-10-03',
      from: { by: 'icao', code: 'LSZH' },
      to: { by: 'icao', code: 'EGLL' },
      departure: { local: '2021-10-03T07:05:00', at: 'from' },
      arrival: { local: '2021-10-03T07:50:00', at: 'to' },
      duration: 6300,
      flightNumber: 'LX316',
      aircraftReg: 'HB-JCB',
      note: 'Fog; late\nslot',
      seat: 'window',
      seatClass: 'economy+',
      flightReason: 'business',
    })
  })

  test('rolls arrivals forward only without an arrival date', () => {
    expect([1, 2, 3].map((row) => rows[row]?.arrivalDay)).toEqual(['unknown', 'exact', 'unknown'])
    expect(rows[2]).toMatchObject({ arrival: { local: '2021-10-08T09:35:00', at: 'to' } })
  })

  test('finds the airline by ICAO code, else by the flight number', () => {
    expect(rows[1]?.airline?.lookups).toEqual([
      { by: 'icao', value: 'SWR' },
      { by: 'iata', value: 'LX' },
    ])
    expect(rows[2]?.airline).toEqual({ text: 'NZ', lookups: [{ by: 'iata', value: 'NZ' }] })
  })

  test('finds the aircraft by ICAO code, also in parentheses, else by name', () => {
    const lookups = [1, 2, 3].map((row) => rows[row]?.aircraft?.lookups[0])
    expect(lookups).toEqual([
      { by: 'icao', value: 'BCS3' },
      { by: 'icao', value: 'B789' },
      { by: 'name', value: 'Douglas DC-3' },
    ])
  })

  test('omits unknown values', () => {
    expect(rows[4]).toEqual({
      date: '2021-12-01',
      datePrecision: 'day',
      from: { by: 'icao', code: 'LSZH' },
      to: { by: 'icao', code: 'LSGG' },
      arrivalDay: 'unknown',
      durationFirst: false,
    })
  })

  test('names the invalid value of a rejected row', () => {
    expect(reasons(file)).toEqual({
      5: 'The date 01.12.2021 is not of the form YYYY-MM-DD.',
      6: 'The time 7.30 is not of the form HH:MM.',
      7: 'The duration an hour is not a number of minutes.',
      8: 'The date 2021-12-32 is not a day that exists.',
    })
  })
})
