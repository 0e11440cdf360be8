import { describe, expect, test } from 'vitest'
import { mcpDefaultScopes } from '../../../src/access/scopes.ts'
import { allOperations } from '../../../src/app/operations.ts'
import { Busy } from '../../../src/lib/errors.ts'
import { paxlog } from '../../support/paxlog.ts'
import { wire } from '../../support/socket.ts'
import { runNow } from '../../support/write-now.ts'
import { mcpClient } from './support.ts'

const BASE = 'http://localhost:3000'
const METADATA = `${BASE}/.well-known/oauth-protected-resource/api/mcp`
const PING = { jsonrpc: '2.0', id: 7, method: 'ping' }
const EXPOSED_HEADERS = 'WWW-Authenticate, Retry-After, Location, Content-Disposition, ETag, Idempotency-Replayed'
const ALLOW = 'GET, HEAD, POST, OPTIONS'

async function startApp(options: Parameters<typeof paxlog>[0] = {}) {
  const app = await paxlog(options)
  const mira = app.user()
  return { ...app, mira, ...mcpClient(app.request, mira) }
}

describe('POST /api/mcp', () => {
  test('M1: answers one request with 200 and uncacheable JSON', async () => {
    const { post } = await startApp()
    const { status, headers, body } = await post(PING)
    expect(status).toBe(200)
    expect(body).toEqual({ jsonrpc: '2.0', id: 7, result: {} })
    expect(headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test('M22: issues no session id and ignores one in the request', async () => {
    const { send } = await startApp()
    const sent = { 'mcp-session-id': 'abc', 'last-event-id': '5' }
    const answer = await send('initialize', { protocolVersion: '2025-06-18' }, sent)
    expect(answer.status).toBe(200)
    expect(answer.headers).not.toHaveProperty('mcp-session-id')
  })

  test('returns the id of the request as a number, zero or text', async () => {
    const { post } = await startApp()
    for (const id of [0, 7, -3, 'abc', '']) expect((await post({ ...PING, id })).body.id).toBe(id)
  })

  test('returns 503 with Retry-After and the request id when the server is busy', async () => {
    const run = () => {
      throw new Busy('Not now.')
    }
    const { send } = await startApp({
      operations: (services) => allOperations(services).map((op) => (op.id === 'getMe' ? { ...op, run } : op)),
    })
    const { status, headers, body } = await send('resources/read', { uri: 'paxlog://profile' })
    expect([status, headers['retry-after'], body]).toEqual([
      503,
      '5',
      { jsonrpc: '2.0', id: 7, error: { code: -32603, message: 'Not now.' } },
    ])
  })

  test.each([
    undefined,
    '',
    '*/*',
    'application/json',
    'text/event-stream',
    'application/*',
    'text/html, application/json;q=0.5',
    'APPLICATION/JSON',
  ])('M2: accepts an Accept header of %s', async (accept) => {
    const { request, mira } = await startApp()
    const headers = {
      'content-type': 'application/json',
      authorization: `Bearer ${mira.key}`,
      ...(accept !== undefined && { accept }),
    }
    expect((await request({ method: 'POST', url: '/api/mcp', headers, payload: PING })).status).toBe(200)
  })

  test.each(['text/html', 'application/xml, image/*', 'application/json;q=0'])(
    'M2: returns 406 for an Accept header of %s',
    async (accept) => {
      const { post } = await startApp()
      const { status, body } = await post(PING, { accept })
      expect([status, body.error.code]).toEqual([406, 'bad_request'])
    },
  )

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON;x=y'])(
    'accepts a Content-Type of %s',
    async (type) => {
      const { post } = await startApp()
      expect((await post(PING, { 'content-type': type })).status).toBe(200)
    },
  )

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonx',
    'multipart/form-data; boundary=x',
  ])('returns 415 for a Content-Type of %s', async (type) => {
    const { post } = await startApp()
    const { status, body } = await post(PING, { 'content-type': type })
    expect([status, body.error.code]).toEqual([415, 'bad_request'])
  })

  test('returns 415 for a body without a Content-Type', async () => {
    const { app, mira } = await startApp({ baseUrl: 'http://localhost' })
    const { request } = await wire(app)
    const { status, body } = await request(
      'POST /api/mcp',
      [`Authorization: Bearer ${mira.key}`, 'Content-Length: 2'],
      '{}',
    )
    expect([status, JSON.parse(body).error.code]).toEqual([415, 'bad_request'])
  })

  test('returns 413 for a body over the limit', async () => {
    const { post } = await startApp({ bodyLimit: 1000 })
    const { status, body } = await post({ ...PING, params: { text: 'x'.repeat(2000) } })
    expect([status, body.error.code]).toEqual([413, 'bad_request'])
  })

  test('M3: rejects batches, even empty ones, with 400 and -32600 in every version', async () => {
    const { post } = await startApp()
    for (const version of ['2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28']) {
      for (const batch of [[PING], []]) {
        const { status, body } = await post(batch, { 'mcp-protocol-version': version })
        expect([status, body.id, body.error.code]).toEqual([400, null, -32600])
      }
    }
  })

  test.each([
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    { jsonrpc: '2.0', method: 'no/such/notification' },
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 1, error: { code: -1, message: 'no' } },
  ])('M4: accepts a notification or response with 202 and no body: %j', async (message) => {
    const { post } = await startApp()
    const { status, text } = await post(message)
    expect([status, text]).toEqual([202, ''])
  })

  test.each(['{', '', 'null x', '{"jsonrpc":"2.0","id":1,"method":"ping","__proto__":{}}'])(
    'M5: returns 400 and -32700 for invalid JSON: %j',
    async (text) => {
      const { post } = await startApp()
      const { status, body } = await post(text)
      expect([status, body.jsonrpc, body.id, body.error.code]).toEqual([400, '2.0', null, -32700])
    },
  )

  test('M5: returns 400 and -32700 for an encoded body', async () => {
    const { post } = await startApp()
    const { status, body } = await post(PING, { 'content-encoding': 'gzip' })
    expect([status, body.error.code]).toEqual([400, -32700])
  })

  test.each([
    7,
    'text',
    null,
    {},
    { id: 1, method: 'ping' },
    { jsonrpc: '1.0', id: 1, method: 'ping' },
    { jsonrpc: '2.0', id: null, method: 'ping' },
    { jsonrpc: '2.0', id: 1.5, method: 'ping' },
    { jsonrpc: '2.0', id: {}, method: 'ping' },
    { jsonrpc: '2.0', id: true, method: 'ping' },
    { jsonrpc: '2.0', id: 1, method: 5 },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: [1] },
    { jsonrpc: '2.0', id: 1, method: 'ping', params: 'x' },
    { jsonrpc: '2.0', id: 1 },
  ])('M5: returns 400 and -32600 for an invalid JSON-RPC message: %j', async (message) => {
    const { post } = await startApp()
    const { status, body } = await post(JSON.stringify(message))
    expect([status, body.error.code]).toEqual([400, -32600])
  })

  test('returns 500 with -32603 for an unexpected error and logs the cause', async () => {
    const lines: string[] = []
    const { services, call } = await startApp({ log: (line) => lines.push(line) })
    services.preferences.of = () => {
      throw new Error('the cause that only the log may tell')
    }
    const { status, body, text } = await call('get_me')
    expect([status, body.id, body.error.code]).toEqual([500, 7, -32603])
    expect(text).not.toContain('only the log may tell')
    expect(lines.join('')).toContain('the cause that only the log may tell')
  })
})

