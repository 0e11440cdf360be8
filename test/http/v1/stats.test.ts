import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { flying, manyFlights, type Places, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const nothing = {
  flights: 0,
  distanceKm: 0,
  durationSeconds: 0,
  airports: 0,
  topAirline: null,
  topAirport: null,
  topAircraft: null,
  topRoute: null,
}

let app: Paxlog
let reference: Places
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => NOW })
  reference = places(app.db)
})
afterAll(() => app.close())

/** Deletes all flights and creates a new user. */
function instance() {
  runNow(app.db, 'delete from flights')
  return { fly: flying(app, reference), mira: app.user({ role: 'role-administrator' }) }
}
const statsOf = async (who: { key: string }, query = '') => (await app.as(who.key).get(`/stats${query}`)).body.data

describe('busiestMonth of GET /api/v1/stats/records', () => {
  const busiest = async (who: { key: string }) => {
    const { busiestDay, busiestMonth } = (await app.as(who.key).get('/stats/records')).body.data
    return { busiestDay, busiestMonth }
  }

  test('counts flights of day and month precision, and not of year precision', async () => {
    const { fly, mira } = instance()
    for (const date of ['2024-03-01', '2024-03-02']) await fly(mira, 'ZRH', 'LIS', { date })
    for (const date of ['2024-05-01', '2024-05-31']) await fly(mira, 'ZRH', 'LIS', { date, datePrecision: 'month' })
    await fly(mira, 'ZRH', 'LIS', { date: '2024-05-07' })
    for (let count = 0; count < 4; count++) await fly(mira, 'ZRH', 'LIS', { date: '2024-01-01', datePrecision: 'year' })
    expect(await busiest(mira)).toEqual({
      busiestDay: { date: '2024-03-01', flights: 1 },
      busiestMonth: { month: '2024-05', flights: 3 },
    })
  })

  test('is null if only the year of each flight is known', async () => {
    const { fly, mira } = instance()
    await fly(mira, 'ZRH', 'LIS', { date: '2024-01-01', datePrecision: 'year' })
    expect(await busiest(mira)).toEqual({ busiestDay: null, busiestMonth: null })
    await fly(mira, 'ZRH', 'LIS', { date: '2024-02-01', datePrecision: 'month' })
    expect(await busiest(mira)).toEqual({ busiestDay: null, busiestMonth: { month: '2024-02', flights: 1 } })
  })
})

