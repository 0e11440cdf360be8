import { METHODS } from 'node:http'
import { describe, expect, test } from 'vitest'
import { type Answer, paxlog } from '../support/paxlog.ts'
import { wire } from '../support/socket.ts'

const JSON_TYPE = 'application/json; charset=utf-8'
const HTML_TYPE = 'text/html; charset=utf-8'
/** All methods of Node except CONNECT, which has no path. */
const methods = METHODS.filter((method) => method !== 'CONNECT')

const errorOf = ({ body }: Answer) => body?.error?.code ?? body?.error ?? body?.success

/** A path of each surface with its methods, the code of its errors and its Allow header. */
const surfaces: [url: string, supported: string[], error: unknown, allow: string][] = [
  ['/api/v1/me', ['GET', 'HEAD', 'OPTIONS'], 'bad_request', 'GET, HEAD, OPTIONS'],
  ['/api/v1/flights', ['GET', 'HEAD', 'POST', 'OPTIONS'], 'bad_request', 'GET, HEAD, POST, OPTIONS'],
  ['/api', ['GET', 'HEAD', 'OPTIONS'], 'bad_request', 'GET, HEAD, OPTIONS'],
  ['/api/mcp', ['GET', 'HEAD', 'POST', 'OPTIONS', 'DELETE'], 'bad_request', 'GET, HEAD, POST, OPTIONS'],
  ['/api/flight/list', ['GET', 'HEAD'], false, 'GET, HEAD'],
  ['/api/flight/save', ['POST'], false, 'POST'],
  ['/api/stats', ['GET', 'HEAD'], false, 'GET, HEAD'],
  ['/oauth/token', ['POST', 'OPTIONS'], 'invalid_request', 'POST, OPTIONS'],
  ['/oauth/register', ['POST', 'OPTIONS'], 'invalid_request', 'POST, OPTIONS'],
  ['/oauth/revoke', ['POST', 'OPTIONS'], 'invalid_request', 'POST, OPTIONS'],
  ['/oauth/jwks', ['GET', 'HEAD', 'OPTIONS'], 'bad_request', 'GET, HEAD, OPTIONS'],
  ['/.well-known/oauth-authorization-server', ['GET', 'HEAD', 'OPTIONS'], 'bad_request', 'GET, HEAD, OPTIONS'],
]

describe('N15: methods', () => {
  test.each(surfaces)(
    'unsupported methods of %s return 405 with Allow in the format of the surface',
    async (url, supported, code, allow) => {
      const { request } = await paxlog()
      for (const method of methods.filter((each) => !supported.includes(each))) {
        const answer = await request({
          method: method as 'GET',
          url,
          payload: '{broken',
          headers: { 'content-type': '?' },
        })
        const body = method === 'HEAD' ? code : errorOf(answer)
        expect([method, answer.status, answer.headers.allow, body]).toEqual([method, 405, allow, code])
        expect(answer.headers['content-type']).toBe(JSON_TYPE)
      }
    },
  )

  test('HEAD returns the same as GET without a body', async () => {
    const { app, user } = await paxlog()
    const { request } = await wire(app)
    const authorization = `Authorization: Bearer ${user({ owner: true }).key}`
    const readable = ['/api', '/api/v1/me', '/api/v1/openapi.yaml', '/api/v1/flights/export', '/api/ping', '/api/mcp']
    const others = [
      '/api/flight/list',
      '/api/stats',
      '/oauth/jwks',
      '/login',
      '/health',
      '/ready',
      '/nothing',
      '/api/x',
    ]
    for (const url of [...readable, ...others, '/.well-known/oauth-authorization-server', '/.well-known/x']) {
      const get = await request(`GET ${url}`, [authorization])
      const head = await request(`HEAD ${url}`, [authorization])
      expect([url, head.status, head.body]).toEqual([url, get.status, ''])
      expect([url, head.headers['content-type']]).toEqual([url, get.headers['content-type']])
    }
  })

  test('OPTIONS returns 204 on surfaces with CORS for any path, and no CORS headers elsewhere', async () => {
    const { request } = await paxlog()
    for (const url of ['/api/v1/me', '/api/nothing', '/api/mcp', '/oauth/token', '/.well-known/x', '/oauth/jwks']) {
      const { status, headers, text } = await request({ method: 'OPTIONS', url })
      expect([url, status, headers['access-control-allow-origin'], text]).toEqual([url, 204, '*', ''])
    }
    for (const url of ['/login', '/nothing', '/health', '/api/stats', '/oauth/authorize']) {
      const { status, headers } = await request({ method: 'OPTIONS', url })
      expect([url, status >= 400, headers['access-control-allow-origin']]).toEqual([url, true, undefined])
    }
  })
})

