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
let made: Places
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => NOW })
  made = places(app.db)
})
afterAll(() => app.close())

/** Every test has its own user and no other flights. */
function instance() {
  runNow(app.db, 'delete from flights')
  return { fly: flying(app, made), mira: app.user({ role: 'role-administrator' }) }
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

  test('is null when only the year of each flight is known', async () => {
    const { fly, mira } = instance()
    await fly(mira, 'ZRH', 'LIS', { date: '2024-01-01', datePrecision: 'year' })
    expect(await busiest(mira)).toEqual({ busiestDay: null, busiestMonth: null })
    await fly(mira, 'ZRH', 'LIS', { date: '2024-02-01', datePrecision: 'month' })
    expect(await busiest(mira)).toEqual({ busiestDay: null, busiestMonth: { month: '2024-02', flights: 1 } })
  })
})

describe('GET /api/v1/stats', () => {
  test('gives zeros and nulls for an empty log', async () => {
    const it = instance()
    expect(await statsOf(it.mira)).toEqual(nothing)
  })

  /** Contract 4.11, rules 1 to 4, one line each; now is noon of 15 June 2025 in UTC. */
  const [past, future] = ['2025-06-15T11:59:59.999Z', '2025-06-15T12:00:00.001Z']
  const later = '2025-06-16T08:00:00Z'
  const table: [rule: string, counts: boolean, flight: Record<string, unknown>][] = [
    ['an arrival a millisecond ago', true, { departure: '2025-06-15T01:00Z', arrival: past }],
    ['an arrival exactly now', false, { departure: '2025-06-15T01:00Z', arrival: '2025-06-15T12:00:00.000Z' }],
    ['an arrival a millisecond ahead', false, { departure: '2025-06-15T01:00Z', arrival: future }],
    ['a departure ago without an arrival', true, { departure: past }],
    ['a departure ahead', false, { departure: future }],
    ['a departure ago whose duration leads beyond now', false, { departure: '2025-06-15T11:00Z', duration: 3601 }],
    ['a departure ago whose duration ended', true, { departure: '2025-06-15T11:00Z', duration: 3599 }],
    ['an arrival before an actual landing ahead', true, { arrival: past, landingActual: later }],
    ['an actual landing before a scheduled arrival ahead', true, { landingActual: past, arrivalScheduled: later }],
    ['a scheduled arrival before a scheduled landing ahead', true, { arrivalScheduled: past, landingScheduled: later }],
    ['a scheduled landing alone', true, { landingScheduled: past }],
    ['a scheduled landing ahead of a take-off ago', false, { takeoffActual: past, landingScheduled: future }],
    ['a departure ago before a take-off ahead', true, { departure: past, takeoffActual: later }],
    ['a take-off ago before a scheduled departure ahead', true, { takeoffActual: past, departureScheduled: later }],
    ['a scheduled departure ago before a take-off ahead', true, { departureScheduled: past, takeoffScheduled: later }],
    ['a scheduled take-off alone', true, { takeoffScheduled: past }],
    ['a scheduled take-off ahead', false, { takeoffScheduled: future }],
    ['a take-off whose duration leads beyond now', false, { takeoffScheduled: past, duration: 60 }],
    ['month precision: gate times do not count', true, { datePrecision: 'month', date: '2025-05-01', arrival: later }],
    ['month precision: a landing does', false, { datePrecision: 'month', date: '2025-05-01', landingActual: later }],
    [
      'month precision: a scheduled departure does',
      false,
      { datePrecision: 'month', date: '2025-05-01', departureScheduled: later },
    ],
    ['the month before', true, { datePrecision: 'month', date: '2025-05-01' }],
    ['this month', false, { datePrecision: 'month', date: '2025-06-01' }],
    ['this month, by a day in it', false, { datePrecision: 'month', date: '2025-06-03' }],
    ['the year before', true, { datePrecision: 'year', date: '2024-01-01' }],
    ['this year, although its first day is long gone', false, { datePrecision: 'year', date: '2025-01-01' }],
    [
      'year precision: gate times do not count',
      false,
      { datePrecision: 'year', date: '2025-01-01', arrival: '2025-01-02T00:00Z' },
    ],
    ['a day that began', true, { date: '2025-06-15' }],
    ['the next day', false, { date: '2025-06-16' }],
  ]
  test.each(table)('completion: %s counts: %s', async (_rule, counts, flight) => {
    const it = instance()
    await it.fly(it.mira, 'LHR', 'CPH', { date: '2025-06-15', ...flight })
    expect((await statsOf(it.mira)).flights).toBe(counts ? 1 : 0)
  })

  test("completion: a day begins, and a month ends, in the origin's zone", async () => {
    for (const [from, date, counts] of [
      // It is 16 June in Auckland since noon, exactly now.
      ['AKL', '2025-06-16', 0],
      ['AKL', '2025-06-15', 1],
      // Honolulu is ten hours behind: 15 June began two hours ago.
      ['HNL', '2025-06-15', 1],
      ['HNL', '2025-06-16', 0],
    ] as const) {
      const it = instance()
      await it.fly(it.mira, from, 'LHR', { date })
      expect([from, date, (await statsOf(it.mira)).flights]).toEqual([from, date, counts])
    }
    const endOfMay = Date.parse('2025-06-01T03:00:00Z')
    const then = await paxlog({ now: () => endOfMay })
    const fly = flying(then, places(then.db))
    const user = then.user()
    await fly(user, 'HNL', 'LHR', { date: '2025-05-01', datePrecision: 'month' })
    await fly(user, 'AKL', 'LHR', { date: '2025-05-01', datePrecision: 'month' })
    const { data } = (await then.as(user).get('/stats')).body
    expect(data).toMatchObject({ flights: 1, topRoute: { from: { icao: 'NZAA' } } })
  })

  test('follows the clock and every write, however often it is asked', async () => {
    let now = NOW
    const then = await paxlog({ now: () => now })
    const fly = flying(then, places(then.db))
    const mira = then.user({ role: 'role-administrator' })
    const counted = async () => (await then.as(mira.key).get('/stats')).body.data.flights
    const at = (milliseconds: number) => {
      now = NOW + milliseconds
      return counted()
    }
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: past })
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: new Date(NOW + 60_000).toISOString() })
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: new Date(NOW + 120_000).toISOString() })
    expect([await at(0), await at(60_000), await at(60_001), await at(60_001)]).toEqual([1, 1, 2, 2])
    expect([await at(120_001), await at(0), await at(999_999)]).toEqual([3, 1, 3])
    await fly(mira, 'CPH', 'JFK', { departure: past, arrival: past })
    expect(await at(999_999)).toBe(4)
  })

  test('follows the clock also where only completed flights are asked for', async () => {
    let now = NOW
    const then = await paxlog({ now: () => now })
    const mira = then.user()
    await flying(then, places(then.db))(mira, 'CPH', 'JFK', { departure: past, arrival: later })
    const counted = async (completed: boolean) => {
      const read = async (path: string) => (await then.as(mira).get(`${path}completed=${completed}`)).body.data
      const [stats, broken, records] = [
        await read('/stats?'),
        await read('/stats/breakdown?by=year&'),
        await read('/stats/records?'),
      ]
      return [stats.flights, broken.total.flights, records.first === null ? 0 : 1]
    }
    expect([await counted(true), await counted(false)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
    ])
    now = Date.parse(later) + 1
    expect([await counted(true), await counted(false)]).toEqual([
      [1, 1, 1],
      [0, 0, 0],
    ])
  })

  test('sums the unrounded distances and rounds once, half up; durations are the known ones', async () => {
    const it = instance()
    await it.fly(it.mira, 'CPH', 'LHR', { duration: 6000 })
    expect((await statsOf(it.mira)).distanceKm).toBe(980)
    await it.fly(it.mira, 'JFK', 'LHR')
    // 979.61436 + 5539.65448 km
    expect(await statsOf(it.mira)).toMatchObject({ distanceKm: 6519, durationSeconds: 6000 })
    await it.fly(it.mira, 'LHR', 'LHR', { duration: 60 })
    expect(await statsOf(it.mira)).toMatchObject({
      flights: 3,
      distanceKm: 6519,
      durationSeconds: 6060,
      airports: 3,
    })
    runNow(app.db, 'update flights set distance_meters = 500 where duration = 6000')
    runNow(app.db, 'update flights set distance_meters = 0 where duration is null or duration <> 6000')
    expect((await statsOf(it.mira)).distanceKm).toBe(1)
    runNow(app.db, 'update flights set distance_meters = 499.9 where duration = 6000')
    expect((await statsOf(it.mira)).distanceKm).toBe(0)
  })

  test('counts each flight for its origin and its destination, and tells directions of a route apart', async () => {
    const it = instance()
    const { airlines, aircraft, airports } = made
    await it.fly(it.mira, 'ZRH', 'LIS', { airlineId: airlines.sas })
    await it.fly(it.mira, 'LIS', 'ZRH', { airlineId: airlines.swiss, aircraftId: aircraft.a220 })
    await it.fly(it.mira, 'LIS', 'ZRH', { airlineId: airlines.swiss })
    await it.fly(it.mira, 'LIS', 'LIS')
    expect(await statsOf(it.mira)).toMatchObject({
      flights: 4,
      airports: 2,
      topAirport: { id: airports.LIS, name: 'Lisbon Airport', icao: 'LPPT', iata: 'LIS', count: 5 },
      topAirline: { id: airlines.swiss, name: 'Swiss', iata: 'LX', icao: 'SWR', count: 2 },
      topAircraft: { id: aircraft.a220, name: 'Airbus A220-300', icao: 'BCS3', count: 1 },
      topRoute: { from: { id: airports.LIS }, to: { id: airports.ZRH }, count: 2 },
    })
  })

  test('gives ties to the one met first by id, origin before destination, whatever the dates say', async () => {
    const it = instance()
    const { airlines, aircraft } = made
    await it.fly(it.mira, 'SIN', 'CPH', { date: '2024-01-01', airlineId: airlines.swissair, aircraftId: aircraft.dc3 })
    await it.fly(it.mira, 'ZRH', 'LIS', { date: '2001-01-01', airlineId: airlines.swiss, aircraftId: aircraft.a220 })
    expect(await statsOf(it.mira)).toMatchObject({
      topAirport: { iata: 'SIN', count: 1 },
      topAirline: { name: 'Swissair' },
      topAircraft: { name: 'Douglas DC-3' },
      topRoute: { from: { iata: 'SIN' }, to: { iata: 'CPH' } },
    })
    // Now LIS and ZRH stand with two each: ZRH was met first.
    await it.fly(it.mira, 'LIS', 'ZRH')
    expect((await statsOf(it.mira)).topAirport).toMatchObject({ iata: 'ZRH', count: 2 })
  })

  test('selects by traveller, and counts a flight with several users once in scope=all', async () => {
    const it = instance()
    const noor = app.user()
    await it.fly(it.mira, 'ZRH', 'LIS', {
      passengers: [{ userId: it.mira.id }, { userId: noor.id }, { guestName: 'Ada' }],
    })
    await it.fly(it.mira, 'ZRH', 'CPH', { passengers: [{ userId: noor.id }] })
    await it.fly(it.mira, 'ZRH', 'SIN', { passengers: [{ guestName: 'Ada' }] })
    expect((await statsOf(it.mira)).flights).toBe(1)
    expect((await statsOf(it.mira, '?scope=mine&userId=ignored')).flights).toBe(1)
    expect((await statsOf(it.mira, `?scope=user&userId=${noor.id}`)).flights).toBe(2)
    expect((await statsOf(noor, `?scope=user&userId=${noor.id}`)).flights).toBe(2)
    expect((await statsOf(it.mira, '?scope=all')).flights).toBe(3)
    expect(await statsOf(it.mira, '?scope=user&userId=nobody')).toEqual(nothing)
  })

  test('needs the any scope for others, names it at once, and refuses wrong parameters', async () => {
    const { mira } = instance()
    const own = app.key(mira.id, ['stats.read', 'flight.read.own'])
    const none = app.key(mira.id, [])
    const challenge = (answer: { headers: Record<string, unknown> }) =>
      /scope="([^"]*)"/.exec(String(answer.headers['www-authenticate']))?.[1]
    const scopes = 'stats.read flight.read.own flight.read.any'
    for (const query of ['?scope=all', '?scope=user&userId=other']) {
      const refused = await app.as(own).get(`/stats${query}`)
      expect([refused.status, refused.body.error.code, challenge(refused)]).toEqual([403, 'insufficient_scope', scopes])
      expect(challenge(await app.as(none).get(`/stats${query}`))).toBe(scopes)
    }
    expect(challenge(await app.as(none).get('/stats'))).toBe('stats.read flight.read.own')
    expect((await app.as(own).get(`/stats?scope=user&userId=${mira.id}`)).status).toBe(200)
    const plain = app.user()
    expect((await app.as(plain).get('/stats?scope=all')).body.error.code).toBe('forbidden')
    for (const query of ['?scope=', '?scope=ours', '?scope=user', '?scope=user&userId=', '?scope=all&scope=all'])
      expect([query, (await app.as(mira).get(`/stats${query}`)).status]).toEqual([query, 400])
  })

  test('follows the hands of the clock and every change of a flight', async () => {
    let now = Date.parse('2025-01-01T00:00:00Z')
    const own = await paxlog({ now: () => now })
    const fly = flying(own, places(own.db))
    const user = own.user()
    const id = await fly(user, 'ZRH', 'LIS', { date: '2025-01-02', arrival: '2025-01-02T10:00:00Z' })
    const count = async () => (await own.as(user).get('/stats')).body.data.flights
    expect(await count()).toBe(0)
    now = Date.parse('2025-01-02T10:00:00.001Z')
    expect(await count()).toBe(1)
    await own.as(user).delete(`/flights/${id}`)
    expect(await count()).toBe(0)
  })

  test('counts all of 20 000 flights', async () => {
    const it = instance()
    manyFlights(app.db, made, it.mira.id, 20_000)
    for (const query of ['', '?scope=all']) expect((await statsOf(it.mira, query)).flights).toBe(20_000)
  })
})
