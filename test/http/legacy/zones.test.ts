import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { TestUser } from '../../support/paxlog.ts'
import { serve } from '../../support/process.ts'
import { runNow } from '../../support/write-now.ts'
import { zoneVectors } from '../../support/zone-vectors.ts'
import { legacyServer, type Server } from './support.ts'

let server: Server
let mira: TestUser
let me: ReturnType<Server['legacyAs']>
beforeAll(async () => {
  server = await legacyServer()
  mira = server.user()
  me = server.legacyAs(mira)
})
afterAll(() => server.close())

const passengers = [{ userId: '<USER_ID>' }]

describe('local times', () => {
  test.each(zoneVectors)('vector %i: %s, %s to %s', async (_, route, leaves, arrives, departure, arrival, duration) => {
    const [from, to] = route.split(' ')
    const [day, departureTime] = leaves.split(' ')
    const [arrivalDay, arrivalTime] = arrives.split(' ')
    const body = { from, to, departure: day, departureTime, arrival: arrivalDay, arrivalTime, passengers }
    const flight = await me.saveAndGet(body)
    const expected = { date: day, duration, datePrecision: 'day' }
    const legacyTimes = { departure: `${departure}:00.000+00:00`, arrival: `${arrival}:00.000+00:00` }
    expect(flight).toMatchObject({ ...expected, ...legacyTimes })
    const v1 = (await server.as(mira).get(`/flights/${flight.id}`)).body.data
    expect(v1).toMatchObject({ ...expected, departure: `${departure}:00.000Z`, arrival: `${arrival}:00.000Z` })
    // Only the first ten characters of date members count, so clients send the local day.
    const again = { ...body, id: flight.id, departure: `${day}T23:59:59Z`, arrival: `${arrivalDay}T00:00+14:00` }
    expect((await me.save(again)).status).toBe(200)
    const after = (await me.get(`/flight/get/${flight.id}`)).body.flight
    expect({ ...after, updatedAt: '' }).toEqual({ ...flight, updatedAt: '' })
  })

  test('vector 23: accepts a flight that departs later today', async () => {
    const day = new Date().toISOString().slice(0, 10)
    const body = { from: 'LHR', to: 'JFK', departure: day, departureScheduled: day, departureScheduledTime: '23:59' }
    const flight = await me.saveAndGet({ ...body, passengers })
    expect(flight).toMatchObject({ date: day, departure: null, takeoffActual: null })
    expect(flight.departureScheduled).toMatch(/:59:00\.000\+00:00$/)
  })

  test('vector 24: returns 400 with the path for a landing before takeoff, in each of the four pairs', async () => {
    const pairs = [
      ['departure', 'arrival'],
      ['departureScheduled', 'arrivalScheduled'],
      ['takeoffScheduled', 'landingScheduled'],
      ['takeoffActual', 'landingActual'],
    ] as const
    for (const [first, second] of pairs) {
      const day = '2025-02-10'
      const body = { from: 'LHR', to: 'LHR', departure: day, passengers, [first]: day, [second]: day }
      const times = { [`${first}Time`]: '10:00', [`${second}Time`]: '09:59' }
      const { status, body: answer } = await me.save({ ...body, ...times })
      expect([status, answer.errors]).toEqual([
        400,
        [{ code: 'custom', path: [second], message: `Must not be before ${first}.` }],
      ])
      expect((await me.save({ ...body, ...times, [`${first}Time`]: '09:59' })).status).toBe(200)
    }
  })

  test('vector 25: accepts an arrival at the instant of departure, with a duration of 0', async () => {
    const times = { departure: '2025-02-10', departureTime: '10:00', arrivalTime: '1000' }
    expect((await me.saveAndGet({ from: 'LHR', to: 'LHR', ...times, passengers })).duration).toBe(0)
  })

  test('vector 26: treats an airport without a valid time zone as UTC', async () => {
    runNow(
      server.db,
      `insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
         values ('XNOZ', 'No Zone', 1, 1, 'Nowhere/Land', 'small_airport', 'AF', 'GA')`,
    )
    const times = { departure: '2025-02-10', departureTime: '10:00', arrivalTime: '11:00' }
    const flight = await me.saveAndGet({ from: 'XNOZ', to: 'xnoz', ...times, passengers })
    expect([flight.departure, flight.arrival]).toEqual([
      '2025-02-10T10:00:00.000+00:00',
      '2025-02-10T11:00:00.000+00:00',
    ])
  })

  test('vector 21: returns no times for a flight with only a day', async () => {
    const flight = await me.saveAndGet({ from: 'KUL', to: 'BKI', departure: '2025-02-10', passengers })
    expect(flight).toMatchObject({ date: '2025-02-10', departure: null, arrival: null })
    const exported = (await me.get('/flight/export')).body.flights.at(-1)
    expect([exported.date, exported.departure]).toEqual(['2025-02-10', null])
  })

  test('return 400 beyond the year 9999 in UTC', async () => {
    const body = { from: 'HNL', to: 'HNL', departure: '9999-12-31', departureTime: '23:00', passengers }
    const { status, body: answer } = await me.save(body)
    expect([status, answer.errors[0].path]).toEqual([400, ['departure']])
    expect((await me.save({ ...body, departureTime: '13:59' })).status).toBe(200)
  })
})

