import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { manyFlights, places } from '../../support/travel.ts'

const NOW = Date.parse('2026-06-01T00:00:00Z')

async function withFlights() {
  const instance = await signedIn({ now: () => NOW })
  const records = places(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const { ZRH, LIS, JFK, CPH } = records.airports
  const fly = async (date: string, fromId: number, toId: number, more: object = {}) =>
    (await api.post('/flights', { date, fromId, toId, ...more })).body.data.id as number
  await fly('2016-03-04', ZRH, LIS)
  await fly('2025-10-08', LIS, ZRH)
  await fly('2024-05-01', ZRH, CPH, { datePrecision: 'year' })
  await fly('2030-01-02', LIS, JFK)
  return { ...instance, records, api, fly }
}

/** Converts the relative steps of a track to coordinates, like the script of the map. */
function lineOf(steps: number[]): number[][] {
  let [x, y] = [0, 0]
  return steps.flatMap((step, index) => {
    if (index % 2 === 0) {
      x += step
      return []
    }
    y += step
    return [[x / 10_000, y / 10_000]]
  })
}

const policyOf = ({ headers }: { headers: Record<string, unknown> }) => String(headers['content-security-policy'])

describe('GET /map', () => {
  test('shows the map, the filter and the list of routes, and applies the filter', async () => {
    const { browser, app, records } = await withFlights()
    const { status, html } = await browser.get('/map')
    expect(status).toBe(200)
    expect(html).toContain('3 routes between 4 airports on a map of the earth. Most flown: LIS – ZRH, 2 times.')
    const { ZRH, LIS } = records.airports
    const links = [`${LIS},${ZRH}`, `${ZRH},${LIS}`].map((ids) => `href="/?fromId=${ids}&amp;toId=${ids}"`)
    expect(links.some((link) => html.includes(link))).toBe(true)
    const filtered = await browser.get('/map?year=2016')
    expect(filtered.html).toContain('1 route between 2 airports')
    expect(filtered.html).toMatch(/href="\/\?year=2016&amp;fromId=/)
    expect((await browser.get('/map?year=1999')).html).toContain('No flights match.')
    const visitor = await browserSession(app).get('/map?year=2016')
    expect([visitor.status, visitor.location]).toEqual([303, '/login?next=%2Fmap%3Fyear%3D2016'])
  })

  test('has a legend for frequency, planned flights and tracks', async () => {
    const { browser, fly, records } = await withFlights()
    const legendIn = (html: string) =>
      [
        .../<ul class="legend map-legend" aria-label="Map legend">.*?<\/ul>/s
          .exec(html)![0]
          .matchAll(/<li class="([^"]+)">([^<]+)</g),
      ].map(([, style, label]) => [style, label])
    const { ZRH, LIS } = records.airports
    const frequencies = [
      ['size-1', '1 flight'],
      ['size-2', '2–3 flights'],
    ]
    for (const path of ['/', '/map']) {
      expect(legendIn((await browser.get(path)).html)).toEqual([...frequencies, ['planned', 'Planned']])
    }
    const coordinates = [
      [8.5, 47.5],
      [-9.1, 38.8],
    ]
    const flown = await fly('2025-10-09', ZRH, LIS, { track: { sourceFormat: 'gpx', coordinates } })
    expect(legendIn((await browser.get('/map')).html)).toContainEqual(['tracked', 'Recorded track'])
    expect(legendIn((await browser.get('/map?year=2016')).html)).toEqual([['size-1', 'Route']])
    expect(legendIn((await browser.get(`/flights/${flown}`)).html)).toEqual([
      ['size-1', 'Route'],
      ['tracked', 'Recorded track'],
    ])
  })

  test('has no filter for an empty log, and links to the log, as do statistics', async () => {
    const { browser } = await signedIn()
    for (const path of ['/map', '/statistics', '/countries', '/']) {
      const { html } = await browser.get(path)
      expect([path, html.includes('class="filter"')]).toEqual([path, false])
      if (path === '/map' || path === '/statistics') expect(html).toMatch(/class="card empty">.*<a href="\/">/s)
    }
    expect((await browser.get('/statistics?year=1999')).html).toContain('class="filter"')
  })

  test('allows a worker only on pages with a map', async () => {
    const { browser } = await withFlights()
    for (const path of ['/', '/map']) expect(policyOf(await browser.get(path))).toContain("worker-src 'self'")
    for (const path of ['/map?year=1999', '/settings/preferences']) {
      expect(policyOf(await browser.get(path))).not.toContain('worker-src')
    }
  })

  test('draws planned routes in another style', async () => {
    const { browser } = await withFlights()
    const { html } = await browser.get('/map')
    expect(html.match(/class="flown planned size-1"/g)).toHaveLength(1)
    expect((await browser.get('/map?completed=true')).html).not.toContain('flown planned')
  })

  test('links to a script, a worker and outlines that exist', async () => {
    const { browser } = await withFlights()
    const { html } = await browser.get('/map')
    const attribute = (name: string) => new RegExp(`data-${name}="([^"]+)"`).exec(html)![1]!
    const paths = [attribute('script'), attribute('worker')]
    paths.push(...(Object.values(JSON.parse(attribute('paths').replaceAll('&quot;', '"'))).flat() as string[]))
    expect(paths).toHaveLength(9)
    for (const path of paths) expect([path, (await browser.get(path)).status]).toEqual([path, 200])
    const script = await browser.get(paths[0]!)
    const parts = [...script.html.matchAll(/from ?"\.\/([\w-]+\.js)"/g)].map(([, file]) => file!)
    expect(parts.length).toBeGreaterThan(0)
    for (const file of parts) expect((await browser.get(`/assets/${file}`)).status).toBe(200)
  })

  test('names countries in the language of the visitor', async () => {
    const { browser } = await withFlights()
    const namesIn = async (language: string) => {
      const { html } = await browser.get('/map', { 'accept-language': language })
      return [...html.matchAll(/<text class="country"[^>]*>([^<]+)</g)].map(([, name]) => name)
    }
    expect(await namesIn('en-GB')).toContain('Spain')
    expect(await namesIn('de-CH, en;q=0.5')).toContain('Spanien')
    expect(await namesIn('ja')).toContain('スペイン')
    expect(await namesIn('tlh')).toContain('Spain')
  })

  test('draws the projection that the visitor chose, and describes the camera of both', async () => {
    const { browser } = await withFlights()
    const viewsIn = ({ html }: { html: string }) =>
      JSON.parse(/data-views="([^"]+)"/.exec(html)![1]!.replaceAll('&quot;', '"')) as { projection: string }[]
    expect(viewsIn(await browser.get('/map')).map(({ projection }) => projection)).toEqual(['globe', 'flat'])
    for (const path of ['/map', '/']) {
      browser.jar.set('paxlog-map', 'flat')
      expect(viewsIn(await browser.get(path)).map(({ projection }) => projection)).toEqual(['flat', 'globe'])
    }
    browser.jar.set('paxlog-map', 'cube')
    expect(viewsIn(await browser.get('/map'))).toHaveLength(2)
  })

  test('requires permission to read flights', async () => {
    const { app, services, user, records, db } = await withFlights()
    const { id } = user({ role: ['flight.create.own'] })
    manyFlights(db, records, id, 5)
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    for (const path of ['/map', '/map/data']) expect((await browser.get(path)).status).toBe(403)
    expect((await browser.get('/')).html).not.toContain('href="/map"')
  })
})

