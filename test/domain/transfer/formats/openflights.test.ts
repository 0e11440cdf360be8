import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the OpenFlights parser', () => {
  const file = parse('openflights', sampleText('openflights.csv'))
  const rows = flights(file)

  test('returns the departure with its time, and the arrival from the duration', () => {
    expect(rows[1]).toMatchObject({
      date: '2018-07-21',
      datePrecision: 'day',
      departure: { local: '2018-07-21T09:35:00', at: 'from' },
      arrival: { afterDeparture: 8700 },
      arrivalDay: 'exact',
      duration: 8700,
      flightNumber: 'LX1250',
      aircraftReg: 'HB-IJQ',
      aircraft: { lookups: [{ by: 'name', value: 'Airbus A320' }] },
      note: 'Smörgåsbord, then home\nTrip: 4412\nDistance: 921 miles',
      seat: 'window',
      seatNumber: '12F',
      seatClass: 'business',
      flightReason: 'business',
    })
  })

  test('reads American and European dates, and years', () => {
    expect(rows[2]).toMatchObject({ date: '2017-07-04', datePrecision: 'day', duration: 4200 })
    expect(rows[2]).not.toHaveProperty('arrival')
    expect(rows[3]).toMatchObject({ date: '2016-07-04', departure: { local: '2016-07-04T22:05:30' } })
    expect(rows[4]).toMatchObject({ date: '1999-01-01', datePrecision: 'year', duration: 3000 })
    expect(rows[4]).not.toHaveProperty('departure')
    expect(rows[9]).toMatchObject({ departure: { local: '2015-05-03T14:00:00' } })
    expect(rows[9]).not.toHaveProperty('arrival')
  })

  test('distinguishes IATA and ICAO codes by length', () => {
    expect(rows[3]).toMatchObject({ from: { by: 'iata', code: 'TXL' }, to: { by: 'icao', code: 'EDDF' } })
  })

  test('finds the airline by flight number, else by name', () => {
    expect(rows[1]?.airline).toEqual({
      text: 'Swiss',
      lookups: [
        { by: 'iata', value: 'LX' },
        { by: 'name', value: 'Swiss' },
      ],
    })
    expect(rows[3]?.airline).toEqual({ text: 'AB', lookups: [{ by: 'iata', value: 'AB' }] })
    expect(rows[9]).not.toHaveProperty('airline')
  })

  test('names the invalid value of a rejected row', () => {
    expect(reasons(file)).toEqual({
      5: 'The date 2015-02-29 is not a day that exists.',
      6: 'The date 2015-05 is not of the form YYYY-MM-DD.',
      7: 'The airport ZURICH is neither an IATA code of 3 nor an ICAO code of 4 characters.',
      8: 'The row has no destination airport.',
      10: 'The duration 1 hour is not of the form H:MM.',
    })
  })
})
