import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, paxlog, sharedPaxlog } from '../../support/paxlog.ts'

let now = Date.parse('2025-09-01T07:00:00.000Z')
let app: Paxlog
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => now, baseUrl: 'https://fly.example' })
})
afterAll(() => app.close())

const defaults = {
  expiresAt: null,
  dateFrom: null,
  dateTo: null,
  tripId: null,
  showMap: true,
  showFlightNumbers: true,
  showAirlines: true,
  showDates: true,
  showStats: false,
  showFlightList: false,
  showAircraft: false,
  showSeat: false,
  showTimes: false,
  showTracks: false,
}
const everything = Object.fromEntries(
  Object.keys(defaults)
    .filter((name) => name.startsWith('show'))
    .map((name) => [name, true]),
)
let counter = 0
const slug = () => `share-${++counter}`
const detailsOf = (body: { error: { details: { path: string[]; code: string }[] } }) =>
  body.error.details.map(({ path, code }) => `${path.join('.')} ${code}`).sort()

describe('POST /api/v1/shares', () => {
  test('generates a slug and applies every default', async () => {
    const { status, headers, body } = await app.as(app.user()).post('/shares', {})
    expect(status).toBe(201)
    const { id, slug: generated } = body.data
    expect(generated).toMatch(/^[a-z0-9]{12}$/)
    expect(headers.location).toBe(`/api/v1/shares/${id}`)
    expect(body.data).toEqual({
      id,
      slug: generated,
      ...defaults,
      createdAt: '2025-09-01T07:00:00.000Z',
      url: `https://fly.example/share/${generated}`,
    })
  })

  test('stores the values as sent, with a trimmed slug and UTC instants', async () => {
    const payload = {
      ...everything,
      slug: '  Summer_25-a ',
      expiresAt: '2025-12-31T23:00:00+02:00',
      dateFrom: '2025-06-01',
      dateTo: '2025-06-01',
    }
    const { body } = await app.as(app.user()).post('/shares', payload)
    expect(body.data).toMatchObject({
      ...payload,
      slug: 'Summer_25-a',
      expiresAt: '2025-12-31T21:00:00.000Z',
      url: 'https://fly.example/share/Summer_25-a',
    })
  })

  test('stores showTracks as false without a map, and showTimes as sent without dates', async () => {
    const payload = { showMap: false, showTracks: true, showDates: false, showTimes: true }
    const { body } = await app.as(app.user()).post('/shares', payload)
    expect(body.data).toMatchObject({ showMap: false, showTracks: false, showDates: false, showTimes: true })
  })

  test('reports all errors together: slug, order of dates, past expiry and types', async () => {
    const user = app.user()
    const errorsOf = async (payload: unknown) => {
      const { status, body } = await app.as(user).post('/shares', payload)
      return [status, detailsOf(body)]
    }
    expect(await errorsOf({ slug: 'a b' })).toEqual([422, ['slug invalid_format']])
    expect(await errorsOf({ slug: 'é' })).toEqual([422, ['slug invalid_format']])
    expect(await errorsOf({ slug: '   ' })).toEqual([422, ['slug too_small']])
    expect(await errorsOf({ slug: 'a'.repeat(81) })).toEqual([422, ['slug too_big']])
    expect(await errorsOf({ dateFrom: '2025-06-02', dateTo: '2025-06-01' })).toEqual([422, ['dateTo custom']])
    expect(await errorsOf({ dateFrom: '2025-06-02', dateTo: '2025-06-01', showMap: 'yes', slug: '?' })).toEqual([
      422,
      ['dateTo custom', 'showMap invalid_type', 'slug invalid_format'],
    ])
    expect(await errorsOf({ expiresAt: '2025-09-01T06:59:59.999Z' })).toEqual([422, ['expiresAt custom']])
    expect(await errorsOf({ expiresAt: '2025-09-01' })).toEqual([422, ['expiresAt invalid_format']])
    expect(await errorsOf({ dateFrom: '2025-02-30', showDates: null })).toEqual([
      422,
      ['dateFrom invalid_format', 'showDates invalid_type'],
    ])
    expect((await app.as(user).post('/shares', { slug: 'a'.repeat(80), expiresAt: '2025-09-01T07:00Z' })).status).toBe(
      201,
    )
  })

  test('returns 409 for a slug in use in any case, by another user or an expired share', async () => {
    const name = slug()
    await app.as(app.user()).post('/shares', { slug: name, expiresAt: new Date(now + 1000).toISOString() })
    now += 5000
    const { status, body } = await app.as(app.user()).post('/shares', { slug: name.toUpperCase() })
    expect([status, body.error.code]).toEqual([409, 'conflict'])
    expect(body.error.message).toContain(name.toUpperCase())
  })

  test('returns 201 and 409 for two concurrent requests with the same slug, in every round', async () => {
    const [mira, noor] = [app.user(), app.user()]
    for (let round = 0; round < 60; round++) {
      const name = slug()
      const answers = await Promise.all([
        app.as(mira).post('/shares', { slug: name }),
        app.as(round % 2 ? mira : noor).post('/shares', { slug: name.toUpperCase() }),
      ])
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
    }
  })
})

