import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { withoutAddress } from '../../support/browser-session.ts'
import { isPostgres } from '../../support/engine.ts'
import { longTrack } from '../../support/factory.ts'
import { type Paxlog, paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { allBut, type Flag, flags, markers, secrets, sharedFlight } from '../../support/shared-flight.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let now = Date.parse('2025-09-01T07:00:00.000Z')
let app: Paxlog
let shared: Awaited<ReturnType<typeof sharedFlight>>
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => now })
  shared = await sharedFlight(app)
})
afterAll(() => app.close())

/** Without the requested slug, which the language switch contains. */
async function page(slug: string) {
  const answer = await app.request({ url: `/share/${slug}` })
  return { ...answer, text: withoutAddress(answer.text) }
}
/** Without those that depend on the time and the slug. */
function headersOf({ headers }: Awaited<ReturnType<typeof page>>) {
  const { date: _date, 'content-length': _length, ...others } = headers
  return others
}

const htmlOf = async (on: readonly Flag[], more = {}) => (await page(await shared.share(on, more))).text

describe('GET /share/{slug}', () => {
  // The page contains only the projected coordinates of a track.
  const cases = Object.entries({ ...markers, track: { ...markers.track!, words: ['class="tracks"'] } })
  test.each(cases)('shows the %s when its flags are on', async (_name, { needs, words }) => {
    for (const html of [await htmlOf(needs), await htmlOf(flags)]) {
      for (const word of words) expect(html).toContain(word)
    }
  })

  const hidden = cases.flatMap(([name, { needs }]) => needs.map((flag) => [name, flag] as const))
  test.each(hidden)('does not show the %s when %s is off', async (name, flag) => {
    const { needs, words } = Object.fromEntries(cases)[name]!
    const alsoShownBy: Flag[] =
      flag === 'showStats' ? ['showFlightList'] : flag === 'showFlightList' ? ['showStats'] : []
    const html = await htmlOf(allBut(flag).filter((each) => needs.includes(each) || !alsoShownBy.includes(each)))
    for (const word of words) expect(html).not.toContain(word)
  })

  test('labels seat and class like other pages', async () => {
    const html = await htmlOf(['showSeat', 'showFlightList'])
    for (const label of ['Seat 47Q jump seat', 'Premium economy']) expect(html).toContain(label)
  })

  test('never shows people, reasons, notes, terminals, gates, custom values or ids', async () => {
    const html = await htmlOf(flags)
    for (const word of [...secrets, shared.owner.id, shared.other.id])
      expect([word, html.includes(word)]).toEqual([word, false])
  })

  test('shows the routes on a map, or only the number of flights', async () => {
    const drawn = await htmlOf(['showMap'])
    expect(drawn).toMatch(/<svg[^>]*role="img"[^>]*>.*<path[^>]* d="M/s)
    expect(drawn).toContain('Map of 1 route')
    const plain = await htmlOf([])
    expect(plain).not.toContain('role="img"')
    expect(plain).toContain('One flight')
  })

  // With PostgreSQL every commit empties the cache, also that of the last use of a key.
  test.skipIf(isPostgres)('draws a page once for concurrent requests, also after a write', async () => {
    const instance = await paxlog()
    const fixture = await sharedFlight(instance)
    const slug = await fixture.share(flags)
    const linesRead = vi.spyOn(instance.services.tracks, 'lines')
    const visits = async () => {
      linesRead.mockClear()
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => instance.app.inject({ url: `/share/${slug}` })),
      )
      expect(new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`)).size).toBe(1)
      expect(answers[0]!.body).toContain('class="tracks"')
      return linesRead.mock.calls.length
    }
    expect([await visits(), await visits()]).toEqual([1, 0])
    instance.user()
    await instance.as(fixture.owner).put('/flights/1/track', longTrack(100))
    expect([await visits(), await visits()]).toEqual([1, 0])
  })

  test('draws tracks only if the share shows them', async () => {
    const instance = await paxlog()
    const fixture = await sharedFlight(instance)
    const hidden = await fixture.share(allBut('showTracks'))
    const get = (path: string) => instance.app.inject({ url: `/share/${path}` })
    const [page, picture] = [(await get(hidden)).body, (await get(`${hidden}/map.png`)).rawPayload]
    const shown = await fixture.share(flags)
    expect((await get(`${shown}/map.png`)).rawPayload.equals(picture)).toBe(false)
    runNow(instance.db, 'delete from flight_tracks')
    expect((await get(hidden)).body).toBe(page)
    expect((await get(`${hidden}/map.png`)).rawPayload.equals(picture)).toBe(true)
    expect((await get(`${shown}/map.png`)).rawPayload.equals(picture)).toBe(true)
  })

  test('has link previews, with a picture only if the map is shown', async () => {
    const slug = await shared.share(['showMap'])
    const { text } = await page(slug)
    const meta = (html: string) =>
      Object.fromEntries(
        [...html.matchAll(/<meta (?:name|property)="([^"]+)" content="([^"]*)"/g)].map(([, name, value]) => [
          name,
          value,
        ]),
      )
    expect(meta(text)).toMatchObject({
      robots: 'noindex',
      description: '1 route between 2 airports on a map of the earth.',
      'og:title': 'One flight – a shared flight log',
      'og:url': `http://localhost:3000/share/${slug}`,
      'og:image': `http://localhost:3000/share/${slug}/map.png`,
      'twitter:card': 'summary_large_image',
    })
    const plain = meta(await htmlOf(allBut('showMap')))
    expect(Object.keys(plain).filter((name) => name.startsWith('og:image'))).toEqual([])
    expect(plain).toMatchObject({
      'twitter:card': 'summary',
      description: 'Part of a flight log, shared by its owner.',
    })
  })

  test('paginates long logs and keeps pages small', async () => {
    const instance = await paxlog()
    const user = instance.user()
    manyFlights(instance.db, places(instance.db), user.id, 5000)
    const everything = Object.fromEntries(flags.map((flag) => [flag, true]))
    const { slug } = (await instance.as(user).post('/shares', everything)).body.data
    const get = async (query: string) => instance.request({ url: `/share/${slug}${query}` })
    const first = await get('')
    expect(gzipSync(first.text).length).toBeLessThan(100_000)
    expect(first.text).toContain('Page 1 of 100')
    expect(first.text).toContain(`href="/share/${slug}?page=2#flights"`)
    const second = await get('?page=2')
    expect(second.text).toContain(`href="/share/${slug}#flights"`)
    // The map and the statistics are on the first page only.
    expect(second.text).not.toContain('role="img"')
    const statuses = await Promise.all(['?page=100', '?page=101', '?page=0', '?page=x', '?page=1&page=2'].map(get))
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404, 404, 404])
  })

  test('counts planned flights separately from the statistics', async () => {
    const instance = await paxlog({ now: () => Date.parse('2025-09-01T07:00:00.000Z') })
    const { airports } = places(instance.db)
    const api = instance.as(instance.user())
    for (const date of ['2025-01-02', '2025-01-03', '2026-01-02']) {
      await api.post('/flights', { date, fromId: airports.ZRH, toId: airports.LIS })
    }
    const { slug } = (await api.post('/shares', { showStats: true })).body.data
    const { text } = await instance.request({ url: `/share/${slug}` })
    expect(text).toContain('<h1 class="poster">3 flights</h1>')
    expect(text).toContain('It includes 1 upcoming flight.')
    expect(text).toContain('<dt>flights</dt><dd>2</dd>')
    // No times are known.
    expect(text).not.toContain('in the air')
  })

  test('shows countries from flights with map and statistics, and never statuses that the owner set', async () => {
    const instance = await paxlog({ now: () => Date.parse('2025-09-01T07:00:00.000Z') })
    const { airports } = places(instance.db)
    const user = instance.user()
    const api = instance.as(user)
    await api.post('/flights', { date: '2025-01-02', fromId: airports.ZRH, toId: airports.LIS })
    await api.post('/flights', { date: '2026-01-02', fromId: airports.ZRH, toId: airports.JFK })
    await api.put('/visited-countries', { code: 'JP', status: 'lived' })
    const textOf = async (body: object) => {
      const { slug } = (await api.post('/shares', body)).body.data
      // The map names countries, visited or not.
      return (await instance.request({ url: `/share/${slug}` })).text.replace(/<g class="names">.*?<\/g>/s, '')
    }
    const both = await textOf({ showStats: true })
    expect(both).toContain('2 countries</h2>')
    expect(both).toMatch(/flag-pt-[^>]*> Portugal<\/li><li><img[^>]*flag-ch-[^>]*> Switzerland<\/li>/)
    expect(both.match(/class="country (status-\w+)"/g)).toEqual([
      'class="country status-visited"',
      'class="country status-visited"',
    ])
    expect(both).not.toMatch(/Japan|United States/)
    for (const part of [{}, { showMap: false, showStats: true }]) expect(await textOf(part)).not.toContain('Portugal')
    expect(await textOf({ showStats: true, dateFrom: '2025-06-01' })).not.toContain('countries</h2>')
  })

  test('shows a message if no flights match', async () => {
    const html = await htmlOf(flags, { dateFrom: '2030-01-01' })
    expect(html).toContain('This share has no flights at the moment.')
    expect(html).not.toContain('role="img"')
  })

  test('requires no session, ignores the case of the slug, and is not cacheable', async () => {
    const slug = await shared.share(['showMap'], { slug: 'Mixed-Case_1' })
    const answers = [await page(slug), await page('mixed-case_1'), await page('MIXED-CASE_1')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    const { headers } = answers[0]!
    expect(headers['content-type']).toBe('text/html; charset=utf-8')
    expect(headers['cache-control']).toBe('no-store')
    expect(headers['access-control-allow-origin']).toBeUndefined()
    expect(headers['set-cookie']).toBeUndefined()
  })

  test('returns the same 404 for a missing, expired or deleted share and for an owner without permission', async () => {
    const missing = await page('no-such-share')
    expect(missing.status).toBe(404)
    const expired = await shared.share(flags, { expiresAt: new Date(now + 1000).toISOString() })
    expect((await page(expired)).status).toBe(200)
    now += 1000
    const answers = [await page(expired)]
    for (const role of [['flight.read.own'], ['flight.share.own'], []] as const) {
      const owner = app.user({ role: ['flight.read.own', 'flight.share.own'] })
      const slug = await shared.share(flags, {}, owner)
      expect((await page(slug)).status).toBe(200)
      runNow(app.db, 'update users set role_id = ? where id = ?', app.role(role), owner.id)
      answers.push(await page(slug))
      runNow(
        app.db,
        'update users set role_id = ? where id = ?',
        app.role(['flight.read.any', 'flight.share.own']),
        owner.id,
      )
      expect((await page(slug)).status).toBe(200)
    }
    const { id, slug } = (await app.as(shared.owner).post('/shares', {})).body.data
    await app.as(shared.owner).delete(`/shares/${id}`)
    answers.push(await page(slug), await page('%20'), await page('a'.repeat(500)))
    for (const answer of answers) {
      expect([answer.status, answer.text, headersOf(answer)]).toEqual([404, missing.text, headersOf(missing)])
    }
  })

  test('loads nothing from other hosts, and its policy forbids it', async () => {
    const { text, headers } = await page(await shared.share(flags))
    const links = [...text.matchAll(/(?:src|href|action|data|srcset|poster)="([^"]*)"/g)].map(([, link]) => link)
    // Two leading slashes would be another host.
    expect(links.filter((link) => !/^(\/(?!\/)|#content$)/.test(link!))).toEqual([])
    // A preview has absolute addresses of this instance.
    expect(text.replace(/(<meta property="og:\w+" content=")http:\/\/localhost:3000\//g, '$1')).not.toMatch(
      /https?:\/\/|url\((?!#)|@import|<script(?! type="module" src="\/assets\/)|<iframe|style="/,
    )
    expect(headers['content-security-policy']).toContain("default-src 'none'")
    expect(headers['x-frame-options']).toBe('DENY')
    expect(headers['referrer-policy']).toBe('no-referrer')
    expect(text).toContain('<meta name="robots" content="noindex"')
    const [style] = /\/assets\/style-\w+\.css/.exec(text)!
    expect((await app.request({ url: style })).status).toBe(200)
  })

  test('escapes hostile names', async () => {
    const instance = await paxlog()
    const fixture = await sharedFlight(instance)
    const evil = `<script>alert("1")</script>'"&<img src=x onerror=1>`
    const { $client } = instance.db
    for (const [table, column] of [
      ['airports', 'name'],
      ['airports', 'municipality'],
      ['airports', 'iata'],
      ['airlines', 'name'],
      ['aircraft', 'name'],
      ['flights', 'flight_number'],
      ['flights', 'aircraft_reg'],
      ['passengers', 'seat_number'],
    ]) {
      $client.prepare(`update ${table} set ${column} = ?`).run(evil)
    }
    // A write to reference data invalidates the caches.
    await instance.as(fixture.admin).post('/aircraft', { name: 'Another type' })
    const { text } = await instance.request({ url: `/share/${await fixture.share(flags)}` })
    expect(text).toContain('&lt;script>alert(&quot;1&quot;)&lt;/script>')
    const ownScript = /<script type="module" src="\/assets\/(paxlog|map-loader)-\w+\.js"><\/script>/g
    expect(text).toMatch(ownScript)
    const flag =
      /<img class="flag" src="\/assets\/flag-[\w-]+\.svg" alt(="")? width="21" height="14" loading="lazy"\/?>/g
    expect(text.replace(ownScript, '').replace(flag, '')).not.toMatch(/<script|<img/)
  })

  test('is served below the path of BASE_URL', async () => {
    const instance = await paxlog({ baseUrl: 'https://example.org/flights' })
    const user = instance.user()
    const { slug, url } = (await instance.as(user).post('/shares', {})).body.data
    expect(url).toBe(`https://example.org/flights/share/${slug}`)
    const { status, text } = await instance.request({ url: `/flights/share/${slug}` })
    expect([status, text.includes('href="/flights/assets/style-')]).toEqual([200, true])
    expect((await instance.request({ url: `/share/${slug}` })).status).toBe(404)
  })
})

describe('GET /share/{slug}/map.png', () => {
  const picture = (slug: string) => app.app.inject({ url: `/share/${slug}/map.png` })

  test('is a picture of 1200 by 630, identical for all shares of the same routes without statistics', async () => {
    const answer = await picture(await shared.share(['showMap']))
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'image/png'])
    const { rawPayload: bytes } = answer
    expect(bytes.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n')
    expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([1200, 630])
    expect(bytes.length).toBeLessThan(300_000)
    const plain = flags.filter((flag) => flag !== 'showTracks' && flag !== 'showStats')
    expect((await picture(await shared.share(plain))).rawPayload.equals(bytes)).toBe(true)
  })

  test('shows figures only if the share shows statistics', async () => {
    const without = (await picture(await shared.share(['showMap']))).rawPayload
    const statistics = (await picture(await shared.share(['showMap', 'showStats']))).rawPayload
    expect(statistics.equals(without)).toBe(false)
    // Statistics contain the airline and the aircraft, the picture does not.
    const all = (await picture(await shared.share(allBut('showTracks')))).rawPayload
    expect(all.equals(statistics)).toBe(true)
  })

  test('shows the name of a trip only if the share shows dates', async () => {
    const instance = await paxlog()
    const { owner } = await sharedFlight(instance)
    const api = instance.as(owner)
    const pictureOf = async (body: object) => {
      const { slug } = (await api.post('/shares', body)).body.data
      return (await instance.app.inject({ url: `/share/${slug}/map.png` })).rawPayload
    }
    const trip = (await api.post('/trips', { name: 'Autumn', flightIds: [1] })).body.data
    const [log, hidden, named] = [
      await pictureOf({ showDates: false }),
      await pictureOf({ tripId: trip.id, showDates: false }),
      await pictureOf({ tripId: trip.id, showDates: true }),
    ]
    expect([hidden.equals(log), named.equals(log)]).toEqual([true, false])
  })

  test('returns 404 like the page, and also without a map or routes', async () => {
    const missing = await page('no-such-share')
    const open = { expiresAt: new Date(now + 1000).toISOString() }
    const expired = await shared.share(flags, open)
    expect((await picture(expired)).statusCode).toBe(200)
    now += 1000
    for (const slug of [
      'no-such-share',
      expired,
      await shared.share(allBut('showMap')),
      await shared.share(flags, { dateFrom: '2030-01-01' }),
      await shared.share(flags, {}, app.user({ role: ['flight.share.own', 'flight.read.own'] })),
    ]) {
      const { statusCode, body } = await picture(slug)
      expect([statusCode, withoutAddress(body)]).toEqual([404, missing.text])
    }
  })
})

describe('GET /share/{slug}/map.json', () => {
  const data = (slug: string) => app.app.inject({ url: `/share/${slug}/map.json` })

  test('contains only places, counts and tracks', async () => {
    const { statusCode, headers, payload } = await data(await shared.share(flags))
    expect([statusCode, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    const { airports, routes, routeCount, tracks } = JSON.parse(payload)
    expect(Object.keys(airports[0]).sort()).toEqual(['at', 'city', 'code', 'name', 'visits'])
    expect(routes).toEqual([{ ends: [expect.any(Number), expect.any(Number)], count: 1 }])
    expect([routeCount, tracks.length]).toEqual([1, 1])
    const hidden = JSON.parse((await data(await shared.share(allBut('showTracks')))).payload)
    expect(hidden).toEqual({ airports, routes, routeCount, tracks: [] })
    const plain = JSON.parse((await data(await shared.share(['showMap']))).payload)
    expect(plain).toEqual(hidden)
  })

  test('shows the name of a trip only if the share shows dates', async () => {
    const instance = await paxlog()
    const { owner } = await sharedFlight(instance)
    const api = instance.as(owner)
    const pictureOf = async (body: object) => {
      const { slug } = (await api.post('/shares', body)).body.data
      return (await instance.app.inject({ url: `/share/${slug}/map.png` })).rawPayload
    }
    const trip = (await api.post('/trips', { name: 'Autumn', flightIds: [1] })).body.data
    const [log, hidden, named] = [
      await pictureOf({ showDates: false }),
      await pictureOf({ tripId: trip.id, showDates: false }),
      await pictureOf({ tripId: trip.id, showDates: true }),
    ]
    expect([hidden.equals(log), named.equals(log)]).toEqual([true, false])
  })

  test('returns 404 like the page, and also without a map or routes', async () => {
    const missing = await page('no-such-share')
    for (const slug of [
      'no-such-share',
      await shared.share(allBut('showMap')),
      await shared.share(flags, { dateFrom: '2030-01-01' }),
    ]) {
      const { statusCode, body } = await data(slug)
      expect([statusCode, withoutAddress(body)]).toEqual([404, missing.text])
    }
  })

  test('allows workers in the policy of its page only if there is a map', async () => {
    const policyOf = async (shown: Parameters<typeof shared.share>[0]) =>
      (await page(await shared.share(shown))).headers['content-security-policy']
    expect(await policyOf(flags)).toMatch(/; worker-src 'self'$/)
    expect(await policyOf(allBut('showMap'))).not.toContain('worker-src')
  })
})
