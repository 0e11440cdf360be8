import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { oauthClient } from '../../support/oauth-client.ts'
import { type Answer, paxlog } from '../../support/paxlog.ts'
import { wire } from '../../support/socket.ts'
import { runNow } from '../../support/write-now.ts'
import { legacyServer, type Server, zurichToLisbon } from './support.ts'

let server: Server
beforeAll(async () => {
  server = await legacyServer()
})
afterAll(() => server.close())

const METADATA = 'http://localhost:3000/.well-known/oauth-protected-resource/api/v1'
const successorLink = (path: string) => `<http://localhost:3000/api/v1${path}>; rel="successor-version"`

/** Checks the error format of contract 6.1 and the headers of every legacy response. */
function expectFailure(answer: Answer, status: number, successor = '/flights'): void {
  expect([answer.status, answer.text]).toEqual([status, expect.stringContaining('"success":false')])
  const { success, message, errors, ...others } = answer.body
  expect([success, others]).toEqual([false, {}])
  expect(message).toMatch(/^[A-Z].*\.$/s)
  for (const error of errors ?? []) expect(Object.keys(error)).toEqual(['code', 'path', 'message'])
  expectHeaders(answer, successor)
}

function expectHeaders({ headers }: Answer, successor: string): void {
  expect(headers).toMatchObject({
    deprecation: '@1767225600',
    link: successorLink(successor),
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json; charset=utf-8',
  })
  expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
}

const routes: [method: 'GET' | 'POST', path: string, successor: string, scopes: string][] = [
  ['GET', '/flight/list', '/flights', 'flight.read.own'],
  ['GET', '/flight/get/7', '/flights/7', 'flight.read.own'],
  ['POST', '/flight/save', '/flights', 'flight.create.own flight.update.own'],
  ['POST', '/flight/delete', '/flights', 'flight.delete.own'],
  ['GET', '/flight/export', '/flights/export', 'flight.export.own'],
  ['GET', '/stats', '/stats', 'stats.read flight.read.own'],
]

describe('a legacy path', () => {
  test.each(routes)(
    '%s %s returns 401 with its scopes without a credential',
    async (method, path, successor, scopes) => {
      const answer = await server.request({ method, url: `/api${path}` })
      expectFailure(answer, 401, successor)
      expect(answer.headers['www-authenticate']).toBe(`Bearer resource_metadata="${METADATA}", scope="${scopes}"`)
    },
  )

  test.each(routes)(
    '%s %s rejects every key that is unknown to this instance',
    async (method, path, successor, scopes) => {
      const unknown = server.user().key
      runNow(server.db, 'delete from api_keys')
      for (const authorization of [
        `Bearer ${unknown}`,
        'Bearer nonsense',
        'bearer pxl_x',
        // The format of an access token.
        'Bearer eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ4In0.c2lnbmF0dXJl',
      ]) {
        const answer = await server.request({ method, url: `/api${path}`, headers: { authorization }, payload: '{' })
        expectFailure(answer, 401, successor)
        expect(answer.headers['www-authenticate']).toContain(`scope="${scopes}", error="invalid_token"`)
      }
    },
  )

  test.each(['v1', 'mcp'] as const)('rejects an access token for %s', async (resource) => {
    const app = await paxlog()
    const client = await oauthClient(app)
    const { access_token: token } = await client.connect(app.user(), { resource })
    if (resource === 'v1') expect((await app.as(token).get('/flights')).status).toBe(200)
    const answer = await app.request({ url: '/api/flight/list', headers: { authorization: `Bearer ${token}` } })
    expectFailure(answer, 401)
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
  })

  test('accepts a credential only in the header', async () => {
    const { key } = server.user()
    for (const url of [`/api/flight/list?key=${key}`, `/api/flight/list?access_token=${key}`]) {
      expectFailure(await server.request({ url, headers: { cookie: `session=${key}` } }), 401)
    }
    const headers = { authorization: `bEARER \t ${key}` }
    expect((await server.request({ url: '/api/flight/list', headers })).status).toBe(200)
  })

  test.each(routes)('%s %s sends its headers on success and on every failure', async (method, path, successor) => {
    const me = server.legacyAs(server.user({ owner: true, username: 'theowner' }))
    try {
      const { id } = (await me.save(zurichToLisbon)).body
      const body = path.endsWith('delete') ? { id } : zurichToLisbon
      const real = path.replace('7', String(id))
      const answer = method === 'GET' ? await me.get(real) : await me.post(real, body)
      expect(answer.status).toBe(200)
      expectHeaders(answer, successor.replace('7', String(id)))
    } finally {
      runNow(server.db, "delete from users where username = 'theowner'")
    }
  })

  test.each(routes)('%s %s accepts duplicate and trailing slashes', async (method, path) => {
    for (const url of [`/api/${path}`, `//api${path}/`, `/api${path.replaceAll('/', '//')}`]) {
      expect([url, (await server.request({ method, url })).status]).toEqual([url, 401])
    }
  })

  test.each(routes)('%s %s rejects other methods before it checks the credential', async (allowedMethod, path) => {
    const successor = path === '/stats' ? '/stats' : '/flights'
    const allow = allowedMethod === 'GET' ? 'GET, HEAD' : 'POST'
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'LOCK'] as const) {
      if (method === allowedMethod) continue
      const url = `/api${path}`
      const answer = await server.request({
        method: method as 'GET',
        url,
        headers: { origin: 'https://board.example' },
      })
      expectFailure(answer, 405, successor)
      expect(answer.headers.allow).toBe(allow)
    }
  })

  test('rejects a wrong method before it reads the body', async () => {
    const answer = await server.request({ method: 'POST', url: '/api/flight//list/', payload: '{broken' })
    expectFailure(answer, 405)
  })

  test('answers HEAD like GET without a body on read paths', async () => {
    const { key } = server.user()
    const headers = { authorization: `Bearer ${key}` }
    for (const url of ['/api/flight/list', '/api/flight/export', '/api/stats']) {
      const { status, text, headers: sent } = await server.request({ method: 'HEAD', url, headers })
      expect([url, status, text, sent.deprecation]).toEqual([url, 200, '', '@1767225600'])
    }
  })
})

