import { geoBounds } from 'd3-geo'
import { feature } from 'topojson-client'
import type { GeometryCollection } from 'topojson-specification'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readTopology } from '../../../src/http/pages/maps/land.ts'
import { worldCountries } from '../../../src/http/pages/maps/world.ts'
import { browserSession } from '../../support/browser-session.ts'
import { sharedSignedIn, signedIn } from '../../support/pages.ts'
import { flying, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let me: ReturnType<typeof instance.as>

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  const { owner } = instance
  const key = instance.key(owner.id)
  me = instance.as(key)
  const fly = flying(instance, places(instance.db))
  const who = { id: owner.id, key } as Parameters<typeof fly>[0]
  await fly(who, 'ZRH', 'LIS', { date: '2023-03-01' })
  await fly(who, 'ZRH', 'SIN', { date: '2024-03-01' })
  await fly(who, 'SIN', 'ZRH', { date: '2024-03-20' })
  await fly(who, 'ZRH', 'KTM', { date: '2025-12-01' })
  await me.put('/visited-countries', { code: 'PT', status: 'lived', note: 'A <b>year</b>' })
  await me.put('/visited-countries', { code: 'CL', status: 'wishlist' })
})
afterAll(() => instance.close())

const page = async (path = '/countries') => (await instance.browser.get(path)).html
const marks = async () =>
  Object.fromEntries(
    (await me.get('/visited-countries')).body.data.map(({ code, status, note }: Record<string, string>) => [
      code,
      [status, note],
    ]),
  )
const mark = (fields: Record<string, string>) => instance.browser.submit('/countries', '/countries', fields)

/** Name and mark of every row, and the words beside them. */
const rowsIn = (html: string) =>
  [...html.matchAll(/<li id="country-(\w\w)">.*?<\/summary>/gs)].map(([row, code]) => [
    code,
    /class="key (\w+)"/.exec(row)?.[1],
    /class="quiet">([^<]*)</.exec(row)?.[1],
  ])
/** What the map colours, by code of the class. */
const colouredIn = (html: string) =>
  [...html.matchAll(/class="country (\w+)"[^>]*><title>([^:<]+)/g)].map(([, standing, name]) => `${name} ${standing}`)

describe('GET /countries', () => {
  test('requires a session', async () => {
    expect(await browserSession(instance.app).get('/countries')).toMatchObject({
      status: 303,
      location: '/login?next=%2Fcountries',
    })
  })

  test('lists the countries of the API, with the status of the user before that of flights', async () => {
    const html = await page()
    const wanted = (await me.get('/countries')).body.data.map(({ code }: { code: string }) => code)
    expect(
      rowsIn(html)
        .map(([code]) => code)
        .sort(),
    ).toEqual(wanted)
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
  })

  test('shows only the known part of a date', async () => {
    const own = await signedIn({ now: () => NOW })
    const key = own.key(own.owner.id)
    const fly = flying(own, places(own.db))
    const who = { id: own.owner.id, key } as Parameters<typeof fly>[0]
    await fly(who, 'LHR', 'CPH', { date: '2004-01-01', datePrecision: 'year' })
    await fly(who, 'CPH', 'LHR', { date: '2013-02-01', datePrecision: 'month' })
    const { html } = await own.browser.get('/countries')
    expect(html).toContain('2 flights, 1 airport, 2004 – Feb 2013')
    expect(html).not.toContain('1 Jan 2004')
    const { data } = (await own.as(key).get('/countries')).body
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
    expect(html).toMatch(/<circle class="country visited"[^>]*><title>Singapore: Visited/)
  })

  test('follows the filter, which only matches flights', async () => {
    expect(rowsIn(await page('/countries?year=2024')).map(([code]) => code)).toEqual(['SG', 'CH'])
    expect(await page('/countries?year=1990')).toContain('No flights match.')
  })
})

describe('POST /countries', () => {
  test('sets a status, keeps the note of its row, and clears the status', async () => {
    const saved = await mark({ code: 'SG', status: 'layover', note: ' One night ' })
    expect(saved).toMatchObject({ status: 303, location: '/countries#country-SG' })
    expect(await page()).toContain('The status of Singapore was saved.')
    expect(await marks()).toMatchObject({ SG: ['layover', ' One night '], PT: ['lived', 'A <b>year</b>'] })
    await mark({ code: 'SG', status: 'visited', note: '' })
    expect(await marks()).toMatchObject({ SG: ['visited', null] })
    expect((await mark({ code: 'SG', status: '', note: '' })).status).toBe(303)
    expect(await marks()).not.toHaveProperty('SG')
  })

  test.each([
    ['an unknown country', { code: 'ZZ', status: 'lived', note: '' }, 'Country: Must be an ISO 3166-1'],
    ['none', { code: '', status: 'lived', note: '' }, 'Country: Must be an ISO 3166-1'],
    ['none to remove the mark of', { code: 'constructor', status: '', note: '' }, 'Country: Must be an ISO 3166-1'],
    ['an unknown mark', { code: 'NP', status: 'owned', note: '' }, 'Status: Must be one of'],
    ['a note without end', { code: 'NP', status: 'lived', note: 'a'.repeat(1001) }, 'Note: '],
  ])('rejects %s beside its field', async (_what, fields, sentence) => {
    const answer = await mark(fields)
    expect(answer.status).toBe(422)
    expect(answer.html).toContain(sentence)
    expect(await marks()).not.toHaveProperty('NP')
  })

  test('rejects a form without its CSRF token', async () => {
    const answer = await instance.browser.post('/countries', { code: 'NP', status: 'lived', note: '' })
    expect(answer.status).toBe(403)
  })
})

describe('the land of countries', () => {
  test('has a shape or a dot for all but a few islands', async () => {
    const shapes = await worldCountries()
    const codes = shapes.map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
    expect(codes.length).toBeGreaterThan(240)
    expect(shapes.filter(({ path, spot }) => path === '' && !spot)).toEqual([])
  })

  test('includes territories with their own code', async () => {
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