describe('GET /api/v1/stats', () => {
  test('returns zeros and nulls for an empty log', async () => {
    const fixture = instance()
    expect(await statsOf(fixture.mira)).toEqual(nothing)
  })

  /** Contract 4.11, rules 1 to 4, one line each. Now is noon UTC on 15 June 2025. */
  const [past, future] = ['2025-06-15T11:59:59.999Z', '2025-06-15T12:00:00.001Z']
  const later = '2025-06-16T08:00:00Z'
  const table: [rule: string, counts: boolean, flight: Record<string, unknown>][] = [
    ['an arrival a millisecond ago', true, { departure: '2025-06-15T01:00Z', arrival: past }],
    ['an arrival exactly now', false, { departure: '2025-06-15T01:00Z', arrival: '2025-06-15T12:00:00.000Z' }],
    ['an arrival a millisecond ahead', false, { departure: '2025-06-15T01:00Z', arrival: future }],
    ['a past departure without an arrival', true, { departure: past }],
    ['a future departure', false, { departure: future }],
    ['a past departure with a duration that ends after now', false, { departure: '2025-06-15T11:00Z', duration: 3601 }],
    ['a past departure with a duration that has ended', true, { departure: '2025-06-15T11:00Z', duration: 3599 }],
    ['an arrival before a future actual landing', true, { arrival: past, landingActual: later }],
    ['an actual landing before a future scheduled arrival', true, { landingActual: past, arrivalScheduled: later }],
    [
      'a scheduled arrival before a future scheduled landing',
      true,
      { arrivalScheduled: past, landingScheduled: later },
    ],
    ['a scheduled landing alone', true, { landingScheduled: past }],
    ['a future scheduled landing after a past take-off', false, { takeoffActual: past, landingScheduled: future }],
    ['a past departure before a future take-off', true, { departure: past, takeoffActual: later }],
    ['a past take-off before a future scheduled departure', true, { takeoffActual: past, departureScheduled: later }],
    [
      'a past scheduled departure before a future take-off',
      true,
      { departureScheduled: past, takeoffScheduled: later },
    ],
    ['a scheduled take-off alone', true, { takeoffScheduled: past }],
    ['a future scheduled take-off', false, { takeoffScheduled: future }],
    ['a take-off with a duration that ends after now', false, { takeoffScheduled: past, duration: 60 }],
    ['month precision: gate times do not count', true, { datePrecision: 'month', date: '2025-05-01', arrival: later }],
    ['month precision: a landing counts', false, { datePrecision: 'month', date: '2025-05-01', landingActual: later }],
    [
      'month precision: a scheduled departure counts',
      false,
      { datePrecision: 'month', date: '2025-05-01', departureScheduled: later },
    ],
    ['the previous month', true, { datePrecision: 'month', date: '2025-05-01' }],
    ['this month', false, { datePrecision: 'month', date: '2025-06-01' }],
    ['this month, by a day in it', false, { datePrecision: 'month', date: '2025-06-03' }],
    ['the previous year', true, { datePrecision: 'year', date: '2024-01-01' }],
    ['this year, although its first day has passed', false, { datePrecision: 'year', date: '2025-01-01' }],
    [
      'year precision: gate times do not count',
      false,
      { datePrecision: 'year', date: '2025-01-01', arrival: '2025-01-02T00:00Z' },
    ],
    ['a day that has started', true, { date: '2025-06-15' }],
    ['the next day', false, { date: '2025-06-16' }],
  ]
  test.each(table)('completion: %s counts: %s', async (_rule, counts, flight) => {
    const fixture = instance()
    await fixture.fly(fixture.mira, 'LHR', 'CPH', { date: '2025-06-15', ...flight })
    expect((await statsOf(fixture.mira)).flights).toBe(counts ? 1 : 0)
  })

  test('completion: days start and months end in the time zone of the origin', async () => {
    for (const [from, date, counts] of [
      // 16 June starts in Auckland at noon UTC, exactly now.
      ['AKL', '2025-06-16', 0],
      ['AKL', '2025-06-15', 1],
      // Honolulu is ten hours behind UTC, so 15 June started two hours ago.
      ['HNL', '2025-06-15', 1],
      ['HNL', '2025-06-16', 0],
    ] as const) {
      const fixture = instance()
      await fixture.fly(fixture.mira, from, 'LHR', { date })
      expect([from, date, (await statsOf(fixture.mira)).flights]).toEqual([from, date, counts])
    }
    const endOfMay = Date.parse('2025-06-01T03:00:00Z')
    const newApp = await paxlog({ now: () => endOfMay })
    const fly = flying(newApp, places(newApp.db))
    const user = newApp.user()
    await fly(user, 'HNL', 'LHR', { date: '2025-05-01', datePrecision: 'month' })
    await fly(user, 'AKL', 'LHR', { date: '2025-05-01', datePrecision: 'month' })
    const { data } = (await newApp.as(user).get('/stats')).body
    expect(data).toMatchObject({ flights: 1, topRoute: { from: { icao: 'NZAA' } } })
  })

  test('reflects the current time and every write', async () => {
    let now = NOW
    const newApp = await paxlog({ now: () => now })
    const fly = flying(newApp, places(newApp.db))
    const mira = newApp.user({ role: 'role-administrator' })
    const countFlights = async () => (await newApp.as(mira.key).get('/stats')).body.data.flights
    const at = (milliseconds: number) => {
      now = NOW + milliseconds
      return countFlights()
    }
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: past })
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: new Date(NOW + 60_000).toISOString() })
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: new Date(NOW + 120_000).toISOString() })
    expect([await at(0), await at(60_000), await at(60_001), await at(60_001)]).toEqual([1, 1, 2, 2])
    expect([await at(120_001), await at(0), await at(999_999)]).toEqual([3, 1, 3])
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: past })
    expect(await at(999_999)).toBe(4)
  })

  test('reflects the current time with a filter for completed flights', async () => {
    let now = NOW
    const newApp = await paxlog({ now: () => now })
    const mira = newApp.user()
    await flying(newApp, places(newApp.db))(mira, 'CPH', 'JFK', { departure: past, arrival: later })
    const countFlights = async (completed: boolean) => {
      const read = async (path: string) => (await newApp.as(mira).get(`${path}completed=${completed}`)).body.data
      const [stats, broken, records] = [
        await read('/stats?'),
        await read('/stats/breakdown?by=year&'),
        await read('/stats/records?'),
      ]
      return [stats.flights, broken.total.flights, records.first === null ? 0 : 1]
    }
    expect([await countFlights(true), await countFlights(false)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
    now = Date.parse(later) + 1
    expect([await countFlights(true), await countFlights(false)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ])
  })

  test('rounds the sum of the distances once, half up, and sums known durations', async () => {
    const fixture = instance()
    await fixture.fly(fixture.mira, 'CPH', 'LHR', { duration: 6000 })
    expect((await statsOf(fixture.mira)).distanceKm).toBe(980)
    await fixture.fly(fixture.mira, 'JFK', 'LHR')
    // 979.61436 + 5539.65448 km
    expect(await statsOf(fixture.mira)).toMatchObject({ distanceKm: 6519, durationSeconds: 6000 })
    await fixture.fly(fixture.mira, 'LHR', 'LHR', { duration: 60 })
    expect(await statsOf(fixture.mira)).toMatchObject({
      flights: 3,
      distanceKm: 6519,
      durationSeconds: 6060,
      airports: 3,
    })
    runNow(app.db, 'update flights set distance_meters = 500 where duration = 6000')
    runNow(app.db, 'update flights set distance_meters = 0 where duration is null or duration <> 6000')
    expect((await statsOf(fixture.mira)).distanceKm).toBe(1)
    runNow(app.db, 'update flights set distance_meters = 499.9 where duration = 6000')
    expect((await statsOf(fixture.mira)).distanceKm).toBe(0)
  })

  test('counts each flight for origin and destination, and separates the directions of a route', async () => {
    const fixture = instance()
    const { airlines, aircraft, airports } = reference
    await fixture.fly(fixture.mira, 'ZRH', 'LIS', { airlineId: airlines.sas })
    await fixture.fly(fixture.mira, 'LIS', 'ZRH', { airlineId: airlines.swiss, aircraftId: aircraft.a220 })
    await fixture.fly(fixture.mira, 'LIS', 'ZRH', { airlineId: airlines.swiss })
    await fixture.fly(fixture.mira, 'LIS', 'LIS')
    expect(await statsOf(fixture.mira)).toMatchObject({
      flights: 4,
      airports: 2,
      topAirport: { id: airports.LIS, name: 'Lisbon Airport', icao: 'LPPT', iata: 'LIS', count: 5 },
      topAirline: { id: airlines.swiss, name: 'Swiss', iata: 'LX', icao: 'SWR', count: 2 },
      topAircraft: { id: aircraft.a220, name: 'Airbus A220-300', icao: 'BCS3', count: 1 },
      topRoute: { from: { id: airports.LIS }, to: { id: airports.ZRH }, count: 2 },
    })
  })

  test('resolves ties by the lowest flight id, origin before destination, regardless of dates', async () => {
    const fixture = instance()
    const { airlines, aircraft } = reference
    await fixture.fly(fixture.mira, 'SIN', 'CPH', {
      date: '2024-01-01',
      airlineId: airlines.swissair,
      aircraftId: aircraft.dc3,
    })
    await fixture.fly(fixture.mira, 'ZRH', 'LIS', {
      date: '2001-01-01',
      airlineId: airlines.swiss,
      aircraftId: aircraft.a220,
    })
    expect(await statsOf(fixture.mira)).toMatchObject({
      topAirport: { iata: 'SIN', count: 1 },
      topAirline: { name: 'Swissair' },
      topAircraft: { name: 'Douglas DC-3' },
      topRoute: { from: { iata: 'SIN' }, to: { iata: 'CPH' } },
    })
    // LIS and ZRH have two flights each, and ZRH came first.
    await fixture.fly(fixture.mira, 'LIS', 'ZRH')
    expect((await statsOf(fixture.mira)).topAirport).toMatchObject({ iata: 'ZRH', count: 2 })
  })

  test('selects by passenger, and counts a flight with several users once in scope=all', async () => {
    const fixture = instance()
    const noor = app.user()
    await fixture.fly(fixture.mira, 'ZRH', 'LIS', {
      passengers: [{ userId: fixture.mira.id }, { userId: noor.id }, { guestName: 'Ada' }],
    })
    await fixture.fly(fixture.mira, 'ZRH', 'CPH', { passengers: [{ userId: noor.id }] })
    await fixture.fly(fixture.mira, 'ZRH', 'SIN', { passengers: [{ guestName: 'Ada' }] })
    expect((await statsOf(fixture.mira)).flights).toBe(1)
    expect((await statsOf(fixture.mira, '?scope=mine&userId=ignored')).flights).toBe(1)
    expect((await statsOf(fixture.mira, `?scope=user&userId=${noor.id}`)).flights).toBe(2)
    expect((await statsOf(noor, `?scope=user&userId=${noor.id}`)).flights).toBe(2)
    expect((await statsOf(fixture.mira, '?scope=all')).flights).toBe(3)
    expect(await statsOf(fixture.mira, '?scope=user&userId=nobody')).toEqual(nothing)
  })

  test('requires the any scope for other users, names it at once, and rejects invalid parameters', async () => {
    const { mira } = instance()
    const ownScopeKey = app.key(mira.id, ['stats.read', 'flight.read.own'])
    const none = app.key(mira.id, [])
    const challenge = (answer: { headers: Record<string, unknown> }) =>
      /scope="([^"]*)"/.exec(String(answer.headers['www-authenticate']))?.[1]
    const scopes = 'stats.read flight.read.own flight.read.any'
    for (const query of ['?scope=all', '?scope=user&userId=other']) {
      const rejected = await app.as(ownScopeKey).get(`/stats${query}`)
      expect([rejected.status, rejected.body.error.code, challenge(rejected)]).toEqual([
        403,
        'insufficient_scope',
        scopes,
      ])
      expect(challenge(await app.as(none).get(`/stats${query}`))).toBe(scopes)
    }
    expect(challenge(await app.as(none).get('/stats'))).toBe('stats.read flight.read.own')
    expect((await app.as(ownScopeKey).get(`/stats?scope=user&userId=${mira.id}`)).status).toBe(200)
    const plain = app.user()
    expect((await app.as(plain).get('/stats?scope=all')).body.error.code).toBe('forbidden')
    for (const query of ['?scope=', '?scope=ours', '?scope=user', '?scope=user&userId=', '?scope=all&scope=all'])
      expect([query, (await app.as(mira).get(`/stats${query}`)).status]).toEqual([query, 400])
  })

  test('reflects the current time and a deleted flight', async () => {
    let now = Date.parse('2025-01-01T00:00:00Z')
    const newApp = await paxlog({ now: () => now })
    const fly = flying(newApp, places(newApp.db))
    const user = newApp.user()
    const id = await fly(user, 'ZRH', 'LIS', { date: '2025-01-02', arrival: '2025-01-02T10:00:00Z' })
    const count = async () => (await newApp.as(user).get('/stats')).body.data.flights
    expect(await count()).toBe(0)
    now = Date.parse('2025-01-02T10:00:00.001Z')
    expect(await count()).toBe(1)
    await newApp.as(user).delete(`/flights/${id}`)
    expect(await count()).toBe(0)
  })

  test('counts all of 20,000 flights', async () => {
    const fixture = instance()
    manyFlights(app.db, reference, fixture.mira.id, 20_000)
    for (const query of ['', '?scope=all']) expect((await statsOf(fixture.mira, query)).flights).toBe(20_000)
  })
})
