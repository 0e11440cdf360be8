import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { allBut, type Flag, flags, markers, secrets, sharedFlight } from '../../support/shared-flight.ts'
import { flying, manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let shared: Awaited<ReturnType<typeof sharedFlight>>
beforeAll(async () => {
  app = await sharedPaxlog()
  shared = await sharedFlight(app)
})
afterAll(() => app.close())

const viewOf = async (slug: string, from: Paxlog = app) =>
  from.services.visitors.view(from.services.shares.findActive(slug)!)
const textOf = async (on: readonly Flag[], more = {}) => JSON.stringify(await viewOf(await shared.share(on, more)))

describe('the view of a visitor', () => {
  const cases = Object.entries(markers)
  test.each(cases)('contains the %s if its flags are on', async (_name, { needs, words }) => {
    for (const text of [await textOf(needs), await textOf(flags)]) {
      for (const word of words) expect(text).toContain(word)
    }
  })

  const hidden = cases.flatMap(([name, { needs }]) => needs.map((flag) => [name, flag] as const))
  test.each(hidden)('does not contain the %s if %s is off', async (name, flag) => {
    const { needs, words } = markers[name]!
    // The same word also appears in the other section, so that is off too.
    const otherSection: Flag[] =
      flag === 'showStats' ? ['showFlightList'] : flag === 'showFlightList' ? ['showStats'] : []
    const on = allBut(flag).filter((each) => needs.includes(each) || !otherSection.includes(each))
    const text = await textOf(on)
    for (const word of words) expect(text).not.toContain(word)
  })

  test.each(secrets)('never contains %s', async (word) => {
    expect(await textOf(flags)).not.toContain(word)
  })

  test('contains no ids', async () => {
    const view = await viewOf(await shared.share(flags))
    const names = new Set<string>()
    JSON.stringify(view, (key, value) => {
      names.add(key)
      return value
    })
    expect([...names].filter((name) => /id$/i.test(name))).toEqual([])
    expect(JSON.stringify(view)).not.toContain(shared.owner.id)
  })

  test('hides times if dates are hidden', async () => {
    const text = await textOf(allBut('showDates'))
    for (const word of ['2023', ...markers.times!.words]) expect(text).not.toContain(word)
  })

  test('always contains origin, destination, distance and duration in the list', async () => {
    const { list, ...rest } = await viewOf(await shared.share(['showFlightList']))
    expect(rest).toEqual({ flightCount: 1 })
    expect(list).toEqual([
      {
        from: expect.objectContaining({ code: 'ZRH' }),
        to: expect.objectContaining({ code: 'JFK' }),
        distanceKm: expect.any(Number),
        duration: 32_040,
      },
    ])
  })

  test("selects the owner's flights by date, inclusive", async () => {
    const count = async (more: Record<string, unknown>) =>
      (await viewOf(await shared.share(['showMap'], more))).flightCount
    expect(await count({ dateFrom: '2023-10-17', dateTo: '2023-10-17' })).toBe(1)
    expect(await count({ dateFrom: '2023-10-18' })).toBe(0)
    expect(await count({ dateTo: '2023-10-16' })).toBe(0)
    expect(await count({ dateFrom: '2023-01-01' })).toBe(1)
    const otherUser = app.user()
    expect((await viewOf(await shared.share(flags, {}, otherUser))).flightCount).toBe(0)
  })

  test('counts only completed flights of the selection in the statistics', async () => {
    const instance = await paxlog({ now: () => Date.parse('2025-01-01T00:00:00Z') })
    const user = instance.user()
    const fly = flying(instance, places(instance.db))
    for (const date of ['2023-01-01', '2024-01-01', '2026-01-01']) await fly(user, 'ZRH', 'LIS', { date })
    const { slug } = (await instance.as(user).post('/shares', { showStats: true, dateFrom: '2024-01-01' })).body.data
    const { flightCount, stats } = await viewOf(slug, instance)
    expect([flightCount, stats?.flights, stats?.topRoute]).toEqual([2, 1, 'ZRH – LIS'])
  })
})

describe('the order of the list', () => {
  test('is newest first with dates, and by route and id without dates', async () => {
    const instance = await paxlog()
    const user = instance.user()
    const fly = flying(instance, places(instance.db))
    const journeys = [
      ['ZRH', 'LIS', '2024-05-05', 'F1'],
      ['CPH', 'ZRH', '2020-05-05', 'F2'],
      ['ZRH', 'CPH', '2025-05-05', 'F3'],
      ['ZRH', 'LIS', '2025-05-05', 'F4'],
      ['CPH', 'ZRH', '2024-05-05', 'F5'],
    ] as const
    const ids: number[] = []
    for (const [from, to, date, flightNumber] of journeys) ids.push(await fly(user, from, to, { date, flightNumber }))
    const order = async (showDates: boolean) => {
      const { slug } = (await instance.as(user).post('/shares', { showDates, showFlightList: true })).body.data
      const { list, map } = await viewOf(slug, instance)
      return [
        list!.map(({ flightNumber }) => flightNumber).join(' '),
        map!.routes.map(({ from, to }) => from.code + to.code).join(' '),
      ]
    }
    expect((await order(true))[0]).toBe('F4 F3 F5 F1 F2')
    const withoutDates = await order(false)
    expect(withoutDates).toEqual(['F2 F5 F3 F1 F4', 'CPHZRH ZRHCPH ZRHLIS'])
    for (const [index, id] of ids.entries()) {
      const date = `20${10 + index}-01-01`
      runNow(instance.db, 'update flights set date = ? where id = ?', date, id)
      runNow(instance.db, 'update passengers set date = ? where flight_id = ?', date, id)
    }
    expect(await order(false)).toEqual(withoutDates)
  })
})

describe('tracks', () => {
  const track = (points: number) => ({
    coordinates: Array.from({ length: points }, (_, index) => [index / 1000, index / 2000, 9999]),
    sourceFormat: 'gpx',
  })
  async function lines(...lengths: number[]) {
    const instance = await paxlog()
    const user = instance.user()
    const fly = flying(instance, places(instance.db))
    for (const length of lengths) await fly(user, 'ZRH', 'LIS', { track: track(length) })
    const { slug } = (await instance.as(user).post('/shares', { showTracks: true })).body.data
    return (await viewOf(slug, instance)).map!.tracks
  }

  test('have at most 5000 points, including the first and last, without altitudes', async () => {
    for (const [length, drawn] of [
      [2, 2],
      [5000, 5000],
      [5001, 2501],
      [50_000, 4547],
    ] as const) {
      const [line] = await lines(length)
      expect([length, line!.length]).toEqual([length, drawn])
      expect([line![0], line!.at(-1)]).toEqual([
        [0, 0],
        [(length - 1) / 1000, (length - 1) / 2000],
      ])
    }
  })

  test('share the point limit of a page', async () => {
    const drawn = await lines(4000, 4000, 10, 4000)
    expect(drawn.map(({ length }) => length).sort()).toEqual([10, 1001, 1001, 1001].sort())
    expect(drawn.flat().length).toBeLessThanOrEqual(5000)
  })

  test('are simplified when stored, so a visit does not read their points', async () => {
    const instance = await paxlog()
    const user = instance.user()
    const id = await flying(instance, places(instance.db))(user, 'ZRH', 'LIS', { track: track(20_000) })
    const { slug } = (await instance.as(user).post('/shares', { showTracks: true })).body.data
    const client = instance.db.$client
    const drawn = async () => (await viewOf(slug, instance)).map!.tracks
    const before = await drawn()
    const { points } = client.prepare('select points from flight_tracks').get() as { points: Buffer }
    const setPoints = (bytes: Buffer) => runNow(instance.db, 'update flight_tracks set points = ?', bytes)
    const unreadable = Buffer.alloc(1)
    setPoints(unreadable)
    expect(await drawn()).toEqual(before)
    // Tracks of early releases have no stored line.
    setPoints(points)
    runNow(instance.db, 'delete from flight_track_lines')
    expect(await drawn()).toEqual(before)
    // Replacing or deleting a track also replaces or deletes its line.
    expect((await instance.as(user).put(`/flights/${id}/track`, track(2))).status).toBe(200)
    expect((await drawn())[0]).toHaveLength(2)
    expect((await instance.as(user).delete(`/flights/${id}/track`)).status).toBe(204)
    expect(client.prepare('select count(*) from flight_track_lines').pluck().get()).toBe(0)
  })

  test('are omitted if even two points each exceed the limit', async () => {
    const instance = await paxlog()
    const user = instance.user()
    const placeIds = places(instance.db)
    manyFlights(instance.db, placeIds, user.id, 2600)
    const id = await flying(instance, placeIds)(user, 'ZRH', 'LIS', { track: track(3) })
    runNow(
      instance.db,
      `insert into flight_tracks select f.id, point_count, source_format, source_name, points, t.created_at, t.updated_at
         from flights f, flight_tracks t where t.flight_id = ? and f.id <> t.flight_id`,
      id,
    )
    const { slug } = (await instance.as(user).post('/shares', { showTracks: true })).body.data
    expect((await viewOf(slug, instance)).map!.tracks.flat().length).toBeLessThanOrEqual(5000)
  })
})

describe('a log of 5 000 flights', () => {
  test('is listed in pages with each flight once', async () => {
    const instance = await paxlog()
    const user = instance.user()
    manyFlights(instance.db, places(instance.db), user.id, 5000)
    for (const showDates of [true, false]) {
      const { slug } = (await instance.as(user).post('/shares', { showFlightList: true, showDates })).body.data
      const share = instance.services.shares.findActive(slug)!
      const numbers: unknown[] = []
      for (let page = 1; page <= 100; page++) {
        const { flightCount, list } = await instance.services.visitors.view(share, page)
        expect([flightCount, list!.length]).toEqual([5000, 50])
        numbers.push(...list!.map(({ flightNumber }) => flightNumber))
      }
      expect(new Set(numbers).size).toBe(5000)
      expect((await instance.services.visitors.view(share, 101)).list).toEqual([])
    }
  })
})

test('a map is cached until the next write', async () => {
  const instance = await paxlog()
  const user = instance.user()
  const fly = flying(instance, places(instance.db))
  await fly(user, 'ZRH', 'LIS')
  const { slug } = (await instance.as(user).post('/shares', {})).body.data
  const first = (await viewOf(slug, instance)).map
  expect((await viewOf(slug, instance)).map).toBe(first)
  await fly(user, 'LIS', 'ZRH')
  expect((await viewOf(slug, instance)).map!.routes.map(({ count }) => count)).toEqual([1, 1])
})

test('a stale share does not affect the cache after another process changed it', async () => {
  const { findActive } = app.services.shares
  const { map } = app.services.visitors
  const slug = await shared.share(flags)
  const before = findActive(slug)!
  runNow(app.db, 'update shares set show_tracks = 0 where slug = ?', slug)
  expect((await map(before))!.tracks).toHaveLength(1)
  expect((await map(findActive(slug)!))!.tracks).toEqual([])
})
