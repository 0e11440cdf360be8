import { geoBounds } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection } from 'topojson-specification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTopology } from '../../../src/http/pages/maps/base-map.ts'
import { worldCountries } from '../../../src/http/pages/maps/world.ts'
import { browserSession } from '../../support/browser-session.ts'
import { sharedSignedIn, signedIn } from '../../support/pages.ts'
import { flying, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let api: ReturnType<typeof instance.as>

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  const { owner } = instance
  const key = instance.key(owner.id)
  api = instance.as(key)
  const fly = flying(instance, places(instance.db))
  const user = { id: owner.id, key } as Parameters<typeof fly>[0]
  await fly(user, 'ZRH', 'LIS', { date: '2023-03-01' })
  await fly(user, 'ZRH', 'SIN', { date: '2024-03-01' })
  await fly(user, 'SIN', 'ZRH', { date: '2024-03-20' })
  await fly(user, 'ZRH', 'KTM', { date: '2025-12-01' })
  await api.put('/visited-countries', { code: 'PT', status: 'lived', note: 'A <b>year</b>' })
  await api.put('/visited-countries', { code: 'CL', status: 'wishlist' })
})
afterAll(() => instance.close())

const page = async (path = '/countries') => (await instance.browser.get(path)).html
const statuses = async () =>
  Object.fromEntries(
    (await api.get('/visited-countries')).body.data.map(({ code, status, note }: Record<string, string>) => [
      code,
      [status, note],
    ]),
  )
const submitStatus = (fields: Record<string, string>) => instance.browser.submit('/countries', '/countries', fields)

/** Returns code, status and summary of each row. */
const rowsIn = (html: string) =>
  [...html.matchAll(/<li id="country-(\w\w)">.*?<\/summary>/gs)].map(([row, code]) => [
    code,
    /class="key status-(\w+)"/.exec(row)?.[1],
    /class="quiet">([^<]*)</.exec(row)?.[1],
  ])
/** Returns the coloured countries of the map with their status. */
const colouredIn = (html: string) =>
  [...html.matchAll(/class="country status-(\w+)"[^>]*><title>([^:<]+)/g)].map(
    ([, status, name]) => `${name} ${status}`,
  )

describe('GET /countries', () => {
  test('requires a session', async () => {
    expect(await browserSession(instance.app).get('/countries')).toMatchObject({
      status: 303,
      location: '/login?next=%2Fcountries',
    })
  })

  test('lists the countries of the API, and a status set by the user overrides the one from flights', async () => {
    const html = await page()
    const expected = (await api.get('/countries')).body.data.map(({ code }: { code: string }) => code)
    expect(
      rowsIn(html)
        .map(([code]) => code)
        .sort(),
    ).toEqual(expected)
    expect(rowsIn(html)).toEqual(
      expect.arrayContaining([
        ['PT', 'lived', '1 flight, 1 airport, 1 Mar 2023'],
        ['CH', 'visited', '3 flights, 1 airport, 1 Mar 2023 – 20 Mar 2024'],
        ['SG', 'visited', '2 flights, 1 airport, 1 Mar 2024 – 20 Mar 2024'],
        ['CL', 'wishlist', 'No flights'],
      ]),
    )
    expect(html).toContain('value="A &lt;b>year&lt;/b>"')
    expect(html).toMatch(/Europe <span class="quiet">2 of \d+</)
    expect(html).toMatch(/South America <span class="quiet">0 of \d+</)
    expect(html).toMatch(/<dt>of 250 countries<\/dt><dd>3<\/dd>.*<dt>of 7 continents<\/dt><dd>2<\/dd>/s)
    expect(html).toMatch(/<img class="flag" src="\/assets\/flag-pt-\w+\.svg"[^>]*> Portugal/)
  })

  test('shows only the known part of a date', async () => {
    const other = await signedIn({ now: () => NOW })
    const key = other.key(other.owner.id)
    const fly = flying(other, places(other.db))
    const user = { id: other.owner.id, key } as Parameters<typeof fly>[0]
    await fly(user, 'LHR', 'CPH', { date: '2004-01-01', datePrecision: 'year' })
    await fly(user, 'CPH', 'LHR', { date: '2013-02-01', datePrecision: 'month' })
    const { html } = await other.browser.get('/countries')
    expect(html).toContain('2 flights, 1 airport, 2004 – Feb 2013')
    expect(html).not.toContain('1 Jan 2004')
    const { data } = (await other.as(key).get('/countries')).body
    expect(data.find(({ code }: { code: string }) => code === 'DK')).toEqual({
      code: 'DK',
      continent: 'EU',
      derived: true,
      airports: 1,
      flights: 2,
      firstDate: '2004-01-01',
      lastDate: '2013-02-01',
      status: null,
      note: null,
    })
  })

  test('colours the same countries on the map, and shows the smallest as dots', async () => {
    const html = await page()
    expect(new Set(colouredIn(html))).toEqual(
      new Set(['Portugal lived', 'Switzerland visited', 'Singapore visited', 'Chile wishlist']),
    )
    expect(html).toMatch(/<circle class="country status-visited"[^>]*><title>Singapore: Visited/)
  })

  test('applies the filter, which only matches flights', async () => {
    expect(rowsIn(await page('/countries?year=2024')).map(([code]) => code)).toEqual(['SG', 'CH'])
    expect(await page('/countries?year=1990')).toContain('No flights match.')
  })
})

