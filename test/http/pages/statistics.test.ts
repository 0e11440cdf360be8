import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { sharedSignedIn, signedIn } from '../../support/pages.ts'
import { flying, type Places, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let me: ReturnType<typeof instance.as>
let made: Places

/** Flights with and without what can be known of one, in company, and one that is still to come. */
async function fill(): Promise<void> {
  const { owner } = instance
  const who = { id: owner.id, key: instance.key(owner.id) } as Parameters<ReturnType<typeof flying>>[0]
  made = places(instance.db)
  const fly = flying(instance, made)
  const noor = instance.user({ displayName: 'Noor <N>' })
  const { swiss, sas } = made.airlines
  const { a220 } = made.aircraft
  const self = { userId: owner.id, seat: 'window', seatClass: 'economy', flightReason: 'leisure' }
  const with_ = (...more: object[]) => ({ passengers: [self, ...more] })
  const whole = { airlineId: swiss, aircraftId: a220, aircraftReg: 'HB-JCA', duration: 7200 }
  await fly(who, 'ZRH', 'LIS', { date: '2023-03-01', ...whole, ...with_({ userId: noor.id }) })
  await fly(who, 'LIS', 'ZRH', { date: '2023-03-08', ...whole, ...with_({ userId: noor.id }, { guestName: 'Oma' }) })
  await fly(who, 'ZRH', 'CPH', { date: '2023-10-01', datePrecision: 'month', airlineId: sas })
  await fly(who, 'CPH', 'JFK', { date: '2024-05-20', aircraftId: a220, duration: 30_000, ...with_() })
  await fly(who, 'JFK', 'ZRH', { date: '2024-01-01', datePrecision: 'year' })
  await fly(who, 'ZRH', 'LHR', { date: '2025-05-01', ...whole })
  await fly(who, 'ZRH', 'SIN', { date: '2025-12-01', ...whole, ...with_() })
}

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  me = instance.as(instance.key(instance.owner.id))
  await fill()
})
afterAll(() => instance.close())

const api = async (path: string) => (await me.get(path)).body.data
const page = async (path: string) => (await instance.browser.get(path)).html
const plain = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ')
    .trim()

/** The figures behind a chart: label, flights, distance, and where the label leads. */
function tableOf(html: string, id: string) {
  const [, section = ''] =
    new RegExp(`<section class="chart[^"]*" aria-labelledby="${id}">(.*?)</section>`, 's').exec(html) ?? []
  const [, body = ''] = /<tbody>(.*?)<\/tbody>/s.exec(section) ?? []
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => {
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => plain(cell))
    const href = /href="([^"]+)"/.exec(row)?.[1]?.replaceAll('&amp;', '&')
    return { label: cells[0]!, flights: Number(cells[1]), distance: cells[2]!, href }
  })
}

interface Group {
  key: string | number | null
  flights: number
  distanceKm: number
}

const inKm = (km: number) => `${km.toLocaleString('en')} km`

/** How many flights the log has under the filter of a link. */
async function flightsAt(href: string): Promise<number> {
  const query = new URLSearchParams(href.split('?')[1])
  const year = query.get('year')
  query.delete('year')
  if (year) query.set('dateFrom', `${year}-01-01`)
  if (year) query.set('dateTo', `${year}-12-31`)
  return (await api(`/flights?limit=100&${query}`)).length
}