describe('a date without a time, or a time without a date', () => {
  const day = '2025-07-12'
  const base = { from: 'FRA', to: 'LAX', departure: day, passengers }

  test('becomes null, and the duration is estimated', async () => {
    const incomplete = {
      takeoffActual: day,
      landingActualTime: '10:00',
      departureScheduledTime: '9:00',
      arrivalScheduled: day,
    }
    const flight = await me.saveAndGet({ ...base, ...incomplete })
    expect(flight).toMatchObject({
      departure: null, takeoffActual: null, landingActual: null, departureScheduled: null, arrivalScheduled: null,
    }) // biome-ignore format: five nulls
    const [a, b, turn] = [flight.from.lat, flight.to.lat, flight.to.lon - flight.from.lon].map(
      (x) => (x * Math.PI) / 180,
    )
    const angle = Math.acos(Math.sin(a!) * Math.sin(b!) + Math.cos(a!) * Math.cos(b!) * Math.cos(turn!))
    expect(flight.duration).toBe(Math.round(((6371.0088 * angle) / 805 + 0.5) * 3600))
    expect(flight.duration).toBeGreaterThan(42_000)
  })

  test('has no estimated duration if origin and destination are the same', async () => {
    expect((await me.saveAndGet({ ...base, to: 'FRA' })).duration).toBeNull()
  })

  test('uses the departure day for an arrival time alone, even if the departure has no time', async () => {
    const both = await me.saveAndGet({ ...base, departureTime: '10:40', arrivalTime: '13:10' })
    expect([both.arrival, both.duration]).toEqual(['2025-07-12T20:10:00.000+00:00', 41400])
    const alone = await me.saveAndGet({ ...base, arrivalTime: '13:10' })
    expect([alone.departure, alone.arrival]).toEqual([null, '2025-07-12T20:10:00.000+00:00'])
    expect(alone.duration).toBeGreaterThan(40_000)
  })

  test('uses the date of the scheduled departure if there is no other', async () => {
    const scheduled = { departureScheduled: '2025-07-13', departureScheduledTime: '10:40', arrivalTime: '13:10' }
    const flight = await me.saveAndGet({ ...base, departure: null, ...scheduled })
    expect(flight).toMatchObject({ date: '2025-07-13', departure: null, arrival: null })
    expect(flight.departureScheduled).toBe('2025-07-13T08:40:00.000+00:00')
    const { departure: _, ...bare } = base
    expect((await me.saveAndGet({ ...bare, departureScheduled: '2025-07-13' })).departureScheduled).toBeNull()
  })
})

