import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { type Iata, importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user({ username: 'mira', displayName: 'Mira' })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => {
  runNow(app.db, 'delete from flights')
  runNow(app.db, 'delete from custom_fields')
})

/** A Jetlog file with local times, with or without an arrival date. */
const jetlog = (...rows: Record<string, string>[]) => {
  const columns =
    'date,origin,destination,departure_time,arrival_time,arrival_date,ticket_class,duration,airplane,airline,flight_number,tail_number,notes'
  const lines = rows.map((row) =>
    columns
      .split(',')
      .map((column) => `"${(row[column] ?? '').replaceAll('"', '""')}"`)
      .join(','),
  )
  return [columns, ...lines].join('\n')
}
const icao: Partial<Record<Iata, string>> = {
  ZRH: 'LSZH',
  LIS: 'LPPT',
  LHR: 'EGLL',
  JFK: 'KJFK',
  AKL: 'NZAA',
  HNL: 'PHNL',
  APW: 'NSFA',
  SIN: 'WSSS',
  KTM: 'VNKT',
  CPH: 'EKCH',
}
const backup = (...flights: object[]) => ({
  users: [{ id: 'm', username: 'mira' }],
  flights: flights.map((flight) => ({
    date: '2024-05-03',
    from: 'LSZH',
    to: 'LPPT',
    passengers: [{ userId: 'm' }],
    ...flight,
  })),
})
const flightsOf = async () =>
  (await app.as(mira).get('/flights?limit=100')).body.data.sort((a: { id: number }, b: { id: number }) => a.id - b.id)
const reasonsOf = async (content: string | object) =>
  (await send(mira, content)).body.data.rejected.map(({ reason }: { reason: string }) => reason)