describe('N15: paths', () => {
  test.each([
    '/api/nothing',
    '/api/v1/nothing',
    '/api//v1///nothing//',
    '/api/v1/../../login',
    '/api/%2e%2e/login',
    '/api/v1%2fme',
    '/api/v1/me%00',
    '/api/v1/me;x=1',
    '/api/v1/%E2%80%AE',
    '/api/mcp/x',
    '/.well-known',
    '/.well-known/openid-configuration',
    '/.well-known/../login',
    '/.well-known/%2e%2e%2flogin',
    '/%61pi/v1/nothing',
  ])('%s returns 404 as JSON', async (url) => {
    const { app } = await paxlog()
    const { status, headers, body } = await (await wire(app)).request(`GET ${url}`, ['Accept: text/html'])
    expect([status, headers['content-type'], JSON.parse(body).error.code]).toEqual([404, JSON_TYPE, 'not_found'])
  })

  test.each(['/api/flight', '/api/flight/nothing', '/api/stats/x', '/api/flight/get/1/2', '/api/flight/../v1'])(
    '%s returns 404 in the legacy format',
    async (url) => {
      const { app } = await paxlog()
      const { status, headers, body } = await (await wire(app)).request(`GET ${url}`, ['Accept: text/html'])
      expect([status, headers['content-type'], JSON.parse(body).success]).toEqual([404, JSON_TYPE, false])
    },
  )

  test.each([
    '/nothing',
    '/loginx',
    '/login/..',
    '/%2e/login',
    '/share/',
    '/share/a/b',
    '/share/%00',
    '/oauth/nothing',
    '/http://localhost/login',
    '*',
  ])('%s returns 404 as a page', async (url) => {
    const { app } = await paxlog()
    const { status, headers } = await (await wire(app)).request(`GET ${url}`, ['Accept: application/json'])
    expect([status, headers['content-type']]).toEqual([404, HTML_TYPE])
  })

  test('a malformed path returns 400 in the format of its surface, with the common headers', async () => {
    for (const basePath of ['', '/log']) {
      const { request } = await paxlog({ baseUrl: `https://fly.example${basePath}` })
      for (const tail of ['%', '%zz', '%ff', '%ED%A0%80', 'x%']) {
        for (const root of ['/api/', '/api/v1/', '/api/mcp/', '/.well-known/', '/api/flight/get/', '/share/', '/']) {
          const url = `${basePath}${root}${tail}`
          const answer = await request({ url })
          const isPage = root === '/share/' || root === '/'
          const isOpen = !isPage && !root.includes('/flight/')
          expect([url, answer.status, answer.headers['content-type']]).toEqual([
            url,
            400,
            isPage ? HTML_TYPE : JSON_TYPE,
          ])
          expect(answer.headers).toMatchObject({
            'x-content-type-options': 'nosniff',
            'strict-transport-security': 'max-age=31536000',
            'cache-control': isPage ? 'no-store' : 'private, no-store',
          })
          expect(answer.headers['access-control-allow-origin']).toBe(isOpen ? '*' : undefined)
          expect(answer.headers['access-control-expose-headers']).toBe(
            isOpen
              ? 'WWW-Authenticate, Retry-After, Location, Content-Disposition, ETag, Idempotency-Replayed'
              : undefined,
          )
          if (isPage) expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
          else expect(errorOf(answer)).toBe(isOpen ? 'bad_request' : false)
        }
      }
    }
  })
})

