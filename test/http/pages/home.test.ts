import { describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { signedIn } from '../../support/pages.ts'

type Instance = Awaited<ReturnType<typeof signedIn>>

const zurich = {
  icao: 'LSZH',
  iata: 'ZRH',
  name: 'Zürich Airport',
  municipality: 'Zurich',
  latitude: 47.458056,
  longitude: 8.548056,
  timezone: 'Europe/Zurich',
  continent: 'EU',
  country: 'CH',
}
const lisbon = {
  ...zurich,
  icao: 'LPPT',
  iata: 'LIS',
  name: 'Humberto Delgado Airport',
  municipality: 'Lisbon',
  latitude: 38.7813,
  longitude: -9.13592,
  timezone: 'Europe/Lisbon',
  country: 'PT',
}

async function withFlights(count: number, body: Record<string, unknown> = {}) {
  const instance = await signedIn({ now: () => Date.parse('2026-06-01T00:00:00Z') })
  const api = instance.as(instance.key(instance.owner.id))
  const [fromId, toId] = await Promise.all(
    [zurich, lisbon].map(async (airport) => (await api.post('/airports', airport)).body.data.id),
  )
  for (let index = 1; index <= count; index++) {
    const date = `2025-05-${String(index).padStart(2, '0')}`
    const times = { departure: `${date}T12:20:00+02:00`, arrival: `${date}T14:15:00+01:00` }
    await api.post('/flights', { date, fromId, toId, flightNumber: `LX${index}`, ...times, ...body })
  }
  return { ...instance, api, airports: [fromId, toId] }
}

/** Adds the flights LX1 to LX<count>, one per day. */
const addNumberedFlights =
  (count: number) =>
  async <Instance extends Awaited<ReturnType<typeof withFlights>>>(instance: Instance) => {
    const [fromId, toId] = instance.airports
    const add = (index: number) => {
      const date = new Date(Date.UTC(2025, 0, index)).toISOString().slice(0, 10)
      return instance.api.post('/flights', { date, fromId, toId, flightNumber: `LX${index}` })
    }
    for (let index = 1; index <= count; index++) await add(index)
    return { ...instance, add }
  }

/** Returns the text of a page, with plain spaces instead of non-breaking ones. */
const textOf = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

const homeOf = async ({ browser }: Pick<Instance, 'browser'>, language = 'en-GB') =>
  textOf((await browser.get('/', { 'accept-language': language })).html)

describe('GET /', () => {
  test('C13: redirects to the sign-in and back without a session', async () => {
    const { app } = await signedIn()
    expect(await browserSession(app).get('/')).toMatchObject({ status: 303, location: '/login?next=%2F' })
  })

  test('shows short durations in minutes, long ones in hours, and no unknown time', async () => {
    const unknown = await withFlights(1, { departure: null, arrival: null, duration: null })
    expect(await homeOf(unknown)).not.toContain('in the air')
    const short = await withFlights(1, { departure: null, arrival: null, duration: 57 * 60 })
    expect(await homeOf(short)).toMatch(/in the air 57 min.* 57 min /)
    const long = await withFlights(22)
    expect(await homeOf(long)).toContain('in the air 64 h')
  })

  test('leads with the next flight, its trip, and the days until it', async () => {
    const instance = await withFlights(1)
    const [fromId, toId] = instance.airports
    const next = await instance.api.post('/flights', { date: '2026-06-11', fromId, toId, flightNumber: 'LX20' })
    await instance.api.post('/flights', { date: '2026-08-11', fromId, toId, flightNumber: 'LX21' })
    expect(await homeOf(instance)).toContain('Next flight ZRH to LIS Zurich to Lisbon 11 Jun 2026 LX20 in 10 days')
    await instance.api.post('/trips', { name: 'Surfing', flightIds: [next.body.data.id] })
    expect(await homeOf(instance)).toContain('11 Jun 2026 LX20 Surfing in 10 days')
    const html = (await instance.browser.get('/?year=2025')).html
    expect(html).not.toContain('Next flight')
  })

  test("shows the user, the figures and the user's flights by year, newest first", async () => {
    const text = await homeOf(await withFlights(22))
    expect(text).toContain('Signed in as mira')
    expect(text).toContain('flights 22 flown 37,908 km in the air 64 h countries 2 airports 2')
    expect(text).toContain('Route ZRH → LIS 22 times')
    expect(text).toContain('Distance Duration 2025 22 flights, 37,908 km Select ZRH to LIS, 22 May 2025')
    expect(numbersIn(text)).toEqual(countdown(22, 1))
    expect(text).toContain('3 May 2025 ZRH Zurich to LIS Lisbon , 3 May 2025 LX3 1,723 km 2 h 55 min 12:20 – 14:15 ')
  })

  test('leaves out flights of other users', async () => {
    const instance = await withFlights(1)
    const other = instance.user({ username: 'otto' })
    const visitor = { ...instance, browser: browserSession(instance.app) }
    visitor.browser.jar.set('paxlog', await instance.services.sessions.start(other.id))
    expect(await homeOf(visitor)).toContain('No flights yet.')
  })

  test('formats days, times and distances by preference', async () => {
    const instance = await withFlights(1)
    const prefer = (preferences: Record<string, string>) => instance.api.put('/preferences', preferences)
    await prefer({ dateFormat: 'us', timeFormat: '12h', distanceUnit: 'nm' })
    expect(await homeOf(instance)).toMatch(/05\/01\/2025 .* 930 nm .* 12:20 pm – 2:15 pm/)
    await prefer({ dateFormat: 'eu', timeFormat: '24h', distanceUnit: 'mi' })
    expect(await homeOf(instance, 'en-US')).toMatch(/01\.05\.2025 .* 1,071 mi .* 12:20 – 14:15/)
    await prefer({ dateFormat: 'iso', flightTimeDisplay: 'utc' })
    expect(await homeOf(instance)).toMatch(/2025-05-01 .* 10:20 – 13:15 UTC/)
    await prefer({ dateFormat: 'auto', timeFormat: 'auto', flightTimeDisplay: 'system' })
    expect(await homeOf(instance, 'en-US,en;q=0.5')).toMatch(/May 1, 2025 .* 10:20 am UTC – 1:15 pm UTC/)
    const { html } = await instance.browser.get('/')
    expect(html).toContain('<time datetime="2025-05-01T10:20:00.000Z" data-local="')
  })

  test('shows only the known part of a date, without times', async () => {
    const text = await homeOf(await withFlights(1, { datePrecision: 'month' }))
    expect(text).toContain('May 2025 ZRH')
    expect(text).not.toContain('12:20')
  })

  test('leaves out what the role does not permit', async () => {
    const instance = await withFlights(1)
    const other = instance.user({ role: ['users.directory.read'] })
    const visitor = { ...instance, browser: browserSession(instance.app) }
    visitor.browser.jar.set('paxlog', await instance.services.sessions.start(other.id))
    const text = await homeOf(visitor)
    expect(text).toContain(`Signed in as ${other.username}`)
    expect(text).toContain('Your role does not include reading flights.')
    expect(text).not.toMatch(/Most flown|No flights yet|Your flights|Airport, airline/)
  })

  test('links to the settings, the reference and the sign-out, and every link works', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get('/')
    const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, url]) => url!)
    expect(links).toContain('/settings/security')
    expect(html).toContain('action="/logout"')
    expect(html).toContain('href="/docs"')
    for (const url of links) expect([url, (await browser.get(url)).status]).toEqual([url, 200])
  })
})

