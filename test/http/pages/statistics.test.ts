import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { sharedSignedIn, signedIn } from '../../support/pages.ts'
import { flying, type Places, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let api: ReturnType<typeof instance.as>
let records: Places

/** Adds flights with complete and missing details, with companions, and one planned flight. */
async function addFlights(): Promise<void> {
  const { owner } = instance
  const user = { id: owner.id, key: instance.key(owner.id) } as Parameters<ReturnType<typeof flying>>[0]
  records = places(instance.db)
  const fly = flying(instance, records)
  const noor = instance.user({ displayName: 'Noor <N>' })
  const { swiss, sas } = records.airlines
  const { a220 } = records.aircraft
  const self = { userId: owner.id, seat: 'window', seatClass: 'economy', flightReason: 'leisure' }
  const withPassengers = (...more: object[]) => ({ passengers: [self, ...more] })
  const details = { airlineId: swiss, aircraftId: a220, aircraftReg: 'HB-JCA', duration: 7200 }
  await fly(user, 'ZRH', 'LIS', { date: '2023-03-01', ...details, ...withPassengers({ userId: noor.id }) })
  await fly(user, 'LIS', 'ZRH', {
    date: '2023-03-08',
    ...details,
    ...withPassengers({ userId: noor.id }, { guestName: 'Oma' }),
  })
  await fly(user, 'ZRH', 'CPH', { date: '2023-10-01', datePrecision: 'month', airlineId: sas })
  await fly(user, 'CPH', 'JFK', { date: '2024-05-20', aircraftId: a220, duration: 30_000, ...withPassengers() })
  await fly(user, 'JFK', 'ZRH', { date: '2024-01-01', datePrecision: 'year' })
  await fly(user, 'ZRH', 'LHR', { date: '2025-05-01', ...details })
  await fly(user, 'ZRH', 'SIN', { date: '2025-12-01', ...details, ...withPassengers() })
}

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  api = instance.as(instance.key(instance.owner.id))
  await addFlights()
})
afterAll(() => instance.close())

const fetchData = async (path: string) => (await api.get(path)).body.data
const page = async (path: string) => (await instance.browser.get(path)).html
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&amp;', '&')
    .replaceAll('\u00a0', ' ')
    .trim()