describe('GET /map/data', () => {
  const dataOf = async ({ browser }: Pick<Awaited<ReturnType<typeof withFlights>>, 'browser'>, query = '') => {
    const { status, headers, html } = await browser.get(`/map/data${query}`)
    expect([status, headers['content-type'], headers['cache-control']]).toEqual([
      200,
      'application/json; charset=utf-8',
      'no-store',
    ])
    return JSON.parse(html)
  }
  const codes = ({ airports, routes }: { airports: { code: string }[]; routes: { ends: number[] }[] }) =>
    routes.map(({ ends }) => ends.map((end) => airports[end]!.code).join(' – '))

  test('merges both directions of a route, with formatted first and last days', async () => {
    const instance = await withFlights()
    const data = await dataOf(instance)
    expect(codes(data)).toEqual(['LIS – ZRH', 'CPH – ZRH', 'JFK – LIS'])
    expect(data.routes[0]).toMatchObject({ count: 2, first: '4 Mar 2016', last: '8 Oct 2025' })
    expect(data.routes[0]).not.toHaveProperty('planned')
    expect(data.routes.filter(({ planned }: { planned?: number }) => planned === 1)).toHaveLength(1)
    expect(data.routes.some(({ first }: { first: string }) => first === '2024')).toBe(true)
    expect(data.routeCount).toBe(3)
    expect(data.airports[0]).toMatchObject({ visits: 3 })
    expect((await dataOf(instance, '?year=2016')).routes).toEqual([expect.objectContaining({ count: 1 })])
  })

  test('lists flown flights for a replay, oldest first, with the days between them', async () => {
    const instance = await withFlights()
    const { ZRH, LIS } = instance.records.airports
    await instance.fly('2025-10-08', ZRH, LIS)
    const { routes, replay } = await dataOf(instance)
    // The planned flight of 2030 is left out.
    expect(replay.start).toBe('2016-03-04')
    expect(replay.days).toEqual([0, 2980, 525, 0])
    expect(replay.routes.map((route: number) => routes[route].ends)).toEqual(
      [0, 1, 0, 0].map((route) => routes[route].ends),
    )
    expect(await dataOf(instance, '?year=2030')).not.toHaveProperty('replay')
  })

  test('has the distance of a route and the airlines at an airport, most flown first', async () => {
    const instance = await withFlights()
    const { ZRH, LIS } = instance.records.airports
    const { airlines } = instance.records
    const [first, ...others] = Object.values(airlines)
    for (const airlineId of [first, first, ...others]) await instance.fly('2025-03-01', ZRH, LIS, { airlineId })
    const { airports, routes } = await dataOf(instance)
    expect(routes[0].distance).toBe('1,723\u00a0km')
    const zurich = airports.find(({ code }: { code: string }) => code === 'ZRH')
    const nameOf = (id: number) => instance.services.reference.records.batch().airline(id)!.name
    expect(zurich.airlines[0]).toBe(nameOf(first!))
    expect(zurich.airlines.length + (zurich.moreAirlines ?? 0)).toBe(1 + others.length)
    expect(zurich.airlines.length).toBeLessThanOrEqual(3)
  })

  test('leaves out flights of other users, and reflects every change', async () => {
    const instance = await withFlights()
    await instance.as(instance.user()).post('/flights', {
      date: '2025-05-01',
      fromId: instance.records.airports.SIN,
      toId: instance.records.airports.HNL,
    })
    expect((await dataOf(instance)).routeCount).toBe(3)
    await instance.fly('2025-05-01', instance.records.airports.SIN, instance.records.airports.HNL)
    expect((await dataOf(instance)).routeCount).toBe(4)
  })

  test("includes the user's tracks, which home draws too, and the routes that have one", async () => {
    const instance = await withFlights()
    const { ZRH, LIS } = instance.records.airports
    expect((await instance.browser.get('/')).html).not.toContain('class="tracks"')
    const coordinates = [
      [8.5, 47.4],
      [2, 44.123456],
      [-9.1, 38.8],
    ]
    await instance.fly('2025-11-01', ZRH, LIS, { track: { sourceFormat: 'gpx', coordinates } })
    const data = await dataOf(instance)
    expect(data.tracks.map(lineOf)).toEqual([
      [
        [8.5, 47.4],
        [2, 44.1235],
        [-9.1, 38.8],
      ],
    ])
    expect(data.routes.filter(({ tracked }: { tracked?: true }) => tracked)).toHaveLength(1)
    expect((await instance.browser.get('/')).html).toContain('class="tracks"')
    expect((await dataOf(instance, '?hasTrack=false')).tracks).toEqual([])
    expect((await instance.browser.get('/?year=2016')).html).not.toContain('class="tracks"')
  })

  test('limits the points of all tracks together', async () => {
    const instance = await withFlights()
    const { ZRH, LIS } = instance.records.airports
    const coordinates = Array.from({ length: 3000 }, (_, index) => [8.5 - index / 200, 47.4 - index / 400])
    for (let index = 0; index < 8; index++)
      await instance.fly('2025-11-01', ZRH, LIS, { track: { sourceFormat: 'gpx', coordinates } })
    const { tracks } = await dataOf(instance)
    expect(tracks).toHaveLength(8)
    expect(tracks.flat().length / 2).toBeLessThanOrEqual(10_000)
    for (const steps of tracks) expect(lineOf(steps).at(-1)![0]).toBeCloseTo(8.5 - 2999 / 200, 3)
  })

  test('ignores invalid parts of the filter', async () => {
    const instance = await withFlights()
    for (const query of ['?year=soon', '?fromId=x', `?text=${'a'.repeat(9000)}`]) {
      expect((await dataOf(instance, query)).routeCount).toBe(3)
    }
  })
})

