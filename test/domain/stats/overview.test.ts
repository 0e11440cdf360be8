import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Overview } from '../../../src/domain/stats/overview.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { SEED, seeded } from '../../support/random.ts'
import { flying, iataCodes, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')
const STEP_KM = 500

let app: Paxlog
let mira: TestUser
let caller: Parameters<Paxlog['services']['stats']['getOverview']>[0]

/** Fills a log with all kinds of flights: without times, with imprecise dates, with companions, in the future. */
async function fill(user: TestUser, friend: TestUser): Promise<void> {
  const random = seeded(SEED)
  const placeIds = places(app.db)
  const fly = flying(app, placeIds)
  const orNull = <Value>(value: Value) => (random.chance(0.3) ? null : value)
  for (let index = 0; index < 60; index++) {
    const seat = {
      seat: orNull(random.pick(['window', 'aisle', 'middle'])),
      seatClass: orNull(random.pick(['economy', 'business'])),
      flightReason: orNull(random.pick(['leisure', 'business'])),
    }
    await fly(user, random.pick(iataCodes), random.pick(iataCodes), {
      date: `${random.between(2019, 2025)}-${String(random.between(1, 12)).padStart(2, '0')}-${String(random.between(1, 28)).padStart(2, '0')}`,
      datePrecision: random.pick(['day', 'day', 'day', 'month', 'year']),
      duration: orNull(random.between(3_000, 40_000)),
      airlineId: orNull(random.pick(Object.values(placeIds.airlines))),
      aircraftId: orNull(random.pick(Object.values(placeIds.aircraft))),
      aircraftReg: orNull(random.pick(['HB-JCA', 'hb jca', 'D-AIMA'])),
      passengers: [
        { userId: user.id, ...seat },
        ...(random.chance(0.4) ? [{ userId: friend.id, seat: 'aisle' }] : []),
        ...(random.chance(0.2) ? [{ guestName: 'Grandma' }] : []),
      ],
    })
  }
}

beforeAll(async () => {
  app = await sharedPaxlog({ now: () => NOW })
  mira = app.user({ role: 'role-administrator', displayName: 'Mira' })
  await fill(mira, app.user({ displayName: 'Noor' }))
  caller = app.services.credentials.authenticate(mira.key, 'v1') as typeof caller
})
afterAll(() => app.close())

const api = async (path: string) => (await app.as(mira).get(path)).body.data

describe('the overview of a log', () => {
  test.each(['', '&dateFrom=2021-01-01&dateTo=2023-12-31', '&seatClass=economy,none'])(
    'returns the same counts as the breakdowns (%s)',
    async (query) => {
      const filter = Object.fromEntries(new URLSearchParams(query))
      const parsedFilter = { ...filter, ...(filter.seatClass && { seatClass: filter.seatClass.split(',') }) }
      const overview = await app.services.stats.getOverview(caller, parsedFilter as never, STEP_KM)
      for (const [by, groups] of Object.entries(overview.by)) {
        const isInOrder = by === 'year' || by === 'weekday'
        const limit = by === 'aircraft' ? 60 : 11
        const path = `/stats/breakdown?by=${by}${isInOrder ? '&sort=key&limit=1000' : `&limit=${limit}`}${query}`
        expect([by, groups]).toEqual([by, await api(path)])
      }
      expect(overview.records).toEqual(await api(`/stats/records?${query.slice(1)}`))
      const { flights, distanceKm, durationSeconds, airports } = await api(`/stats?${query.slice(1)}`)
      expect(overview.figures).toMatchObject({ flights, distanceKm, durationSeconds, airports })
      expect(overview.figures.countries).toBe(
        (await api(`/stats/breakdown?by=country&limit=1000${query}`)).groups.length,
      )
      expect(overview.byDistance.total.flights).toBe(flights)
      expect(overview.cumulative.at(-1)?.distanceKm).toBe(distanceKm)
      expect([...overview.cumulativeKmByYear.values()].at(-1)).toBe(overview.cumulative.at(-1)?.distanceKm)
    },
  )

  test('counts the flights of each day in the newest years', async () => {
    const overview = await app.services.stats.getOverview(caller, {}, STEP_KM)
    expect(overview.calendars.map(({ year }) => year)).toEqual([2025, 2024, 2023])
    const flown = new Map<string, number>()
    for (const { date, datePrecision } of await api('/flights?limit=100&completed=true'))
      if (datePrecision === 'day') flown.set(date, (flown.get(date) ?? 0) + 1)
    const newest = [...flown].filter(([date]) => date >= '2023').sort()
    const days = overview.calendars.flatMap((calendar) => calendar.days)
    expect(days.map(({ date, flights }) => [date, flights]).sort()).toEqual(newest)
  })

  test('groups the same months of all years', async () => {
    const { byMonthOfYear } = await app.services.stats.getOverview(caller, {}, STEP_KM)
    const months = (await api('/stats/breakdown?by=month&limit=1000')).groups as { key: string; flights: number }[]
    const expected = new Map<number, number>()
    for (const { key, flights } of months) {
      const month = Number(key.slice(5))
      expected.set(month, (expected.get(month) ?? 0) + flights)
    }
    const sums = byMonthOfYear.groups.map(({ key, flights }) => [key, flights])
    expect(sums).toEqual([...expected].sort(([left], [right]) => left - right))
  })
})

describe('a year in review', () => {
  type Sums = Overview['figures']
  const figuresOf = async (year: number) => {
    const { flights, distanceKm, durationSeconds, airports } = await api(
      `/stats?dateFrom=${year}-01-01&dateTo=${year}-12-31`,
    )
    return { flights, distanceKm, durationSeconds, airports } as Partial<Sums>
  }

  test('has the statistics of the year and the previous year', async () => {
    const { figures, before } = await app.services.stats.getYear(caller, 2022)
    expect(figures).toMatchObject(await figuresOf(2022))
    expect(before).toMatchObject(await figuresOf(2021))
  })

  test('lists airports, countries and aircraft as new if no earlier flight has them', async () => {
    const keys = async (by: string, query: string): Promise<unknown[]> =>
      (await api(`/stats/breakdown?by=${by}&limit=1000&${query}`)).groups.map(({ key }: { key: unknown }) => key)
    for (const year of [2019, 2020, 2022]) {
      const { firsts, routes } = await app.services.stats.getYear(caller, year)
      const firstIn = async (by: string) => {
        const known = await keys(by, `dateTo=${year - 1}-12-31`)
        const all = await keys(by, `dateTo=${year}-12-31`)
        return all.filter((key) => key !== null && !known.includes(key)).sort()
      }
      expect(firsts.airports.map(({ id }) => id).sort()).toEqual(await firstIn('airport'))
      expect([...firsts.countries].sort()).toEqual(await firstIn('country'))
      expect(firsts.aircraft.map(({ id }) => id).sort()).toEqual(await firstIn('aircraft'))
      const flown = await keys('route', `dateFrom=${year}-01-01&dateTo=${year}-12-31`)
      expect(routes.map(({ from, to }) => `${from.id}-${to.id}`).sort()).toEqual(flown.sort())
    }
  })
})
