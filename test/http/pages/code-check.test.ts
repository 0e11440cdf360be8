import { expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { browserSession } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { signedIn } from '../../support/pages.ts'

const PAGE = '/admin/reference/check'
const place = {
  ...{ iata: 'QX2', latitude: 10, longitude: 20, timezone: 'Europe/Zurich', continent: 'EU', country: 'CH' },
}

/** Two airports and two airlines with the same codes, before and since 2000. */
async function setUp() {
  const paxlog = await signedIn()
  const { airports } = referenceRows(paxlog.db)
  const api = paxlog.as(paxlog.key(paxlog.owner.id))
  const made = async (path: string, body: object): Promise<number> => (await api.post(path, body)).body.data.id
  const [old, today] = [{ validUntil: '1999-12-31' }, { validFrom: '2000-01-01' }]
  const ids = {
    old: await made('/airports', { ...place, ...old, icao: 'XQ01', name: 'Old Field' }),
    today: await made('/airports', { ...place, ...today, icao: 'XQ02', name: 'New Field' }),
    oldAirline: await made('/airlines', { ...old, name: 'Old Air', icao: 'QAA', iata: 'Q9' }),
    airline: await made('/airlines', { ...today, name: 'New Air', icao: 'QAB', iata: 'Q9' }),
  }
  const flight = async (date: string, body: object = {}) =>
    (await api.post('/flights', { date, fromId: ids.today, toId: airports.LIS, airlineId: ids.airline, ...body })).body
      .data
  const read = async (id: number) => (await api.get(`/flights/${id}`)).body.data
  return { ...paxlog, api, ids, flight, read, airports }
}

test('lists flights whose airport or airline did not exist on their day, and corrects them', async () => {
  const { browser, flight, read, ids } = await setUp()
  expect((await browser.get(PAGE)).html).toContain('All airports and airlines existed')
  const [before, after] = [await flight('1999-12-31'), await flight('2000-01-01')]
  const yearOnly = await flight('1999-01-01', { datePrecision: 'year' })
  const { html } = await browser.get(PAGE)
  expect(html).toContain(`href="/flights/${before.id}"`)
  for (const { id } of [after, yearOnly]) expect(html).not.toContain(`href="/flights/${id}"`)
  expect(html).toContain('QX2 – New Field opened on')
  expect(html).toContain('QX2 – Old Field')
  expect(html).toContain('Q9 – Old Air')
  const answer = await browser.submit(PAGE, PAGE, { ids: String(before.id) })
  expect([answer.status, answer.location]).toEqual([303, PAGE])
  expect((await browser.get(PAGE)).html).toContain('1 flight was corrected.')
  const corrected = await read(before.id)
  expect([corrected.from.id, corrected.airline.id]).toEqual([ids.old, ids.oldAirline])
  expect(corrected.updatedAt > before.updatedAt).toBe(true)
  expect((await read(after.id)).from.id).toBe(ids.today)
  expect((await browser.get(PAGE)).html).toContain('All airports and airlines existed')
})

test('corrects several flights at once, and keeps those without a problem', async () => {
  const { browser, flight, read, ids, airports } = await setUp()
  const late = await flight('2001-05-03', { fromId: airports.ZRH, airlineId: ids.oldAirline })
  const gone = await flight('2001-05-03', { fromId: ids.old, airlineId: null })
  const right = await flight('2001-05-03')
  await browser.submit(PAGE, PAGE, { ids: `${late.id} ${gone.id} ${right.id} 999999 x` })
  expect((await browser.get(PAGE)).html).toContain('2 flights were corrected.')
  expect((await read(late.id)).airline.id).toBe(ids.airline)
  expect((await read(gone.id)).from.id).toBe(ids.today)
  expect((await read(right.id)).from.id).toBe(ids.today)
})

test('requires the permission to change all flights', async () => {
  const { app, services, user, flight, read, ids } = await setUp()
  const { id } = await flight('1999-12-31')
  const permissions: readonly Permission[] = ['flight.read.any', 'flight.update.own', 'data.airports.manage']
  const browser = browserSession(app)
  browser.jar.set('paxlog', await services.sessions.start(user({ role: permissions }).id))
  expect((await browser.get(PAGE)).status).toBe(403)
  expect((await browser.get('/admin/reference/airports')).html).not.toContain(PAGE)
  expect((await browser.submit('/', PAGE, { ids: String(id) })).status).toBe(403)
  expect((await read(id)).from.id).toBe(ids.today)
})
