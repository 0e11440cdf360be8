import { setImmediate as nextEvent } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { skipIds } from '../../support/engine.ts'
import { decidingInstant, naiveStats } from '../../support/naive-stats.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { type Random, SEED, seeded } from '../../support/random.ts'
import { importing, places, report } from '../../support/travel.ts'

// biome-ignore lint/suspicious/noExplicitAny: flights as they come from the wire
type Flight = any

const HOUR = 3_600_000
const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const iso = (instant: number) => new Date(instant).toISOString()

/** Days on which a time zone changes its clock or skips a day. */
const CLOCK_CHANGE_DAYS = [
  '2011-12-30',
  '2024-03-10',
  '2024-03-31',
  '2024-10-27',
  '2024-11-03',
  '2025-04-06',
  '2025-06-16',
]

/** The period of a share. Flights on and around both days are common. */
const SHARE_PERIOD = { from: '2011-12-30', to: '2025-06-15' }

async function instance(random: Random) {
  let now = NOW
  const app = await paxlog({ now: () => now })
  const { airports, airlines, aircraft } = places(app.db)
  const owner = app.user({ owner: true })
  const field = (more: object) => ({
    icao: 'XQ-01',
    name: 'A field of our own',
    latitude: 1,
    longitude: 2,
    timezone: 'Pacific/Apia',
    continent: 'OC',
    country: 'WS',
    ...more,
  })
  const { body } = await app.as(owner).post('/airports', field({}))
  const customAirport: number = body.data.id
  const fields = [...Object.values(airports), customAirport]
  const orNull = <Value>(value: Value) => (random.chance(0.3) ? null : value)

  function times(day: string): Record<string, string | null> {
    const names = ['departure', 'arrival', 'departureScheduled', 'arrivalScheduled', 'takeoffActual', 'landingActual']
    const start = Date.parse(`${day}T00:00:00Z`) + random.between(0, 48) * (HOUR / 2)
    return Object.fromEntries(
      names.map((name, index) => [
        name,
        random.chance(0.3) ? iso(start + (index % 2) * random.between(0, 9) * HOUR) : null,
      ]),
    )
  }

  /** Few places and airlines make ties common. Flights around now become completed during the test. */
  function flightBody(people: readonly TestUser[]) {
    const near = iso(now + random.between(-40, 40) * HOUR).slice(0, 10)
    const long = iso(NOW - random.between(0, 20 * 365) * 24 * HOUR).slice(0, 10)
    const date = random.pick([near, near, long, random.pick(CLOCK_CHANGE_DAYS)])
    const users = people.filter(() => random.chance(0.4)).map(({ id }) => ({ userId: id }))
    return {
      date,
      datePrecision: random.pick(['day', 'day', 'day', 'month', 'year']),
      fromId: random.pick(fields),
      toId: random.pick(fields),
      airlineId: orNull(random.pick(Object.values(airlines))),
      aircraftId: orNull(random.pick(Object.values(aircraft))),
      duration: orNull(random.between(0, 50_000)),
      passengers: random.chance(0.2) || users.length === 0 ? [...users, { guestName: 'Ada' }] : users,
      ...times(date),
    }
  }

  const setTime = (instant: number) => {
    now = instant
  }
  return { app, owner, customAirport, field, flightBody, setTime, now: () => now }
}

async function listAllFlights(app: Paxlog, owner: TestUser): Promise<Flight[]> {
  const flights: Flight[] = []
  let next = ''
  do {
    const { body } = await app.as(owner).get(`/flights?scope=all&limit=100${next}`)
    flights.push(...body.data)
    next = body.page.nextCursor && `&cursor=${body.page.nextCursor}`
  } while (next)
  return flights
}

const hasPassenger = (flight: Flight, { id }: TestUser) =>
  flight.passengers.some((each: Flight) => each.user?.id === id)