const numbersIn = (text: string) => [...text.matchAll(/\bLX(\d+)/g)].map(([, number]) => Number(number))

const countdown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

/** Returns the text of one group of the log, such as a year. */
const groupText = (html: string, heading: string) =>
  textOf(new RegExp(`<th id="${heading}".*?</tbody>`, 's').exec(html)?.[0] ?? '')

describe('flight list', () => {
  test('has 50 flights per page, numbered pages, and a link to each year', async () => {
    const { browser } = await withFlights(0).then(addNumberedFlights(420))
    const first = await browser.get('/')
    expect(numbersIn(first.html)).toEqual(countdown(420, 371))
    expect(textOf(/<nav class="numbers".*?<\/nav>/s.exec(first.html)![0]).trim()).toBe('1 2 3 … 9 Next')
    expect(first.html).toContain('<a class="chip" href="/?page=2#year-2025">2025</a>')
    const second = await browser.get('/?page=2')
    expect(numbersIn(second.html)).toEqual(countdown(370, 321))
    expect(second.html).toContain('<title>Flights, page 2 – Paxlog</title>')
    expect(second.html).not.toMatch(/Most flown|class="map"/)
    // Each page shows the totals of the whole year.
    expect(textOf(second.html)).toContain('2026 55 flights, 94,7')
    expect(textOf(second.html)).toContain('2025 365 flights, 628,9')
    const last = await browser.get('/?page=9')
    expect(numbersIn(last.html)).toEqual(countdown(20, 1))
    expect(textOf(/<nav class="numbers".*?<\/nav>/s.exec(last.html)![0]).trim()).toBe('Previous 1 … 7 8 9')
    for (const [page, number] of Object.entries({
      '99': 20,
      '0': 420,
      nonsense: 420,
      '-1': 420,
      '1e3': 20,
      '2&page=3': 420,
    })) {
      const { status, html } = await browser.get(`/?page=${page}`)
      expect([page, status, numbersIn(html)[0]]).toEqual([page, 200, number])
    }
    expect((await browser.get('/?text=lx4&page=2')).html).not.toContain('class="numbers"')
    const filtered = (await browser.get('/?year=2025&page=2')).html
    expect(filtered).toContain('href="/?year=2025&amp;page=3#flights"')
    expect(numbersIn(filtered)[0]).toBe(315)
  })

  test('lists upcoming flights first with the days left, and not by year', async () => {
    const { browser, api, airports } = await withFlights(1)
    const [fromId, toId] = airports
    await api.post('/flights', { date: '2026-06-02', fromId, toId, flightNumber: 'LX20' })
    await api.post('/flights', { date: '2026-08-01', fromId, toId, flightNumber: 'LX30' })
    await api.post('/flights', { date: '2026-12-01', datePrecision: 'month', fromId, toId, flightNumber: 'LX40' })
    const { html } = await browser.get('/')
    const upcoming = groupText(html, 'coming-up')
    expect(numbersIn(upcoming)).toEqual([20, 30, 40])
    expect(upcoming).toMatch(/2 Jun 2026 tomorrow .* 1 Aug 2026 in 61 days .* Dec 2026 ZRH/)
    expect(numbersIn(groupText(html, 'year-2025'))).toEqual([1])
    expect(textOf(html)).toContain('4 flights')
    expect(textOf(html)).toContain('2025 1 flight,')
    expect(textOf(html)).toContain('flight 1 flown')
  })

  test('shows the layover between connecting flights', async () => {
    const { browser, api, airports } = await withFlights(0)
    const [zrh, lis] = airports
    const copenhagen = {
      ...zurich,
      icao: 'EKCH',
      iata: 'CPH',
      name: 'Kastrup',
      municipality: 'Copenhagen',
      latitude: 55.6,
    }
    const cph = (await api.post('/airports', copenhagen)).body.data.id
    const add = (fromId: number, toId: number, departure: string, arrival: string) =>
      api.post('/flights', { date: departure.slice(0, 10), fromId, toId, departure, arrival })
    await add(zrh!, lis!, '2025-05-01T08:00:00Z', '2025-05-01T10:00:00Z')
    await add(lis!, cph, '2025-05-01T12:15:00Z', '2025-05-01T15:00:00Z')
    // A return flight and a flight two days later are not connections.
    await add(cph, lis!, '2025-05-01T18:00:00Z', '2025-05-01T21:00:00Z')
    await add(lis!, zrh!, '2025-05-03T12:00:00Z', '2025-05-03T14:00:00Z')
    const { html } = await browser.get('/')
    expect([...html.matchAll(/<p class="layover">.*?<\/p>/gs)].map(([line]) => textOf(line).trim())).toEqual([
      '2 h 15 min in Lisbon',
    ])
    expect(html.indexOf('class="layover"')).toBeGreaterThan(html.indexOf('2025-05-01T18:00:00.000Z'))
    expect(html.indexOf('class="layover"')).toBeLessThan(html.indexOf('2025-05-01T08:00:00.000Z'))
  })

  test('shows seat, type and arrival day of each flight if known', async () => {
    const { browser, api, airports, owner } = await withFlights(0)
    const [fromId, toId] = airports
    const aircraftId = (await api.post('/aircraft', { name: 'Airbus A220-300', icao: 'BCS3' })).body.data.id
    const airlineId = (await api.post('/airlines', { name: 'Swiss', iata: 'LX', icao: 'SWR' })).body.data.id
    const passengers = [
      { userId: owner.id, seat: 'window', seatNumber: '12A' },
      { guestName: 'Otto', seatNumber: '12B' },
    ]
    const night = { departure: '2025-05-01T22:00:00+02:00', arrival: '2025-05-02T00:10:00+01:00' }
    const ids = [
      await api.post('/flights', {
        date: '2025-05-01',
        fromId,
        toId,
        airlineId,
        aircraftId,
        flightNumber: 'LX9',
        passengers,
        ...night,
      }),
      await api.post('/flights', { date: '2025-04-01', fromId, toId: fromId }),
    ].map(({ body }) => body.data.id)
    const { html } = await browser.get('/')
    expect(groupText(html, 'year-2025')).toMatch(/LX LX9 Swiss Airbus A220-300 12A Seat 12A window .*22:00 – 00:10 \+1/)
    expect(groupText(html, 'year-2025')).not.toMatch(/ 0 min| 0 h|12B/)
    // The route is a link, and its name includes the date.
    for (const id of ids) expect(html).toContain(`<a class="route" href="/flights/${id}">`)
    expect(html).toContain('<span class="unseen">, 1 May 2025</span>')
  })

  test('shows flags and airline badges, and seat, class and reason as icons with text', async () => {
    const { browser, api, airports, owner } = await withFlights(0)
    const [fromId, toId] = airports
    const airlineId = (await api.post('/airlines', { name: 'Swiss', iata: 'LX', icao: 'SWR' })).body.data.id
    const passengers = [{ userId: owner.id, seat: 'aisle', seatClass: 'business', flightReason: 'business' }]
    await api.post('/flights', { date: '2025-05-01', fromId, toId, airlineId, passengers })
    const { html } = await browser.get('/')
    const row = /<tr><td class="when">.*?<\/tr>/s.exec(html)![0]
    expect(row.match(/<img class="flag" src="\/assets\/flag-\w+/g)).toEqual([
      '<img class="flag" src="/assets/flag-ch',
      '<img class="flag" src="/assets/flag-pt',
    ])
    expect(row).toMatch(/<span class="badge colour-\d" aria-hidden="true">LX<\/span>/)
    expect([...row.matchAll(/title="([^"]*)"><svg/g)].map(([, title]) => title)).toEqual([
      'Aisle seat',
      'Class: Business',
      'Reason: Business',
    ])
    expect(textOf(row)).toContain('Aisle seat Class: Business Reason: Business')
  })

  test('sets the direction of right-to-left names', async () => {
    const { browser, api, airports } = await withFlights(0)
    const airlineId = (await api.post('/airlines', { name: 'אל על', iata: 'LY', icao: 'ELY' })).body.data.id
    await api.post('/flights', { date: '2025-05-01', fromId: airports[0], toId: airports[1], airlineId })
    const { html } = await browser.get('/')
    expect(html).toContain('<span class="quiet fact" dir="auto">אל על</span>')
    expect(html).toContain('<bdi>Mira</bdi>')
  })
})

