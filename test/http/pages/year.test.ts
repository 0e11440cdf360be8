import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { browserSession } from '../../support/browser-session.ts'
import { sharedSignedIn } from '../../support/pages.ts'
import { flying, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let api: ReturnType<typeof instance.as>

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  const { owner } = instance
  const key = instance.key(owner.id)
  api = instance.as(key)
  const records = places(instance.db)
  const fly = flying(instance, records)
  const user = { id: owner.id, key } as Parameters<typeof fly>[0]
  const { a220, dc3 } = records.aircraft
  const guests = (...names: string[]) => ({
    passengers: [{ userId: owner.id }, ...names.map((guestName) => ({ guestName }))],
  })
  // 30 minutes late.
  const late = {
    departure: '2023-03-01T10:00:00Z',
    arrivalScheduled: '2023-03-01T12:00:00Z',
    arrival: '2023-03-01T12:30:00Z',
  }
  await fly(user, 'ZRH', 'LIS', { date: '2023-03-01', aircraftId: a220, ...late, ...guests('Ona') })
  await fly(user, 'ZRH', 'LIS', { date: '2024-03-01', aircraftId: a220, duration: 9000, ...guests('Bo') })
  await fly(user, 'LIS', 'JFK', { date: '2024-03-08', aircraftId: dc3, duration: 30_000, ...guests('Ana', 'Bo') })
  const coordinates = [
    [-73.8, 40.6],
    [8.5, 47.5],
  ]
  await fly(user, 'JFK', 'ZRH', { date: '2024-11-20', track: { sourceFormat: 'gpx', coordinates } })
  await fly(user, 'ZRH', 'SIN', { date: '2025-12-01' })
})
afterAll(() => instance.close())

const page = async (path: string) => (await instance.browser.get(path)).html
const textOf = (html: string) =>
  html
    .replace(/<svg.*?<\/svg>/gs, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('\u00a0', ' ')
    .replace(/\s+/g, ' ')

describe('GET /statistics/{year}', () => {
  test('requires a session, also for its pictures', async () => {
    for (const path of ['/statistics/2024', '/statistics/2024/story.png', '/statistics/2024/square.png']) {
      const answer = await browserSession(instance.app).get(path)
      expect(answer).toMatchObject({ status: 303, location: `/login?next=${encodeURIComponent(path)}` })
    }
  })

  test('shows five figures and their change since the year before', async () => {
    const { flights, distanceKm, airports } = (await api.get('/stats?dateFrom=2024-01-01&dateTo=2024-12-31')).body.data
    const before = (await api.get('/stats?dateFrom=2023-01-01&dateTo=2023-12-31')).body.data
    const inKm = (km: number) => `${km.toLocaleString('en')} km`
    const text = textOf(await page('/statistics/2024'))
    expect(text).toContain(
      `Distance ${inKm(distanceKm)} 0.3 times around the earth. ${inKm(distanceKm - before.distanceKm)} more than in 2023. ` +
        `Flights ${flights} 2 more Time in the air 10 h 50 min 8 h 20 min more Airports ${airports} 1 more Countries 3 1 more`,
    )
    expect(textOf(await page('/statistics/2023'))).toMatch(/Distance [\d,]+ km Flights 1 Time/)
  })

  test('shows first visits, the longest flight and the months, with links to their flights', async () => {
    const html = await page('/statistics/2024')
    const text = textOf(html)
    expect(text).toContain(
      'New places 1 country for the first time Countries United States Airports JFK New York Aircraft types Douglas DC-3',
    )
    expect(html).toMatch(/<img class="flag" src="\/assets\/flag-us-\w+\.svg"/)
    expect(text).toContain('Busiest month March 2 flights')
    expect(text).toMatch(/Longest flight 6,310 km JFK → ZRH 20 Nov 2024/)
    expect(text).toContain('First flight ZRH → LIS')
    const { longestDistance } = (await api.get('/stats/records?dateFrom=2024-01-01&dateTo=2024-12-31')).body.data
    expect(html).toContain(`href="/flights/${longestDistance.id}"`)
    expect(html).toContain('href="/?dateFrom=2024-03-01&amp;dateTo=2024-03-31"')
    expect(html).toContain('Map of 3 routes')
  })

  test('shows the companions of the year, the most frequent first', async () => {
    const text = textOf(await page('/statistics/2024'))
    expect(text).toContain('Companions Bo 2 flights together Bo 2 flights Ana 1 flight')
    expect(text).not.toContain('Ona')
    expect(textOf(await page('/statistics/2023'))).toContain('Companions Ona 1 flight together Punctuality')
  })

  test('shows punctuality only if scheduled and actual times are known', async () => {
    const text = textOf(await page('/statistics/2023'))
    expect(text).toContain('Punctuality 0% of arrivals early or on time')
    expect(text).toContain('ZRH → LIS on 1 Mar 2023')
    expect(textOf(await page('/statistics/2024'))).not.toContain('Punctuality')
  })

  test('draws the tracks of the year, as the interactive map does, with their legend', async () => {
    const html = await page('/statistics/2024')
    expect(html).toContain('class="tracks"')
    expect(textOf(html)).toContain('Recorded track')
    const address = /data-paths="[^"]*&quot;data&quot;:&quot;([^&]*)&amp;([^&]*)&quot;/.exec(html)!
    expect(address.slice(1)).toEqual(['/map/data?year=2024', 'completed=true'])
    const without = await page('/statistics/2023')
    expect(without).not.toContain('class="tracks"')
  })

  test('has a message for a year without flown flights, also with planned flights', async () => {
    expect(await page('/statistics/2025')).toContain('No flown flights in 2025.')
    expect(await page('/statistics/1990')).toContain('No flown flights in 1990.')
    expect(await page('/statistics/2025')).toContain('<a href="/?year=2025">Show planned flights</a>')
    expect(await page('/statistics/1990')).not.toContain('Show planned flights')
  })

  test('links to the previous and next years with flown flights', async () => {
    const neighbours = async (year: string) =>
      [...(await page(`/statistics/${year}`)).matchAll(/class="button" href="\/statistics\/(\d{4})"/g)].map(
        ([, other]) => other,
      )
    expect(await neighbours('2024')).toEqual(['2023'])
    expect(await neighbours('1990')).toEqual(['2023'])
    expect(await neighbours('2023')).toEqual(['2024'])
    // The only flight of 2025 is planned.
    expect(await neighbours('2099')).toEqual(['2024'])
  })

  test.each(['24', '20244', 'last', '0000', '2024x', '%00'])('returns 404 for the year %s', async (year) => {
    expect((await instance.browser.get(`/statistics/${year}`)).status).toBe(404)
  })
})

describe('year pictures', () => {
  test.each([
    ['story', 1080, 1920],
    ['square', 1080, 1080],
    ['card', 1200, 630],
  ])('%s has the expected size', async (format, width, height) => {
    const answer = await instance.app.inject({
      url: `/statistics/2024/${format}.png`,
      headers: { cookie: [...instance.browser.jar].map(([name, value]) => `${name}=${value}`).join('; ') },
    })
    const png = answer.rawPayload
    expect(answer.headers['content-type']).toBe('image/png')
    expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([width, height])
  })

  test('return 404 for a year without flights, and in other formats', async () => {
    expect((await instance.browser.get('/statistics/1990/card.png')).status).toBe(404)
    expect((await instance.browser.get('/statistics/2024/poster.png')).status).toBe(404)
  })
})