describe('statistics and a naive count of the listed flights', () => {
  test('agree exactly after writes by any process and at any time', async () => {
    report(`statistics against a plain count: PAXLOG_TEST_SEED=${SEED}`)
    const random = seeded(SEED)
    const { app, owner, customAirport, field, flightBody, setTime, now } = await instance(random)
    const other = otherConnection(app.dataDir)
    const [mira, noor] = [app.user(), app.user()]
    let temporaryUser = app.user()
    let flights: Flight[] = []
    let restored = 10
    const expectStatus = async (answer: Promise<{ status: number; text: string }>, expectedStatus: number) => {
      const { status, text } = await answer
      if (status !== expectedStatus) throw new Error(`seed ${SEED}: ${text}`)
    }
    const add = () => {
      // Gaps between ids, as in a log with other writers.
      if (random.chance(0.1)) skipIds(app.db, 'flights', 700)
      return expectStatus(app.as(owner).post('/flights', flightBody([mira, noor, temporaryUser])), 201)
    }
    const change = ({ id }: Flight) => expectStatus(app.as(owner).put(`/flights/${id}`, flightBody([mira, noor])), 200)

    const steps: Record<string, () => unknown> = {
      'a flight is added': add,
      'a flight is replaced': () => change(random.pick(flights)),
      'several flights are replaced at once': () =>
        Promise.all([1, 2, 3].map((at) => change(flights[(at * 17) % flights.length]))),
      'a flight is deleted': () => expectStatus(app.as(owner).delete(`/flights/${random.pick(flights).id}`), 204),
      'a write is rejected': () =>
        expectStatus(app.as(owner).put(`/flights/${flights[0].id}`, { ...flights[0], fromId: 0 }), 422),
      'a user and their flights are deleted': async () => {
        await expectStatus(app.as(owner).delete(`/users/${temporaryUser.id}`), 204)
        temporaryUser = app.user()
      },
      'an airport moves to another place and time zone': () =>
        expectStatus(
          app.as(owner).put(
            `/airports/${customAirport}`,
            field({
              name: `Field ${random.between(1, 9)}`,
              latitude: random.between(-80, 80),
              timezone: random.pick(['Pacific/Apia', 'America/New_York', 'Asia/Kathmandu']),
            }),
          ),
          200,
        ),
      'a backup is restored': async () => {
        const { body } = await app.as(owner).get('/flights/export?scope=all')
        const again = body.flights.slice(0, 5).map((flight: Flight) => ({
          ...flight,
          date: `20${restored}-02-02`,
          // The number is unique, so none of the flights is a duplicate.
          flightNumber: `RE${restored++}`,
        }))
        const answer = await importing(app)(owner, { ...body, flights: again }, 'mode=restore')
        expect(answer.body.data).toMatchObject({ created: again.length })
      },
      // Only columns that do not determine when a flight is completed.
      'another process changes a flight': () =>
        other
          .prepare('update flights set aircraft_id = null, airline_id = null where id = ?')
          .run(random.pick(flights).id),
      'another process deletes a flight': () =>
        other.prepare('delete from flights where id = ?').run(random.pick(flights).id),
      'another process adds a passenger': () => {
        const { id, date } = random.pick(flights.filter((flight) => !hasPassenger(flight, mira)))
        other.prepare('insert into passengers (flight_id, user_id, date) values (?, ?, ?)').run(id, mira.id, date)
      },
      'time passes': () => setTime(now() + random.between(0, 30 * HOUR)),
      'the clock is set back': () => setTime(now() - random.between(0, 30 * HOUR)),
      'a flight is being completed, or has just been': () =>
        setTime(decidingInstant(random.pick(flights)) + random.between(0, 1)),
      'nothing happens': () => undefined,
    }

    async function compare(step: string) {
      // A change by another process is visible from the next event on.
      await nextEvent()
      flights = await listAllFlights(app, owner)
      const expectedText = (selected: readonly Flight[]) => JSON.stringify({ data: naiveStats(selected, now()) })
      const targets: [string, TestUser, string, Flight[]][] = [
        ['mine', mira, '', flights.filter((flight) => hasPassenger(flight, mira))],
        ['user', owner, `?scope=user&userId=${noor.id}`, flights.filter((flight) => hasPassenger(flight, noor))],
        ['all', owner, '?scope=all', flights],
      ]
      for (const [scope, who, query, selected] of targets) {
        const { text } = await app.as(who).get(`/stats${query}`)
        expect([SEED, step, scope, text]).toEqual([SEED, step, scope, expectedText(selected)])
      }
      // The query of a share with a period.
      const shared = await app.services.stats.of({ userId: mira.id }, SHARE_PERIOD)
      const within = targets[0]![3].filter(({ date }) => SHARE_PERIOD.from <= date && date <= SHARE_PERIOD.to)
      expect([SEED, step, shared]).toEqual([SEED, step, naiveStats(within, now())])
    }

    await compare('an empty log')
    for (let count = 0; count < 60; count++) await add()
    await compare('a log')
    const names = Object.keys(steps)
    for (const step of [...names, ...Array.from({ length: 60 }, () => random.pick(names))]) {
      await steps[step]!()
      await compare(step)
    }
    expect(flights.length).toBeGreaterThan(20)
  })
})