describe('sorting', () => {
  async function withVariedFlights() {
    const instance = await withFlights(0)
    const { api, airports, browser } = instance
    const [zrh, lis] = airports as [number, number]
    const create = async (path: string, body: object): Promise<number> => (await api.post(path, body)).body.data.id
    const far = { ...lisbon, icao: 'NZAA', iata: 'AKL', latitude: -37, longitude: 174.8, country: 'NZ' }
    const akl = await create('/airports', far)
    const swiss = await create('/airlines', { name: 'Swiss', iata: 'LX' })
    const tap = await create('/airlines', { name: 'TAP', iata: 'TP' })
    const airbus = await create('/aircraft', { name: 'Airbus A320' })
    const boeing = await create('/aircraft', { name: 'Boeing 737' })
    const add = (flightNumber: string, date: string, fromId: number, toId: number, more: object = {}) =>
      create('/flights', { flightNumber, date, fromId, toId, ...more })
    await add('LX1', '2024-01-01', zrh, lis, { airlineId: tap, aircraftId: boeing, duration: 9000 })
    await add('LX2', '2025-01-01', zrh, akl, { airlineId: swiss, duration: 80_000 })
    await add('LX3', '2025-02-01', lis, zrh, { airlineId: tap, aircraftId: airbus })
    await add('LX4', '2026-07-01', akl, zrh, { duration: 79_000 })
    const sorted = async (query: string) => (await browser.get(`/${query}`)).html
    return { ...instance, sorted }
  }

  test('follows the columns in both orders, with unknown values last', async () => {
    const { sorted } = await withVariedFlights()
    const orders = {
      '': [4, 3, 2, 1],
      '?sort=date&order=asc': [1, 2, 3, 4],
      '?sort=distance': [4, 2, 3, 1],
      '?sort=distance&order=asc': [3, 1, 4, 2],
      '?sort=duration': [2, 4, 1, 3],
      '?sort=duration&order=asc': [1, 4, 2, 3],
      '?sort=airline': [2, 3, 1, 4],
      '?sort=airline&order=desc': [3, 1, 2, 4],
      '?sort=aircraft': [3, 1, 4, 2],
      '?sort=route': [4, 3, 2, 1],
      '?sort=route&order=desc': [1, 2, 3, 4],
      '?sort=seat&order=up': [4, 3, 2, 1],
      '?sort=distance&sort=date': [4, 3, 2, 1],
    }
    for (const [query, numbers] of Object.entries(orders)) {
      const table = /<table class="flights">.*<\/table>/s.exec(await sorted(query))![0]
      expect([query, numbersIn(table)]).toEqual([query, numbers])
    }
  })

  test('marks the sorted column, and its link reverses the order', async () => {
    const { sorted } = await withVariedFlights()
    const headingsOf = (html: string) =>
      [...html.matchAll(/<th scope="col"[^>]*?(?: aria-sort="(\w+)")?><a href="([^"]*)"/g)].map(([, order, link]) =>
        [order, link!.replaceAll('&amp;', '&')].filter(Boolean).join(' '),
      )
    expect(headingsOf(await sorted(''))).toEqual([
      'descending /?order=asc#flights',
      '/?sort=route#flights',
      '/?sort=airline#flights',
      '/?sort=aircraft#flights',
      '/?sort=distance#flights',
      '/?sort=duration#flights',
    ])
    const [date, , airline] = headingsOf(await sorted('?sort=airline&year=2025'))
    expect([date, airline]).toEqual(['/?year=2025#flights', 'ascending /?year=2025&sort=airline&order=desc#flights'])
  })

  test('groups by year only if the log is sorted by date', async () => {
    const { sorted } = await withVariedFlights()
    expect((await sorted('?order=asc')).match(/id="(year-\d+|coming-up)"/g)).toEqual([
      'id="year-2024"',
      'id="year-2025"',
      'id="coming-up"',
    ])
    const byDistance = await sorted('?sort=distance')
    expect(byDistance).not.toMatch(/id="(year-\d+|coming-up)"/)
    expect(textOf(byDistance)).toMatch(/1 Jul 2026 in 30 days AKL/)
  })

  test('is kept by the filter, the pages and the chips', async () => {
    const { browser } = await withFlights(0).then(addNumberedFlights(60))
    const first = (await browser.get('/?sort=distance&order=asc&text=zrh')).html
    expect(first).toContain('<input type="hidden" name="sort" value="distance"/>')
    expect(first).toContain('<input type="hidden" name="order" value="asc"/>')
    expect(first).toContain('href="/?text=zrh&amp;sort=distance&amp;order=asc&amp;page=2#flights"')
    expect(first).toContain('href="/?sort=distance&amp;order=asc"')
    const oldest = (await browser.get('/?order=asc&page=2')).html
    expect(numbersIn(oldest)).toEqual(countdown(60, 51).reverse())
  })
})

describe('an empty log', () => {
  test('offers permitted ways to add flights', async () => {
    const { browser, app, user, services } = await signedIn()
    const { html } = await browser.get('/')
    expect(html).toMatch(/class="atlas whole"/)
    for (const link of ['/flights/new', '/import', '/settings/security']) expect(html).toContain(`href="${link}"`)
    const reader = browserSession(app)
    reader.jar.set('paxlog', await services.sessions.start(user({ role: ['flight.read.own'] }).id))
    const text = (await reader.get('/')).html
    expect(text).toContain('No flights yet.')
    expect(text).toContain('your own API key')
    expect(text).not.toMatch(/\/flights\/(new|import)/)
  })
})