describe('GET, PUT and DELETE /api/v1/shares', () => {
  test("list the user's shares newest first, with expired ones, on one page", async () => {
    const user = app.user()
    const ids: number[] = []
    for (const expiresAt of [null, new Date(now + 1000).toISOString(), null]) {
      ids.unshift((await app.as(user).post('/shares', { expiresAt })).body.data.id)
    }
    now += 60_000
    ids.unshift((await app.as(user).post('/shares', {})).body.data.id)
    await app.as(app.user()).post('/shares', {})
    const { body } = await app.as(user).get('/shares')
    expect(body.data.map(({ id }: { id: number }) => id)).toEqual(ids)
    expect(body.page).toEqual({ nextCursor: null })
    expect((await app.as(user).get(`/shares/${ids[0]}`)).body.data).toEqual(body.data[0])
  })

  test('replace a share with defaults for absent members, and keep slug and creation time', async () => {
    const user = app.user()
    const name = slug()
    const { id, createdAt } = (
      await app.as(user).post('/shares', { ...everything, slug: name, dateFrom: '2025-01-01', dateTo: '2025-02-01' })
    ).body.data
    now += 1000
    const { status, body } = await app.as(user).put(`/shares/${id}`, { showStats: true })
    expect(status).toBe(200)
    expect(body.data).toEqual({
      id,
      slug: name,
      ...defaults,
      showStats: true,
      createdAt,
      url: `https://fly.example/share/${name}`,
    })
    const other = slug()
    expect((await app.as(user).put(`/shares/${id}`, { slug: other })).body.data.slug).toBe(other)
    expect((await app.as(user).put(`/shares/${id}`, { slug: null })).body.data.slug).toBe(other)
    expect((await app.as(user).put(`/shares/${id}`, { slug: other.toUpperCase() })).body.data.slug).toBe(
      other.toUpperCase(),
    )
    const taken = (await app.as(app.user()).post('/shares', {})).body.data.slug
    expect((await app.as(user).put(`/shares/${id}`, { slug: taken.toUpperCase() })).status).toBe(409)
    // The old slug is available again.
    expect((await app.as(app.user()).post('/shares', { slug: name })).status).toBe(201)
  })

  test("return 404 for another user's share and for a missing one, without changes", async () => {
    const user = app.user()
    const { id } = (await app.as(app.user()).post('/shares', {})).body.data
    for (const path of [`/shares/${id}`, '/shares/999999']) {
      const answers = [await app.as(user).get(path), await app.as(user).put(path, {}), await app.as(user).delete(path)]
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
    }
    const owner = app.user({ role: 'role-administrator' })
    expect((await app.as(owner).get(`/shares/${id}`)).status).toBe(404)
    expect(app.db.$client.prepare('select count(*) from shares where id = ?').pluck().get(id)).toBe(1)
  })

  test('validate the body before they look up the share', async () => {
    const user = app.user()
    for (const body of [{ slug: '?' }, { expiresAt: '2001-01-01T00:00Z' }]) {
      expect((await app.as(user).put('/shares/999999', body)).status).toBe(422)
    }
    expect((await app.as(user).put('/shares/0', {})).status).toBe(400)
  })

  test('look up the share before its trip', async () => {
    const { status } = await app.as(app.user()).put('/shares/999999', { tripId: 999_999 })
    expect(status).toBe(404)
  })

  test('delete a share and make its slug available', async () => {
    const user = app.user()
    const name = slug()
    const { id } = (await app.as(user).post('/shares', { slug: name })).body.data
    expect((await app.as(user).delete(`/shares/${id}`)).status).toBe(204)
    expect((await app.as(user).delete(`/shares/${id}`)).status).toBe(404)
    expect((await app.as(user).post('/shares', { slug: name })).status).toBe(201)
  })

  test('require their scopes and the permission to share', async () => {
    const user = app.user()
    const reader = app.key(user.id, ['shares.read'])
    const writer = app.key(user.id, ['shares.write'])
    expect((await app.as(reader).post('/shares', {})).body.error.code).toBe('insufficient_scope')
    expect((await app.as(writer).get('/shares')).body.error.code).toBe('insufficient_scope')
    expect((await app.as(writer).post('/shares', {})).status).toBe(201)
    const quiet = app.user({ role: ['flight.read.any', 'flight.update.any'] })
    expect((await app.as(quiet).post('/shares', {})).body.error.code).toBe('forbidden')
  })
})

test('limits shares to one hundred per user and allows a new one after a deletion', async () => {
  const app = await paxlog()
  const [mira, noor] = [app.user(), app.user()]
  const ids: number[] = []
  for (let count = 0; count < 100; count++) ids.push((await app.as(mira).post('/shares', {})).body.data.id)
  expect(await app.as(mira).post('/shares', {})).toMatchObject({ status: 409, body: { error: { code: 'conflict' } } })
  expect((await app.as(mira).post('/shares', { expiresAt: '2001-01-01T00:00Z' })).status).toBe(422)
  expect((await app.as(noor).post('/shares', {})).status).toBe(201)
  expect((await app.as(mira).delete(`/shares/${ids[0]}`)).status).toBe(204)
  expect((await app.as(mira).post('/shares', {})).status).toBe(201)
})
