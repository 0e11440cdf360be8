import { beforeEach, describe, expect, test } from 'vitest'
import { unusedTime } from '../../support/app-pool.ts'
import { oauthClient, pkce } from '../../support/oauth-client.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let user: TestUser
let client: Awaited<ReturnType<typeof oauthClient>>
let now: number

beforeEach(async () => {
  now = unusedTime()
  app = await paxlog({ now: () => now })
  user = app.user()
  client = await oauthClient(app)
})

const countActiveRefreshTokens = ({ db }: Paxlog) =>
  db.$client
    .prepare(
      `select count(*) from oauth_refresh_tokens t join oauth_families f on f.id = t.family_id
       where t.used_at is null and f.revoked_at is null`,
    )
    .pluck()
    .get()

const me = (token: string) => app.as(token).get('/me')

describe('the code exchange', () => {
  test('T1 T2: issues a token pair with the granted scopes', async () => {
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge, {
      scopes: ['flight.read.own', 'stats.read'],
      approved: ['stats.read'],
    })
    expect(code).toMatch(/^pxc_[\w-]{43}$/)
    const { status, headers, body } = await client.exchange(code, verifier)
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.pragma).toBe('no-cache')
    expect(body).toEqual({
      access_token: expect.stringMatching(/^eyJ/),
      token_type: 'Bearer',
      expires_in: 3600,
      refresh_token: expect.stringMatching(/^pxr_[\w-]{43}$/),
      scope: 'stats.read',
    })
    const { body: profile } = await me(body.access_token)
    expect(profile.data.credential).toEqual({ kind: 'oauth', scopes: ['stats.read'] })
  })

  test('T3: revokes the tokens of the first exchange when a code is used twice', async () => {
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge)
    const first = await client.exchange(code, verifier)
    expect((await me(first.body.access_token)).status).toBe(200)
    const second = await client.exchange(code, verifier)
    expect([second.status, second.body.error]).toEqual([400, 'invalid_grant'])
    expect((await me(first.body.access_token)).status).toBe(401)
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('T4: exactly one of fifty parallel exchanges succeeds, and the replay revokes its tokens', async () => {
    const proxiedApp = await paxlog({ now: () => now, addressHeader: 'x-real-ip' })
    const tester = proxiedApp.user()
    const other = await oauthClient(proxiedApp)
    const { verifier, challenge } = pkce()
    const code = await other.code(tester, challenge)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        other.post(
          '/oauth/token',
          {
            grant_type: 'authorization_code',
            client_id: other.id,
            code,
            code_verifier: verifier,
            resource: 'http://localhost:3000/api/v1',
          },
          { 'x-real-ip': `10.1.0.${index}` },
        ),
      ),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(countActiveRefreshTokens(proxiedApp)).toBe(0)
  })

  test.each([
    ['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 400, 'invalid_grant'],
    ['a short verifier', { code_verifier: 'x'.repeat(42) }, 400, 'invalid_request'],
    ['a long verifier', { code_verifier: 'x'.repeat(129) }, 400, 'invalid_request'],
    ['a verifier with other characters', { code_verifier: `${'x'.repeat(42)}+` }, 400, 'invalid_request'],
    ['no verifier', { code_verifier: '' }, 400, 'invalid_request'],
    ['another redirect_uri', { redirect_uri: 'https://board.example/other' }, 400, 'invalid_grant'],
    ['no resource', { resource: '' }, 400, 'invalid_target'],
    ['another resource', { resource: 'http://localhost:3000/api/mcp' }, 400, 'invalid_target'],
    ['an unknown resource', { resource: 'http://localhost:3000/api/v1/' }, 400, 'invalid_target'],
    ['no client', { client_id: '' }, 400, 'invalid_request'],
    ['an unknown client', { client_id: 'client_x' }, 401, 'invalid_client'],
    ['no grant type', { grant_type: '' }, 400, 'invalid_request'],
    ['the password grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['client credentials', { grant_type: 'client_credentials' }, 400, 'unsupported_grant_type'],
  ])('T5 T7 T9 T10 T14 T20: rejects %s', async (_what, change, status, error) => {
    const { verifier, challenge } = pkce()
    const answer = await client.exchange(await client.code(user, challenge), verifier, change)
    expect([answer.status, answer.body.error]).toEqual([status, error])
    expect(answer.body.error_description).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/)
    expect(answer.headers['cache-control']).toBe('no-store')
    if (status === 401) expect(answer.headers['www-authenticate']).toBe('Basic realm="Paxlog"')
  })

  test('T5 S2: invalidates a code after a wrong verifier', async () => {
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge)
    await client.exchange(code, 'x'.repeat(43))
    expect((await client.exchange(code, verifier)).body.error).toBe('invalid_grant')
  })

  test('T8: rejects and invalidates a code of another client', async () => {
    const thief = await oauthClient(app)
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge)
    expect((await thief.exchange(code, verifier)).body.error).toBe('invalid_grant')
    expect((await client.exchange(code, verifier)).body.error).toBe('invalid_grant')
  })

  test('A31: a code expires after exactly sixty seconds', async () => {
    for (const [age, status] of [
      [59_999, 200],
      [60_000, 400],
      [60_001, 400],
    ] as const) {
      const { verifier, challenge } = pkce()
      const code = await client.code(user, challenge)
      now += age
      const answer = await client.exchange(code, verifier)
      expect([age, answer.status, answer.body.error]).toEqual([
        age,
        status,
        status === 200 ? undefined : 'invalid_grant',
      ])
    }
  })

  test('T3: revokes the tokens of the first exchange when a code is used again after a purge', async () => {
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge)
    const first = await client.exchange(code, verifier)
    now += 600_000
    await app.services.oauth.purge()
    expect((await me(first.body.access_token)).status).toBe(200)
    expect((await client.exchange(code, verifier)).body.error).toBe('invalid_grant')
    expect((await me(first.body.access_token)).status).toBe(401)
    expect((await client.refresh(first.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('purges expired codes that were never exchanged', async () => {
    await client.code(user, pkce().challenge)
    const countCodes = () => app.db.$client.prepare('select count(*) from oauth_codes').pluck().get()
    now += 59_999
    await app.services.oauth.purge()
    expect(countCodes()).toBe(1)
    now += 1
    await app.services.oauth.purge()
    expect(countCodes()).toBe(0)
  })

  test('T11 T12 T13: accepts only a form body without repeated parameters', async () => {
    const { verifier, challenge } = pkce()
    const code = await client.code(user, challenge)
    const query = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.id,
      code,
      code_verifier: verifier,
    })
    const inQuery = await app.request({ method: 'POST', url: `/oauth/token?${query}` })
    expect([inQuery.status, inQuery.body.error]).toEqual([400, 'invalid_request'])
    const json = await app.request({
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/json' },
      payload: Object.fromEntries(query),
    })
    expect([json.status, json.body.error]).toEqual([400, 'invalid_request'])
    const twice = await client.post('/oauth/token', `${query}&code=x`)
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request'])
    expect((await app.request({ method: 'GET', url: `/oauth/token?${query}` })).status).toBe(405)
  })

  test('T15: authenticates a confidential client by body or form-encoded Basic credentials', async () => {
    const confidential = await oauthClient(app, { token_endpoint_auth_method: 'client_secret_basic' })
    const encode = (text: string) => encodeURIComponent(text).replaceAll('_', '%5F')
    const basic = (id: string, secret: string) =>
      `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`).toString('base64')}`
    const attempt = async (form: Record<string, string>, authorization?: string) => {
      const { verifier, challenge } = pkce()
      const code = await confidential.code(user, challenge)
      const answer = await confidential.post(
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          code,
          code_verifier: verifier,
          resource: 'http://localhost:3000/api/v1',
          ...form,
        },
        authorization ? { authorization } : {},
      )
      return [answer.status, answer.body.error]
    }
    const id = { client_id: confidential.id }
    expect(await attempt({ ...id, client_secret: confidential.secret! })).toEqual([200, undefined])
    expect(await attempt({}, basic(confidential.id, confidential.secret!))).toEqual([200, undefined])
    expect(await attempt(id, basic(confidential.id, confidential.secret!))).toEqual([200, undefined])
    expect(await attempt(id)).toEqual([401, 'invalid_client'])
    expect(await attempt({ ...id, client_secret: 'pxs_wrong' })).toEqual([401, 'invalid_client'])
    expect(await attempt({}, basic(confidential.id, 'wrong'))).toEqual([401, 'invalid_client'])
    expect(await attempt({}, 'Basic %%%')).toEqual([401, 'invalid_client'])
    expect(await attempt({ client_id: 'other' }, basic(confidential.id, confidential.secret!))).toEqual([
      400,
      'invalid_request',
    ])
    expect(
      await attempt({ client_secret: confidential.secret! }, basic(confidential.id, confidential.secret!)),
    ).toEqual([400, 'invalid_request'])
    expect(await attempt(id, 'Bearer x')).toEqual([401, 'invalid_client'])
  })

  test('T18: returns 429 for the 31st request in a minute', async () => {
    const statuses = []
    for (let count = 0; count < 31; count++) statuses.push((await client.post('/oauth/token', {})).status)
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect(statuses.at(-1)).toBe(429)
  })
})

describe('access tokens', () => {
  test('T22 B6: are JWTs for one resource, signed with a published key', async () => {
    const tokens = await client.connect(user, { scopes: ['flight.read.own'] })
    const [header, payload] = tokens.access_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))
    const { body: jwks } = await app.request({ url: '/oauth/jwks' })
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: jwks.keys[0].kid })
    expect(payload).toEqual({
      iss: 'http://localhost:3000',
      aud: 'http://localhost:3000/api/v1',
      sub: user.id,
      client_id: client.id,
      scope: 'flight.read.own',
      iat: expect.any(Number),
      exp: payload.iat + 3600,
      jti: expect.any(String),
    })
    expect(Object.keys(jwks.keys[0]).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
  })

  test('B6: are rejected by v1 when issued for MCP', async () => {
    const tokens = await client.connect(user, { resource: 'mcp' })
    const { status, headers } = await me(tokens.access_token)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('B2: expire after an hour', async () => {
    const tokens = await client.connect(user)
    now += 3_599_000
    expect((await me(tokens.access_token)).status).toBe(200)
    now += 2_000
    expect((await me(tokens.access_token)).status).toBe(401)
  })

  test.each([
    ['without a signature', (token: string) => `${token.split('.').slice(0, 2).join('.')}.`],
    [
      'with a changed payload',
      (token: string) => token.replace(/\.(.)/, (_, first) => `.${first === 'e' ? 'f' : 'e'}`),
    ],
    [
      'with algorithm none',
      (token: string) =>
        `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${token.split('.')[1]}.`,
    ],
    ['when it is a refresh token', () => 'pxr_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'],
  ])('T22 B2: are rejected %s', async (_what, change) => {
    const tokens = await client.connect(user)
    expect((await me(change(tokens.access_token))).status).toBe(401)
  })

  test('C25 F11: are revoked with the connection, like the refresh token', async () => {
    const tokens = await client.connect(user)
    expect((await me(tokens.access_token)).status).toBe(200)
    const [connection] = app.services.oauth.connections.list(user.id)
    expect(connection).toMatchObject({ name: 'Trip board', redirectHost: 'board.example', scopes: ['flight.read.own'] })
    await app.services.oauth.connections.revoke(user.id, connection!.id)
    expect((await me(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('lose scopes as soon as the grant is narrowed', async () => {
    const tokens = await client.connect(user, { scopes: ['flight.read.own', 'stats.read'] })
    await client.connect(user, { scopes: ['stats.read'] })
    const { body } = await me(tokens.access_token)
    expect(body.data.credential.scopes).toEqual(['stats.read'])
    expect((await app.as(tokens.access_token).get('/flights')).status).toBe(403)
  })

  test('F10 S11: are limited by the current role', async () => {
    const tokens = await client.connect(user)
    runNow(app.db, "update roles set permissions = '[]' where id = 'role-user'")
    const { status, body } = await app.as(tokens.access_token).get('/flights')
    expect([status, body.error.code]).toEqual([403, 'forbidden'])
  })

  test('B15: are rejected by the legacy API', () => {
    return client.connect(user).then(async ({ access_token }) => {
      await expect(
        Promise.resolve().then(() => app.services.credentials.authenticate(access_token, 'legacy')),
      ).rejects.toThrow('The API key is unknown or was deleted.')
    })
  })

  test('F11: are revoked when the password is reset', async () => {
    const tokens = await client.connect(user)
    await app.services.users.resetPassword(user.username, 'a new password')
    expect((await me(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })
})

describe('refreshing', () => {
  test('F1: issues a new pair and invalidates the old refresh token', async () => {
    const first = await client.connect(user)
    const second = await client.refresh(first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    expect((await me(second.body.access_token)).status).toBe(200)
    expect((await me(first.access_token)).status).toBe(200)
  })

  test('F2 S3: reuse revokes the whole family and no other', async () => {
    const other = await client.connect(user)
    const first = await client.connect(user)
    const second = await client.refresh(first.refresh_token)
    const reuse = await client.refresh(first.refresh_token)
    expect([reuse.status, reuse.body.error]).toEqual([400, 'invalid_grant'])
    expect((await me(second.body.access_token)).status).toBe(401)
    expect((await me(first.access_token)).status).toBe(401)
    expect((await client.refresh(second.body.refresh_token)).body.error).toBe('invalid_grant')
    expect((await me(other.access_token)).status).toBe(200)
  })

  test('F3: exactly one of fifty parallel refreshes succeeds and no token stays valid', async () => {
    const proxiedApp = await paxlog({ now: () => now, addressHeader: 'x-real-ip' })
    const tester = proxiedApp.user()
    const other = await oauthClient(proxiedApp)
    const tokens = await other.connect(tester)
    const form = {
      grant_type: 'refresh_token',
      client_id: other.id,
      refresh_token: tokens.refresh_token,
      resource: 'http://localhost:3000/api/v1',
    }
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => other.post('/oauth/token', form, { 'x-real-ip': `10.1.0.${index}` })),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(countActiveRefreshTokens(proxiedApp)).toBe(0)
  })

  test('F4 X5: returns the same unused successor within the grace period', async () => {
    const graceApp = await paxlog({ now: () => now, graceSeconds: 10 })
    const tester = graceApp.user()
    const other = await oauthClient(graceApp)
    const tokens = await other.connect(tester)
    const answers = await Promise.all(Array.from({ length: 20 }, () => other.refresh(tokens.refresh_token)))
    const successors = new Set(answers.map(({ body }) => body.refresh_token))
    expect(answers.every(({ status }) => status === 200)).toBe(true)
    expect(successors.size).toBe(1)
    const [successor] = successors as Set<string>
    const raw = graceApp.db.$client
      .prepare('select successor from oauth_refresh_tokens where successor is not null')
      .pluck()
      .get()
    expect((raw as Buffer).includes(successor!)).toBe(false)
    expect((await other.refresh(successor!)).status).toBe(200)
    expect((await other.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('F4: treats a repeated refresh after the grace period as reuse', async () => {
    const graceApp = await paxlog({ now: () => now, graceSeconds: 10 })
    const tester = graceApp.user()
    const other = await oauthClient(graceApp)
    const tokens = await other.connect(tester)
    const next = await other.refresh(tokens.refresh_token)
    now += 11_000
    expect((await other.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await other.refresh(next.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('F13: deletes the stored successor after the grace period', async () => {
    const graceApp = await paxlog({ now: () => now, graceSeconds: 10 })
    const other = await oauthClient(graceApp)
    const { refresh_token: first } = await other.connect(graceApp.user())
    const { body: second } = await other.refresh(first)
    const countSuccessors = () =>
      graceApp.db.$client
        .prepare('select count(*) from oauth_refresh_tokens where coalesce(successor, successor_hash) is not null')
        .pluck()
        .get()
    now += 10_000
    await graceApp.services.oauth.purge()
    expect(countSuccessors()).toBe(1)
    expect((await other.refresh(first)).body.refresh_token).toBe(second.refresh_token)
    now += 1
    await graceApp.services.oauth.purge()
    expect(countSuccessors()).toBe(0)
    expect((await other.refresh(second.refresh_token)).status).toBe(200)
    expect((await other.refresh(first)).body.error).toBe('invalid_grant')
  })

  test('F6: fewer scopes narrow the access token but not the refresh token', async () => {
    const tokens = await client.connect(user, { scopes: ['flight.read.own', 'stats.read'] })
    const narrow = await client.refresh(tokens.refresh_token, { scope: 'stats.read' })
    expect(narrow.body.scope).toBe('stats.read')
    const more = await client.refresh(narrow.body.refresh_token, { scope: 'stats.read tracks.read' })
    expect([more.status, more.body.error]).toEqual([400, 'invalid_scope'])
    const full = await client.refresh(narrow.body.refresh_token)
    expect(full.body.scope).toBe('flight.read.own stats.read')
  })

  test('F6: does not treat an own scope as part of an any scope', async () => {
    const admin = app.user({ role: 'role-administrator' })
    const tokens = await client.connect(admin, { scopes: ['flight.read.any'] })
    const answer = await client.refresh(tokens.refresh_token, { scope: 'flight.read.own' })
    expect(answer.body.error).toBe('invalid_scope')
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('F7: rejects another resource with invalid_target and keeps the token', async () => {
    const tokens = await client.connect(user)
    const wrong = await client.refresh(tokens.refresh_token, { resource: 'http://localhost:3000/api/mcp' })
    expect([wrong.status, wrong.body.error]).toEqual([400, 'invalid_target'])
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('F8: revokes the family when another client presents the token', async () => {
    const tokens = await client.connect(user)
    const thief = await oauthClient(app)
    expect((await thief.refresh(tokens.refresh_token)).body.error).toBe('invalid_grant')
    expect((await me(tokens.access_token)).status).toBe(401)
  })

  test('F9: a refresh token expires thirty days after issue', async () => {
    const tokens = await client.connect(user)
    now += 30 * 86_400_000 - 1000
    const renewed = await client.refresh(tokens.refresh_token)
    expect(renewed.status).toBe(200)
    now += 30 * 86_400_000 + 1000
    expect((await client.refresh(renewed.body.refresh_token)).body.error).toBe('invalid_grant')
  })

  test('F12: rejects an access token', async () => {
    const tokens = await client.connect(user)
    expect((await client.refresh(tokens.access_token)).body.error).toBe('invalid_grant')
  })

  test('F13: stores only digests of secrets', async () => {
    const tokens = await client.connect(user)
    const dump = JSON.stringify(
      ['oauth_refresh_tokens', 'oauth_codes', 'oauth_access_tokens', 'oauth_clients'].map((table) =>
        app.db.$client
          .prepare(`select * from ${table}`)
          .all()
          .map((row) =>
            Object.values(row as object).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
          ),
      ),
    )
    expect(dump).not.toContain(tokens.refresh_token)
    expect(dump).not.toContain(tokens.access_token)
  })
})

describe('POST /oauth/revoke', () => {
  test('V1: revokes the family of a refresh token', async () => {
    const tokens = await client.connect(user)
    const answer = await client.revoke(tokens.refresh_token)
    expect([answer.status, answer.text, answer.headers['content-type']]).toEqual([
      200,
      '{}',
      'application/json; charset=utf-8',
    ])
    expect((await me(tokens.access_token)).status).toBe(401)
    expect(app.services.oauth.connections.list(user.id)).toHaveLength(1)
  })

  test('V2: revokes an access token alone', async () => {
    const tokens = await client.connect(user)
    await client.revoke(tokens.access_token)
    expect((await me(tokens.access_token)).status).toBe(401)
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
  })

  test('V3 V4 V7 V10: returns 200 without effect for unknown tokens and API keys, and ignores a wrong hint', async () => {
    const tokens = await client.connect(user)
    for (const token of ['garbage', user.key, 'pxr_x', 'a.b.c']) {
      const { status, text } = await client.revoke(token)
      expect([token, status, text]).toEqual([token, 200, '{}'])
    }
    expect((await app.as(user).get('/me')).status).toBe(200)
    expect((await client.revoke(tokens.refresh_token, { token_type_hint: 'access_token' })).status).toBe(200)
    expect((await me(tokens.access_token)).status).toBe(401)
  })

  test("V5: ignores another client's token", async () => {
    const tokens = await client.connect(user)
    const other = await oauthClient(app)
    expect((await other.revoke(tokens.refresh_token)).status).toBe(200)
    expect((await other.revoke(tokens.access_token)).status).toBe(200)
    expect((await me(tokens.access_token)).status).toBe(200)
  })

  test('V6 V9: requires a token, a form and POST', async () => {
    expect((await client.revoke('')).body.error).toBe('invalid_request')
    expect((await app.request({ method: 'GET', url: '/oauth/revoke' })).status).toBe(405)
    const json = await app.request({
      method: 'POST',
      url: '/oauth/revoke',
      headers: { 'content-type': 'application/json' },
      payload: { token: 'x' },
    })
    expect(json.body.error).toBe('invalid_request')
  })
})