describe('GET /statistics', () => {
  test('requires a session', async () => {
    const answer = await browserSession(instance.app).get('/statistics?year=2024')
    expect(answer).toMatchObject({ status: 303, location: '/login?next=%2Fstatistics%3Fyear%3D2024' })
  })

  const charts = [
    ['by-year', 'year', '&sort=key'],
    ['by-airport', 'airport', ''],
    ['by-connection', 'connection', ''],
    ['by-airline', 'airline', ''],
    ['by-country', 'country', ''],
    ['by-aircraft', 'aircraft', ''],
    ['by-companion', 'companion', ''],
    ['by-seat', 'seat', ''],
    ['by-seatClass', 'seatClass', ''],
    ['by-flightReason', 'flightReason', ''],
  ] as const

  test.each(['', 'year=2023', 'fromId=1&toId=2', 'seatClass=economy', 'text=zurich'])(
    'shows the breakdowns of the API, and every bar links to its flights (%s)',
    async (filter) => {
      const query = new URLSearchParams(filter)
      if (query.get('fromId')) {
        query.set('fromId', String(made.airports.ZRH))
        query.set('toId', `${made.airports.LIS},${made.airports.CPH}`)
      }
      const html = await page(`/statistics?${query}`)
      const year = query.get('year')
      query.delete('year')
      if (year) query.set('dateFrom', `${year}-01-01`)
      if (year) query.set('dateTo', `${year}-12-31`)
      for (const [id, by, more] of charts) {
        const { groups } = await api(`/stats/breakdown?by=${by}${more}&${query}`)
        const isShare = by.startsWith('seat') || by === 'flightReason'
        const isKnown = groups.some(({ key }: Group) => key !== null)
        const wanted = (groups as Group[])
          .filter(({ key }) => key !== null || isShare)
          .sort((left, right) => (isShare ? Number(left.key === null) - Number(right.key === null) : 0))
        const rows = tableOf(html, id).filter(({ flights }) => flights > 0)
        const shown = rows.map(({ flights, distance }) => [flights, distance])
        expect([id, shown]).toEqual([
          id,
          isKnown ? wanted.map(({ flights, distanceKm }) => [flights, inKm(distanceKm)]) : [],
        ])
        for (const { label, flights, href } of rows) {
          if (href) expect([id, label, await flightsAt(href)]).toEqual([id, label, flights])
          else expect([id, label]).toEqual(['by-companion', 'Oma'])
        }
      }
    },
  )

  test('shows the figures, and how many flights have a duration', async () => {
    const html = plain((await page('/statistics')).replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ')
    const { flights, distanceKm } = await api('/stats')
    expect(html).toContain(`Flights ${flights} Distance ${inKm(distanceKm)} 0.4 times around the earth`)
    expect(html).toContain('Time in the air 14 h 20 min based on 4 of 6 flights')
    expect(html).toContain('Airports 5 Countries 5 Airlines 2')
    expect(html).toContain('Excludes 1 flight without a month.')
    expect(html).toContain('Excludes 2 flights without a day.')
  })

  test('links months to their flights only with a year, because no filter matches a month of all years', async () => {
    expect(tableOf(await page('/statistics'), 'by-month').map(({ href }) => href)).toEqual(Array(12).fill(undefined))
    const months = tableOf(await page('/statistics?year=2023'), 'by-month')
    expect(months.filter(({ href }) => href)).toMatchObject([
      { label: 'Mar', flights: 2, href: '/?dateFrom=2023-03-01&dateTo=2023-03-31' },
      { label: 'Oct', flights: 1, href: '/?dateFrom=2023-10-01&dateTo=2023-10-31' },
    ])
  })

  test('links records to their flights', async () => {
    const html = await page('/statistics')
    const records = await api('/stats/records')
    for (const name of ['longestDistance', 'longestDuration', 'first', 'latest']) {
      expect(html).toContain(`href="/flights/${records[name].id}"`)
    }
    expect(html).toContain('href="/?dateFrom=2023-03-01&amp;dateTo=2023-03-31"')
  })

  test('escapes names, and offers to clear filters if nothing matches', async () => {
    expect(await page('/statistics')).toContain('Noor &lt;N>')
    expect(await page('/statistics?year=1999')).toContain('No flights match.')
    expect((await instance.browser.get('/statistics?year=abc&airportId=x&limit=-1')).status).toBe(200)
  })

  test('has a message for a log without flown flights', async () => {
    const { browser } = await signedIn({ now: () => NOW })
    expect((await browser.get('/statistics')).html).toContain('No statistics yet')
  })
})

describe('a year whose flights are all planned', () => {
  const yearsIn = (html: string) =>
    [.../<nav class="chips" aria-label="Years">.*?<\/nav>/s.exec(html)![0].matchAll(/>(\d{4})</g)].map(
      ([, year]) => year,
    )

  test('is offered by the log and the map, but not by statistics and countries until one is flown', async () => {
    const clock = { now: NOW }
    const { browser, db, owner, key, ...rest } = await signedIn({ now: () => clock.now })
    const fly = flying({ ...rest, db } as never, places(db))
    const who = { id: owner.id, username: 'mira', key: key(owner.id) }
    await fly(who, 'ZRH', 'LIS', { date: '2024-05-01' })
    await fly(who, 'ZRH', 'LIS', { date: '2026-05-01' })
    const years = async (path: string) => yearsIn((await browser.get(path)).html)
    expect(await years('/')).toEqual(['2026', '2024'])
    expect(await years('/map')).toEqual(['2026', '2024'])
    expect(await years('/statistics')).toEqual(['2024'])
    expect(await years('/countries')).toEqual(['2024'])
    clock.now = Date.parse('2026-05-03T00:00:00.000Z')
    browser.jar.set('paxlog', await rest.services.sessions.start(owner.id))
    expect(await years('/statistics')).toEqual(['2026', '2024'])
    expect(await years('/countries')).toEqual(['2026', '2024'])
  })
})

describe('the distance of a flight', () => {
  const distancesIn = (html: string) =>
    new Set(
      [...html.replaceAll(/<[^>]+>/g, ' ').matchAll(/([1-9][\d,]*)\u00a0(?:km|mi)\b/g)].map(([, figure]) => figure),
    )

  // The API gives 788.45 km as 788.5 and in statistics as 788; 950.36 km are 591 miles, and 950 km are 590.
  test.each([
    ['km', 'LHR', '788'],
    ['mi', 'CPH', '590'],
  ] as const)('is the same on every page in %s', async (distanceUnit, to, figure) => {
    const { browser, db, owner, key, ...rest } = await signedIn({ now: () => NOW })
    const who = { id: owner.id, username: 'mira', key: key(owner.id) }
    const { as } = rest
    await as(who).put('/preferences', { distanceUnit })
    const id = await flying({ ...rest, db } as never, places(db))(who, 'ZRH', to, { date: '2024-05-01' })
    for (const path of ['/?year=2024', `/flights/${id}`, `/flights/${id}/edit`, '/statistics/2024']) {
      expect([path, ...distancesIn((await browser.get(path)).html)]).toEqual([path, figure])
    }
    const { html } = await browser.get('/statistics')
    const records = /<section[^>]*aria-labelledby="records".*?<\/section>/s.exec(html)![0]
    const figures = /<dl class="figures.*?<\/dl>/s.exec(html)![0]
    expect([...distancesIn(records), ...distancesIn(figures)]).toEqual([figure, figure])
  })
})
