import { expect } from 'vitest'
import { naiveBreakdown, passes } from './naive-filter.ts'
import { naiveCountries, naivePunctuality, naiveRecords } from './naive-records.ts'
import { decidingInstant, kilometres, naiveStats } from './naive-stats.ts'
import { type Paxlog, paxlog, type TestUser } from './paxlog.ts'
import { type Random, SEED, seeded } from './random.ts'
import { places, report } from './travel.ts'

// biome-ignore lint/suspicious/noExplicitAny: flights as they come from the wire
type Flight = any

const DAY = 24 * 3_600_000
export const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const NUMBERS = ['LX 2084', 'lx-2084', 'LX2085', 'SK 1', null]
const REGISTRATIONS = ['HB-JCS', 'hb jcs', 'OY-KAM', null]
const NOTES = ['Über den Wolken', 'Lost luggage in Zürich, 2 days', '漢字 note', null]
const SEATS = ['window', 'aisle', null]
const CLASSES = ['economy', 'economy+', null]
const REASONS = ['leisure', 'business', null]
const WORDS = [
  'zur',
  'swiss',
  'LX',
  'lx2084',
  'hb',
  'jcs',
  'HB-JCS',
  'uber',
  'luggage 2',
  'Ådél',
  'mira',
  'kastrup lx',
  'q',
  '漢',
]
export const BY =
  'year month weekday airport route connection airline aircraft aircraftReg country continent seat seatClass flightReason companion'.split(
    ' ',
  )
export const SORTS = ['flights', 'distance', 'duration', 'key']

/** A log with few different values, so that every filter matches some flights but not all. */
export async function randomLog(random: Random) {
  const app = await paxlog({ now: () => NOW })
  const placeIds = places(app.db)
  const owner = app.user({ owner: true, displayName: 'The Owner' })
  const [mira, noor] = [app.user({ displayName: 'Mira Å' }), app.user({ displayName: 'Noor' })]
  const fields = Object.values(placeIds.airports).slice(0, 6)
  const orNull = <Value>(value: Value) => (random.chance(0.3) ? null : value)
  for (let count = 0; count < 120; count++) {
    const date = new Date(NOW - random.between(-20, 3 * 365) * DAY).toISOString().slice(0, 10)
    const place = () => ({
      seat: random.pick(SEATS),
      seatClass: random.pick(CLASSES),
      flightReason: random.pick(REASONS),
    })
    const aboard = [mira, noor, owner].filter(() => random.chance(0.6)).map(({ id }) => ({ userId: id, ...place() }))
    const guests =
      random.chance(0.3) || aboard.length === 0 ? [{ guestName: random.pick(['Ådél Ø', 'Bo']), ...place() }] : []
    const { status, text } = await app.as(owner).post('/flights', {
      date,
      datePrecision: random.pick(['day', 'day', 'month', 'year']),
      fromId: random.pick(fields),
      toId: random.pick(fields),
      airlineId: orNull(random.pick(Object.values(placeIds.airlines))),
      aircraftId: orNull(random.pick(Object.values(placeIds.aircraft))),
      flightNumber: random.pick(NUMBERS),
      aircraftReg: random.pick(REGISTRATIONS),
      note: random.pick(NOTES),
      duration: orNull(random.between(0, 50_000)),
      passengers: [...aboard, ...guests],
      ...(random.chance(0.2) && {
        track: {
          coordinates: [
            [1, 2],
            [3, 4],
          ],
          sourceFormat: 'gpx',
        },
      }),
    })
    if (status !== 201) throw new Error(text)
  }
  return { app, owner, mira, noor, fields, placeIds }
}

type Log = Awaited<ReturnType<typeof randomLog>>

export function randomFilter(random: Random, { fields, placeIds, noor, owner }: Log): Record<string, string> {
  const some = (values: readonly unknown[]) => {
    const chosen = values.filter(() => random.chance(0.4))
    return (chosen.length > 0 ? chosen : [random.pick(values)]).map((value) => value ?? 'none').join(',')
  }
  const days = [0, 1].map(() => new Date(NOW - random.between(0, 3 * 365) * DAY).toISOString().slice(0, 10)).sort()
  const all: Record<string, () => string> = {
    dateFrom: () => days[0]!,
    dateTo: () => days[1]!,
    airportId: () => some(fields),
    fromId: () => some(fields),
    toId: () => some(fields),
    country: () => some(['ch', 'PT', 'DK', 'gb', 'XX']),
    airlineId: () => some([...Object.values(placeIds.airlines), null]),
    aircraftId: () => some([...Object.values(placeIds.aircraft), null]),
    flightNumber: () => random.pick(['lx2084', 'LX-2085', 's k1']),
    aircraftReg: () => random.pick(['hbjcs', 'OY KAM']),
    seat: () => some(SEATS),
    seatClass: () => some(CLASSES),
    flightReason: () => some(REASONS),
    companion: () => some([noor.id, owner.id]),
    completed: () => String(random.chance(0.8)),
    hasTrack: () => String(random.chance(0.5)),
    text: () => random.pick(WORDS),
  }
  const names = Object.keys(all).filter(() => random.chance(0.12))
  return Object.fromEntries(names.map((name) => [name, all[name]!()]))
}

