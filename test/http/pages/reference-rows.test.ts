import { describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { browserSession } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { fieldsIn } from '../../support/form-fields.ts'
import { signedIn } from '../../support/pages.ts'
import { runNow } from '../../support/write-now.ts'

const PAGE = '/admin/reference/airports'
const airport = {
  name: 'Meadow of the farm',
  icao: 'ch-0042',
  iata: '',
  municipality: 'Amden',
  country: 'CH',
  continent: '',
  latitude: '47,15',
  longitude: '9.14',
  timezone: 'Europe/Zurich',
  type: 'small_airport',
}

async function setUp() {
  const paxlog = await signedIn()
  const rows = referenceRows(paxlog.db)
  const api = paxlog.as(paxlog.key(paxlog.owner.id))
  async function browserOf(permissions: readonly Permission[]) {
    const browser = browserSession(paxlog.app)
    browser.jar.set('paxlog', await paxlog.services.sessions.start(paxlog.user({ role: permissions }).id))
    return browser
  }
  const idOf = (code: string) => paxlog.services.reference.codes.airport(code)
  return { ...paxlog, ...rows, api, browserOf, idOf }
}

describe('reference data pages', () => {
  test('require the permission for their type of data', async () => {
    const { app, browserOf, browser } = await setUp()
    expect((await browserSession(app).get(PAGE)).location).toBe(`/login?next=${encodeURIComponent(PAGE)}`)
    const reader = await browserOf(['flight.read.own'])
    for (const path of ['/admin/reference', PAGE, `${PAGE}/new`]) expect((await reader.get(path)).status).toBe(403)
    expect((await reader.submit('/', PAGE, airport)).status).toBe(403)
    const airlines = await browserOf(['data.airlines.manage'])
    expect((await airlines.get('/admin/reference')).location).toBe('/admin/reference/airlines')
    expect((await airlines.get('/admin/reference/airlines')).html).not.toContain('>Airports</a>')
    expect((await airlines.get(PAGE)).status).toBe(403)
    expect((await airlines.submit('/', `${PAGE}/1/merge`, { into: 'ZRH' })).status).toBe(403)
    expect((await browser.get('/admin/reference')).location).toBe(PAGE)
    expect((await browser.get('/')).html).toContain('href="/admin/')
  })

  test('create, list, change and delete an airport, with a default continent', async () => {
    const { browser, idOf, api } = await setUp()
    expect((await browser.get(PAGE)).html).toContain('Nothing added yet.')
    const invalid = await browser.submit(`${PAGE}/new`, PAGE, {
      ...airport,
      latitude: 'north',
      country: '',
      timezone: 'x',
    })
    expect(invalid.status).toBe(422)
    for (const text of ['Must be a number of degrees', 'Choose a country.', 'Must be an IANA time zone name']) {
      expect(invalid.html).toContain(text)
    }
    expect(invalid.html).toContain('value="Meadow of the farm"')
    const taken = await browser.submit(`${PAGE}/new`, PAGE, { ...airport, icao: 'LSZH' })
    expect([taken.status, taken.html.includes('The ICAO code LSZH is taken')]).toEqual([409, true])
    expect((await browser.submit(`${PAGE}/new`, PAGE, airport)).location).toBe(PAGE)
    const { html } = await browser.get(PAGE)
    expect(html).toContain('The airport Meadow of the farm was created.')
    const id = idOf('CH-0042')!
    expect(html).toContain(`href="${PAGE}/${id}"`)
    const record = async () => (await api.get(`/airports/${id}`)).body.data
    expect(await record()).toMatchObject({
      icao: 'CH-0042',
      iata: null,
      latitude: 47.15,
      continent: 'EU',
      custom: true,
    })
    await browser.submit(`${PAGE}/${id}`, `${PAGE}/${id}`, { ...airport, name: 'Another meadow', continent: 'AS' })
    expect(await record()).toMatchObject({ name: 'Another meadow', continent: 'AS' })
    expect((await browser.submit(PAGE, `${PAGE}/${id}/delete`, {})).location).toBe(PAGE)
    expect(idOf('CH-0042')).toBeUndefined()
  })

  test('prefill a new airport from the query and redirect to next', async () => {
    const { browser } = await setUp()
    const { html } = await browser.get(`${PAGE}/new?iata=QQQ&name=%3Cb%3E&next=/import&next2=x`)
    expect(html).toContain('name="iata"')
    expect(html).toContain('value="QQQ"')
    expect(html).toContain('value="&lt;b>"')
    expect((await browser.submit(`${PAGE}/new`, PAGE, { ...airport, next: '/import' })).location).toBe('/import')
    const away = { ...airport, icao: 'CH-0043', next: 'https://evil.example/' }
    expect((await browser.submit(`${PAGE}/new`, PAGE, away)).location).toBe(PAGE)
  })

  test('merge an airport into a built-in one and update only its flights and custom values', async () => {
    const { browser, api, airports, idOf } = await setUp()
    await browser.submit(`${PAGE}/new`, PAGE, airport)
    const id = idOf('CH-0042')!
    const field = { entityType: 'flight', key: 'alternate', label: 'Alternate', fieldType: 'airport', defaultValue: id }
    expect((await api.post('/custom-fields', field)).status).toBe(201)
    const add = async (body: object) => (await api.post('/flights', { date: '2025-05-03', ...body })).body.data.id
    const flown = await add({ fromId: id, toId: airports.LIS, customFields: { alternate: airports.CPH } })
    const planned = await add({ fromId: airports.JFK, toId: airports.LHR, customFields: { alternate: id } })
    const untouched = await add({ fromId: airports.ZRH, toId: airports.LIS, customFields: { alternate: airports.CPH } })
    const first = await api.get('/flights/changes')
    const used = await browser.submit(PAGE, `${PAGE}/${id}/delete`, {})
    expect([used.status, used.html.includes('A flight or a custom value uses this airport.')]).toEqual([409, true])
    const several = await browser.submit(PAGE, `${PAGE}/${id}/merge`, { into: 'airport' })
    expect([several.status, several.html.includes('Choose one')]).toEqual([422, true])
    const merge = (into: string, chosen: number) =>
      browser.submit(PAGE, `${PAGE}/${id}/merge`, { into, 'into.asked': into, 'into.id': String(chosen) })
    expect((await merge('CH-0042', id)).html).toContain('Choose another airport than this one.')
    // The user must confirm a typed code.
    const unconfirmed = await browser.submit(PAGE, `${PAGE}/${id}/merge`, { into: 'zrh' })
    expect([unconfirmed.status, idOf('CH-0042')]).toEqual([422, id])
    expect(unconfirmed.html).toContain('Found ZRH – Zürich Airport. Press Merge again to confirm.')
    expect(fieldsIn(unconfirmed.html, `${PAGE}/${id}/merge`)).toMatchObject({
      into: 'zrh',
      'into.asked': 'zrh',
      'into.id': String(airports.ZRH),
    })
    expect((await merge('zrh', airports.ZRH)).location).toBe(PAGE)
    expect((await browser.get(PAGE)).html).toContain('2 flights were updated.')
    expect(idOf('CH-0042')).toBeUndefined()
    const flight = (await api.get(`/flights/${flown}`)).body.data
    const same = (await api.get(`/flights/${untouched}`)).body.data
    expect(flight.from.icao).toBe('LSZH')
    expect([flight.distanceKm, flight.customFields]).toEqual([same.distanceKm, same.customFields])
    expect((await api.get(`/flights/${planned}`)).body.data.customFields).toEqual({ alternate: airports.ZRH })
    const [definition] = (await api.get('/custom-fields')).body.data
    expect(definition.defaultValue).toBe(airports.ZRH)
    const { body } = await api.get(`/flights/changes?cursor=${first.body.page.nextCursor}`)
    const changed = body.data.map(({ flightId }: { flightId: number }) => flightId)
    expect(changed.sort()).toEqual([flown, planned].sort())
  })

  test('support airlines and aircraft types and leave built-in records unchanged', async () => {
    const { browser, api, airports, airlines, aircraft } = await setUp()
    for (const [kind, fields, into, member, shipped] of [
      ['airlines', { name: 'Alpine Gliders', icao: 'AGL', iata: '' }, 'LX', 'airline', airlines.SWR],
      ['aircraft', { name: 'Home built', icao: '' }, 'A359', 'aircraft', aircraft.A359],
    ] as const) {
      const page = `/admin/reference/${kind}`
      expect((await browser.submit(`${page}/new`, page, fields)).location).toBe(page)
      const duplicate = await browser.submit(`${page}/new`, page, fields)
      expect([duplicate.status, duplicate.html.includes('already exists')]).toEqual([409, true])
      const id = Number(new RegExp(`${page}/(\\d+)`).exec((await browser.get(page)).html)![1])
      const body = { date: '2025-05-03', fromId: airports.ZRH, toId: airports.LIS, [`${member}Id`]: id }
      const flight = (await api.post('/flights', body)).body.data.id
      const chosen = { into, 'into.asked': into, 'into.id': String(shipped) }
      expect((await browser.submit(page, `${page}/${id}/merge`, chosen)).location).toBe(page)
      expect((await api.get(`/flights/${flight}`)).body.data[member].id).toBe(shipped)
      expect((await browser.get(`${page}/${shipped}`)).html).toContain('is built in')
      expect((await browser.submit(page, `${page}/${shipped}`, fields)).status).toBe(409)
      expect((await browser.submit(page, `${page}/${shipped}/merge`, { into: 'SK' })).status).toBe(422)
      expect((await browser.get(`${page}/999999`)).status).toBe(404)
    }
  })

  test.each([
    ['airports', airport],
    ['airlines', { name: 'Alpine Gliders', icao: 'AGL', iata: '' }],
  ] as const)('save, show and remove the days of existence of %s', async (kind, fields) => {
    const { browser, api } = await setUp()
    const page = `/admin/reference/${kind}`
    const days = { validFrom: '1950-03-01', validUntil: '1999-12-31' }
    const swapped = { validFrom: '2000-01-01', validUntil: '1999-12-31' }
    const refused = await browser.submit(`${page}/new`, page, { ...fields, ...swapped })
    expect([refused.status, refused.html.includes('value="2000-01-01"')]).toEqual([422, true])
    expect((await browser.submit(`${page}/new`, page, { ...fields, ...days })).location).toBe(page)
    const id = Number(new RegExp(`${page}/(\\d+)`).exec((await browser.get(page)).html)![1])
    const record = async () => (await api.get(`/${kind}/${id}`)).body.data
    expect(await record()).toMatchObject(days)
    expect(fieldsIn((await browser.get(`${page}/${id}`)).html, `${page}/${id}`)).toMatchObject(days)
    await browser.submit(`${page}/${id}`, `${page}/${id}`, { ...fields, validFrom: '', validUntil: '' })
    expect(await record()).toMatchObject({ validFrom: null, validUntil: null })
  })

  test('paginate long lists', async () => {
    const { browser, db } = await setUp()
    const add = 'insert into airlines (name, name_key) values (?, ?)'
    for (let number = 101; number <= 155; number++) runNow(db, add, `Air ${number}`, `air ${number}`)
    const first = (await browser.get('/admin/reference/airlines')).html
    expect([first.includes('Air 101'), first.includes('Air 151'), first.includes('Page 1 of 2')]).toEqual([
      true,
      false,
      true,
    ])
    expect((await browser.get('/admin/reference/airlines?page=2')).html).toContain('Air 155')
  })
})
