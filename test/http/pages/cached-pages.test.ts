import { describe, expect, test } from 'vitest'
import { browserSession, withoutAddress } from '../../support/browser-session.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { signedIn } from '../../support/pages.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { flags } from '../../support/shared-flight.ts'
import { flying, importing, manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const everything = Object.fromEntries(flags.map((flag) => [flag, true]))

/** Creates a user with one flight and a share that shows everything. */
async function withShare(now?: () => number, more = {}) {
  const app = await paxlog(now && { now })
  const records = places(app.db)
  const fly = flying(app, records)
  const owner = app.user()
  const flight = await fly(owner, 'ZRH', 'LIS', { date: '2024-03-01', flightNumber: 'LX2084' })
  const { id, slug } = await shareOf(app, owner, more)
  const page = (path = slug, language = 'en-GB') => pageOf(app, path, language)
  return { app, records, fly, owner, flight, id, slug, page }
}

async function shareOf(app: Paxlog, user: TestUser, more = {}): Promise<{ id: number; slug: string }> {
  return (await app.as(user).post('/shares', { ...everything, ...more })).body.data
}

/** Requests the page twice, so that the second response can come from the cache. */
async function pageOf(app: Paxlog, path: string, language = 'en-GB'): Promise<string> {
  const request = () => app.request({ url: `/share/${path}`, headers: { 'accept-language': language } })
  const [first, again] = [await request(), await request()]
  expect([again.status, again.text]).toEqual([first.status, first.text])
  return withoutAddress(first.text)
}

describe('cached share page', () => {
  // Figures change with most writes, so a page without them is tested too.
  test.each([
    ['with figures', {}],
    ['without figures', { showStats: false }],
  ])('is replaced after every write to a flight, %s', async (_name, more) => {
    const { app, fly, owner, page, records, flight } = await withShare(undefined, more)
    expect(await page()).toContain('One flight')
    const later = await fly(owner, 'ZRH', 'JFK')
    expect(await page()).toContain('2 flights')
    const { ZRH, HNL } = records.airports
    await app.as(owner).put(`/flights/${later}`, { date: '2024-03-02', fromId: ZRH, toId: HNL, flightNumber: 'QQ17' })
    const changed = await page()
    for (const word of ['QQ17', 'Honolulu', '2 Mar 2024']) expect(changed).toContain(word)
    expect(changed).not.toContain('New York')
    await app.as(owner).delete(`/flights/${flight}`)
    expect(await page()).not.toContain('Lisbon')
  })

  test('is replaced after an import', async () => {
    const { app, owner, page } = await withShare()
    await page()
    const exported = (await app.as(owner).get('/flights/export')).body
    const [flight] = exported.flights
    const file = { ...exported, flights: [{ ...flight, date: '2023-01-02', flightNumber: 'IMP1' }] }
    expect((await importing(app)(owner, file)).body.data).toMatchObject({ created: 1 })
    expect(await page()).toContain('IMP1')
  })

  test('is replaced when its owner hides details or changes the period', async () => {
    const { app, owner, id, page } = await withShare()
    expect(await page()).toContain('LX2084')
    const put = (body: object) => app.as(owner).put(`/shares/${id}`, { ...everything, ...body })
    await put({ showFlightNumbers: false })
    expect(await page()).not.toContain('LX2084')
    await put({ showMap: false })
    expect(await page()).not.toContain('role="img"')
    await put({ dateFrom: '2025-01-01' })
    expect(await page()).toContain('This share has no flights at the moment.')
  })

  test('is replaced when an airline is renamed, and when another process writes', async () => {
    const { app, owner, records, page, flight } = await withShare()
    const { ZRH, LIS } = records.airports
    const administrator = app.user({ role: 'role-administrator' })
    const airline = (await app.as(administrator).post('/airlines', { name: 'Zephyrline' })).body.data
    await app.as(owner).put(`/flights/${flight}`, { date: '2024-03-01', fromId: ZRH, toId: LIS, airlineId: airline.id })
    expect(await page()).toContain('Zephyrline')
    await app.as(administrator).put(`/airlines/${airline.id}`, { name: 'Breezeline' })
    const renamed = await page()
    expect([renamed.includes('Breezeline'), renamed.includes('Zephyrline')]).toEqual([true, false])
    otherConnection(app.dataDir).prepare("update flights set flight_number = 'XX99' where id = ?").run(flight)
    expect(await page()).toContain('XX99')
  })

  test('is replaced when the arrival time of a flight passes', async () => {
    let now = Date.parse('2025-09-01T07:00:00.000Z')
    const { fly, owner, page } = await withShare(() => now)
    const times = { departure: '2025-09-01T08:00:00Z', arrival: '2025-09-01T10:00:00Z' }
    await fly(owner, 'ZRH', 'LIS', { date: '2025-09-01', ...times })
    const flown = (html: string) => /<dt>flights?<\/dt><dd>(\d+)<\/dd>/.exec(html)![1]
    const before = await page()
    expect([flown(before), before.includes('It includes 1 upcoming flight.')]).toEqual(['1', true])
    now = Date.parse('2025-09-01T10:00:01.000Z')
    const after = await page()
    expect([flown(after), after.includes('upcoming')]).toEqual(['2', false])
  })

  test('returns 404 as soon as the share expires or is deleted, or its owner may not share', async () => {
    let now = Date.parse('2025-09-01T07:00:00.000Z')
    const { app, owner, id, slug, page } = await withShare(() => now)
    const ending = await shareOf(app, owner, { expiresAt: '2025-09-01T08:00:00.000Z' })
    const missing = await page('no-such-share')
    for (const each of [slug, ending.slug]) expect(await page(each)).toContain('LX2084')
    now = Date.parse('2025-09-01T08:00:00.000Z')
    expect(await page(ending.slug)).toBe(missing)
    runNow(app.db, 'update users set role_id = ? where id = ?', app.role(['flight.read.own']), owner.id)
    expect(await page()).toBe(missing)
    runNow(app.db, "update users set role_id = 'role-user' where id = ?", owner.id)
    expect(await page()).toContain('LX2084')
    await app.as(owner).delete(`/shares/${id}`)
    expect(await page()).toBe(missing)
  })

  test('is never served for another share, not even for one that reuses its slug', async () => {
    const { app, fly, owner, id, slug, page } = await withShare()
    const other = app.user()
    await fly(other, 'CPH', 'SIN', { flightNumber: 'SK973' })
    const [otherShare, limited] = [await shareOf(app, other), await shareOf(app, owner, { showFlightNumbers: false })]
    // More shares than the cache holds, requested twice.
    const many = await Promise.all(
      Array.from({ length: 30 }, async (_, year) => {
        const number = `MM${100 + year}`
        await fly(other, 'CPH', 'LHR', { date: `${1990 + year}-01-01`, flightNumber: number })
        const period = { dateFrom: `${1990 + year}-01-01`, dateTo: `${1990 + year}-12-31` }
        return { number, slug: (await shareOf(app, other, period)).slug }
      }),
    )
    for (const _round of [1, 2]) {
      const [ownPage, otherPage, hidden] = [await page(), await page(otherShare.slug), await page(limited.slug)]
      expect([ownPage.includes('LX2084'), ownPage.includes('SK973')]).toEqual([true, false])
      expect([otherPage.includes('LX2084'), otherPage.includes('SK973')]).toEqual([false, true])
      expect([hidden.includes('Lisbon'), hidden.includes('LX2084')]).toEqual([true, false])
      for (const each of many) {
        const numbers = new Set((await page(each.slug)).match(/MM\d{3}/g))
        expect([...numbers]).toEqual([each.number])
      }
    }
    await app.as(owner).delete(`/shares/${id}`)
    await shareOf(app, other, { slug })
    const taken = await page()
    expect([taken.includes('LX2084'), taken.includes('SK973')]).toEqual([false, true])
  })

  test('is cached per page number and per date and time format', async () => {
    const { app, records, owner, slug, page } = await withShare()
    manyFlights(app.db, records, owner.id, 75)
    for (const _round of [1, 2]) {
      expect(await page(slug)).toContain('Page 1 of 2')
      expect(await page(`${slug}?page=2`)).toContain('Page 2 of 2')
      expect(await page(slug, 'en-GB')).toContain('1 Mar 2024')
      expect(await page(slug, 'en-US')).toContain('Mar 1, 2024')
      expect(await page(slug, 'en-US')).toContain('am</span>')
      expect(await page(slug, 'de')).not.toContain('am</span>')
    }
    expect((await app.request({ url: `/share/${slug}?page=3` })).status).toBe(404)
  })

  test('has a picture that changes with it', async () => {
    const { app, fly, owner, id, slug } = await withShare()
    const picture = () => app.app.inject({ url: `/share/${slug}/map.png` })
    const before = (await picture()).rawPayload
    expect((await picture()).rawPayload.equals(before)).toBe(true)
    await fly(owner, 'JFK', 'HNL')
    expect((await picture()).rawPayload.equals(before)).toBe(false)
    await app.as(owner).put(`/shares/${id}`, { ...everything, showMap: false })
    expect((await picture()).statusCode).toBe(404)
  })
})

describe('home with cached parts', () => {
  test('shows every change immediately, and no data of other users', async () => {
    const { app, browser, owner, services, db, as, key, user } = await signedIn()
    const { airports } = places(db)
    const other = user({ displayName: 'Noor' })
    const otherBrowser = browserSession(app)
    otherBrowser.jar.set('paxlog', await services.sessions.start(other.id))
    const api = as(key(owner.id))
    const flight = { date: '2025-05-01', fromId: airports.ZRH, toId: airports.JFK }
    const passengers = [{ userId: owner.id }, { userId: other.id }]
    const { id } = (await api.post('/flights', { ...flight, passengers })).body.data
    await as(other).post('/flights', { date: '2025-05-02', fromId: airports.ZRH, toId: airports.HNL })
    // The filter lists companions, which are not part of this test.
    const pageOf = async ({ get }: typeof browser) => (await get('/')).html.replaceAll(/<option.*?<\/option>/g, '')
    const bothPages = async () => [await pageOf(browser), await pageOf(otherBrowser)] as const
    for (const _round of [1, 2]) {
      const [ownPage, otherPage] = await bothPages()
      expect([ownPage.includes('Honolulu'), otherPage.includes('Honolulu')]).toEqual([false, true])
      const nameIn = (html: string) => /<summary>.*?<bdi>(.*?)<\/bdi>/s.exec(html)![1]
      expect([ownPage, otherPage].map(nameIn)).toEqual(['Mira', 'Noor'])
    }
    await as(other).put('/preferences', { distanceUnit: 'nm', dateFormat: 'iso' })
    const [unchanged, preferred] = await bothPages()
    expect([unchanged.includes('1 May 2025'), preferred.includes('2025-05-01</time>')]).toEqual([true, true])
    expect([unchanged.includes('\u00a0nm'), preferred.includes('\u00a0nm')]).toEqual([false, true])
    await api.put(`/users/${other.id}`, { displayName: 'Noor the Second' })
    expect((await bothPages())[1]).toContain('Noor the Second')
    await api.delete(`/flights/${id}`)
    const [emptied, left] = await bothPages()
    expect([emptied.includes('New York'), left.includes('New York')]).toEqual([false, false])
    expect(left).toContain('Honolulu')
  })
})