const asQuery = (values: Record<string, string>) => new URLSearchParams(values).toString()

async function allPages(app: Paxlog, user: TestUser, query: string): Promise<number[]> {
  const ids: number[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { status, body, text } = await app.as(user).get(`/flights?limit=7&${query}${cursor && `&cursor=${cursor}`}`)
    if (status !== 200) throw new Error(`${query}: ${text}`)
    ids.push(...body.data.map(({ id }: Flight) => id))
    cursor = body.page.nextCursor
  }
  return ids
}

/** Compares lists in both orders and statistics of random filters with the naive implementations. */
export async function checkFilters(rounds: number): Promise<void> {
  report(`random filters: PAXLOG_TEST_SEED=${SEED}`)
  const random = seeded(SEED)
  const log = await randomLog(random)
  const { app, owner, mira } = log
  const allFlights: Flight[] = []
  for (let next = ''; ; ) {
    const { body } = await app.as(owner).get(`/flights?scope=all&limit=100${next}`)
    allFlights.push(...body.data)
    if (!body.page.nextCursor) break
    next = `&cursor=${body.page.nextCursor}`
  }
  let matches = 0
  for (let round = 0; round < rounds; round++) {
    const filter = randomFilter(random, log)
    const all = random.chance(0.5)
    const userId = all ? undefined : mira.id
    const [user, scopeQuery]: [TestUser, Record<string, string>] = all ? [owner, { scope: 'all' }] : [mira, {}]
    const expected = allFlights
      .filter((flight) => all || flight.passengers.some(({ user }: Flight) => user?.id === mira.id))
      .filter((flight) => passes(flight, filter, userId, NOW))
    matches += expected.length
    const label = `seed ${SEED}, round ${round}: ${asQuery(filter)}`
    const newest = expected.map(({ id }) => id)
    expect([label, await allPages(app, user, asQuery({ ...scopeQuery, ...filter }))]).toEqual([label, newest])
    const oldest = await allPages(app, user, asQuery({ ...scopeQuery, ...filter, order: 'oldest' }))
    expect([label, oldest]).toEqual([label, newest.toReversed()])
    const stats = await app.as(user).get(`/stats?${asQuery({ ...scopeQuery, ...filter })}`)
    expect([label, stats.body]).toEqual([label, { data: naiveStats(expected, NOW) }])
    const [by, sort] = [random.pick(BY), random.pick(SORTS)]
    const completed = expected.filter((flight) => decidingInstant(flight) < NOW)
    const breakdown = naiveBreakdown(completed, { by, sort, userId }, kilometres)
    const { body } = await app
      .as(user)
      .get(`/stats/breakdown?${asQuery({ ...scopeQuery, ...filter, by, sort, limit: '1000' })}`)
    const shown = body.data.groups.map(({ key, flights, distanceKm, durationSeconds, durationKnown }: Flight) => ({
      key,
      flights,
      distanceKm,
      durationSeconds,
      durationKnown,
    }))
    expect([label, by, sort, { total: body.data.total, groups: shown }]).toEqual([label, by, sort, breakdown])
    const limit = random.between(1, 5)
    const few = await app
      .as(user)
      .get(`/stats/breakdown?${asQuery({ ...scopeQuery, ...filter, by, sort, limit: `${limit}` })}`)
    expect([label, few.body.data.groups]).toEqual([label, body.data.groups.slice(0, limit)])
    expect([label, by, few.body.data.others?.flights ?? 0]).toEqual([
      label,
      by,
      breakdown.groups.slice(limit).reduce((sum, { flights }) => sum + flights, 0),
    ])
    const records = await app.as(user).get(`/stats/records?${asQuery({ ...scopeQuery, ...filter })}`)
    expect([label, records.body]).toEqual([label, { data: naiveRecords(completed) }])
    const punctuality = await app.as(user).get(`/stats/punctuality?${asQuery({ ...scopeQuery, ...filter })}`)
    expect([label, punctuality.body]).toEqual([label, { data: naivePunctuality(completed) }])
  }
  expect(matches).toBeGreaterThan(2 * rounds)
  await checkCountries(log, allFlights)
}

/** Checks a manual status of a country with flights, and of one without. */
async function checkCountries({ app, mira }: Log, allFlights: readonly Flight[]): Promise<void> {
  const flightsOfMira = allFlights.filter(({ passengers }) =>
    passengers.some(({ user }: Flight) => user?.id === mira.id),
  )
  const derived = naiveCountries(flightsOfMira.filter((flight) => decidingInstant(flight) < NOW))
  const markedCode = derived[0]!.code
  await app.as(mira).put('/visited-countries', { code: markedCode, status: 'lived', note: 'Home' })
  await app.as(mira).put('/visited-countries', { code: 'zw', status: 'wishlist' })
  const { data } = (await app.as(mira).get('/countries')).body
  const none = { derived: false, airports: 0, flights: 0, firstDate: null, lastDate: null }
  expect(data.map(({ continent: _, ...country }: Flight) => country)).toEqual([
    ...derived.map((country) => ({
      ...country,
      status: country.code === markedCode ? 'lived' : null,
      note: country.code === markedCode ? 'Home' : null,
    })),
    { code: 'ZW', ...none, status: 'wishlist', note: null },
  ])
}
