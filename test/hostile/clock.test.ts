import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createServices } from '../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { steadyClock } from '../../src/lib/clock.ts'
import { flightLog } from '../support/flight-log.ts'
import { oauthClient, pkce, type Tokens } from '../support/oauth-client.ts'
import { makers, paxlog, temporaryFolder } from '../support/paxlog.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const START = Date.parse('2026-03-01T12:00:00Z')

afterEach(() => void vi.useRealTimers())

/** A wall clock that can be set, and a monotonic clock. */
function testClocks(start = START) {
  let [wall, elapsed] = [start, 0]
  return {
    clock: steadyClock(
      () => wall,
      () => elapsed,
    ),
    pass: (ms: number) => {
      wall += ms
      elapsed += ms
    },
    set: (ms: number) => {
      wall += ms
    },
    wall: () => wall,
  }
}

/** An instance with a settable clock and a connected application. */
async function connected(start?: number) {
  const watch = testClocks(start)
  const app = await paxlog({ now: watch.clock, addressHeader: 'x-forwarded-for' })
  const user = app.user()
  const client = await oauthClient(app)
  const tokens = await client.connect(user, { scopes: ['profile.read'] })
  const isAlive = async ({ access_token: token }: Tokens) => (await app.as(token).get('/me')).status === 200
  return { ...watch, app, user, client, tokens, isAlive }
}

describe('N13: the steady clock', () => {
  test('follows the system clock forward but never back', () => {
    const { clock, pass, set } = testClocks(0)
    expect(clock()).toBe(0)
    pass(10 * MINUTE)
    expect(clock()).toBe(10 * MINUTE)
    set(-DAY)
    expect(clock()).toBe(10 * MINUTE)
    pass(MINUTE)
    expect(clock()).toBe(11 * MINUTE)
    set(2 * DAY)
    expect(clock()).toBe(DAY + 11 * MINUTE)
  })

  test('keeps fractions of milliseconds', () => {
    let elapsed = 0
    const clock = steadyClock(
      () => 0,
      () => elapsed,
    )
    for (let count = 0; count < 1_000; count++) {
      elapsed += 0.75
      clock()
    }
    expect(clock()).toBe(750)
  })

  test('determines the expiry of secrets', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: START })
    const db = openDatabase(temporaryFolder())
    const { oauth, roles, sessions } = createServices({ db, baseUrl: 'http://localhost:3000' })
    await roles.installBuiltIn()
    const { id } = makers(db).user()
    const session = await sessions.start(id)
    const { client_id: clientId } = await oauth.clients.register({ redirect_uris: ['https://a.example/'] })
    const claims = {
      jti: 'x',
      audience: oauth.resources.urls.v1,
      userId: id,
      clientId,
      scopes: ['profile.read'] as const,
    }
    const issuedAt = START / SECOND
    const token = await oauth.tokens.sign({ ...claims, issuedAt, expiresAt: issuedAt + 3600 })
    expect(await oauth.tokens.verify(token)).toMatchObject({ userId: id })
    vi.setSystemTime(START + 31 * DAY)
    expect([await oauth.tokens.verify(token), sessions.find(session)]).toEqual([undefined, undefined])
    vi.setSystemTime(START)
    await wait(5)
    expect([await oauth.tokens.verify(token), sessions.find(session)]).toEqual([undefined, undefined])
    closeDatabase(db)
  })
})