describe('a credential for /api/mcp', () => {
  const allMethods = ['initialize', 'tools/list', 'tools/call', 'ping', 'server/discover', 'notifications/initialized']

  test.each(allMethods)(
    'M11: %s without one returns 401 with the default scopes and the MCP metadata',
    async (method) => {
      const { request } = await startApp()
      const { status, headers, body } = await mcpClient(request, undefined).send(method)
      expect([status, body.error.code]).toEqual([401, 'unauthorized'])
      expect(headers['www-authenticate']).toBe(
        `Bearer resource_metadata="${METADATA}", scope="profile.read flight.read.own reference_data.read stats.read tracks.read visited_countries.read shares.read custom_fields.read"`,
      )
      expect(mcpDefaultScopes).toHaveLength(8)
    },
  )

  test('B2: returns invalid_token when it is rejected', async () => {
    const { request } = await startApp()
    const { status, headers } = await mcpClient(request, 'pxl_nonsense').post(PING)
    expect(status).toBe(401)
    expect(headers['www-authenticate']).toMatch(
      /^Bearer resource_metadata="[^"]+", scope="[^"]+", error="invalid_token", error_description="[^"]+"$/,
    )
  })

  test('M11: is checked before headers, body and body size', async () => {
    const { request } = await startApp({ bodyLimit: 100 })
    const { post } = mcpClient(request, undefined)
    for (const [body, headers] of [
      ['{', {}],
      ['x'.repeat(1000), {}],
      ['{}', { accept: 'text/html' }],
      ['{}', { 'content-type': 'text/plain' }],
      ['{}', { 'mcp-protocol-version': '1900-01-01' }],
    ] as [string, Record<string, string>][]) {
      expect((await post(body, headers)).status).toBe(401)
    }
  })

  test('B7: is not read from the query or a cookie', async () => {
    const { request, mira } = await startApp()
    const headers = { 'content-type': 'application/json', cookie: `access_token=${mira.key}` }
    const url = `/api/mcp?access_token=${mira.key}`
    expect((await request({ method: 'POST', url, headers, payload: PING })).status).toBe(401)
  })

  test('B14: is rejected by the next request after deletion', async () => {
    const { db, post } = await startApp()
    expect((await post(PING)).status).toBe(200)
    runNow(db, 'delete from api_keys')
    expect((await post(PING)).status).toBe(401)
  })
})