describe('local times (contract 13)', () => {
  /** Origin, destination, date, departure, arrival and arrival date; then the instants, the duration and the date. */
  const vectors: [string, [Iata, Iata, string, string, string, string], [string, string, number]][] = [
    [
      '9: an arrival with an earlier local time',
      ['AKL', 'HNL', '2025-03-01', '23:30', '09:35', '2025-03-01'],
      ['2025-03-01T10:30', '2025-03-01T19:35', 32_700],
    ],
    [
      '12: a departure in a gap moves forward',
      ['JFK', 'LHR', '2022-03-13', '02:30', '14:30', ''],
      ['2022-03-13T07:30', '2022-03-13T14:30', 25_200],
    ],
    [
      '13: an ambiguous departure is the first of both',
      ['JFK', 'LHR', '2022-11-06', '01:30', '13:00', ''],
      ['2022-11-06T05:30', '2022-11-06T13:00', 27_000],
    ],
    [
      '15: a day that was skipped',
      ['APW', 'AKL', '2011-12-30', '12:00', '15:00', '2011-12-31'],
      ['2011-12-30T22:00', '2011-12-31T02:00', 14_400],
    ],
    [
      'a quarter-hour zone',
      ['KTM', 'SIN', '2025-04-02', '14:00', '20:00', ''],
      ['2025-04-02T08:15', '2025-04-02T12:00', 13_500],
    ],
    [
      'an arrival on the next day rolls forward',
      ['SIN', 'ZRH', '2025-01-20', '23:10', '05:10', ''],
      ['2025-01-20T15:10', '2025-01-21T04:10', 46_800],
    ],
    [
      'an arrival rolls forward by local days, across the start of daylight saving time',
      ['CPH', 'LHR', '2024-03-30', '23:50', '03:30', ''],
      ['2024-03-30T22:50', '2024-03-31T02:30', 13_200],
    ],
    [
      'and over its end',
      ['ZRH', 'LHR', '2024-10-26', '23:00', '03:30', ''],
      ['2024-10-26T21:00', '2024-10-27T03:30', 23_400],
    ],
    [
      'an arrival rolls forward by at most two days',
      ['HNL', 'AKL', '2025-03-01', '22:00', '05:00', ''],
      ['2025-03-02T08:00', '2025-03-02T16:00', 28_800],
    ],
    [
      'an arrival date is not changed',
      ['ZRH', 'LIS', '2025-07-12', '10:40', '13:10', '2025-07-14'],
      ['2025-07-12T08:40', '2025-07-14T12:10', 185_400],
    ],
  ]
  test.each(vectors)('%s', async (_name, [from, to, date, departure, arrival, arrivalDate], [start, end, duration]) => {
    const row = {
      date,
      origin: icao[from]!,
      destination: icao[to]!,
      departure_time: departure,
      arrival_time: arrival,
      arrival_date: arrivalDate,
    }
    expect(await reasonsOf(jetlog(row))).toEqual([])
    const [flight] = await flightsOf()
    expect(flight).toMatchObject({ date, departure: `${start}:00.000Z`, arrival: `${end}:00.000Z`, duration })
  })

  test('rejects a row whose arrival needs more than two days or is before the departure, and names it', async () => {
    // Local times never need more than two days, so this needs an arrival date.
    const row = {
      date: '2025-07-12',
      origin: 'LSZH',
      destination: 'LPPT',
      departure_time: '10:40',
      arrival_time: '09:10',
      arrival_date: '2025-07-12',
    }
    expect(await reasonsOf(jetlog(row))).toEqual([
      'The arrival 2025-07-12T08:10:00.000Z cannot be used: Must not be before departure.',
    ])
    expect(await reasonsOf(backup({ takeoffActual: '2025-02-10T10:00Z', landingActual: '2025-02-10T09:59Z' }))).toEqual(
      ['The landingActual 2025-02-10T09:59:00.000Z cannot be used: Must not be before takeoffActual.'],
    )
    expect(await reasonsOf(backup({ departure: '2025-02-10T10:00Z', arrival: '2025-02-10T10:00Z' }))).toEqual([])
  })

  test('rejects rows at the limits of the calendar', async () => {
    const rows = [
      { date: '9999-12-31', origin: 'KJFK', destination: 'EGLL', departure_time: '23:00', arrival_time: '01:00' },
      { date: '0001-01-01', origin: 'NZAA', destination: 'EGLL', departure_time: '00:30', arrival_time: '' },
      { date: '9999-12-31', origin: 'EGLL', destination: 'EGLL', departure_time: '23:00', arrival_time: '01:00' },
    ]
    expect(await reasonsOf(jetlog(...rows))).toHaveLength(3)
  })
})

describe('durations', () => {
  test('are the difference of the times, else the value of the file, else null; a backup prefers its value', async () => {
    const row = { date: '2024-05-03', origin: 'LSZH', destination: 'LPPT' }
    await send(
      mira,
      jetlog(
        { ...row, departure_time: '10:00', arrival_time: '12:00', duration: '1' },
        { ...row, departure_time: '11:00', duration: '65' },
        { ...row, departure_time: '12:00' },
      ),
    )
    const times = { departure: '2024-05-03T10:00Z', arrival: '2024-05-03T11:00:00.999Z' }
    await send(
      mira,
      backup({ ...times, duration: 5, flightNumber: 'A' }, { ...times, flightNumber: 'B' }, { flightNumber: 'C' }),
    )
    expect((await flightsOf()).map(({ duration }: { duration: number }) => duration)).toEqual([
      10_800,
      3900,
      null,
      5,
      3600,
      null,
    ])
  })
})

describe('unknown airlines and aircraft types', () => {
  test('are appended to the note as lines', async () => {
    const row = { date: '2024-05-03', origin: 'LSZH', destination: 'LPPT' }
    await send(
      mira,
      jetlog(
        { ...row, flight_number: '1', airline: 'ZZZ', airplane: 'Flying carpet', notes: 'Smooth' },
        { ...row, flight_number: '2', airplane: 'Flying carpet' },
        { ...row, flight_number: '3', airline: 'SWR', airplane: 'douglas dc-3', notes: 'Smooth' },
      ),
    )
    expect((await flightsOf()).map(({ note }: { note: string }) => note)).toEqual([
      'Smooth\nAirline: ZZZ\nAircraft: Flying carpet',
      'Aircraft: Flying carpet',
      'Smooth',
    ])
    expect((await flightsOf())[2]).toMatchObject({ airline: { name: 'Swiss' }, aircraft: { name: 'Douglas DC-3' } })
  })
})

