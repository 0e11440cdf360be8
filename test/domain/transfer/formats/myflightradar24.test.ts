import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the myFlightradar24 parser', () => {
  const file = parse('myflightradar24', sampleText('myflightradar24.csv'))
  const rows = flights(file)

  test('returns all values of a row', () => {
    expect(rows[1]).toEqual({
      date: '2023-05-14',
      datePrecision: 'day',
      from: { by: 'icao', code: 'LSZH' },
      to: { by: 'icao', code: 'LPPT' },
      departure: { local: '2023-05-14T12:20:00', at: 'from' },
      arrival: { local: '2023-05-14T14:15:00', at: 'to' },
      arrivalDay: 'unknown',
      duration: 10500,
      durationFirst: false,
      airline: {
        text: 'Swiss (LX/SWR)',
        lookups: [
          { by: 'icao', value: 'SWR' },
          { by: 'iata', value: 'LX' },
          { by: 'name', value: 'Swiss' },
        ],
      },
      aircraft: {
        text: 'Airbus A220-300 (BCS3)',
        lookups: [
          { by: 'icao', value: 'BCS3' },
          { by: 'name', value: 'Airbus A220-300' },
        ],
      },
      flightNumber: 'LX2084',
      aircraftReg: 'HB-JCA',
      note: 'Window "seat", clear view\nover the Alps',
      seat: 'window',
      seatNumber: '7A',
      seatClass: 'business',
      flightReason: 'business',
    })
  })

  test('leaves the arrival date open if the arrival is on the next day', () => {
    expect(rows[2]).toMatchObject({ arrival: { local: '2023-06-01T05:10:00', at: 'to' }, arrivalDay: 'unknown' })
  })

  test('sets the precision by the format of the date, and omits times without a day', () => {
    expect(rows[3]).toMatchObject({ date: '2019-08-01', datePrecision: 'month', duration: 2700 })
    expect(rows[4]).toMatchObject({ date: '1987-01-01', datePrecision: 'year' })
    for (const row of [3, 4]) {
      expect(rows[row]).not.toHaveProperty('departure')
      expect(rows[row]).not.toHaveProperty('arrival')
    }
  })

  test('omits empty airlines and unknown seats, classes and reasons', () => {
    expect(rows[3]).not.toHaveProperty('airline')
    expect(rows[3]).not.toHaveProperty('seat')
    expect(rows[4]).not.toHaveProperty('seatClass')
    expect(rows[4]).not.toHaveProperty('flightReason')
    expect(rows[4]).not.toHaveProperty('duration')
  })

  test('finds an airport by IATA code only if it has no ICAO code', () => {
    expect(rows[5]).toMatchObject({ from: { by: 'icao', code: 'LSZB' }, to: { by: 'iata', code: 'QQA' } })
  })

  test('reads two times of 00:00:00 as unknown, and an arrival of 00:00:00 as departure plus duration', () => {
    expect(rows[5]).not.toHaveProperty('departure')
    expect(rows[5]).toMatchObject({ duration: 4200 })
    expect(rows[6]).toMatchObject({ departure: { local: '2022-01-06T21:30:00' }, arrival: { afterDeparture: 9000 } })
    expect(rows[7]).toHaveProperty('departure')
    expect(rows[7]).not.toHaveProperty('arrival')
  })

  test('reads a departure of 00:00:00 alone as midnight', () => {
    const text = 'date,from,to,dep_time,arr_time,flight_class\n2024-01-02,A (ZRH/LSZH),B (GVA/LSGG),00:00:00,00:45:00,1'
    expect(flights(parse('myflightradar24', text))[1]).toMatchObject({ departure: { local: '2024-01-02T00:00:00' } })
  })

  test('reads an empty departure as unknown, not as midnight', () => {
    const text = 'date,from,to,dep_time,arr_time,flight_class\n2024-01-02,A (ZRH/LSZH),B (GVA/LSGG),,14:45:00,1'
    const flight = flights(parse('myflightradar24', text))[1]
    expect(flight).toMatchObject({ arrival: { local: '2024-01-02T14:45:00' } })
    expect(flight).not.toHaveProperty('departure')
  })

  test('names the invalid value of a rejected row', () => {
    expect(reasons(file)).toEqual({
      8: 'The date 2024-13-01 is not a day that exists.',
      9: 'The airport Zürich does not end in (IATA/ICAO).',
      10: 'The time 25:10:00 is not of the form HH:MM.',
      11: 'The row has 5 cells, but the header has 19.',
    })
  })
})
