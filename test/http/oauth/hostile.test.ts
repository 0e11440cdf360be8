import { describe, expect, test } from 'vitest'
import { oauthClient, pkce } from '../../support/oauth-client.ts'
import { paxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

describe('hostile OAuth requests', () => {
  test('R20 A32: client ids and codes are long, random and unique', async () => {
    const app = await paxlog()
    const { clients } = app.services.oauth
    const registered = await Promise.all(
      Array.from({ length: 500 }, () => clients.register({ redirect_uris: ['https://x.example/'] })),
    )
    const ids = new Set(registered.map(({ client_id }) => client_id))
    expect(ids.size).toBe(500)
    expect([...ids].every((id) => /^client_[\w-]{24}$/.test(id))).toBe(true)
    const client = await oauthClient(app)
    const user = app.user()
    const codes = new Set(await Promise.all(Array.from({ length: 200 }, () => client.code(user, pkce().challenge))))
    expect(codes.size).toBe(200)
    const stored = app.db.$client.prepare('select hash from oauth_codes').pluck().all() as Buffer[]
    expect(stored.every((hash) => hash.length === 32)).toBe(true)
  })

  test('T16: rejects codes of a deleted user or client', async () => {
    const app = await paxlog()
    const [one, two] = [app.user(), app.user()]
    const client = await oauthClient(app)
    const first = pkce()
    const userCode = await client.code(one, first.challenge)
    runNow(app.db, 'delete from users where id = ?', one.id)
    expect((await client.exchange(userCode, first.verifier)).body.error).toBe('invalid_grant')
    const second = pkce()
    const clientCode = await client.code(two, second.challenge)
    runNow(app.db, 'delete from oauth_clients where id = ?', client.id)
    expect((await client.exchange(clientCode, second.verifier)).body.error).toBe('invalid_client')
    const other = await oauthClient(app)
    expect((await other.exchange(clientCode, second.verifier)).body.error).toBe('invalid_grant')
  })

  test.each([
    ['an oversized form', `grant_type=refresh_token&x=${'y'.repeat(1_000_000)}`, 413],
    ['five thousand parameters', Array.from({ length: 5_000 }, (_, n) => `p${n}=1`).join('&'), 400],
    ['brackets', 'grant_type=authorization_code&code[]=a&code[a]=b&client_id[]=x', 400],
    ['a NUL byte', 'grant_type=refresh_token&client_id=%00', 401],
    ['invalid UTF-8', 'grant_type=refresh_token&client_id=%ff%fe', 401],
    ['prototype names', 'grant_type=refresh_token&__proto__=x&constructor=y', 400],
    ['an empty body', '', 400],
  ])('T17 L5: rejects %s with an OAuth error', async (_what, form, status) => {
    const app = await paxlog()
    const client = await oauthClient(app)
    const answer = await client.post('/oauth/token', form)
    expect(answer.status).toBe(status)
    expect(Object.keys(answer.body).sort()).toEqual(['error', 'error_description'])
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(Object.prototype).not.toHaveProperty('x')
  })

  test.each(['/oauth/token', '/oauth/register', '/oauth/revoke'])('T19: %s allows every origin', async (url) => {
    const app = await paxlog()
    const headers = { origin: 'https://app.example', 'access-control-request-method': 'POST', cookie: 'paxlog=x' }
    const preflight = await app.request({ method: 'OPTIONS', url, headers })
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*'])
    const rejected = await app.request({ method: 'POST', url, headers: { origin: 'https://app.example' } })
    expect(rejected.headers['access-control-allow-origin']).toBe('*')
    expect(rejected.headers['access-control-allow-credentials']).toBeUndefined()
  })

  test('V8: returns 429 for the 31st revocation in a minute', async () => {
    const app = await paxlog()
    const client = await oauthClient(app)
    const statuses: number[] = []
    for (let count = 0; count < 31; count++) statuses.push((await client.revoke('x')).status)
    expect(statuses.slice(0, 30).every((status) => status === 200)).toBe(true)
    expect(statuses[30]).toBe(429)
  })

  test('M12: MCP rejects a v1 token and accepts an MCP token', async () => {
    const app = await paxlog()
    const user = app.user()
    const client = await oauthClient(app)
    const call = (token: string) =>
      app.request({
        method: 'POST',
        url: '/api/mcp',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          host: 'localhost:3000',
        },
        payload: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'get_me', arguments: {} } },
      })
    const rest = await client.connect(user, { scopes: ['profile.read'] })
    const rejected = await call(rest.access_token)
    expect(rejected.status).toBe(401)
    expect(rejected.headers['www-authenticate']).toContain('/.well-known/oauth-protected-resource/api/mcp"')
    const mcp = await client.connect(user, { scopes: ['profile.read'], resource: 'mcp' })
    const { body } = await call(mcp.access_token)
    expect(body.result.structuredContent.data.credential).toEqual({ kind: 'oauth', scopes: ['profile.read'] })
  })

  test('S7: purges unused registrations after a day', async () => {
    let now = Date.now()
    const app = await paxlog({ now: () => now })
    const { clients, purge } = app.services.oauth
    for (let count = 0; count < 300; count++) await clients.register({ redirect_uris: [`https://x.example/${count}`] })
    const used = await oauthClient(app)
    await used.connect(app.user())
    now += 25 * 3_600_000
    await purge()
    expect(app.db.$client.prepare('select id from oauth_clients').pluck().all()).toEqual([used.id])
  })

  test('S13: rejects the key and tokens of a deleted user', async () => {
    const app = await paxlog()
    const user = app.user()
    const tokens = await (await oauthClient(app)).connect(user, { scopes: ['profile.read'] })
    runNow(app.db, 'delete from users where id = ?', user.id)
    expect((await app.as(user).get('/me')).status).toBe(401)
    expect((await app.as(tokens.access_token).get('/me')).status).toBe(401)
  })
})