describe('an unknown path', () => {
  test.each([
    ['/api/flight', '/flights'],
    ['/api/flight/', '/flights'],
    ['/api/flight/nothing', '/flights'],
    ['/api//flight//nothing', '/flights'],
    ['//api/flight/nothing', '/flights'],
    ['/api/flight/list/more', '/flights'],
    ['/api/flight/get', '/flights'],
    ['/api/flight/get/1/2', '/flights'],
    ['/api/flight/LIST', '/flights'],
    ['/api/stats/more', '/stats'],
  ])('returns 404 for every method before it checks the credential: %s', async (url, successor) => {
    for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'OPTIONS'] as const) {
      const answer = await server.request({ method, url, payload: method === 'POST' ? '{broken' : '' })
      expectFailure(answer, 404, successor)
      expect(answer.body.message).toBe('There is nothing at this path.')
    }
  })

  test('returns 404 for dot segments, which are not resolved', async () => {
    const { app } = await paxlog()
    const { request } = await wire(app)
    for (const path of ['/flight/get/..', '/flight/get/%2E', '/flight/./list', '/stats/..', '/stats/../flight/list']) {
      const { status, headers, body } = await request(`GET /api${path}`)
      expect([path, status, JSON.parse(body).success, headers.deprecation]).toEqual([path, 404, false, '@1767225600'])
    }
  })

  test('belongs to v1 if it only has a legacy prefix', async () => {
    for (const url of ['/api/flights', '/api/flightx/list', '/api/statsx', '/api/Flight/list']) {
      const { status, body, headers } = await server.request({ url })
      expect([url, status, body.error?.code, headers.deprecation]).toEqual([url, 404, 'not_found', undefined])
    }
  })

  test('returns 400 in the legacy format if the encoding is invalid', async () => {
    expectFailure(await server.request({ url: '/api/flight/get/%' }), 400)
    expectFailure(await server.request({ url: '/api/stats/%zz' }), 400, '/stats')
  })
})

describe('with a path in BASE_URL', () => {
  test('all routes and links include that path', async () => {
    const { request, user } = await paxlog({ baseUrl: 'https://example.org/fly' })
    const headers = { authorization: `Bearer ${user().key}` }
    const good = await request({ url: '/fly/api/flight/list', headers })
    expect([good.status, good.text]).toEqual([200, '{"success":true,"flights":[]}'])
    expect(good.headers.link).toBe('<https://example.org/fly/api/v1/flights>; rel="successor-version"')
    const wrong = await request({ method: 'PUT', url: '/fly/api/stats' })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD'])
    const bad = await request({ url: '/fly/api/flight/get/%' })
    expect([bad.status, bad.body.success]).toEqual([400, false])
  })
})