describe('N15 L8: the syntax of requests', () => {
  test('an absolute target is rejected and never refers to another host', async () => {
    const { app } = await paxlog()
    const { request } = await wire(app)
    for (const target of ['http://localhost/api/v1/me', 'http://evil.example/api/v1/me', 'https://x/login']) {
      const { status, headers, body } = await request(`GET ${target}`)
      expect([target, status >= 400 && status < 500]).toEqual([target, true])
      expect(JSON.stringify(headers) + body).not.toContain('evil.example')
    }
  })

  test.each([
    ['a length and chunks', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
    ['chunks and a length', 'Transfer-Encoding: chunked\r\nContent-Length: 4'],
    ['two different lengths', 'Content-Length: 0\r\nContent-Length: 44'],
    ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5'],
    ['a list of lengths', 'Content-Length: 5, 5'],
    ['a length with a sign', 'Content-Length: +5'],
    ['a negative length', 'Content-Length: -5'],
    ['a length in another base', 'Content-Length: 0x5'],
    ['a length with a space', 'Content-Length: 5 0'],
    ['an unknown coding', 'Transfer-Encoding: xchunked'],
    ['chunks that are not the last coding', 'Transfer-Encoding: chunked, identity'],
    ['two codings', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity'],
    ['a coding after a vertical tab', 'Transfer-Encoding: \x0bchunked'],
    ['a space before the colon', 'Transfer-Encoding : chunked'],
    ['a folded line', 'Transfer-Encoding:\r\n chunked'],
    ['a folded value', 'X-Folded: a\r\n b'],
    ['a bare line feed', 'X-A: b\nTransfer-Encoding: chunked'],
    ['a bare carriage return', 'X-A: b\rTransfer-Encoding: chunked'],
    ['a zero byte', 'X-A: b\0c'],
    ['a header without a name', ': b'],
    ['a header without a colon', 'Transfer-Encoding chunked'],
    ['two hosts', 'Host: evil.example'],
  ])('%s never smuggles a second request', async (_what, header) => {
    const { app, user } = await paxlog()
    const { send } = await wire(app)
    const { key } = user({ owner: true })
    const first = `POST /api/v1/roles HTTP/1.1\r\nHost: localhost:3000\r\nAuthorization: Bearer ${key}\r\n${header}\r\n\r\n`
    const smuggled = 'GET /api/v1/me?smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n'
    let ended = false
    const { status, body } = await send(`${first}0\r\n\r\n${smuggled}`, (socket) => {
      setTimeout(() => {
        ended = true
        socket.end()
      }, 5_000).unref()
    })
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(500)
    // The server closes the connection after one response, so nothing after it is a request.
    expect([body.split('HTTP/1.1 ').length, ended]).toEqual([1, false])
  })

  test.each([
    ['TRACE', 'TRACE /api/v1/me', 405],
    ['CONNECT', 'CONNECT localhost:3000', 0],
    ['an unknown method', 'BREW /api/v1/me', 400],
    ['a method in small letters', 'get /api/v1/me', 400],
    ['a path without a slash', 'GET api/v1/me', 400],
  ])('%s is rejected', async (_what, line, status) => {
    const { app } = await paxlog()
    const { request } = await wire(app)
    const answer = await request(line)
    expect(Number.isNaN(answer.status) ? 0 : answer.status).toBe(status)
  })

  test('HTTP/1.0 works without a host, HTTP/1.1 and other versions do not', async () => {
    const { app } = await paxlog()
    const { send } = await wire(app)
    expect((await send('GET /health HTTP/1.0\r\n\r\n')).status).toBe(200)
    for (const line of ['GET /health HTTP/1.1', 'GET /health HTTP/9.9', 'GET /health HTTP/1.1 x']) {
      expect([line, (await send(`${line}\r\n\r\n`)).status]).toEqual([line, 400])
    }
  })
})
