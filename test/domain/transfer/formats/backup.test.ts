import { describe, expect, test } from 'vitest'
import { flights, parse, reasons, sampleText } from '../sample.ts'

const backup = (flight: object, users: unknown = [{ id: 'u1', username: 'mira', displayName: 'Mira' }]) =>
  parse('backup', JSON.stringify({ users, flights: [{ date: '2024-01-02', from: 'ZRH', to: 'LIS', ...flight }] }))

describe('the backup parser', () => {
  const file = parse('backup', sampleText('backup.json'))
  const rows = flights(file)

  test('returns users and all fields of an export', () => {
    const mira = { id: 'k3v9x0q2m7b1c5d', username: 'mira', displayName: 'Mira' }
    expect(file.users).toEqual([mira, { id: 'a1b2c3d4e5f6g7h', username: 'jon', displayName: 'Jón Þór' }])
    expect(rows[1]).toMatchObject({
      date: '2025-05-03',
      departure: { instant: '2025-05-03T10:20:00.000Z' },
      departureScheduled: { instant: '2025-05-03T10:15:00.000Z' },
      takeoffActual: { instant: '2025-05-03T10:35:00.000Z' },
      landingActual: { instant: '2025-05-03T13:05:00.000Z' },
      duration: 10500,
      durationFirst: true,
      departureGate: 'A52',
      arrivalTerminal: '',
      flightNumber: 'LX2084',
      note: ' kept as it is \n',
      track: {
        coordinates: [
          [8.5, 47.4],
          [-9.1, 38.7],
        ],
      },
      customFields: { booking_ref: 'Q1' },
      passengers: [
        {
          user: mira,
          guestName: null,
          seat: 'window',
          seatNumber: '7A',
          seatClass: 'economy+',
          flightReason: 'leisure',
          customFields: { meal: 'vegan' },
        },
        { user: null, guestName: 'Noor', seat: null, seatNumber: null, seatClass: null, flightReason: null },
      ],
    })
  })

  test('returns airports, airline and aircraft with complete records', () => {
    expect(rows[1]?.from).toEqual({
      by: 'icao',
      code: 'LSZH',
      record: {
        icao: 'LSZH',
        iata: 'ZRH',
        name: 'Zürich Airport',
        municipality: 'Zurich',
        latitude: 47.458056,
        longitude: 8.548056,
        timezone: 'Europe/Zurich',
        type: 'large_airport',
        continent: 'EU',
        country: 'CH',
      },
    })
    expect(rows[1]?.airline).toEqual({
      text: 'Swiss',
      lookups: [
        { by: 'icao', value: 'SWR' },
        { by: 'iata', value: 'LX' },
        { by: 'name', value: 'Swiss' },
      ],
      record: { name: 'Swiss', icao: 'SWR', iata: 'LX' },
    })
    expect(rows[1]?.aircraft?.record).toEqual({ name: 'Airbus A220-300', icao: 'BCS3' })
    expect(rows[2]).toMatchObject({ from: { by: 'iata', code: 'ZRH' }, to: { by: 'code', code: 'LIS' } })
  })

  test('names the invalid value of a rejected row', () => {
    expect(reasons(file)).toEqual({
      3: 'The date 2001-02-30 is not a day that exists.',
      4: 'The row has no origin airport.',
      5: 'Passenger 1 has the user gone, who is not in the file.',
      6: 'The duration -5 is not a whole number of seconds.',
      7: 'The flightNumber must be text, not 2084.',
      8: 'The time 2001-02-03 later is not an ISO date-time.',
      9: 'The datePrecision week is not one of day, month, year.',
      10: 'The flight is not an object.',
    })
  })

  test('accepts the older format with seats, codes and a reason per flight', () => {
    const older = parse('backup', sampleText('backup-older.json'))
    const [first, second] = [flights(older)[1], flights(older)[2]]
    expect(first).toMatchObject({
      date: '2024-07-01',
      from: { by: 'code', code: 'EDDF', record: { icao: 'EDDF', iata: 'FRA', timezone: 'Europe/Berlin' } },
      to: { by: 'code', code: 'OMDB' },
      airline: { lookups: [{ by: 'icao', value: 'UAE' }] },
      aircraft: { lookups: [{ by: 'icao', value: 'A388' }] },
      passengers: [
        { user: { username: 'mira' }, seat: null, seatNumber: '1K', seatClass: 'first', flightReason: 'business' },
        { user: null, guestName: 'Ada', flightReason: 'leisure' },
      ],
    })
    expect(second).toMatchObject({
      airline: { text: 'Tiny Air', lookups: [{ by: 'name', value: 'Tiny Air' }] },
      aircraft: { lookups: [{ by: 'name', value: 'Do 228' }] },
    })
  })

  test('derives missing users from the passengers', () => {
    const user = { id: 'x', username: 'sam', displayName: 'Sam' }
    for (const users of [undefined, null, []]) {
      const without = backup({ passengers: [{ userId: 'x', user }] }, users ?? [])
      expect(without.users).toEqual([])
      expect(flights(without)[1]?.passengers).toMatchObject([{ user, guestName: null }])
    }
    for (const empty of ['{"users":null,"flights":[]}', '{"flights":[]}']) {
      expect(parse('backup', empty)).toMatchObject({ rows: { length: 0 }, users: [] })
    }
  })

  test('keeps a guest name next to a user, and rejects a passenger with neither', () => {
    expect(flights(backup({ passengers: [{ userId: 'u1', guestName: 'Mi' }] }))[1]?.passengers).toMatchObject([
      { user: { username: 'mira' }, guestName: 'Mi' },
    ])
    expect(reasons(backup({ passengers: [{ seat: 'aisle' }] }))).toEqual({
      1: 'Passenger 1 has neither a user nor a guest name.',
    })
    expect(reasons(backup({ passengers: 'all' }))).toEqual({ 1: 'The passengers must be a list, not all.' })
  })

  test('ignores unknown properties and null values', () => {
    const [flight] = Object.values(flights(backup({ id: 4, track: null, customFields: [], airline: {}, note: null })))
    expect(flight).toEqual({
      date: '2024-01-02',
      datePrecision: 'day',
      from: { by: 'code', code: 'ZRH' },
      to: { by: 'code', code: 'LIS' },
      arrivalDay: 'exact',
      durationFirst: true,
      passengers: [],
    })
  })

  test('does not let keys change a prototype', () => {
    const text = `{"__proto__":{"flights":[]},"flights":[{"date":"2024-01-02","from":"ZRH","to":"LIS",
      "__proto__":{"note":"evil"},"customFields":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"ok":1},
      "passengers":[{"guestName":"__proto__","seat":"constructor","flightReason":"toString"}]}]}`
    const [flight] = Object.values(flights(parse('backup', text)))
    expect(flight).not.toHaveProperty('note')
    expect(Object.keys(flight!.customFields!)).toEqual(['ok'])
    expect(flight!.passengers).toMatchObject([{ guestName: '__proto__', seat: null, flightReason: null }])
    expect({}).not.toHaveProperty('polluted')
  })

  test('rejects a file without a list of flights', () => {
    expect(() => parse('backup', '{"flights":{}}')).toThrow('The file has no list of flights.')
    expect(() => parse('backup', '{"flights":[],"users":{}}')).toThrow('The users of the file are not a list.')
    expect(() => parse('backup', '{"flights":[')).toThrow('The file is not valid JSON.')
  })
})
