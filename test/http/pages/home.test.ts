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

/** Adds flights LX1 to LX<count>, one a day, by the API. */
const numbered =
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

/** What a person reads, without the marks that keep figures and units on one line. */
const words = (html: string) =>
  html
    .replace(/<head>.*<\/head>/s, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

const homeOf = async ({ browser }: Pick<Instance, 'browser'>, language = 'de-CH') =>
  words((await browser.get('/', { 'accept-language': language })).html)

describe('GET /', () => {
  test('C13: leads to the sign-in and back without a session', async () => {
    const { app } = await signedIn()
    expect(await browserSession(app).get('/')).toMatchObject({ status: 303, location: '/login?next=%2F' })
  })

  test('says how long a short flight takes in minutes, and that times are not known rather than none', async () => {
    const unknown = await withFlights(1, { departure: null, arrival: null, duration: null })
    expect(await homeOf(unknown)).toContain('Time in the air not known')
    const short = await withFlights(1, { departure: null, arrival: null, duration: 57 * 60 })
    expect(await homeOf(short)).toMatch(/Time in the air 57 min.* 57 min /)
  })

  test('shows who is signed in, the figures and the 20 newest own flights, newest first', async () => {
    const text = await homeOf(await withFlights(22))
    expect(text).toContain('Mira Signed in as mira · Owner of this instance')
    expect(text).toContain('Flights 22 Distance 37,908 km Time in the air 64 h 10 min Airports 2')
    expect(text).toContain('Route ZRH → LIS 22 times')
    expect(text).toContain('Your 20 newest flights')
    expect([...text.matchAll(/\bLX(\d+)/g)].map(([, number]) => Number(number))).toEqual(
      Array.from({ length: 20 }, (_, index) => 22 - index),
    )
    expect(text).toContain('3 May 2025 ZRH Zurich to LIS Lisbon 1,723 km 2 h 55 min 12:20 – 14:15 LX3 ')
  })

  test('leaves flights of others out', async () => {
    const instance = await withFlights(1)
    const other = instance.user({ username: 'otto' })
    const mate = { ...instance, browser: browserSession(instance.app) }
    mate.browser.jar.set('paxlog', instance.services.sessions.start(other.id))
    expect(await homeOf(mate)).toContain('No flights yet.')
  })

  test('writes days, times and distances as the user prefers', async () => {
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

  test('shows no more of a date than is known, and no times with it', async () => {
    const text = await homeOf(await withFlights(1, { datePrecision: 'month' }))
    expect(text).toContain('May 2025 ZRH')
    expect(text).not.toContain('12:20')
  })

  test('leaves out what the role does not permit', async () => {
    const instance = await withFlights(1)
    const other = instance.user({ role: ['users.directory.read'] })
    const mate = { ...instance, browser: browserSession(instance.app) }
    mate.browser.jar.set('paxlog', instance.services.sessions.start(other.id))
    const text = await homeOf(mate)
    expect(text).toContain(`Signed in as ${other.username}`)
    expect(text).toContain('Your role does not include reading flights.')
    expect(text).not.toMatch(/So far|No flights yet|Your flights/)
  })

  test('links to the settings, the reference and the sign-out, and every link leads somewhere', async () => {
    const { browser } = await signedIn()
    const { html } = await browser.get('/')
    const links = [...html.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, url]) => url!)
    expect(links).toContain('/settings/security')
    expect(html).toContain('action="/logout"')
    expect(html).toContain('API reference</a>')
    for (const url of links) expect([url, (await browser.get(url)).status]).toEqual([url, 200])
  })
})

const numbersIn = (text: string) => [...text.matchAll(/\bLX(\d+)/g)].map(([, number]) => Number(number))

const linkIn = (html: string, words: string) =>
  new RegExp(`<a [^>]*href="([^"]+)"[^>]*>${words}</a>`).exec(html)?.[1]?.replace(/#.*/, '')

const countdown = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('the pages of the log', () => {
  test('lead to older flights and back to newer ones, and the first has no cursor in its address', async () => {
    const { browser } = await withFlights(0).then(numbered(50))
    const first = await browser.get('/')
    expect(numbersIn(first.html)).toEqual(countdown(50, 31))
    expect(linkIn(first.html, '← Newer')).toBeUndefined()
    const second = await browser.get(linkIn(first.html, 'Older →')!)
    expect(numbersIn(second.html)).toEqual(countdown(30, 11))
    expect(second.html).toContain('<title>Older flights – Paxlog</title>')
    const third = await browser.get(linkIn(second.html, 'Older →')!)
    expect(numbersIn(third.html)).toEqual(countdown(10, 1))
    expect(linkIn(third.html, 'Older →')).toBeUndefined()
    const back = linkIn(third.html, '← Newer')!
    expect(numbersIn((await browser.get(back)).html)).toEqual(countdown(30, 11))
    expect(linkIn(second.html, '← Newer')).toBe('/')
  })

  test('keep their place when a newer flight is added meanwhile', async () => {
    const { browser, add } = await withFlights(0).then(numbered(45))
    const second = linkIn((await browser.get('/')).html, 'Older →')!
    await add(46)
    expect(numbersIn((await browser.get(second)).html)).toEqual(countdown(25, 6))
    const newer = linkIn((await browser.get(second)).html, '← Newer')!
    expect(newer).not.toBe('/')
    expect(numbersIn((await browser.get(newer)).html)).toEqual(countdown(45, 26))
    const first = linkIn((await browser.get(newer)).html, '← Newer')
    expect(first).toBe('/')
  })

  test('a page whose flights were deleted says so and leads back', async () => {
    const { browser, db } = await withFlights(0).then(numbered(21))
    const second = linkIn((await browser.get('/')).html, 'Older →')!
    db.$client.prepare("delete from flights where flight_number = 'LX1'").run()
    const { html } = await browser.get(second)
    expect(html).toContain('There are no older flights.')
    expect(linkIn(html, '← Newer')).toBe('/')
  })

  test.each(['?after=', '?after=nonsense', '?after=a&after=b'])(
    'an address that leads nowhere is 400: %s',
    async (query) => {
      const { browser } = await signedIn()
      const { status, html } = await browser.get(`/${query}`)
      expect(status).toBe(400)
      expect(html).toContain('Begin again at the newest flights.')
    },
  )

  test('each flight leads to its form, for those who may change it', async () => {
    const { browser, app, user, services, db } = await withFlights(0).then(numbered(1))
    expect((await browser.get('/')).html).toMatch(
      /<a href="\/flights\/1\/edit">Edit<span[^>]*> the flight from ZRH to LIS, /,
    )
    const reader = user({ role: ['flight.read.own'] })
    db.$client.prepare("insert into passengers (flight_id, user_id, date) values (1, ?, '2025-01-01')").run(reader.id)
    const other = browserSession(app)
    other.jar.set('paxlog', services.sessions.start(reader.id))
    const { html } = await other.get('/')
    expect(html).toContain('LX1')
    expect(html).not.toMatch(/\/flights\//)
  })
})

describe('an empty log', () => {
  test('offers the ways to fill it that the role permits', async () => {
    const { browser, app, user, services } = await signedIn()
    const { html } = await browser.get('/')
    for (const link of ['/flights/new', '/import', '/settings/security']) expect(html).toContain(`href="${link}"`)
    const reader = browserSession(app)
    reader.jar.set('paxlog', services.sessions.start(user({ role: ['flight.read.own'] }).id))
    const text = (await reader.get('/')).html
    expect(text).toContain('No flights yet.')
    expect(text).toContain('Use the API')
    expect(text).not.toMatch(/\/flights\/(new|import)/)
  })
})