describe('the limits of contract 4.2 and 4.3', () => {
  const maxLengths = {
    flightNumber: 500,
    aircraftReg: 500,
    departureTerminal: 500,
    departureGate: 500,
    arrivalTerminal: 500,
    arrivalGate: 500,
    note: 10_000,
  }
  test.each(Object.entries(maxLengths))(
    'accept a %s of %i characters and reject a longer one',
    async (member, most) => {
      const reasons = await reasonsOf(backup({ [member]: '😀'.repeat(most) }, { [member]: 'x'.repeat(most + 1) }))
      expect(reasons).toEqual([expect.stringMatching(new RegExp(`^The ${member} x{60}… cannot be used: `))])
      expect((await flightsOf())[0][member]).toBe('😀'.repeat(most))
    },
  )

  test('apply to passengers, seats, names and tracks, and the reason names the value', async () => {
    const me = { userId: 'm' }
    const guests = (count: number) => Array.from({ length: count }, (_, index) => ({ guestName: `Guest ${index}` }))
    const reasons = await reasonsOf(
      backup(
        { passengers: [me, ...guests(499)] },
        { passengers: [me, ...guests(500)] },
        { passengers: [{ ...me, seatNumber: 'x'.repeat(21) }] },
        { passengers: [me, { guestName: 'y'.repeat(101) }] },
        { passengers: [me, { guestName: '  ' }] },
        { flightNumber: 'with \u0000 inside' },
        { note: 'half \ud83d pair' },
        { track: { coordinates: [[0, 0]], sourceFormat: 'gpx' } },
        {
          track: {
            coordinates: [
              [0, 0],
              [0, 91],
            ],
            sourceFormat: 'gpx',
          },
        },
        { track: 'none' },
        { from: 'QQQ' },
        { to: { icao: 'QQQQ', iata: 'ZRH' } },
      ),
    )
    expect(reasons).toHaveLength(11)
    for (const reason of reasons)
      expect(reason).toMatch(/^The .* cannot be used: .+\.$|^Airport code QQQQ? is not known\.$/)
    expect(reasons[1]).toContain(`passengers.0.seatNumber ${'x'.repeat(21)}`)
    expect(reasons.slice(-2)).toEqual(['Airport code QQQ is not known.', 'Airport code QQQQ is not known.'])
  })
})