describe('a flight with only a month or a year', () => {
  test.each(['month', 'year'])('stores its departure at 10:00 UTC and no other time: %s', async (datePrecision) => {
    const others = {
      arrival: '2019-07-02',
      takeoffActual: '2019-07-01',
      takeoffActualTime: '10:00',
      departureTime: '9:00',
    }
    const flight = await me.saveAndGet({
      from: 'FRA',
      to: 'LAX',
      departure: '2019-07-01',
      datePrecision,
      passengers,
      ...others,
    })
    expect(flight).toMatchObject({ date: '2019-07-01', datePrecision, arrival: null, takeoffActual: null })
    expect(flight.departure).toBe('2019-07-01T10:00:00.000+00:00')
    expect(flight.duration).toBeGreaterThan(40_000)
    // Writing the flight back does not change it.
    expect((await me.save({ ...flight, from: flight.from.icao, to: flight.to.icao })).status).toBe(200)
    const after = (await me.get(`/flight/get/${flight.id}`)).body.flight
    expect({ ...after, updatedAt: '' }).toEqual({ ...flight, updatedAt: '' })
  })

  test('stores an instant as sent and the day as written', async () => {
    const departure = '2019-07-01T00:30:00+02:00'
    const flight = await me.saveAndGet({ from: 'FRA', to: 'FRA', departure, datePrecision: 'year', passengers })
    expect([flight.date, flight.departure]).toEqual(['2019-07-01', '2019-06-30T22:30:00.000+00:00'])
    expect(flight.duration).toBeNull()
  })
})

/** Node applies a new TZ immediately. The previous value is restored after the test. */
function inZone(zone: string): void {
  const before = process.env.TZ
  onTestFinished(() => {
    if (before === undefined) delete process.env.TZ
    else process.env.TZ = before
  })
  process.env.TZ = zone
  expect(new Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone)
}

describe('vectors 21 and 22: the time zone of the server', () => {
  const zones = ['Africa/Lagos', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe']
  const inProcess = zones.map((zone) => ['set in this process', zone] as const)
  test.each([...inProcess, ['of a separate process', 'Australia/Lord_Howe'] as const])(
    '%s does not change a day that is read and written back: %s',
    async (where, zone) => {
      const headers = { authorization: `Bearer ${mira.key}` }
      const isSeparate = where === 'of a separate process'
      const origin = isSeparate ? (await serve({ dataDir: server.dataDir, env: { TZ: zone } })).origin : undefined
      if (!isSeparate) inZone(zone)
      const get = async (path: string) =>
        isSeparate ? (await fetch(`${origin}/api${path}`, { headers })).json() : (await me.get(path)).body
      const save = async (body: object) => {
        if (!isSeparate) return (await me.save(body)).body
        const sent = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await fetch(`${origin}/api/flight/save`, sent)).json()
      }
      const first = { from: 'KUL', to: 'BKI', departure: '2025-02-10', passengers }
      const { id } = (await save(first)) as { id: number }
      const { flight } = (await get(`/flight/get/${id}`)) as { flight: Record<string, never> }
      expect([flight.date, flight.departure]).toEqual(['2025-02-10', null])
      const { icao } = flight.from as unknown as { icao: string }
      expect(await save({ ...flight, from: icao, to: 'BKI', departure: flight.date })).toEqual({ success: true })
      const again = ((await get(`/flight/get/${id}`)) as typeof first & { flight: object }).flight
      expect({ ...again, updatedAt: '' }).toEqual({ ...flight, updatedAt: '' })
      const exported = (await get('/flight/export')) as { flights: { date: string }[] }
      expect(exported.flights.at(-1)!.date).toBe('2025-02-10')
      // Local times use the airport time zones, not the server's.
      const { id: timed } = (await save({ ...first, departureTime: '10:00', arrivalTime: '12:30' })) as { id: number }
      const { flight: local } = (await get(`/flight/get/${timed}`)) as { flight: Record<string, unknown> }
      expect([local.departure, local.duration]).toEqual(['2025-02-10T02:00:00.000+00:00', 9000])
    },
  )
})
