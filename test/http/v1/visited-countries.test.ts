import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'

let app: Paxlog
beforeAll(async () => {
  app = await sharedPaxlog()
})
afterAll(() => app.close())

const listOf = async (user: { key: string }) => (await app.as(user.key).get('/visited-countries')).body

describe('PUT /api/v1/visited-countries', () => {
  test('stores a record and replaces the one with the same code under the same id', async () => {
    const user = app.user()
    const first = await app.as(user).put('/visited-countries', { code: 'pt', status: 'visited', note: 'Fado' })
    expect([first.status, first.body]).toEqual([
      200,
      { data: { id: expect.any(Number), code: 'PT', status: 'visited', note: 'Fado' } },
    ])
    const second = await app.as(user).put('/visited-countries', { code: 'PT', status: 'lived' })
    expect(second.body.data).toEqual({ id: first.body.data.id, code: 'PT', status: 'lived', note: null })
    expect((await listOf(user)).data).toHaveLength(1)
  })

  test('accepts every status, 249 countries and Kosovo, and no other code', async () => {
    const user = app.user()
    for (const status of ['lived', 'visited', 'layover', 'wishlist']) {
      expect((await app.as(user).put('/visited-countries', { code: 'XK', status })).body.data.status).toBe(status)
    }
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const answers = await Promise.all(
      letters.flatMap((a) =>
        letters.map((b) => app.as(user).put('/visited-countries', { code: a + b, status: 'wishlist' })),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(250)
    expect(answers.every(({ status }) => status === 200 || status === 422)).toBe(true)
  })

  test('reports the path of each error', async () => {
    const user = app.user()
    const paths = async (body: unknown) => {
      const answer = await app.as(user).put('/visited-countries', body)
      return [answer.status, answer.body.error.details.map(({ path }: { path: string[] }) => path.join('.')).sort()]
    }
    expect(await paths({})).toEqual([422, ['code', 'status']])
    expect(await paths({ code: 'PRT', status: 'visited' })).toEqual([422, ['code']])
    expect(await paths({ code: 'EU', status: 'seen' })).toEqual([422, ['code', 'status']])
    expect(await paths({ code: 'PT', status: null })).toEqual([422, ['status']])
    expect(await paths({ code: 'PT', status: 'visited', note: 'x'.repeat(1001) })).toEqual([422, ['note']])
    expect(await paths({ code: 'PT', status: 'visited', note: 'a\u0000b' })).toEqual([422, ['note']])
    expect(await listOf(user)).toEqual({ data: [], page: { nextCursor: null } })
    const long = { code: 'PT', status: 'visited', note: '😀'.repeat(1000) }
    expect((await app.as(user).put('/visited-countries', long)).body.data.note).toBe(long.note)
  })
})

describe('GET and DELETE /api/v1/visited-countries', () => {
  test("list the user's records by code, without flights or other users", async () => {
    const [mira, noor] = [app.user(), app.user()]
    for (const code of ['ZA', 'AE', 'PT']) await app.as(mira).put('/visited-countries', { code, status: 'visited' })
    await app.as(noor).put('/visited-countries', { code: 'PT', status: 'wishlist' })
    expect((await listOf(mira)).data.map(({ code }: { code: string }) => code)).toEqual(['AE', 'PT', 'ZA'])
    expect((await listOf(noor)).data).toHaveLength(1)
    expect((await app.as(mira).delete('/visited-countries?code=pt')).status).toBe(204)
    expect((await listOf(mira)).data).toHaveLength(2)
    expect((await listOf(noor)).data).toHaveLength(1)
    expect((await app.as(mira).delete('/visited-countries?code=PT')).status).toBe(204)
  })

  test('return 400 for a missing, unknown or repeated code', async () => {
    const user = app.user()
    for (const query of ['', '?code=', '?code=XX', '?code=PRT', '?code=PT&code=PT']) {
      const { status, body } = await app.as(user).delete(`/visited-countries${query}`)
      expect([query, status, body.error.code]).toEqual([query, 400, 'bad_request'])
    }
  })

  test('require their scopes and the permission to read flights', async () => {
    const user = app.user()
    const reader = app.key(user.id, ['visited_countries.read'])
    const writer = app.key(user.id, ['visited_countries.write'])
    const body = { code: 'PT', status: 'visited' }
    expect((await app.as(reader).put('/visited-countries', body)).body.error.code).toBe('insufficient_scope')
    expect((await app.as(writer).get('/visited-countries')).body.error.code).toBe('insufficient_scope')
    expect((await app.as(writer).put('/visited-countries', body)).status).toBe(200)
    const sharer = app.user({ role: ['flight.share.own'] })
    expect((await app.as(sharer).get('/visited-countries')).body.error.code).toBe('forbidden')
    expect((await app.as(app.user({ role: ['flight.read.any'] })).get('/visited-countries')).status).toBe(200)
  })
})
