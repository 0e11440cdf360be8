import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sharedSignedIn, signedIn } from '../../support/pages.ts'
import { flying, places } from '../../support/travel.ts'

const NOW = Date.parse('2025-06-15T12:00:00.000Z')

let instance: Awaited<ReturnType<typeof sharedSignedIn>>
let api: ReturnType<typeof instance.as>
let fly: (from: string, to: string, body: Record<string, unknown>) => Promise<number>

beforeAll(async () => {
  instance = await sharedSignedIn({ now: () => NOW })
  const { owner } = instance
  const key = instance.key(owner.id)
  api = instance.as(key)
  const add = flying(instance, places(instance.db))
  const user = { id: owner.id, key } as Parameters<typeof add>[0]
  fly = async (from, to, body) => {
    await add(user, from as 'ZRH', to as 'ZRH', body)
    const { body: list } = await api.get('/flights?limit=100')
    return Math.max(...list.data.map(({ id }: { id: number }) => id))
  }
})
afterAll(() => instance.close())

const page = async (path: string) => (await instance.browser.get(path)).html
const submit = (from: string, to: string, fields: Record<string, string>) => instance.browser.submit(from, to, fields)
const tripsOf = async (): Promise<{ id: number; name: string; note: string | null; flightIds: number[] }[]> =>
  (await api.get('/trips')).body.data

async function emptyTrips(): Promise<void> {
  for (const { id } of await tripsOf()) await api.delete(`/trips/${id}`)
}

describe('the page of trips', () => {
  test('offers a new trip if there is none', async () => {
    await emptyTrips()
    const other = await signedIn({ now: () => NOW })
    const { html } = await other.browser.get('/trips')
    expect(html).toContain('Group the flights of a journey and see them together.')
    expect(html).toMatch(/<details class="new" open/)
    expect(html).not.toContain('class="mini"')
  })

  test('creates a trip with name and note, and shows what is wrong', async () => {
    await emptyTrips()
    const wrong = await submit('/trips', '/trips', { name: ' ', note: 'Kept' })
    expect(wrong.status).toBe(422)
    expect(wrong.html).toContain('Kept')
    const { status, location } = await submit('/trips', '/trips', { name: 'Alps <2024>', note: '' })
    const [trip] = await tripsOf()
    expect([status, location]).toEqual([303, `/trips/${trip!.id}`])
    expect(trip).toMatchObject({ name: 'Alps <2024>', note: null, flightIds: [] })
    expect(await page('/trips')).toContain('Alps &lt;2024>')
  })

  test('creates a suggested trip with one button, and shows it with a map, its dates and figures', async () => {
    await emptyTrips()
    const out = await fly('ZRH', 'JFK', { date: '2024-03-08' })
    const back = await fly('JFK', 'ZRH', { date: '2024-03-20' })
    const html = await page('/trips')
    const [, flightIds] = /name="flightIds" value="([\d,]+)"/.exec(html)!
    expect(flightIds).toBe(`${out},${back}`)
    await submit('/trips', '/trips', { name: 'New York, March 2024', note: '', flightIds: flightIds! })
    expect((await tripsOf())[0]).toMatchObject({ name: 'New York, March 2024', flightIds: [out, back] })
    const listed = await page('/trips')
    expect(listed).not.toContain('name="flightIds"')
    for (const words of ['New York, March 2024', '8 Mar 2024 – 20 Mar 2024', '2 flights', 'class="mini"'])
      expect(listed).toContain(words)
    const shown = await page(`/trips/${(await tripsOf())[0]!.id}`)
    for (const words of ['13', 'days', 'class="flights"', `/flights/${out}`]) expect(shown).toContain(words)
    // In the order of travel.
    expect(shown.indexOf(`/flights/${out}"`)).toBeLessThan(shown.indexOf(`/flights/${back}"`))
  })
})