describe('a body', () => {
  test('is rejected in the legacy format, after the credential check, if invalid, too large or encoded', async () => {
    const { request, user } = await paxlog({ bodyLimit: 1000 })
    const headers = { authorization: `Bearer ${user().key}` }
    const rejected: [payload: string, status: number, more?: Record<string, string>][] = [
      ['', 400],
      ['{broken', 400],
      ['{"__proto__":{}}', 400],
      ['"text"', 400],
      ['[]', 400],
      ['null', 400],
      ['7', 400],
      ['{}', 400, { 'content-encoding': 'gzip' }],
      [`{"note":"${'x'.repeat(1000)}"}`, 413],
    ]
    for (const url of ['/api/flight/save', '/api/flight/delete']) {
      for (const [payload, status, more] of rejected) {
        const answer = await request({ method: 'POST', url, headers: { ...headers, ...more }, payload })
        expectFailure(answer, status)
        expectFailure(await request({ method: 'POST', url, headers: more ?? {}, payload }), 401)
      }
    }
  })

  test('is parsed as JSON regardless of the content type', async () => {
    const { key } = server.user()
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense', '']) {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type }
      const payload = JSON.stringify(zurichToLisbon)
      expect((await server.request({ method: 'POST', url: '/api/flight/save', headers, payload })).status).toBe(200)
    }
  })

  test('is parsed before the scope check and validated after it', async () => {
    const { key } = server.user({ scopes: ['profile.read'] })
    const headers = { authorization: `Bearer ${key}` }
    const send = (payload: string) => server.request({ method: 'POST', url: '/api/flight/save', headers, payload })
    expectFailure(await send('{broken'), 400)
    expectFailure(await send('{}'), 403)
    expect((await send('{}')).headers['www-authenticate']).toContain('scope="flight.create.own", error=')
    expect((await send('{"id":null}')).headers['www-authenticate']).toContain('scope="flight.create.own", error=')
    const update = await send('{"id":"seven"}')
    expectFailure(update, 403)
    expect(update.headers['www-authenticate']).toContain('scope="flight.update.own", error="insufficient_scope"')
    expectFailure(await send('{"id":7}'), 403, '/flights/7')
  })
})

describe('a query', () => {
  test('is validated after the fixed scopes and before the conditional scope', async () => {
    const bad = [
      'scope=',
      'scope=Mine',
      'scope=user',
      'scope=user&userId=',
      'scope=all&scope=all',
      'scope=user&userId=a&userId=b',
    ]
    const paths: [path: string, successor: string][] = [
      ['/flight/list', '/flights'],
      ['/flight/export', '/flights/export'],
      ['/stats', '/stats'],
    ]
    const [narrow, none] = [server.legacyAs(server.user()), server.legacyAs(server.user({ scopes: ['profile.read'] }))]
    for (const [path, successor] of paths) {
      for (const query of bad) {
        expectFailure(await narrow.get(`${path}?${query}`), 400, successor)
        expectFailure(await none.get(`${path}?${query}`), 403, successor)
      }
      expectFailure(await narrow.get(`${path}?scope=all`), 403, successor)
      expect((await none.get(`${path}?scope=user`)).headers['www-authenticate']).toMatch(
        /scope="[^"]*\.own [^"]*\.any"/,
      )
    }
    const wrong = await narrow.get('/flight/export?format=csv')
    expectFailure(wrong, 400, '/flights/export')
    expect(wrong.body.message).toBe('The query is not valid: format must be one of json, yaml, yml.')
  })

  test('ignores limit and cursor', async () => {
    const me = server.legacyAs(server.user())
    for (let count = 0; count < 3; count++) await me.save(zurichToLisbon)
    const { status, body } = await me.get('/flight/list?limit=1&limit=x&cursor=nonsense&userId=')
    expect([status, body.flights.length]).toEqual([200, 3])
  })

  test('ignores v1 filter parameters, even invalid ones', async () => {
    const me = server.legacyAs(server.user())
    await me.save(zurichToLisbon)
    for (const path of ['/flight/list', '/flight/export', '/stats']) {
      const query = 'text=&country=&country=&dateFrom=2030-01-01&dateTo=soon&airlineId=x'
      const { status, body } = await me.get(`${path}?${query}`)
      expect([path, status, body.stats?.flights ?? body.flights.length]).toEqual([path, 200, 1])
    }
  })
})
