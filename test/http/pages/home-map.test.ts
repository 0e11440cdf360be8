import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'
import { manyFlights, places, report } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

const mapIn = (html: string) => /<svg class="map".*?<\/svg>/s.exec(html)?.[0]

async function withPlaces() {
  const instance = await signedIn()
  return { ...instance, records: places(instance.db), api: instance.as(instance.key(instance.owner.id)) }
}

describe('home map', () => {
  test('shows the routes of the user as a map and a list, and reflects every change', async () => {
    const { browser, api, records } = await withPlaces()
    const { ZRH, LIS, JFK } = records.airports
    expect(mapIn((await browser.get('/')).html)).not.toContain('class="flown')
    const { id } = (await api.post('/flights', { date: '2025-05-01', fromId: ZRH, toId: LIS })).body.data
    await api.post('/flights', { date: '2025-05-02', fromId: LIS, toId: ZRH })
    const { html } = await browser.get('/')
    expect(mapIn(html)).toContain('1 route between 2 airports on a map of the earth. Most flown: LIS – ZRH, 2 times.')
    expect(html).toMatch(/<details class="in-words">.*<strong>LIS<\/strong> <bdi>Lisbon.*2 flights/s)
    await api.put(`/flights/${id}`, { date: '2025-05-01', fromId: ZRH, toId: JFK })
    expect(mapIn((await browser.get('/')).html)).toContain('2 routes between 3 airports')
    await api.delete(`/flights/${id}`)
    expect(mapIn((await browser.get('/')).html)).toContain('1 route between 2 airports')
  })

  test('leaves out flights of other users', async () => {
    const { browser, as, user, records } = await withPlaces()
    await as(user()).post('/flights', { date: '2025-05-01', fromId: records.airports.ZRH, toId: records.airports.LIS })
    expect(mapIn((await browser.get('/')).html)).not.toContain('class="flown')
  })

  test('is absent without permission to read flights', async () => {
    const { app, services, user, role, db, records } = await withPlaces()
    const { id } = user({ role: ['flight.read.own'] })
    manyFlights(db, records, id, 5)
    const browser = browserSession(app)
    browser.jar.set('paxlog', await services.sessions.start(id))
    expect(mapIn((await browser.get('/')).html)).toBeDefined()
    runNow(db, 'update users set role_id = ? where id = ?', role(['flight.create.own']), id)
    const { status, html } = await browser.get('/')
    expect([status, mapIn(html)]).toEqual([200, undefined])
  })

  test('keeps the page small and fast with 1 000 flights', async () => {
    const { browser, db, records, owner } = await withPlaces()
    manyFlights(db, records, owner.id, 1000)
    const times: number[] = []
    let html = ''
    for (let turn = 0; turn < 6; turn++) {
      const start = performance.now()
      html = (await browser.get('/')).html
      times.push(performance.now() - start)
    }
    report(`home with 1 000 flights, first and later: ${times.map((time) => time.toFixed(1)).join(' ')} ms`)
    expect(mapIn(html)).toBeDefined()
    expect(gzipSync(html).length).toBeLessThan(100_000)
  })
})
