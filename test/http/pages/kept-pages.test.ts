import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { otherConnection } from '../../support/other-connection.ts'
import { signedIn } from '../../support/pages.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { flags } from '../../support/shared-flight.ts'
import { flying, importing, manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const everything = Object.fromEntries(flags.map((flag) => [flag, true]))

/** A user with one flight and a share of everything. */
async function sharing(now?: () => number, more = {}) {
  const app = await paxlog(now && { now })
  const made = places(app.db)
  const fly = flying(app, made)
  const owner = app.user()
  const flight = await fly(owner, 'ZRH', 'LIS', { date: '2024-03-01', flightNumber: 'LX2084' })
  const { id, slug } = await shareOf(app, owner, more)
  const page = (path = slug, language = 'en-GB') => pageOf(app, path, language)
  return { app, made, fly, owner, flight, id, slug, page }
}

async function shareOf(app: Paxlog, who: TestUser, more = {}): Promise<{ id: number; slug: string }> {
  return (await app.as(who).post('/shares', { ...everything, ...more })).body.data
}

/** Asks twice, so that whatever can be kept is. */
async function pageOf(app: Paxlog, path: string, language = 'en-GB'): Promise<string> {
  const ask = () => app.request({ url: `/share/${path}`, headers: { 'accept-language': language } })
  const [first, again] = [await ask(), await ask()]
  expect([again.status, again.text]).toEqual([first.status, first.text])
  return first.text
}

describe('a shared page that was kept', () => {
  // Figures change with nearly every write, so a page with them must not be the only proof.
  test.each([
    ['with figures', {}],
    ['without figures', { showStats: false }],
  ])('is followed by a new one after every write to a flight, %s', async (_name, more) => {
    const { app, fly, owner, page, made, flight } = await sharing(undefined, more)
    expect(await page()).toContain('One flight')
    const later = await fly(owner, 'ZRH', 'JFK')
    expect(await page()).toContain('2 flights')
    const { ZRH, HNL } = made.airports
    await app.as(owner).put(`/flights/${later}`, { date: '2024-03-02', fromId: ZRH, toId: HNL, flightNumber: 'QQ17' })
    const changed = await page()
    for (const word of ['QQ17', 'Honolulu', '2 Mar 2024']) expect(changed).toContain(word)
    expect(changed).not.toContain('New York')
    await app.as(owner).delete(`/flights/${flight}`)
    expect(await page()).not.toContain('Lisbon')
  })

  test('is followed by a new one after an import', async () => {
    const { app, owner, page } = await sharing()
    await page()
    const exported = (await app.as(owner).get('/flights/export')).body
    const [flight] = exported.flights
    const file = { ...exported, flights: [{ ...flight, date: '2023-01-02', flightNumber: 'IMP1' }] }
    expect((await importing(app)(owner, file)).body.data).toMatchObject({ created: 1 })
    expect(await page()).toContain('IMP1')
  })

  test('is followed by a new one when its owner shows less, or another part of the log', async () => {
    const { app, owner, id, page } = await sharing()
    expect(await page()).toContain('LX2084')
    const put = (body: object) => app.as(owner).put(`/shares/${id}`, { ...everything, ...body })
    await put({ showFlightNumbers: false })
    expect(await page()).not.toContain('LX2084')
    await put({ showMap: false })
    expect(await page()).not.toContain('role="img"')
    await put({ dateFrom: '2025-01-01' })
    expect(await page()).toContain('This share has no flights at the moment.')
  })

  test('is followed by a new one when an airline is renamed, and when another process writes', async () => {
    const { app, owner, made, page, flight } = await sharing()
    const { ZRH, LIS } = made.airports
    const administrator = app.user({ role: 'role-administrator' })
    const own = (await app.as(administrator).post('/airlines', { name: 'Zephyrline' })).body.data
    await app.as(owner).put(`/flights/${flight}`, { date: '2024-03-01', fromId: ZRH, toId: LIS, airlineId: own.id })
    expect(await page()).toContain('Zephyrline')
    await app.as(administrator).put(`/airlines/${own.id}`, { name: 'Breezeline' })
    const renamed = await page()
    expect([renamed.includes('Breezeline'), renamed.includes('Zephyrline')]).toEqual([true, false])
    otherConnection(app.dataDir).prepare("update flights set flight_number = 'XX99' where id = ?").run(flight)
    expect(await page()).toContain('XX99')
  })

  test('is followed by a new one when a flight is completed by nothing but the time', async () => {
    let now = Date.parse('2025-09-01T07:00:00.000Z')
    const { fly, owner, page } = await sharing(() => now)
    const times = { departure: '2025-09-01T08:00:00Z', arrival: '2025-09-01T10:00:00Z' }
    await fly(owner, 'ZRH', 'LIS', { date: '2025-09-01', ...times })
    const flown = (html: string) => /<dt>Flights(?: flown)?<\/dt><dd>(\d+)<\/dd>/.exec(html)![1]
    const before = await page()
    expect([flown(before), before.includes('It includes 1 upcoming flight.')]).toEqual(['1', true])
    now = Date.parse('2025-09-01T10:00:01.000Z')
    const after = await page()
    expect([flown(after), after.includes('still to come')]).toEqual(['2', false])
  })

  test('is gone as soon as the share has run out, is removed, or its owner may not publish', async () => {
    let now = Date.parse('2025-09-01T07:00:00.000Z')
    const { app, owner, id, slug, page } = await sharing(() => now)
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

  test('is never that of another share, also where one takes the slug of another', async () => {
    const { app, fly, owner, id, slug, page } = await sharing()
    const other = app.user()
    await fly(other, 'CPH', 'SIN', { flightNumber: 'SK973' })
    const [theirs, less] = [await shareOf(app, other), await shareOf(app, owner, { showFlightNumbers: false })]
    // More shares than are kept, in turn and then once more.
    const many = await Promise.all(
      Array.from({ length: 30 }, async (_, year) => {
        const number = `MM${100 + year}`
        await fly(other, 'CPH', 'LHR', { date: `${1990 + year}-01-01`, flightNumber: number })
        const period = { dateFrom: `${1990 + year}-01-01`, dateTo: `${1990 + year}-12-31` }
        return { number, slug: (await shareOf(app, other, period)).slug }
      }),
    )
    for (const _round of [1, 2]) {
      const [mine, yours, hidden] = [await page(), await page(theirs.slug), await page(less.slug)]
      expect([mine.includes('LX2084'), mine.includes('SK973')]).toEqual([true, false])
      expect([yours.includes('LX2084'), yours.includes('SK973')]).toEqual([false, true])
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

  test('is another one for each page of the list and for each way to write days and times', async () => {
    const { app, made, owner, slug, page } = await sharing()
    manyFlights(app.db, made, owner.id, 250)
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

  test('has a picture of its own that follows along', async () => {
    const { app, fly, owner, id, slug } = await sharing()
    const picture = () => app.app.inject({ url: `/share/${slug}/map.png` })
    const before = (await picture()).rawPayload
    expect((await picture()).rawPayload.equals(before)).toBe(true)
    await fly(owner, 'JFK', 'HNL')
    expect((await picture()).rawPayload.equals(before)).toBe(false)
    await app.as(owner).put(`/shares/${id}`, { ...everything, showMap: false })
    expect((await picture()).statusCode).toBe(404)
  })
})

describe('home, of which parts are kept', () => {
  test('shows every change at once, and nothing of anybody else', async () => {
    const { app, browser, owner, services, db, as, key, user } = await signedIn()
    const { airports } = places(db)
    const other = user({ displayName: 'Noor' })
    const theirs = browserSession(app)
    theirs.jar.set('paxlog', await services.sessions.start(other.id))
    const api = as(key(owner.id))
    const flight = { date: '2025-05-01', fromId: airports.ZRH, toId: airports.JFK }
    const both = [{ userId: owner.id }, { userId: other.id }]
    const { id } = (await api.post('/flights', { ...flight, passengers: both })).body.data
    await as(other).post('/flights', { date: '2025-05-02', fromId: airports.ZRH, toId: airports.HNL })
    // The filter offers whoever was on one's own flights.
    const pageOf = async ({ get }: typeof browser) => (await get('/')).html.replaceAll(/<option.*?<\/option>/g, '')
    const seen = async () => [await pageOf(browser), await pageOf(theirs)] as const
    for (const _round of [1, 2]) {
      const [mine, yours] = await seen()
      expect([mine.includes('Honolulu'), yours.includes('Honolulu')]).toEqual([false, true])
      // Whoever was aboard can be filtered by; the page is still each one's own.
      const nameIn = (html: string) => /<h1[^>]*>(.*?)<\/h1>/.exec(html)![1]
      expect([mine, yours].map(nameIn)).toEqual(['Mira', 'Noor'])
    }
    await as(other).put('/preferences', { distanceUnit: 'nm', dateFormat: 'iso' })
    const [unchanged, preferred] = await seen()
    expect([unchanged.includes('1 May 2025'), preferred.includes('2025-05-01</time>')]).toEqual([true, true])
    expect([unchanged.includes('\u00a0nm'), preferred.includes('\u00a0nm')]).toEqual([false, true])
    await api.put(`/users/${other.id}`, { displayName: 'Noor the Second' })
    expect((await seen())[1]).toContain('Noor the Second')
    await api.delete(`/flights/${id}`)
    const [emptied, left] = await seen()
    expect([emptied.includes('New York'), left.includes('New York')]).toEqual([false, false])
    expect(left).toContain('Honolulu')
  })
})