describe('other methods of /api/mcp', () => {
  test('M9: GET returns the public document, cacheable for a minute', async () => {
    const { request } = await startApp({ baseUrl: 'https://fly.example/log' })
    const { status, headers, body } = await request({ url: '/log/api/mcp' })
    const root = 'https://fly.example/log'
    expect(status).toBe(200)
    expect(headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary: 'Accept' })
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      name: 'Paxlog',
      protocol: 'Model Context Protocol',
      transport: { type: 'streamable-http', endpoint: `${root}/api/mcp`, stateless: true },
      authentication: {
        methods: ['api_key', 'oauth2_authorization_code_pkce'],
        bearerHeader: 'Authorization: Bearer <credential>',
        protectedResourceMetadata: `${root}/.well-known/oauth-protected-resource/api/mcp`,
      },
      apiDiscovery: `${root}/api`,
      documentation: `${root}/docs`,
    })
  })

  test('M9: HEAD is answered like GET, and extra slashes are ignored', async () => {
    const { request } = await startApp()
    const { status, text, headers } = await request({ method: 'HEAD', url: '/api//mcp/' })
    expect([status, text, headers['cache-control']]).toEqual([200, '', 'public, max-age=60'])
  })

  test.each([
    ['GET', { accept: 'text/event-stream' }],
    ['GET', { accept: 'application/json, text/event-stream' }],
    ['DELETE', {}],
    ['DELETE', { 'content-type': 'text/plain', 'content-length': '5000' }],
  ] as const)('M8: %s with %j returns 405 to an authenticated caller and 401 otherwise', async (method, headers) => {
    const { request, mira } = await startApp({ bodyLimit: 1000 })
    const rejected = await request({ method, url: '/api/mcp', headers })
    expect([rejected.status, rejected.body.error.code]).toEqual([401, 'unauthorized'])
    const known = await request({
      method,
      url: '/api/mcp',
      headers: { ...headers, authorization: `Bearer ${mira.key}` },
    })
    expect([known.status, known.headers.allow, known.body.error.code]).toEqual([405, ALLOW, 'bad_request'])
    expect(known.headers['cache-control']).toBe('private, no-store')
  })

  test.each(['PUT', 'PATCH', 'PROPFIND', 'TRACE'])('%s returns 405 without a credential', async (method) => {
    const { request } = await startApp({ bodyLimit: 1000 })
    for (const more of [
      {},
      { payload: 'x', headers: { 'content-type': 'text/plain' } },
      { payload: 'x'.repeat(2000) },
    ]) {
      const { status, headers, body } = await request({ method: method as 'PUT', url: '/api/mcp', ...more })
      expect([status, headers.allow, body.error.code]).toEqual([405, ALLOW, 'bad_request'])
    }
  })

  test('a path below /api/mcp returns 404', async () => {
    const { request } = await startApp()
    for (const url of ['/api/mcp/tools', '/api/mcp/tools/call']) {
      const { status, body } = await request({ url })
      expect([url, status, body.error.code]).toEqual([url, 404, 'not_found'])
    }
  })
})

