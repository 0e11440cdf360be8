import { describe, expect, test } from 'vitest'
import { paxlog } from '../support/paxlog.ts'
import { type RawAnswer, wire } from '../support/socket.ts'

const verdict = ({ status, body }: RawAnswer) => [status, JSON.parse(body).error.code]

async function served(bodyLimit?: number) {
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
  ])('with dot segments is an unknown path, before any credential: %s', async (path) => {
    const { request } = await served()
    for (const method of ['GET', 'POST', 'DELETE']) {
      expect(verdict(await request(`${method} ${path}`))).toEqual([404, 'not_found'])
    }
  })

  test('with dots only in its query is a known one', async () => {
    const { request, bearer } = await served()
    expect((await request('GET /api/v1/me?a=/../b', [bearer])).status).toBe(200)
  })

  test('L8: in absolute form is refused or served, and never taken for another path', async () => {
    const { request, bearer } = await served()
    const { status, body } = await request('GET http://localhost/api/v1/me', [bearer])
    expect(status === 200 ? JSON.parse(body).data.isOwner : status >= 400).toBe(true)
  })
})

describe('two Authorization headers', () => {
  test('B8: are presented and refused, also when both are good', async () => {
    const { request, bearer } = await served()
    for (const second of [bearer, 'Authorization: Bearer x', 'authorization: Basic eDp5']) {
      for (const headers of [
        [bearer, second],
        [second, bearer],
      ]) {
        const answer = await request('GET /api/v1/me', headers)
        expect(verdict(answer)).toEqual([401, 'unauthorized'])
        expect(answer.headers['www-authenticate']).toContain('error="invalid_token"')
      }
    }
  })
})

describe('a body that is too large', () => {
  test('is 413 bad_request by its Content-Length, before it is sent', async () => {
    const { request, bearer } = await served(1000)
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Content-Length: 1001'])
    expect(verdict(answer)).toEqual([413, 'bad_request'])
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('is 413 when it comes in chunks, as soon as the limit is passed', async () => {
    const { request, bearer } = await served(1000)
    const chunks = `3e8\r\n${' '.repeat(1000)}\r\n2\r\n{}\r\n`
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Transfer-Encoding: chunked'], chunks)
    expect(verdict(answer)).toEqual([413, 'bad_request'])
  })

  test('is good at exactly the limit, in one piece and in chunks', async () => {
    const { request, bearer } = await served(1000)
    const body = `{}${' '.repeat(998)}`
    expect((await request('PUT /api/v1/preferences', [bearer, 'Content-Length: 1000'], body)).status).toBe(200)
    const chunks = `3e8\r\n${body}\r\n0\r\n\r\n`
    const answer = await request('PUT /api/v1/preferences', [bearer, 'Transfer-Encoding: chunked'], chunks)
    expect(answer.status).toBe(200)
  })

  test('is 401 without a credential: nobody is told about limits first', async () => {
    const { request } = await served(1000)
    expect(verdict(await request('PUT /api/v1/preferences', ['Content-Length: 99999999']))).toEqual([
      401,
      'unauthorized',
    ])
  })
})

describe('a method', () => {
  test.each(['PATCH', 'TRACE', 'PROPFIND', 'QUERY', 'M-SEARCH', 'LOCK'])(
    'L8: %s on a known path is 405',
    async (method) => {
      const { request, bearer } = await served()
      const answer = await request(`${method} /api/v1/me`, [bearer])
      expect(verdict(answer)).toEqual([405, 'bad_request'])
      expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS')
    },
  )

  test('L8: CONNECT and one that HTTP does not know end without an answer that helps', async () => {
    const { send, request } = await served()
    const connect = await send('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\n\r\n')
    expect(connect.status >= 400 || Number.isNaN(connect.status)).toBe(true)
    expect((await request('BREW /api/v1/me')).status).toBe(400)
  })
})

describe('the frame of a request', () => {
  test('L8: without a Host, or with two lengths, is 400', async () => {
    const { send } = await served()
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
  ])('without a Host, or with two, is 400, also when they are equal: %s', async (line) => {
    const { send } = await served()
    const given = [
      '',
      'Host: localhost:3000\r\nHOST: evil.example\r\n',
      'Host: localhost:3000\r\nhost: localhost:3000\r\n',
    ]
    for (const hosts of given) {
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
  ])('with two Hosts has the headers of its surface: %s', async (line, headers) => {
    const { send } = await served()
    const answer = await send(`${line} HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: close\r\n\r\n`)
    expect(answer).toMatchObject({ status: 400, headers })
    const isClosed = /flight|login|nothing$|health|ping/.test(line) && line !== 'GET /api/nothing'
    expect('access-control-allow-origin' in answer.headers).toBe(!isClosed)
  })

  test('a body that ends early costs nothing but its own connection', async () => {
    const { send, request, bearer } = await served()
    await send(`PUT /api/v1/preferences HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 50\r\n\r\n{`, (socket) =>
      setTimeout(() => socket.destroy(), 50),
    )
    expect((await request('GET /api/v1/me', [bearer])).status).toBe(200)
  })

  test('a connection goes on after a body on GET and DELETE that nobody read', async () => {
    const { send, bearer } = await served()
    const first = `DELETE /api/v1/users/none HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 7\r\n\r\n{broken`
    const second = `GET /api/v1/me HTTP/1.1\r\nHost: a\r\n${bearer}\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc`
    const { status, body } = await send(first + second)
    expect(status).toBe(404)
    expect(body).toContain('HTTP/1.1 200 OK')
  })
})
