import { describe, expect, test } from 'vitest'
import { type Paxlog, paxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'

const register = (app: Paxlog, payload: unknown, headers: Record<string, string> = {}) =>
  app.request({
    method: 'POST',
    url: '/oauth/register',
    headers: { 'content-type': 'application/json', ...headers },
    payload: payload as string,
    remoteAddress: `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`,
  })

describe('POST /oauth/register', () => {
  test('limits redirect URIs to 4096 characters in total and hosts to letters, digits, dots and hyphens', async () => {
    const app = await paxlog()
    const uri = (length: number, name: string) => `https://x.example/${name}`.padEnd(length, 'p')
    expect((await register(app, { redirect_uris: [uri(2048, 'a'), uri(2048, 'b')] })).status).toBe(201)
    const rejected = [
      [uri(2048, 'a'), uri(2048, 'b'), 'https://x.example/'],
      ['https://under_score.example/'],
      ['https://semi;colon.example/'],
      ['https://[2001:db8::1]/cb'],
      ["https://quo'te.example/"],
    ]
    for (const redirect_uris of rejected) {
      const { status, body } = await register(app, { redirect_uris })
      expect([redirect_uris[0], status, body.error]).toEqual([redirect_uris[0], 400, 'invalid_redirect_uri'])
    }
    expect((await register(app, { redirect_uris: ['http://[::1]:8080/cb'] })).status).toBe(201)
  })

  test('keeps the newest thousand unapproved clients and does not count approved ones', async () => {
    const app = await paxlog()
    const { clients } = app.services.oauth
    const mira = app.user()
    const add = async (index: number) =>
      (await clients.register({ redirect_uris: [`https://x.example/${index}`] })).client_id
    const approved = await add(0)
    runNow(
      app.db,
      "insert into oauth_grants (client_id, user_id, resource, scopes, redirect_host, approved_at) values (?, ?, 'r', '[]', 'x.example', 0)",
      approved,
      mira.id,
    )
    const oldest = await add(1)
    const ids = await Promise.all(Array.from({ length: 1000 }, (_, index) => add(index + 2)))
    expect(clients.find(approved)).toBeDefined()
    expect(clients.find(oldest)).toBeUndefined()
    expect(ids.every((id) => clients.find(id) !== undefined)).toBe(true)
    expect(app.db.$client.prepare('select count(*) from oauth_clients').pluck().get()).toBe(1001)
  })

  test('R1 R2: registers a public client without a secret and echoes its metadata', async () => {
    const app = await paxlog()
    const { status, headers, body } = await register(app, { redirect_uris: ['https://board.example/cb'] })
    expect(status).toBe(201)
    expect(headers['cache-control']).toBe('no-store')
    expect(headers.pragma).toBe('no-cache')
    expect(body).toEqual({
      client_id: expect.stringMatching(/^client_[\w-]{24}$/),
      client_id_issued_at: expect.any(Number),
      client_name: 'board.example',
      redirect_uris: ['https://board.example/cb'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
    })
  })

  test.each(['client_secret_post', 'client_secret_basic'])('R3: issues a secret to a %s client', async (method) => {
    const app = await paxlog()
    const { status, body } = await register(app, {
      redirect_uris: ['https://board.example/cb'],
      token_endpoint_auth_method: method,
    })
    expect(status).toBe(201)
    expect(body.client_secret).toMatch(/^pxs_[\w-]{43}$/)
    expect(body.client_secret_expires_at).toBe(0)
    const stored = app.db.$client.prepare('select secret_hash from oauth_clients').pluck().get() as Buffer
    expect(stored).toHaveLength(32)
  })

  test.each([
    'http://127.0.0.1:1234/cb',
    'http://[::1]/cb',
    'http://localhost/cb',
    'https://app.example/cb?x=1',
    'https://app.example:8443/',
  ])('R6: accepts %s unchanged', async (uri) => {
    const app = await paxlog()
    const { status, body } = await register(app, { redirect_uris: [uri] })
    expect(status).toBe(201)
    expect(body.redirect_uris).toEqual([uri])
  })

  test.each([
    'http://example.com/cb',
    'http://127.0.0.1.evil.com/',
    'http://localhost.evil.com/',
    'http://127.1/',
    'http://2130706433/',
    'http://0.0.0.0/',
    'http://[::ffff:127.0.0.1]/',
    'http://127.0.0.1@evil.com/',
    'https://app.example/cb#',
    'https://app.example/cb#x',
    'https://user:pw@app.example/cb',
    'javascript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://x',
    'about:blank',
    'intent://x',
    'ws://x',
    'https://*.example.com/',
    'https://app.example/a/../cb',
    'https://app.example/%2e%2e/cb',
    'https:\\\\evil.example',
    ' https://app.example/',
    'https://app.example/\tcb',
    'https://аpp.example/cb',
    'cursor://cb',
    'com.example.app:/cb',
    '/cb',
    `https://app.example/${'x'.repeat(2048)}`,
  ])('R5 R7 R8 R9 R10 R11 R12 R13: rejects %j', async (uri) => {
    const app = await paxlog()
    const { status, body } = await register(app, { redirect_uris: ['https://good.example/', uri] })
    expect(status).toBe(400)
    expect(body.error).toBe('invalid_redirect_uri')
    expect(app.db.$client.prepare('select count(*) from oauth_clients').pluck().get()).toBe(0)
  })

  test('R8: names a fragment as the error instead of the missing https', async () => {
    const app = await paxlog()
    const { body } = await register(app, { redirect_uris: ['https://app.example/cb#x'] })
    expect(body.error_description).toBe('A redirect address must not have a fragment (#).')
  })

  test('R12: accepts a private-use scheme from the configuration', async () => {
    const app = await paxlog({ privateSchemes: ['cursor'] })
    expect((await register(app, { redirect_uris: ['cursor://anysphere/cb'] })).status).toBe(201)
    expect((await register(app, { redirect_uris: ['vscode://cb'] })).status).toBe(400)
  })

  test.each([undefined, [], 'https://x.example/', [1], Array.from({ length: 11 }, (_, n) => `https://x.example/${n}`)])(
    'R13: rejects redirect_uris %j',
    async (uris) => {
      const app = await paxlog()
      const { status, body } = await register(app, { redirect_uris: uris })
      expect([status, body.error]).toEqual([400, 'invalid_redirect_uri'])
    },
  )

  test.each([
    { token_endpoint_auth_method: 'private_key_jwt' },
    { token_endpoint_auth_method: 5 },
    { token_endpoint_auth_method: null },
    { grant_types: ['implicit'] },
    { grant_types: ['refresh_token'] },
    { grant_types: 'authorization_code' },
    { response_types: ['token'] },
    { response_types: [] },
  ])('R3 R14: rejects the metadata %j', async (metadata) => {
    const app = await paxlog()
    const { status, body } = await register(app, { redirect_uris: ['https://x.example/'], ...metadata })
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  })

  test('R4: echoes application_type and rejects unknown types', async () => {
    const app = await paxlog()
    const send = (application_type: unknown) =>
      register(app, { redirect_uris: ['https://x.example/'], application_type })
    for (const type of ['web', 'native']) {
      const { status, body } = await send(type)
      expect([status, body.application_type]).toEqual([201, type])
    }
    for (const type of ['desktop', '', 7, null, ['web'], { web: true }]) {
      const { status, body } = await send(type)
      expect([type, status, body.error]).toEqual([type, 400, 'invalid_client_metadata'])
    }
  })

  test('R4 R18 R21 R24: ignores unknown members and fetches nothing', async () => {
    const app = await paxlog()
    const { status, body } = await register(app, {
      redirect_uris: ['https://x.example/'],
      client_id: 'mine',
      software_statement: 'x.y.z',
      logo_uri: 'http://169.254.169.254/',
    })
    expect(status).toBe(201)
    expect(body.client_id).not.toBe('mine')
    expect(body.registration_access_token).toBeUndefined()
    expect(body.logo_uri).toBeUndefined()
  })

  test.each([
    ['text/plain', '{"redirect_uris":["https://x.example/"]}'],
    ['application/x-www-form-urlencoded', 'redirect_uris=https://x.example/'],
    ['application/json', '{'],
    ['application/json', '[]'],
    ['application/json', '"x"'],
    ['application/json', ''],
    ['application/json', '{"redirect_uris":["https://x.example/"],"__proto__":{}}'],
    ['application/json', '{"redirect_uris":["https://x.example/"],"\\u005f_proto__":{}}'],
  ])('R15 R16: rejects %s %s', async (type, payload) => {
    const app = await paxlog()
    const { status, body } = await register(app, payload, { 'content-type': type })
    expect([status, body.error]).toEqual([400, 'invalid_client_metadata'])
  })

  test('R15: rejects a body over 64 KiB', async () => {
    const app = await paxlog()
    const { status, body } = await register(app, { redirect_uris: ['https://x.example/'], x: 'y'.repeat(70_000) })
    expect([status, body.error]).toEqual([413, 'invalid_request'])
  })

  test('R17: truncates a name and removes invisible and bidirectional characters', async () => {
    const app = await paxlog()
    const { body } = await register(app, {
      redirect_uris: ['https://x.example/'],
      client_name: `  <b>\u202e\u200b\u0007${'n'.repeat(5000)}  `,
    })
    expect(body.client_name).toBe(`<b>${'n'.repeat(97)}`)
    const empty = await register(app, { redirect_uris: ['https://x.example/'], client_name: '\u200b ' })
    expect(empty.body.client_name).toBe('x.example')
    const wrong = await register(app, { redirect_uris: ['https://x.example/'], client_name: 7 })
    expect(wrong.body.client_name).toBe('x.example')
  })

  test('R19 R25: offers no management and no other methods', async () => {
    const app = await paxlog()
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      const { status, headers, body } = await app.request({ method, url: '/oauth/register' })
      expect([status, headers.allow, body.error]).toEqual([405, 'POST, OPTIONS', 'invalid_request'])
    }
  })

  test('R22 L2 L4: returns 429 with an accurate Retry-After for the eleventh request in a minute', async () => {
    const app = await paxlog()
    const call = () =>
      app.request({
        method: 'POST',
        url: '/oauth/register',
        headers: { 'content-type': 'application/json' },
        payload: { redirect_uris: ['https://x.example/'] },
      })
    const answers = await Promise.all(Array.from({ length: 20 }, call))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10)
    const rejected = answers.find(({ status }) => status === 429)!
    expect(rejected.body.error).toBe('temporarily_unavailable')
    expect(Number(rejected.headers['retry-after'])).toBeGreaterThanOrEqual(1)
    expect(Number(rejected.headers['retry-after'])).toBeLessThanOrEqual(60)
  })

  test('R23: deletes clients that were not used for a day', async () => {
    let now = Date.now()
    const app = await paxlog({ now: () => now })
    await register(app, { redirect_uris: ['https://x.example/'] })
    now += 23 * 3_600_000
    await app.services.oauth.purge()
    expect(app.db.$client.prepare('select count(*) from oauth_clients').pluck().get()).toBe(1)
    now += 2 * 3_600_000
    await app.services.oauth.purge()
    expect(app.db.$client.prepare('select count(*) from oauth_clients').pluck().get()).toBe(0)
  })
})