/** Returns the table with a caption: label, flights, distance and link. */
function tableOf(html: string, caption: string) {
  const [, body = ''] = new RegExp(`<caption[^>]*>${caption}</caption>.*?<tbody>(.*?)</tbody>`, 's').exec(html) ?? []
  return [...body.matchAll(/<tr>(.*?)<\/tr>/gs)].map(([, row = '']) => {
    const cells = [...row.matchAll(/<t[hd][^>]*>(.*?)<\/t[hd]>/gs)].map(([, cell = '']) => textOf(cell))
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

/** Counts the flights that match the filter of a link. */
async function flightsAt(href: string): Promise<number> {
  const query = new URLSearchParams(href.split('?')[1])
  const year = query.get('year')
  query.delete('year')
  if (year) query.set('dateFrom', `${year}-01-01`)
  if (year) query.set('dateTo', `${year}-12-31`)
  return (await fetchData(`/flights?limit=100&${query}`)).length
}

describe('GET /statistics', () => {
  test('requires a session', async () => {
    const answer = await browserSession(instance.app).get('/statistics?year=2024')
    expect(answer).toMatchObject({ status: 303, location: '/login?next=%2Fstatistics%3Fyear%3D2024' })
  })

  const charts = [
    ['By year', 'year', '&sort=key'],
    ['Airports', 'airport', ''],
    ['Routes, both directions', 'connection', ''],
    ['Airlines', 'airline', ''],
    ['Countries', 'country', ''],
    ['Aircraft types', 'aircraft', ''],
    ['Companions', 'companion', ''],
    ['Seat', 'seat', ''],
    ['Class', 'seatClass', ''],
    ['Reason', 'flightReason', ''],
  ] as const

  test.each(['', 'year=2023', 'fromId=1&toId=2', 'seatClass=economy', 'text=zurich'])(
    'shows the breakdowns of the API, and every bar links to its flights (%s)',
    async (filter) => {
      const query = new URLSearchParams(filter)
      if (query.get('fromId')) {
        query.set('fromId', String(records.airports.ZRH))
        query.set('toId', `${records.airports.LIS},${records.airports.CPH}`)
      }
      const html = await page(`/statistics?${query}`)
      const year = query.get('year')
      query.delete('year')
      if (year) query.set('dateFrom', `${year}-01-01`)
      if (year) query.set('dateTo', `${year}-12-31`)
      for (const [caption, by, more] of charts) {
        const { groups } = await fetchData(`/stats/breakdown?by=${by}${more}&${query}`)
        const isShare = by.startsWith('seat') || by === 'flightReason'
        const isKnown = groups.some(({ key }: Group) => key !== null)
        const expected = (groups as Group[])
          .filter(({ key }) => key !== null || isShare)
          .sort((left, right) => (isShare ? Number(left.key === null) - Number(right.key === null) : 0))
        const rows = tableOf(html, caption).filter(({ flights }) => flights > 0)
        const shown = rows.map(({ flights, distance }) => [flights, distance])
        expect([caption, shown]).toEqual([
          caption,
          isKnown ? expected.map(({ flights, distanceKm }) => [flights, inKm(distanceKm)]) : [],
        ])
        for (const { label, flights, href } of rows) {
          if (href) expect([caption, label, await flightsAt(href)]).toEqual([caption, label, flights])
          else expect([caption, label]).toEqual(['Companions', 'Oma'])
        }
      }
    },
  )

  test('shows the figures, and how many flights have a duration', async () => {
    const html = textOf((await page('/statistics')).replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ')
    const { flights, distanceKm } = await fetchData('/stats')
    expect(html).toContain(`Flights ${flights} Distance ${inKm(distanceKm)} Time in the air 14 h`)
    expect(html).toContain('Countries 5 Airports 5 Airlines 2')
    expect(html).toContain('0.4 times around the earth. Time based on 4 of 6 flights.')
    expect(html).toContain('Excludes 1 flight without a month.')
    expect(html).toContain('Excludes 2 flights without a day.')
  })

  test('links months to their flights only with a year, because no filter matches a month of all years', async () => {
    expect(tableOf(await page('/statistics'), 'By month').map(({ href }) => href)).toEqual(Array(12).fill(undefined))
    const months = tableOf(await page('/statistics?year=2023'), 'By month')
    expect(months.filter(({ href }) => href)).toMatchObject([
      { label: 'Mar', flights: 2, href: '/?dateFrom=2023-03-01&dateTo=2023-03-31' },
      { label: 'Oct', flights: 1, href: '/?dateFrom=2023-10-01&dateTo=2023-10-31' },
    ])
  })

  test('colours the days of the newest years by their flights, and links each day to its flights', async () => {
    const html = await page('/statistics')
    const coloured = [...html.matchAll(/class="heat-(\d)"[^>]*><title>([^<]*)/g)].map(([, level, title]) => [
      level,
      title,
    ])
    expect(coloured).toEqual([
      ['1', '1 May 2025: 1 flight'],
      ['1', '20 May 2024: 1 flight'],
      ['1', '1 Mar 2023: 1 flight'],
      ['1', '8 Mar 2023: 1 flight'],
    ])
    const days = tableOf(html, 'Days flown')
    expect(days.map(({ label, flights }) => [label, flights])).toEqual([
      ['1 May 2025', 1],
      ['20 May 2024', 1],
      ['1 Mar 2023', 1],
      ['8 Mar 2023', 1],
    ])
    for (const { href, flights } of days) expect(await flightsAt(href!)).toBe(flights)
  })

  test('groups distances in steps of the preferred unit', async () => {
    const flown = (html: string) =>
      tableOf(html, 'Distance of a flight').flatMap(({ label, flights }) => (flights > 0 ? [[label, flights]] : []))
    expect(flown(await page('/statistics'))).toEqual([
      ['500 km to 1,000 km', 2],
      ['1,500 km to 2,000 km', 2],
      ['6,000 km to 6,500 km', 2],
    ])
    await api.put('/preferences', { distanceUnit: 'mi' })
    expect(flown(await page('/statistics'))).toEqual([
      ['250 mi to 500 mi', 1],
      ['500 mi to 750 mi', 1],
      ['1,000 mi to 1,250 mi', 2],
      ['3,750 mi to 4,000 mi', 2],
    ])
    await api.put('/preferences', { distanceUnit: 'km' })
  })

  test('fills as many seats of the cabin as the share of each seat', async () => {
    const cabin = /<svg class="cabin".*?<\/svg>/s.exec(await page('/statistics'))![0]
    const seatsOf = (colour: number) =>
      [...cabin.matchAll(new RegExp(`class="part colour-${colour}" d="([^"]*)"`, 'g'))]
        .map(([, path]) => path!.split('M').length - 1)
        .reduce((sum, seats) => sum + seats, 0)
    // All known seats are windows: 22 rows on both sides.
    expect([1, 3, 2].map(seatsOf)).toEqual([44, 0, 0])
    expect(cabin).toContain('<desc id="by-seat-words">Window: 50%, Unknown: 50%</desc>')
  })

  test('has one table per section, and marks for countries, airlines, seats and classes', async () => {
    const html = await page('/statistics')
    const sections = html.split('<h2').slice(2)
    expect(sections.map((section) => section.split('<summary class="fold">Show as table').length - 1)).toEqual(
      sections.map((section) => (section.includes('id="records"') ? 0 : 1)),
    )
    expect(html).toMatch(/<img class="flag" src="\/assets\/flag-ch-\w+\.svg" alt[ >]/)
    expect(html).toMatch(/class="badge colour-\d" aria-hidden="true">LX</)
    expect(html).toMatch(/<svg class="icon"[^>]*>.{1,200}<\/svg> Window/s)
  })

  test('shows median, shares and the worst flight of departures and arrivals', async () => {
    const { browser, db, owner, key, ...rest } = await signedIn({ now: () => NOW })
    const user = { id: owner.id, username: 'mira', key: key(owner.id) }
    const fly = flying({ ...rest, db } as never, places(db))
    const times = (minute: number) => ({
      departureScheduled: '2024-05-01T08:00:00Z',
      arrivalScheduled: '2024-05-01T10:00:00Z',
      departure: '2024-05-01T08:00:30Z',
      arrival: new Date(Date.UTC(2024, 4, 1, 10, minute)).toISOString(),
    })
    expect((await browser.get('/statistics')).html).not.toContain('Punctuality')
    const [, worst] = [
      await fly(user, 'ZRH', 'LIS', { date: '2024-05-01', ...times(-4) }),
      await fly(user, 'ZRH', 'LIS', { date: '2024-05-01', ...times(75) }),
      await fly(user, 'ZRH', 'LIS', { date: '2024-05-01', ...times(5) }),
    ]
    const { html } = await browser.get('/statistics')
    const section = html.slice(html.indexOf('<h2 id="punctuality"'), html.indexOf('<h2 id="records"'))
    expect(section).toContain(`<a href="/flights/${worst}">ZRH → LIS</a>`)
    expect(section).toContain(
      '<desc id="delays-arrival-words">Early: 33%, On time: 33%, 15 minutes late or more: 33%</desc>',
    )
    const text = textOf(section.replace(/<[^>]+>/g, ' ')).replace(/\s+/g, ' ')
    expect(text).toContain('Largest delay: ZRH → LIS on 1 May 2024, 1 h 15 min late. Based on 3 flights.')
    expect(text).toContain('Late arrivals cost you 1 h 20 min in total.')
    expect(text).toContain('Departures Median on time Average on time')
    expect(text).toContain('Arrivals Median 5 min late Average 25 min late')
    expect(text).toContain('Flights Departures Arrivals Early 0 1 On time 3 1 15 minutes late or more 0 1')
    expect(text).toContain('Median on time 5 min late Average on time 25 min late')
  })

  test('links records to their flights', async () => {
    const html = await page('/statistics')
    const found = await fetchData('/stats/records')
    for (const name of ['longestDistance', 'longestDuration', 'first', 'latest']) {
      expect(html).toContain(`href="/flights/${found[name].id}"`)
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
    const user = { id: owner.id, username: 'mira', key: key(owner.id) }
    await fly(user, 'ZRH', 'LIS', { date: '2024-05-01' })
    await fly(user, 'ZRH', 'LIS', { date: '2026-05-01' })
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

describe('flight distance', () => {
  const distancesIn = (html: string) =>
    new Set(
      [...html.replaceAll(/<[^>]+>/g, ' ').matchAll(/([1-9][\d,]*)\u00a0(?:km|mi)\b/g)].map(([, figure]) => figure),
    )

  // The API rounds 788.45 km to 788.5, and to 788 in statistics. 950.36 km are 591 miles, but 950 km are 590.
  test.each([
    ['km', 'LHR', '788'],
    ['mi', 'CPH', '590'],
  ] as const)('is the same on every page in %s', async (distanceUnit, to, figure) => {
    const { browser, db, owner, key, ...rest } = await signedIn({ now: () => NOW })
    const user = { id: owner.id, username: 'mira', key: key(owner.id) }
    const { as } = rest
    await as(user).put('/preferences', { distanceUnit })
    const id = await flying({ ...rest, db } as never, places(db))(user, 'ZRH', to, { date: '2024-05-01' })
    for (const path of ['/?year=2024', `/flights/${id}`, `/flights/${id}/edit`, '/statistics/2024']) {
      expect([path, ...distancesIn((await browser.get(path)).html)]).toEqual([path, figure])
    }
    const { html } = await browser.get('/statistics')
    const recordSection = /<section[^>]*aria-labelledby="records".*?<\/section>/s.exec(html)![0]
    const figures = /<dl class="headline.*?<\/dl>/s.exec(html)![0]
    expect([...distancesIn(recordSection), ...distancesIn(figures)]).toEqual([figure, figure])
  })
})
