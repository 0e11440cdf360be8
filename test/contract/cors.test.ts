import { describe, expect, test } from 'vitest'
import { paxlog } from '../support/paxlog.ts'

const EXPOSED_HEADERS = 'WWW-Authenticate, Retry-After, Location, Content-Disposition, ETag, Idempotency-Replayed'
const ORIGIN = { origin: 'https://board.example' }

const corsPaths = [
  '/api',
  '/api/v1',
  '/api/v1/me',
  '/api/v1/users/abc',
  '/api/v1/nothing',
  '/api/nothing',
  '/api/v1/openapi.yaml',
]
const sameOriginPaths = ['/health', '/ready', '/api/ping']

describe('a path with CORS', () => {
  test.each(corsPaths)(
    'B12: %s allows any origin on every response including errors, and exposes the headers',
    async (url) => {
      const { request, user } = await paxlog()
      const credentials = [undefined, 'Bearer nonsense', `Bearer ${user().key}`, `Bearer ${user({ role: [] }).key}`]
      for (const authorization of credentials) {
        for (const method of ['GET', 'PUT', 'DELETE', 'PATCH'] as const) {
          const headers = { ...ORIGIN, ...(authorization && { authorization }) }
          const answer = await request({ method, url, headers })
          expect(answer.headers['access-control-allow-origin']).toBe('*')
          expect(answer.headers['access-control-expose-headers']).toBe(EXPOSED_HEADERS)
          expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
          expect(answer.headers).not.toHaveProperty('vary')
        }
      }
    },
  )

  test.each(corsPaths)('%s answers OPTIONS with 204 before routing and authentication', async (url) => {
    const { request } = await paxlog()
    const preflight = { ...ORIGIN, 'access-control-request-method': 'PUT', 'access-control-request-headers': 'x-other' }
    for (const headers of [preflight, ORIGIN, {}]) {
      const answer = await request({ method: 'OPTIONS', url, headers })
      expect([answer.status, answer.text]).toEqual([204, ''])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, POST, PUT, DELETE, OPTIONS',
        'access-control-allow-headers':
          'Authorization, Content-Type, MCP-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, If-Match, If-None-Match, Idempotency-Key',
        'access-control-max-age': '600',
        'access-control-expose-headers': EXPOSED_HEADERS,
        'x-content-type-options': 'nosniff',
      })
      expect(answer.headers).not.toHaveProperty('access-control-allow-credentials')
      expect(answer.headers).not.toHaveProperty('www-authenticate')
    }
  })

  test('answers OPTIONS even with an invalid body and content type', async () => {
    const { request } = await paxlog()
    const headers = { 'content-type': '???' }
    const { status } = await request({ method: 'OPTIONS', url: '/api/v1/users', headers, payload: '{' })
    expect(status).toBe(204)
  })

  test('includes the whole tree below the path of BASE_URL', async () => {
    const { request } = await paxlog({ baseUrl: 'https://example.org/flights' })
    for (const url of ['/flights/api/v1/me', '/flights/api/nothing']) {
      expect((await request({ method: 'OPTIONS', url })).status).toBe(204)
      expect((await request({ url })).headers['access-control-allow-origin']).toBe('*')
    }
  })
})

describe('a path without CORS', () => {
  test.each(sameOriginPaths)('%s sends no CORS headers for any method and accepts only GET and HEAD', async (url) => {
    const { request } = await paxlog()
    const preflight = { ...ORIGIN, 'access-control-request-method': 'POST' }
    const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'] as const
    for (const method of methods) {
      const { status, headers, body } = await request({ method: method as 'GET', url, headers: preflight })
      expect([method, status, headers.allow]).toEqual(
        method === 'GET' || method === 'HEAD' ? [method, 200, undefined] : [method, 405, 'GET, HEAD'],
      )
      if (status === 405) expect(body.error.code).toBe('bad_request')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })
})

describe('cookies', () => {
  test('B8: never authenticate below /api and are never set there', async () => {
    const { request, user } = await paxlog()
    const { key } = user()
    const names = ['session', 'paxlog', '__Host-session', 'authorization', 'Authorization', 'access_token', 'token']
    const cookie = names.map((name) => `${name}=${key}`).join('; ')
    for (const url of ['/api', '/api/v1', '/api/v1/me', '/api/v1/users', '/api/nothing']) {
      const [plain, sent] = [await request({ url }), await request({ url, headers: { cookie } })]
      expect([sent.status, sent.text]).toEqual([plain.status, plain.text])
      expect(sent.headers).not.toHaveProperty('set-cookie')
    }
  })

  test('B8: change nothing beside a valid Authorization header', async () => {
    const { request, user } = await paxlog()
    const [mira, other] = [user(), user()]
    const headers = { authorization: `Bearer ${mira.key}`, cookie: `session=${other.key}` }
    expect((await request({ url: '/api/v1/me', headers })).body.data.id).toBe(mira.id)
  })
})