describe('POST /countries', () => {
  test('sets a status, keeps the note of its row, and clears the status', async () => {
    const saved = await submitStatus({ code: 'SG', status: 'layover', note: ' One night ' })
    expect(saved).toMatchObject({ status: 303, location: '/countries#country-SG' })
    expect(await page()).toContain('The status of Singapore was saved.')
    expect(await statuses()).toMatchObject({ SG: ['layover', ' One night '], PT: ['lived', 'A <b>year</b>'] })
    await submitStatus({ code: 'SG', status: 'visited', note: '' })
    expect(await statuses()).toMatchObject({ SG: ['visited', null] })
    expect((await submitStatus({ code: 'SG', status: '', note: '' })).status).toBe(303)
    expect(await statuses()).not.toHaveProperty('SG')
  })

  test.each([
    ['an unknown country', { code: 'ZZ', status: 'lived', note: '' }, 'Country: Must be an ISO 3166-1'],
    ['a missing country', { code: '', status: 'lived', note: '' }, 'Country: Must be an ISO 3166-1'],
    [
      'an unknown country without a status',
      { code: 'constructor', status: '', note: '' },
      'Country: Must be an ISO 3166-1',
    ],
    ['an unknown status', { code: 'NP', status: 'owned', note: '' }, 'Status: Must be one of'],
    ['a note over the limit', { code: 'NP', status: 'lived', note: 'a'.repeat(1001) }, 'Note: '],
  ])('rejects %s beside its field', async (_what, fields, message) => {
    const answer = await submitStatus(fields)
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(message)
    expect(await statuses()).not.toHaveProperty('NP')
  })

  test('rejects a form without its CSRF token', async () => {
    const answer = await instance.browser.post('/countries', { code: 'NP', status: 'lived', note: '' })
    expect(answer.status).toBe(403)
  })
})

describe('country shapes', () => {
  test('include a shape or a dot for all but a few islands', async () => {
    const shapes = await worldCountries()
    const codes = shapes.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.length).toBeGreaterThan(240)
    expect(shapes.filter(({ path, spot }) => path === '' && !spot)).toEqual([])
  })

  test('include territories that have a country code', async () => {
    const topology = await readTopology<{ countries: GeometryCollection }>('countries.json')
    const { features } = feature(topology, topology.objects.countries)
    const bounds = new Map(features.map((country) => [country.id, geoBounds(country)]))
    const boxOf = (code: string) => bounds.get(code)!.map((corner) => corner.map(Math.round))
    expect(boxOf('GF')).toEqual([
      [-55, 2],
      [-52, 6],
    ])
    expect(boxOf('SJ')[0]![1]).toBeGreaterThan(70)
    expect([boxOf('FR')[0]![0], boxOf('FR')[1]![0]]).toEqual([-5, 10])
    expect(bounds.has('XK')).toBe(true)
  })
})