describe('CORS of /api/mcp', () => {
  test('B12: allows every origin to read all responses, including errors', async () => {
    const { request, post, mira } = await startApp()
    const origin = { origin: 'https://board.example' }
    const authorization = `Bearer ${mira.key}`
    const answers = [
      await request({ url: '/api/mcp', headers: origin }),
      await request({ method: 'PUT', url: '/api/mcp', headers: origin }),
      await request({ method: 'DELETE', url: '/api/mcp', headers: { ...origin, authorization } }),
      await request({ url: '/api/mcp/nothing', headers: origin }),
      await request({ url: '/api/mcp', headers: { ...origin, host: 'evil.example' } }),
      await post(PING, origin),
      await post(PING, { ...origin, authorization: 'Bearer x' }),
      await post('{', origin),
      await post(PING, { ...origin, accept: 'text/html' }),
      await post(PING, { ...origin, 'content-type': 'text/plain' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([200, 405, 405, 404, 403, 200, 401, 400, 406, 415])
    for (const { headers } of answers) {
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-expose-headers']).toBe(EXPOSED_HEADERS)
      expect(headers).not.toHaveProperty('access-control-allow-credentials')
    }
  })

  test('answers OPTIONS before it checks host and credential', async () => {
    const { request } = await startApp()
    for (const host of ['localhost:3000', 'evil.example']) {
      const { status, text, headers } = await request({ method: 'OPTIONS', url: '/api/mcp', headers: { host } })
      expect([status, text]).toEqual([204, ''])
      expect(headers['access-control-allow-headers']).toContain('Mcp-Method, Mcp-Name')
    }
  })
})

describe('the Host header of /api/mcp', () => {
  const status = async (baseUrl: string, host: string, method: 'GET' | 'POST' | 'PUT' = 'POST') => {
    const { request, mira } = await startApp({ baseUrl })
    const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${mira.key}` }
    const answer = await request({ method, url: '/api/mcp', headers, ...(method === 'POST' && { payload: PING }) })
    if (answer.status === 403) {
      expect(answer.body.error.code).toBe('forbidden')
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
    return answer.status
  }

  test.each([
    ['https://fly.example', 'fly.example'],
    ['https://fly.example', 'FLY.example:443'],
    ['http://fly.example', 'fly.example:80'],
    ['https://fly.example:8443', 'fly.example:8443'],
    ['http://localhost:3000', 'localhost:3000'],
    ['http://localhost:3000', '127.0.0.1:3000'],
    ['http://127.0.0.1:3000', '[::1]:3000'],
    ['http://[::1]:3000', 'localhost:3000'],
  ])('M10: for %s can be %s', async (baseUrl, host) => {
    expect(await status(baseUrl, host)).toBe(200)
  })

  test.each([
    ['https://fly.example', 'evil.example'],
    ['https://fly.example', 'fly.example.evil.example'],
    ['https://fly.example', 'fly.example:80'],
    ['https://fly.example', 'fly.example:8443'],
    ['https://fly.example', 'user@fly.example'],
    ['https://fly.example', 'fly.example/x'],
    ['https://fly.example', '127.0.0.1'],
    ['http://localhost:3000', 'localhost'],
    ['http://localhost:3000', 'rebound.example:3000'],
    ['http://localhost:3000', '[::2]:3000'],
    ['http://192.168.1.5:3000', 'localhost:3000'],
  ])('M10: for %s cannot be %s', async (baseUrl, host) => {
    expect(await status(baseUrl, host)).toBe(403)
  })

  test('M10: is checked for every method and path spelling, before the credential', async () => {
    for (const method of ['GET', 'POST', 'PUT'] as const) {
      expect(await status('https://fly.example', 'evil.example', method)).toBe(403)
    }
    const { request } = await startApp()
    const headers = { host: 'evil.example', 'content-type': 'application/json' }
    for (const url of ['/api/mcp', '/api/%6dcp', '//api/mcp/', '/api/mcp?x=1']) {
      expect((await request({ method: 'POST', url, headers, payload: PING })).status).toBe(403)
    }
  })

  test('X3: accepts any Origin', async () => {
    const { post } = await startApp()
    for (const origin of ['https://evil.example', 'null', BASE]) expect((await post(PING, { origin })).status).toBe(200)
  })
})

describe('the rate limit for calls', () => {
  const fill = async (call: () => Promise<{ status: number }>) => {
    const statuses = await Promise.all(Array.from({ length: 600 }, async () => (await call()).status))
    expect(new Set(statuses)).toEqual(new Set([200]))
  }

  test('M36 L4: returns 429 with the seconds to wait after 600 calls in a minute, per credential', async () => {
    let time = Date.now()
    const { request, call, send, mira, key } = await startApp({ now: () => time })
    await fill(() => call('get_me'))
    time += 12_000
    const { status, headers, body } = await call('get_me')
    expect([status, body.error.code, headers['retry-after']]).toEqual([429, 'bad_request', '48'])
    expect((await send('tools/list')).status).toBe(200)
    expect((await mcpClient(request, key(mira.id)).call('get_me')).status).toBe(200)
    time += 48_000
    expect((await call('get_me')).status).toBe(200)
  })

  test('M36: counts every tool call regardless of its result, and nothing else', async () => {
    const { call, send } = await startApp()
    for (let times = 0; times < 10; times++) await send('ping')
    await fill(() => call('no_such_tool'))
    expect((await call('get_me')).status).toBe(429)
  })
})
