import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { scopes } from '../../src/access/scopes.ts'
import { paxlog } from '../support/paxlog.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

describe('response headers', () => {
  test('B11: of v1 are JSON and private, no-store, for success and every error', async () => {
    const { request, user } = await paxlog()
    const owner = { authorization: `Bearer ${user({ owner: true }).key}` }
    const calls = [
      { url: '/api/v1/me', headers: owner },
      { url: '/api/v1/users', headers: owner },
      { url: '/api/v1/me' },
      { url: '/api/v1/roles', headers: { authorization: `Bearer ${user().key}` } },
      { url: '/api/v1/users/none', headers: owner },
      { method: 'POST' as const, url: '/api/v1/users', headers: owner, payload: '{' },
      { method: 'POST' as const, url: '/api/v1/users', headers: owner, payload: '{}' },
      { method: 'POST' as const, url: '/api/v1/me' },
      { url: '/api/v1/nothing' },
      { url: '/api/nothing' },
    ]
    const statuses = []
    for (const call of calls) {
      const { status, headers } = await request(call)
      statuses.push(status)
      expect(headers).toMatchObject({
        'content-type': JSON_TYPE,
        'cache-control': 'private, no-store',
        'x-content-type-options': 'nosniff',
      })
    }
    expect(statuses).toEqual([200, 200, 401, 403, 404, 400, 422, 405, 404, 404])
  })

  test('of a 204 have no content type and the same cache rule', async () => {
    const { as, user } = await paxlog()
    const answer = await as(user({ owner: true })).delete(`/users/${user().id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect(answer.headers['cache-control']).toBe('private, no-store')
    expect(answer.headers).not.toHaveProperty('content-type')
  })

  test('of discovery and the OpenAPI document allow caching', async () => {
    const { request } = await paxlog()
    for (const url of ['/api', '/api/', '/api/v1', '/api/v1/']) {
      expect((await request({ url })).headers).toMatchObject({
        'content-type': JSON_TYPE,
        'cache-control': 'public, max-age=60',
        'x-content-type-options': 'nosniff',
      })
    }
    expect((await request({ url: '/api/v1/openapi.yaml' })).headers).toMatchObject({
      'content-type': 'application/yaml; charset=utf-8',
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
    })
  })

  test('of health are no-store', async () => {
    const { request } = await paxlog()
    for (const url of ['/health', '/ready', '/api/ping']) {
      expect((await request({ url })).headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
      })
    }
  })

  test('L6: send HSTS only when BASE_URL is https, on every response', async () => {
    const plain = await paxlog({ baseUrl: 'http://fly.example' })
    const secure = await paxlog({ baseUrl: 'https://fly.example' })
    for (const url of ['/api/v1', '/api/v1/me', '/api/nothing', '/health', '/nothing']) {
      for (const method of ['GET', 'OPTIONS', 'PATCH'] as const) {
        expect((await plain.request({ method, url })).headers).not.toHaveProperty('strict-transport-security')
        expect((await secure.request({ method, url })).headers['strict-transport-security']).toBe('max-age=31536000')
      }
    }
  })
})

describe('a BASE_URL with a path', () => {
  const baseUrl = 'https://example.org/flights'

  test('serves all routes below it, and no v1 route above it', async () => {
    const { request, as, user } = await paxlog({ baseUrl })
    expect((await as(user()).get('/me')).status).toBe(200)
    expect((await request({ url: '/flights/api' })).status).toBe(200)
    expect((await request({ url: '/api/v1' })).status).toBe(404)
    for (const url of ['/health', '/ready', '/flights/health', '/flights/ready']) {
      expect((await request({ url })).status).toBe(200)
    }
  })

  test('is part of Location, discovery and challenge', async () => {
    const { request, as, user } = await paxlog({ baseUrl })
    const owner = as(user({ owner: true }))
    const created = await owner.post('/roles', { name: 'Viewer', permissions: [] })
    expect(created.headers.location).toBe(`/flights/api/v1/roles/${created.body.data.id}`)
    const { body } = await request({ url: '/flights/api/v1' })
    expect(body.api.documentation).toBe('/flights/api/v1/openapi.yaml')
    expect(body.mcp.endpoint).toBe('/flights/api/mcp')
    const { headers } = await request({ url: '/flights/api/v1/preferences' })
    expect(headers['www-authenticate']).toBe(
      'Bearer resource_metadata="https://example.org/flights/.well-known/oauth-protected-resource/api/v1", scope="profile.read"',
    )
  })

  test('is the server URL of the OpenAPI document, whose paths start at /api', async () => {
    const { request } = await paxlog({ baseUrl })
    const document = parse((await request({ url: '/flights/api/v1/openapi.yaml' })).text)
    expect(document.servers).toEqual([{ url: baseUrl }])
    expect(Object.keys(document.paths)).toContain('/api/v1/users/{id}')
    expect(Object.keys(document.paths).every((path) => path.startsWith('/api/v1'))).toBe(true)
  })

  test('rejects unknown paths and wrong methods in the v1 format', async () => {
    const { request } = await paxlog({ baseUrl })
    expect((await request({ url: '/flights/api/nothing' })).body.error.code).toBe('not_found')
    const wrong = await request({ method: 'POST', url: '/flights/api/v1/me' })
    expect([wrong.status, wrong.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  test('is never replaced by Host or a forwarding header', async () => {
    const { request } = await paxlog({ baseUrl })
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    for (const url of ['/flights/api/v1', '/flights/api/v1/me', '/flights/api/v1/openapi.yaml']) {
      const answer = await request({ url, headers })
      expect(answer.text + JSON.stringify(answer.headers)).not.toContain('evil.example')
    }
  })
})

describe('the discovery document', () => {
  test('matches contract 4.21 in order, at /api and at /api/v1', async () => {
    const { request } = await paxlog()
    const { text } = await request({ url: '/api/v1' })
    expect(text).toBe(
      JSON.stringify({
        api: { version: 'v1', minimumSupportedVersion: 'v1', documentation: '/api/v1/openapi.yaml' },
        instance: { name: 'Paxlog', version: '0.0.0-test' },
        authentication: {
          methods: ['api_key', 'oauth2_authorization_code_pkce'],
          bearerHeader: 'Authorization: Bearer <credential>',
        },
        mcp: { enabled: true, transport: 'streamable-http', endpoint: '/api/mcp', oauth: true },
        scopes: scopes.map(({ name, description }) => ({ name, description })),
      }),
    )
    expect((await request({ url: '/api' })).text).toBe(text)
  })
})