describe('a trip', () => {
  test('is changed, shared and deleted by its forms', async () => {
    await emptyTrips()
    const id = (await api.post('/trips', { name: 'Before', flightIds: [] })).body.data.id
    const path = `/trips/${id}`
    expect(await page(path)).toContain('This trip has no flights yet.')
    expect((await submit(`${path}/edit`, `${path}/edit`, { name: '', note: 'x' })).status).toBe(422)
    await submit(`${path}/edit`, `${path}/edit`, { name: 'After', note: 'With rain' })
    expect((await tripsOf())[0]).toMatchObject({ name: 'After', note: 'With rain' })
    await submit(path, `${path}/share`, {})
    const [share] = (await api.get('/shares')).body.data
    expect(share).toMatchObject({ tripId: id, showDates: true, showFlightList: true })
    expect(await page(path)).toContain(`/share/${share.slug}`)
    expect(await page('/settings/shares')).toContain('the trip “After”')
    expect((await submit(path, `${path}/delete`, {})).location).toBe('/trips')
    expect((await instance.browser.get(path)).status).toBe(404)
  })

  test('takes chosen flights', async () => {
    await emptyTrips()
    const flight = await fly('ZRH', 'LIS', { date: '2025-01-02' })
    const { id } = (await api.post('/trips', { name: 'Lisbon' })).body.data
    const path = `/trips/${id}`
    expect(await page(path)).toContain(`name="flightIds" value="${flight}"`)
    await submit(path, path, {})
    expect((await tripsOf())[0]!.flightIds).toEqual([])
    await submit(path, path, { flightIds: String(flight) })
    expect((await tripsOf())[0]!.flightIds).toEqual([flight])
  })

  test('offers flights without a trip, the closest ones first', async () => {
    await emptyTrips()
    const flight = await fly('ZRH', 'LIS', { date: '2031-06-10' })
    const before = await fly('LIS', 'ZRH', { date: '2031-06-01' })
    const late = await fly('LIS', 'ZRH', { date: '2031-07-20' })
    const after = await fly('LIS', 'ZRH', { date: '2031-06-12' })
    await fly('LIS', 'ZRH', { date: '2031-09-01' })
    const { id } = (await api.post('/trips', { name: 'Lisbon', flightIds: [flight] })).body.data
    const offered = [...(await page(`/trips/${id}`)).matchAll(/name="flightIds" value="(\d+)"/g)]
    expect(offered.map(([, value]) => Number(value))).toEqual([after, before, late])
  })

  test('is chosen on the page of a flight', async () => {
    await emptyTrips()
    const flight = await fly('ZRH', 'LIS', { date: '2025-01-02' })
    const make = async (name: string) => (await api.post('/trips', { name })).body.data.id as number
    const [first, second] = [await make('First'), await make('Second')]
    const path = `/flights/${flight}`
    const choose = (trip: number | '') => submit(path, `${path}/trip`, { trip: String(trip) })
    expect(await page(path)).toContain('Add to trip')
    for (const trip of [first, second]) {
      await choose(trip)
      expect(await page(path)).toContain(`href="/trips/${trip}"`)
    }
    const flights = async () => Object.fromEntries((await tripsOf()).map(({ name, flightIds }) => [name, flightIds]))
    expect(await flights()).toEqual({ First: [], Second: [flight] })
    await choose('')
    expect(await flights()).toEqual({ First: [], Second: [] })
    expect((await choose(999_999)).status).toBe(404)
  })

  test('of another user is not found', async () => {
    const noor = instance.user({ username: 'noor' })
    const { id } = (await instance.as(noor).post('/trips', { name: 'Theirs' })).body.data
    for (const path of [`/trips/${id}`, `/trips/${id}/edit`])
      expect((await instance.browser.get(path)).status).toBe(404)
  })

  test('is the category of its flights in the calendar', async () => {
    await emptyTrips()
    const flight = await fly('ZRH', 'CPH', { date: '2025-02-02' })
    await api.post('/trips', { name: 'Snow, and ice', flightIds: [flight] })
    const caller = { ...instance.owner, userId: instance.owner.id }
    const calendar = { userId: caller.userId, displayName: 'x', withNotes: false }
    const { services } = instance
    const text = await services.calendars.text(calendar, await services.calendars.whole(calendar)).next()
    expect(String(text.value).match(/CATEGORIES:.*/g)).toEqual(['CATEGORIES:Snow\\, and ice'])
  })
})