describe('custom values', () => {
  const define = async (field: object) => {
    const admin = app.user({ role: 'role-administrator' })
    const { status, body, text } = await app.as(admin).post('/custom-fields', { label: 'Label', ...field })
    if (status !== 201) throw new Error(text)
    return body.data
  }

  test('of a backup are restored if they match a definition, active or not, and otherwise omitted', async () => {
    await define({ entityType: 'flight', key: 'ref', fieldType: 'text', validation: { maxLength: 3 } })
    await define({ entityType: 'flight', key: 'old', fieldType: 'number', active: false })
    await define({ entityType: 'flight', key: 'meal', fieldType: 'select', options: ['vegan'] })
    await define({ entityType: 'flight', key: 'via', fieldType: 'airport' })
    await define({ entityType: 'flight', key: 'partner', fieldType: 'airline' })
    await define({ entityType: 'flight_passenger', key: 'points', fieldType: 'number' })
    const values = (customFields: unknown, more: object = {}) => ({ customFields, ...more })
    const { body } = await send(
      mira,
      backup(
        values({
          ref: 'abc',
          old: 7,
          meal: 'vegan',
          via: { icao: 'EGLL' },
          partner: { name: 'Swissair', icao: 'SWR' },
          points: 5,
          other: 1,
        }),
        values({ ref: 'abcd', old: 'seven', meal: 'fish', via: { icao: 'QQQQ' }, partner: { name: 'Nobody' } }),
        values({ ref: '', via: 1, partner: 'SWR', meal: null }),
        values('nonsense'),
        {
          passengers: [
            { userId: 'm', customFields: { points: 12, ref: 'abc' } },
            { guestName: 'Ada', customFields: { points: 'many' } },
          ],
        },
      ),
    )
    expect(body.data).toMatchObject({ created: 5, rejected: [] })
    const { flights } = JSON.parse((await app.as(mira).get('/flights/export')).text)
    expect(flights[0].customFields).toEqual({
      ref: 'abc',
      old: 7,
      meal: 'vegan',
      via: expect.objectContaining({ icao: 'EGLL' }),
      partner: expect.objectContaining({ name: 'Swissair' }),
    })
    expect(flights.slice(1).map((flight: { customFields?: unknown }) => flight.customFields)).toEqual(
      Array(4).fill(undefined),
    )
    expect(flights[4].passengers.map((passenger: { customFields?: unknown }) => passenger.customFields)).toEqual([
      { points: 12 },
      undefined,
    ])
  })

  test('get their defaults except from a backup, and required fields are not enforced', async () => {
    await define({ entityType: 'flight', key: 'kind', fieldType: 'text', defaultValue: 'usual' })
    await define({ entityType: 'flight', key: 'must', fieldType: 'text', required: true })
    await define({ entityType: 'flight', key: 'off', fieldType: 'text', defaultValue: 'x', active: false })
    await define({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text', defaultValue: 'none' })
    await send(mira, jetlog({ date: '2024-05-03', origin: 'LSZH', destination: 'LPPT' }))
    await send(mira, backup({ date: '2024-05-04' }))
    const [first, second] = await flightsOf()
    expect([first.customFields, first.passengers[0].customFields]).toEqual([{ kind: 'usual' }, { meal: 'none' }])
    expect([second.customFields, second.passengers[0].customFields]).toEqual([{}, {}])
  })
})

describe('tracks of a backup', () => {
  test('are stored with all their lists', async () => {
    const coordinates = Array.from({ length: 3000 }, (_, index) => [index / 100, index / 200, index])
    const track = {
      coordinates,
      sourceFormat: 'kml',
      sourceName: 'a.kml',
      times: coordinates.map((_, index) => index),
      ground: coordinates.map(() => true),
    }
    await send(mira, backup({ track }))
    const [{ id, track: summary }] = await flightsOf()
    expect(summary).toMatchObject({ pointCount: 3000, sourceFormat: 'kml', sourceName: 'a.kml' })
    expect((await app.as(mira).get(`/flights/${id}/track`)).body.data).toMatchObject(track)
  })
})

describe('flight numbers of Flighty', () => {
  const flighty = (...rows: string[]) => ['Date,Airline,Flight,From,To,Gate Departure (Scheduled)', ...rows].join('\n')
  const numbers = async () => (await flightsOf()).map(({ flightNumber }: { flightNumber: string }) => flightNumber)

  test('follow the IATA code of the airline, or the code of the file if that is unknown', async () => {
    await send(mira, flighty('2024-05-03,SWR,8,ZRH,JFK,', '2024-05-04,LX,8,ZRH,JFK,', '2024-05-05,QQQ,8,ZRH,JFK,'))
    expect(await numbers()).toEqual(['LX8', 'LX8', 'QQQ8'])
  })

  test('match flights of an earlier import that kept the code of the file', async () => {
    await send(mira, backup({ to: 'KJFK', flightNumber: 'SWR8' }))
    const { body } = await send(mira, flighty('2024-05-03,SWR,8,ZRH,JFK,', '2024-05-03,LX,8,ZRH,JFK,'))
    expect(body.data).toMatchObject({ created: 0, duplicates: 2 })
    expect(await numbers()).toEqual(['SWR8'])
  })
})
