import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

describe('the Flighty parser', () => {
  const file = parse('flighty', sampleText('flighty.csv'))
  const rows = flights(file)

  test('returns all eight times, with the actual ones as departure and arrival', () => {
    expect(rows[1]).toMatchObject({
      departure: { local: '2024-03-09T13:12:00', at: 'from' },
      arrival: { local: '2024-03-09T16:04:00', at: 'to' },
      departureScheduled: { local: '2024-03-09T13:00:00', at: 'from' },
      arrivalScheduled: { local: '2024-03-09T15:55:00', at: 'to' },
      takeoffScheduled: { local: '2024-03-09T13:15:00', at: 'from' },
      takeoffActual: { local: '2024-03-09T13:31:00', at: 'from' },
      landingScheduled: { local: '2024-03-09T15:40:00', at: 'to' },
      landingActual: { local: '2024-03-09T15:52:00', at: 'to' },
      arrivalDay: 'rollForward',
    })
  })

  test('returns gates, seat, names and the booking code in the note', () => {
    expect(rows[1]).toMatchObject({
      date: '2024-03-09',
      from: { by: 'iata', code: 'ZRH' },
      to: { by: 'iata', code: 'ORD' },
      departureTerminal: 'E',
      departureGate: 'E26',
      arrivalTerminal: '5',
      arrivalGate: 'M11',
      flightNumber: 'SWR8',
      aircraftReg: 'HB-JNA',
      airline: { text: 'SWR', lookups: [{ by: 'icao', value: 'SWR' }, { by: 'iata' }] },
      aircraft: { text: 'Boeing 777-300ER', lookups: [{ by: 'name', value: 'Boeing 777-300ER' }] },
      note: 'First visit; "Windy City"\nPNR: K4T9QX',
      seat: 'window',
      seatNumber: '23K',
      seatClass: 'economy+',
      flightReason: 'leisure',
    })
  })

  test('falls back to the scheduled times', () => {
    expect(rows[2]).toMatchObject({
      departure: { local: '2024-03-20T19:30:00' },
      arrival: { local: '2024-03-21T10:45:00' },
    })
  })

  test('returns only the date of a flight without times, and a diversion in the note', () => {
    expect(rows[3]).toMatchObject({ date: '2024-03-22', flightNumber: '77', note: 'Diverted to: SEN' })
    expect(rows[3]).not.toHaveProperty('departure')
  })

  test('maps captain to pilot and pilot to copilot', () => {
    expect([rows[2]?.seat, rows[3]?.seat]).toEqual(['pilot', 'copilot'])
  })

  test('uses the local day of the departure if the date is missing', () => {
    expect(rows[5]).toMatchObject({ date: '2024-04-01' })
    expect(rows[5]).not.toHaveProperty('seat')
    expect(rows[5]).not.toHaveProperty('seatClass')
    expect(rows[5]).not.toHaveProperty('flightReason')
  })

  test('reads a time with an offset as exact', () => {
    const text = 'date,from,to,flight,gate_departure_scheduled\n2024-01-02,ZRH,GVA,1,2024-01-02T08:00:00+01:00'
    expect(flights(parse('flighty', text))[1]).toMatchObject({ departure: { instant: '2024-01-02T07:00:00.000Z' } })
  })

  test('rejects cancelled flights and malformed rows', () => {
    expect(reasons(file)).toEqual({
      4: 'The flight was cancelled: its column canceled contains true.',
      6: 'The row has no date.',
      7: 'The destination Nice Cote is not an airport code.',
      8: 'The time half past nine is not an ISO date-time.',
    })
  })
})
