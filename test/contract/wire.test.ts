import { describe, expect, test } from 'vitest'
import { paxlog } from '../support/paxlog.ts'
import { type RawAnswer, wire } from '../support/socket.ts'

const outcome = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error.code]

async function startServer(bodyLimit?: number) {
  const server = await paxlog(bodyLimit === undefined ? {} : { bodyLimit })
  const { key } = server.user({ owner: true })
  return { ...(await wire(server.app)), bearer: `Authorization: Bearer ${key}`, key }
}

describe('a request target', () => {
  test.each([
    '/api/v1/users/.',
    '/api/v1/users/..',
    '/api/v1/users/%2e%2E',
    '/api/v1/users/.?x=1',
    '/api/v1/users/../',
    '/api/v1/./me',
    '/api/v1/users/../me',
    '/api/../api/v1',
  ])('with dot segments returns 404 before the credential check: %s', async (path) => {
    const { request } = await startServer()
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(outcome(await request(`${method} ${path}`))).toEqual([404, 'not_found'])
    }
  })

  test('with dots only in its query is accepted', async () => {
    const { request, bearer } = await startServer()
    expect((await request('GET /api/v1/me?a=/../b', [bearer])).status).toBe(200)
  })

  test('L8: in absolute form is rejected or served, but never as another path', async () => {
    const { request, bearer } = await startServer()
    const { status, body } = await request('GET http://localhost/api/v1/me', [bearer])
    expect(status === 200 ? JSON.parse(body).data.isOwner : status >= 400).toBe(true)
  })
})

describe('two Authorization headers', () => {
  test('B8: are rejected even if both are valid', async () => {
    const { request, bearer } = await startServer()
    for (const second of [bearer, 'Authorization: Bearer x', 'authorization: Basic eDp5']) {
      for (const headers of [
        [bearer, second],
        [second, bearer],
      ]) {
        const answer = await request('GET /api/v1/me', headers)
        expect(outcome(answer)).toEqual([401, 'unauthorized'])
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
      }
    }
  })
})

