import { describe, expect, test } from 'vitest'
import { isoInstant, localInstant } from '../../../src/lib/dates.ts'
import { type Iata, zoneOf } from '../../support/factory.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'
import { runNow } from '../../support/write-now.ts'

type Leg = [airport: Iata, day: string, clock: string]

interface Vector {
  number: number
  from: Leg
  to: Leg
  departure: string
  arrival: string
  duration: number
}

const vector = (number: number, from: Leg, to: Leg, departure: string, arrival: string, duration: number): Vector => ({
  number,
  from,
  to,
  departure,
  arrival,
  duration,
})

/** The vectors of contract 13.2 with local times. */
const vectors = [
  vector(
    1,
    ['HND', '2024-11-09', '19:53'],
    ['EWR', '2024-11-09', '18:59'],
    '2024-11-09T10:53Z',
    '2024-11-09T23:59Z',
    47160,
  ),
  vector(
    2,
    ['MAA', '2024-05-14', '03:30'],
    ['DXB', '2024-05-14', '06:20'],
    '2024-05-13T22:00Z',
    '2024-05-14T02:20Z',
    15600,
  ),
  vector(
    3,
    ['FRA', '2025-07-12', '10:40'],
    ['LAX', '2025-07-12', '13:10'],
    '2025-07-12T08:40Z',
    '2025-07-12T20:10Z',
    41400,
  ),
  vector(
    4,
    ['FRA', '2025-07-12', '10:40'],
    ['LAX', '2025-07-13', '13:10'],
    '2025-07-12T08:40Z',
    '2025-07-13T20:10Z',
    127800,
  ),
  vector(
    5,
    ['BNE', '2025-01-15', '09:00'],
    ['ADL', '2025-01-15', '11:05'],
    '2025-01-14T23:00Z',
    '2025-01-15T00:35Z',
    5700,
  ),
  vector(
    6,
    ['ADL', '2025-01-15', '12:00'],
    ['SYD', '2025-01-15', '14:20'],
    '2025-01-15T01:30Z',
    '2025-01-15T03:20Z',
    6600,
  ),
  vector(
    7,
    ['SYD', '2025-01-15', '17:00'],
    ['BNE', '2025-01-15', '17:30'],
    '2025-01-15T06:00Z',
    '2025-01-15T07:30Z',
    5400,
  ),
  vector(
    8,
    ['SIN', '2025-01-20', '23:10'],
    ['FRA', '2025-01-21', '05:10'],
    '2025-01-20T15:10Z',
    '2025-01-21T04:10Z',
    46800,
  ),
  vector(
    9,
    ['AKL', '2025-03-01', '23:30'],
    ['HNL', '2025-03-01', '09:35'],
    '2025-03-01T10:30Z',
    '2025-03-01T19:35Z',
    32700,
  ),
  vector(
    10,
    ['HNL', '2025-03-01', '11:30'],
    ['AKL', '2025-03-02', '19:40'],
    '2025-03-01T21:30Z',
    '2025-03-02T06:40Z',
    33000,
  ),
  vector(
    11,
    ['CXI', '2025-06-01', '00:30'],
    ['HNL', '2025-05-31', '04:10'],
    '2025-05-31T10:30Z',
    '2025-05-31T14:10Z',
    13200,
  ),
  vector(
    12,
    ['JFK', '2022-03-13', '02:30'],
    ['LHR', '2022-03-13', '14:30'],
    '2022-03-13T07:30Z',
    '2022-03-13T14:30Z',
    25200,
  ),
  vector(
    13,
    ['JFK', '2022-11-06', '01:30'],
    ['LHR', '2022-11-06', '13:00'],
    '2022-11-06T05:30Z',
    '2022-11-06T13:00Z',
    27000,
  ),
  vector(
    14,
    ['LDH', '2025-10-05', '02:15'],
    ['SYD', '2025-10-05', '04:30'],
    '2025-10-04T15:45Z',
    '2025-10-04T17:30Z',
    6300,
  ),
  vector(
    15,
    ['APW', '2011-12-30', '12:00'],
    ['AKL', '2011-12-31', '15:00'],
    '2011-12-30T22:00Z',
    '2011-12-31T02:00Z',
    14400,
  ),
  vector(
    16,
    ['AMM', '2021-11-15', '08:00'],
    ['LHR', '2021-11-15', '11:30'],
    '2021-11-15T06:00Z',
    '2021-11-15T11:30Z',
    19800,
  ),
  vector(
    17,
    ['AMM', '2022-11-15', '08:00'],
    ['LHR', '2022-11-15', '10:30'],
    '2022-11-15T05:00Z',
    '2022-11-15T10:30Z',
    19800,
  ),
  vector(
    18,
    ['MEX', '2022-07-10', '10:00'],
    ['CUN', '2022-07-10', '12:20'],
    '2022-07-10T15:00Z',
    '2022-07-10T17:20Z',
    8400,
  ),
  vector(
    19,
    ['MEX', '2023-07-10', '10:00'],
    ['CUN', '2023-07-10', '13:20'],
    '2023-07-10T16:00Z',
    '2023-07-10T18:20Z',
    8400,
  ),
  vector(
    20,
    ['KTM', '2025-04-02', '14:00'],
    ['DEL', '2025-04-02', '15:30'],
    '2025-04-02T08:15Z',
    '2025-04-02T10:00Z',
    6300,
  ),
]