describe('N13 L7: setting the clock', () => {
  test.each([
    ['ten minutes ahead', 10 * MINUTE, true],
    ['ten minutes back', -10 * MINUTE, true],
    ['a day back', -DAY, true],
    ['two hours ahead', 2 * HOUR, false],
  ])('%s expires no valid token and returns plausible lifetimes', async (_what, by, alive) => {
    const { app, set, client, tokens, isAlive } = await connected()
    set(by)
    expect(await isAlive(tokens)).toBe(alive)
    const renewed = (await client.refresh(tokens.refresh_token)).body as Tokens
    expect(renewed.expires_in).toBe(3600)
    expect(await isAlive(renewed)).toBe(true)
    const [, payload] = renewed.access_token.split('.')
    const { iat, exp } = JSON.parse(Buffer.from(payload!, 'base64url').toString())
    expect(exp - iat).toBe(3600)
    const negative = app.db.$client
      .prepare('select count(*) from oauth_refresh_tokens where expires_at <= issued_at')
      .pluck()
    expect(negative.get()).toBe(0)
  })

  test('does not revive expired tokens, codes or pending requests', async () => {
    const { app, pass, set, client, tokens, isAlive, user } = await connected()
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge, { scopes: ['profile.read'] })
    pass(2 * HOUR)
    expect(await isAlive(tokens)).toBe(false)
    set(-DAY)
    expect(await isAlive(tokens)).toBe(false)
    expect((await client.exchange(code, verifier)).body.error).toBe('invalid_grant')
    const { body: renewed } = await client.refresh(tokens.refresh_token)
    expect(await isAlive(renewed)).toBe(true)
    pass(59 * MINUTE)
    expect(await isAlive(renewed)).toBe(true)
    pass(2 * MINUTE)
    expect(await isAlive(renewed)).toBe(false)
    pass(30 * DAY)
    set(-40 * DAY)
    expect((await client.refresh(renewed.refresh_token)).body.error).toBe('invalid_grant')
    await app.services.oauth.purge()
    expect(app.db.$client.prepare('select count(*) from oauth_access_tokens').pluck().get()).toBe(0)
  })

  test('back does not allow reuse of a refresh token and still detects it', async () => {
    const { set, client, tokens, isAlive } = await connected()
    const { body: renewed } = await client.refresh(tokens.refresh_token)
    set(-DAY)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect(await isAlive(renewed)).toBe(false)
  })

  test('back keeps flights and shares in a stable order', async () => {
    let now = START
    const { as, mira, plain, flight } = await flightLog({ now: () => now })
    const ids: number[] = []
    for (const by of [0, -DAY, 10 * MINUTE, -2 * DAY, 3 * DAY]) {
      now += by
      ids.push((await flight(plain)).id)
      expect((await as(mira).post('/shares', {})).status).toBe(201)
    }
    const listed = async () => (await as(mira).get('/flights')).body.data.map(({ id }: { id: number }) => id)
    expect(await listed()).toEqual([...ids].sort((a, b) => b - a))
    const pages: number[] = []
    for (let cursor = ''; ; ) {
      const { body } = await as(mira).get(`/flights?limit=2${cursor}`)
      pages.push(...body.data.map(({ id }: { id: number }) => id))
      if (body.page.nextCursor === null) break
      cursor = `&cursor=${body.page.nextCursor}`
      now -= HOUR
    }
    expect(pages).toEqual(await listed())
    const shares = (await as(mira).get('/shares')).body.data
    expect(shares.map(({ id }: { id: number }) => id)).toEqual(
      (await as(mira).get('/shares')).body.data.map(({ id }: { id: number }) => id),
    )
    expect(shares).toHaveLength(5)
  })
})

describe('N13: an unusual date', () => {
  test.each([
    ['the change to summer time', Date.parse('2026-03-29T00:59:30Z')],
    ['the change to winter time', Date.parse('2026-10-25T00:59:30Z')],
    ['a leap day', Date.parse('2028-02-29T23:59:30Z')],
    ['the end of 32-bit time', Date.parse('2038-01-19T03:13:30Z')],
    ['the end of unsigned 32-bit time', Date.parse('2106-02-07T06:27:30Z')],
    ['new year', Date.parse('2026-12-31T23:59:30Z')],
  ])('%s behaves like any other time', async (_what, start) => {
    const { app, user, client, tokens, isAlive, pass } = await connected(start)
    for (let minutes = 0; minutes < 59; minutes += 20) {
      expect(await isAlive(tokens)).toBe(true)
      pass(20 * MINUTE)
    }
    expect(await isAlive(tokens)).toBe(false)
    const { body } = await client.refresh(tokens.refresh_token)
    expect([body.expires_in, await isAlive(body)]).toEqual([3600, true])
    const share = await app.as(user).post('/shares', { expiresAt: new Date(start + 2 * HOUR).toISOString() })
    expect([share.status, share.body.data?.expiresAt]).toEqual([201, new Date(start + 2 * HOUR).toISOString()])
    const past = await app.as(user).post('/shares', { expiresAt: new Date(start - HOUR).toISOString() })
    expect(past.status).toBe(422)
    pass(2 * HOUR)
    expect((await app.request({ url: `/share/${share.body.data.slug}` })).status).toBe(404)
    const exported = await app.as(user).get('/flights/export')
    const day = new Date(start + 3 * HOUR).toISOString().slice(0, 10)
    expect(exported.headers['content-disposition']).toContain(`paxlog-${day}`)
  })
})