describe('a body over the limit', () => {
  test('returns 413 bad_request by its Content-Length, before it is sent', async () => {
    const { request, bearer } = await startServer(1000)
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Content-Length: 1001'])
    expect(outcome(answer)).toEqual([413, 'bad_request'])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('returns 413 for a chunked body as soon as the limit is exceeded', async () => {
    const { request, bearer } = await startServer(1000)
    const chunks = `3e8\r\n${' '.repeat(1000)}\r\n2\r\n{}\r\n`
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Transfer-Encoding: chunked'], chunks)
    expect(outcome(answer)).toEqual([413, 'bad_request'])
  })

  test('is accepted at exactly the limit, with a length or in chunks', async () => {
    const { request, bearer } = await startServer(1000)
    const body = `{}${' '.repeat(998)}`
    expect((await request('PUT /api/v1/preferences', [bearer, 'Content-Length: 1000'], body)).status).toBe(200)
    const chunks = `3e8\r\n${body}\r\n0\r\n\r\n`
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Transfer-Encoding: chunked'], chunks)
    expect(answer.status).toBe(200)
  })

  test('returns 401 without a credential, before the limit is checked', async () => {
    const { request } = await startServer(1000)
    expect(outcome(await request('PUT /api/v1/preferences', ['Content-Length: 99999999']))).toEqual([
      401,
      'unauthorized',
    ])
  })
})

describe('a method', () => {
  test.each(['PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'LOCK'])(
    'L8: %s on a known path returns 405',
    async (method) => {
      const { request, bearer } = await startServer()
      const answer = await request(`${method} /api/v1/me`, [bearer])
      expect(outcome(answer)).toEqual([405, 'bad_request'])
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('L8: CONNECT and unknown methods are rejected', async () => {
    const { send, request } = await startServer()
    const connect = await send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
    expect(connect.status >= 400 || Number.isNaN(connect.status)).toBe(true)
    expect((await request('BREW /api/v1/me')).status).toBe(400)
  })
})

describe('HTTP framing', () => {
  test('L8: returns 400 without a Host or with two lengths', async () => {
    const { send } = await startServer()
    expect((await send('GET /api/v1 HTTP/1.1\r\nConnection: close\r\n\r\n')).status).toBe(400)
    const both =
      'PUT /api/v1/preferences HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'
    expect((await send(both)).status).toBe(400)
    const twice = 'PUT /api/v1/preferences HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'
    expect((await send(twice)).status).toBe(400)
  })

  test.each([
    'GET /api/v1',
    'GET /api/v1/me',
    'OPTIONS /api/v1/me',
    'GET /api/nothing',
    'GET /api/flight/list',
    'POST /api/mcp',
    'GET /api/ping',
    'POST /oauth/token',
    'GET /oauth/authorize',
    'GET /.well-known/oauth-authorization-server',
    'GET /',
    'GET /setup',
    'GET /nothing',
    'GET /assets/style.css',
    'GET /health',
  ])('returns 400 without a Host or with two, even if equal: %s', async (line) => {
    const { send } = await startServer()
    const hostHeaders = [
      '',
      'Host: localhost:3000\r\nHOST: evil.example\r\n',
      'Host: localhost:3000\r\nhost: localhost:3000\r\n',
    ]
    for (const hosts of hostHeaders) {
      const answer = await send(`${line} HTTP/1.1\r\n${hosts}Connection: close\r\n\r\n`)
      expect([answer.status, answer.headers['x-content-type-options']]).toEqual([400, 'nosniff'])
      const type = /^(GET) \/(?!api|oauth\/token|\.well|health)/.test(line) ? 'text/html' : 'application/json'
      expect(answer.headers['content-type']).toContain(type)
    }
  })

  test.each([
    ['GET /api/v1/me', { 'access-control-allow-origin': '*', 'cache-control': 'private, no-store' }],
    ['OPTIONS /api/v1/me', { 'access-control-allow-origin': '*' }],
    ['GET /api/nothing', { 'access-control-allow-origin': '*', 'cache-control': 'private, no-store' }],
    ['GET /api/flight/get/7', { deprecation: '@1767225600', link: expect.stringContaining('/api/v1/flights/7') }],
    ['GET /api/flight/nothing', { 'cache-control': 'private, no-store', deprecation: '@1767225600' }],
    ['POST /api/mcp', { 'access-control-allow-origin': '*', 'cache-control': 'private, no-store' }],
    ['POST /oauth/token', { 'access-control-allow-origin': '*', 'cache-control': 'no-store', pragma: 'no-cache' }],
    ['GET /oauth/jwks', { 'access-control-allow-origin': '*', 'cache-control': 'private, no-store' }],
    ['GET /login', { 'cache-control': 'no-store', 'x-frame-options': 'DENY' }],
    ['GET /nothing', { 'content-security-policy': expect.stringContaining("frame-ancestors 'none'") }],
    ['GET /health', { 'cache-control': 'no-store' }],
    ['GET /api/ping', { 'cache-control': 'no-store' }],
  ])('sends the headers of the surface with two Hosts: %s', async (line, headers) => {
    const { send } = await startServer()
    const answer = await send(`${line} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatchObject({ status: 400, headers })
    const isClosed = /flight|login|nothing$|health|ping/.test(line) && line !== 'GET /api/nothing'
    expect('access-control-allow-origin' in answer.headers).toBe(!isClosed)
  })

  test('closes only its own connection when a body ends early', async () => {
    const { send, request, bearer } = await startServer()
    await send(`PUT /api/v1/preferences HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 50\r\n\r\n{`, (socket) =>
      setTimeout(() => socket.destroy(), 50),
    )
    expect((await request('GET /api/v1/me', [bearer])).status).toBe(200)
  })

  test('continues a connection after an unread body on GET and DELETE', async () => {
    const { send, bearer } = await startServer()
    const first = `DELETE /api/v1/users/none HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 7\r\n\r\n{broken`
    const second = `GET /api/v1/me HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`
    const { status, body } = await send(first + second)
    expect(status).toBe(404)
    expect(body).toContain('HTTP/1.1 200 OK')
  })
})