describe('a map with very many routes', () => {
  test('shows how many are drawn', async () => {
    const { browser, db, owner } = await signedIn()
    const { $client } = db
    const airport = $client.prepare(
      `insert into airports (source_id, icao, name, latitude, longitude, timezone, type, continent, country)
       values (?, ?, ?, ?, ?, 'UTC', 'large_airport', 'EU', 'CH')`,
    )
    const flight = $client.prepare(
      `insert into flights (date, date_precision, from_id, to_id, completed_from, created_at, updated_at)
       values ('2020-01-01', 'day', ?, ?, 0, '2020-01-01T00:00:00Z', '2020-01-01T00:00:00Z')`,
    )
    const passenger = $client.prepare(`insert into passengers (flight_id, user_id, date) values (?, ?, '2020-01-01')`)
    $client.transaction(() => {
      const ids = Array.from({ length: 32 }, (_, index) => {
        const code = `X${String(index).padStart(3, '0')}`
        return airport.run(code, code, `Field ${index}`, 30 + index, index * 3).lastInsertRowid
      })
      for (const [index, from] of ids.entries()) {
        for (const to of ids.slice(index + 1)) passenger.run(flight.run(from, to).lastInsertRowid, owner.id)
      }
    })()
    for (const path of ['/', '/map']) {
      expect((await browser.get(path)).html).toMatch(
        /<p class="quiet drawn" data-drawn="true">\s*400 of 496 routes are drawn\./,
      )
    }
    expect(JSON.parse((await browser.get('/map/data')).html).routes).toHaveLength(496)
  })
})