const inFull = (instant: string) => instant.replace('Z', ':00.000Z')

describe('the time-zone vectors of the contract', () => {
  test.each(vectors)('$number: $from to $to takes $duration s', async ({ from, to, departure, arrival, duration }) => {
    for (const [[airport, day, clock], instant] of [
      [from, departure],
      [to, arrival],
    ] as const) {
      expect(isoInstant(localInstant(day, clock, zoneOf(airport)))).toBe(inFull(instant))
    }
    const { flight, airports, as, mira } = await flightLog()
    const [origin, date] = from
    const stored = await flight({ date, fromId: airports[origin], toId: airports[to[0]], departure, arrival })
    const expected = { date, departure: inFull(departure), arrival: inFull(arrival), duration }
    expect(stored).toMatchObject(expected)
    expect((await as(mira).get('/flights')).body.data).toMatchObject([expected])
  })

  test('21: a flight without times keeps its date in every response', async () => {
    const { flight, airports, as, mira } = await flightLog()
    const { id, date } = await flight({ date: '2025-02-10', fromId: airports.KUL, toId: airports.BKI })
    expect(date).toBe('2025-02-10')
    expect((await as(mira).get(`/flights/${id}`)).body.data.date).toBe('2025-02-10')
    expect((await as(mira).get('/flights')).body.data[0].date).toBe('2025-02-10')
  })

  test('23: a flight that departs later today is logged', async () => {
    const { as, mira, plain } = await flightLog({ now: () => Date.parse('2025-05-03T06:00Z') })
    expect((await as(mira).post('/flights', { ...plain, departureScheduled: '2025-05-03T22:00Z' })).status).toBe(201)
  })

  test('24: a landing before the take-off is rejected', async () => {
    const { as, mira, plain } = await flightLog()
    const answer = await as(mira).post('/flights', {
      ...plain,
      takeoffActual: '2025-02-10T10:00Z',
      landingActual: '2025-02-10T09:59Z',
    })
    expect([answer.status, ...faultsOf(answer)]).toEqual([422, 'custom landingActual'])
  })

  test('25: an arrival at the instant of the departure results in a duration of 0', async () => {
    const { flight } = await flightLog()
    expect((await flight({ departure: '2025-02-10T10:00Z', arrival: '2025-02-10T10:00Z' })).duration).toBe(0)
  })

  test.each(['', 'Mars/Olympus', '+02:00', 'local'])('26: an airport with the zone %j counts as UTC', async (zone) => {
    const { db, airports, flight } = await flightLog()
    runNow(db, 'update airports set timezone = ? where id = ?', zone, airports.ZRH)
    expect(isoInstant(localInstant('2025-02-10', '10:00', zone))).toBe('2025-02-10T10:00:00.000Z')
    const { id, from } = await flight({ date: '2025-02-10' })
    expect(from.timezone).toBe(zone)
    const completedFrom = db.$client.prepare('select completed_from from flights where id = ?').pluck().get(id)
    expect(completedFrom).toBe(Date.parse('2025-02-10T00:00Z'))
  })
})

describe('the completion instant of a flight (contract 4.11)', () => {
  const [early, late] = ['2025-05-03T10:00:00.000Z', '2025-05-03T12:00:00.000Z']
  const midnight = '2025-05-02T22:00:00.000Z'

  test.each([
    [{}, midnight],
    [{ duration: 7200 }, midnight],
    [{ datePrecision: 'month' }, '2025-05-31T21:59:59.999Z'],
    [{ datePrecision: 'year' }, '2025-12-31T22:59:59.999Z'],
    [{ departure: early }, early],
    [{ departure: early, duration: 7200 }, late],
    [{ departure: early, arrival: late, duration: 5 }, late],
    [{ arrival: late }, late],
    [{ departure: early, arrival: late, datePrecision: 'month' }, '2025-05-31T21:59:59.999Z'],
    [{ departure: early, takeoffActual: late, datePrecision: 'month' }, late],
    [{ landingActual: late, arrivalScheduled: early }, late],
    [{ arrivalScheduled: late, landingScheduled: early }, late],
    [{ landingScheduled: late, departure: early, duration: 1 }, late],
    [{ takeoffActual: late, departureScheduled: early }, late],
    [{ departureScheduled: late, takeoffScheduled: early }, late],
    [{ takeoffScheduled: late }, late],
    [{ takeoffScheduled: early, duration: 7200 }, late],
    [{ fromId: 'AKL' }, '2025-05-02T12:00:00.000Z'],
  ])('of %o is %s', async (body, instant) => {
    const { flight, db, airports } = await flightLog()
    const { id } = await flight({ ...body, ...('fromId' in body && { fromId: airports.AKL }) })
    const completedFrom = db.$client.prepare('select completed_from from flights where id = ?').pluck().get(id)
    expect(isoInstant(completedFrom as number)).toBe(instant)
  })
})
