import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { places } from '../../support/travel.ts'

const textOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<search.*<\/search>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

async function withLog() {
  const instance = await signedIn({ now: () => Date.parse('2026-06-01T00:00:00Z') })
  const api = instance.as(instance.key(instance.owner.id))
  const { airports, airlines, aircraft } = places(instance.db)
  const { ZRH, LIS, CPH } = airports
  const add = (date: string, fromId: number, toId: number, more: object = {}) =>
    api.post('/flights', { date, fromId, toId, ...more })
  const swiss = { airlineId: airlines.swiss, aircraftId: aircraft.a220, aircraftReg: 'HB-JCS' }
  await add('2024-05-01', ZRH, LIS, { ...swiss, duration: 9000 })
  await add('2024-05-08', LIS, ZRH, { ...swiss, aircraftReg: 'hb jcs' })
  await add('2025-01-02', ZRH, CPH, { airlineId: airlines.sas })
  await add('2026-12-24', ZRH, LIS, swiss)
  const page = async (path: string) => (await instance.browser.get(path)).html
  return { ...instance, api, page, add, airports, airlines, aircraft }
}

describe('entity pages', () => {
  test('show figures, first and last flight, routes, map and flights of an airport', async () => {
    const { page, airports } = await withLog()
    const html = await page(`/airports/${airports.LIS}`)
    const text = textOf(html)
    expect(text).toMatch(
      /LIS Lisbon Airport Lisbon flights 2 flown 3,446 km in the air 2 h 30 min departure 1 arrival 1 City Lisbon Country Portugal IATA code LIS ICAO code LPPT/,
    )
    expect(text).toContain('First flight 1 May 2024, ZRH to LIS Last flight 8 May 2024, LIS to ZRH')
    expect(text).toContain('Routes ZRH to LIS Zurich – Lisbon 2 flights LIS to ZRH Lisbon – Zurich 1 flight')
    expect(html).toContain(`href="/routes/${airports.ZRH}-${airports.LIS}"`)
    expect(html).toMatch(/<img class="flag" src="\/assets\/flag-pt-\w+\.svg"/)
    expect(html).toContain('<svg class="map"')
    expect(text).toMatch(/Coming up .{0,40}24 Dec 2026/)
    expect(text).not.toContain('CPH')
    const year = textOf(await page(`/airports/${airports.ZRH}?year=2025`))
    expect(year).toContain('2025 1 flight')
    expect(year).not.toContain('2024 ')
  })

  test('show an airline, an aircraft type and a registration in any spelling', async () => {
    const { page, airlines, aircraft } = await withLog()
    expect(textOf(await page(`/airlines/${airlines.swiss}`))).toMatch(/LX Swiss flights 2 .* airports 2 /)
    expect(textOf(await page(`/airlines/${airlines.sas}`))).toMatch(
      /First flight 2 Jan 2025, ZRH to CPH(?!.*Last flight)/,
    )
    expect(textOf(await page(`/aircraft/${aircraft.a220}`))).toMatch(/A220-300 flights 2 /)
    for (const spelling of ['HB-JCS', 'hbjcs', 'HB%20JCS']) {
      expect(textOf(await page(`/registrations/${spelling}`))).toContain('flights 2 ')
    }
    expect(textOf(await page(`/aircraft/${aircraft.dc3}`))).toContain('No flights in your log.')
    expect(textOf(await page('/registrations/%3Cscript%3E'))).toContain('No flights in your log.')
    expect(textOf(await page(`/airlines/${airlines.swiss}?year=1999`))).toContain('No flights match.')
  })

  test('show both directions of a route, with its distance and the shortest time', async () => {
    const { page, add, airports } = await withLog()
    await add('2024-06-01', airports.LIS, airports.ZRH, { duration: 8400 })
    await add('2024-06-02', airports.ZRH, airports.CPH, { duration: 60 })
    const html = await page(`/routes/${airports.LIS}-${airports.ZRH}`)
    const text = textOf(html)
    expect(text).toContain(
      'LIS to ZRH Lisbon – Zurich flights 3 flown 5,169 km in the air 4 h 50 min Distance 1,723 km',
    )
    expect(text).toContain('Shortest time 2 h 20 min')
    expect(text).toContain('First flight 1 May 2024, ZRH to LIS Last flight 1 Jun 2024, LIS to ZRH')
    expect(text).not.toContain('CPH')
    expect(html).toContain('<svg class="map"')
    // The same log in the other direction.
    expect(textOf(await page(`/routes/${airports.ZRH}-${airports.LIS}`))).toContain(
      'ZRH to LIS Zurich – Lisbon flights 3',
    )
    expect(textOf(await page(`/routes/${airports.ZRH}-${airports.LIS}?year=2025`))).toContain('No flights match.')
    expect(textOf(await page(`/routes/${airports.ZRH}-${airports.JFK}`))).toContain('No flights in your log.')
  })

  test("show only the user's own log, and return 404 for unknown records", async () => {
    const { app, browser, user, services, airports } = await withLog()
    const other = browserSession(app)
    other.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
    expect(textOf((await other.get(`/airports/${airports.ZRH}`)).html)).toContain('No flights in your log.')
    const long = 'x'.repeat(501)
    for (const path of [
      '/airports/99999',
      '/airlines/x',
      `/routes/${airports.ZRH}-99999`,
      `/routes/${airports.ZRH}`,
      '/routes/0-1',
      '/aircraft/0',
      '/registrations/-',
      `/registrations/${long}`,
    ]) {
      expect([path.slice(0, 30), (await browser.get(path)).status]).toEqual([path.slice(0, 30), 404])
    }
    const unprivileged = browserSession(app)
    unprivileged.jar.set('paxlog', await services.sessions.start(user({ role: ['users.directory.read'] }).id))
    expect((await unprivileged.get(`/airports/${airports.ZRH}`)).status).toBe(403)
    expect((await browserSession(app).get('/airlines/1')).location).toBe('/login?next=%2Fairlines%2F1')
  })
})
