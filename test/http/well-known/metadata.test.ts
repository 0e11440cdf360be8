import { describe, expect, test } from 'vitest'
import { scopeNames } from '../../../src/access/scopes.ts'
import { paxlog } from '../../support/paxlog.ts'

const SERVER = '/.well-known/oauth-authorization-server'
const RESOURCE = '/.well-known/oauth-protected-resource'
const AUTH_METHODS = ['none', 'client_secret_post', 'client_secret_basic']

describe('the metadata documents', () => {
  test('D1 D2 D4 D5 D6 D7 D8 D10 D11: describe the authorization server', async () => {
    const app = await paxlog({ baseUrl: 'https://fly.example' })
    const { status, headers, body } = await app.request({ url: SERVER })
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      issuer: 'https://fly.example',
      authorization_endpoint: 'https://fly.example/oauth/authorize',
      token_endpoint: 'https://fly.example/oauth/token',
      registration_endpoint: 'https://fly.example/oauth/register',
      revocation_endpoint: 'https://fly.example/oauth/revoke',
      jwks_uri: 'https://fly.example/oauth/jwks',
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: AUTH_METHODS,
      revocation_endpoint_auth_methods_supported: AUTH_METHODS,
      scopes_supported: [...scopeNames],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      service_documentation: 'https://fly.example/docs',
    })
    expect((await app.request({ url: '/oauth/introspect', method: 'POST' })).status).toBe(404)
  })

  test.each([
    ['off', undefined],
    ['local', true],
  ] as const)(
    'D8: state whether URLs are accepted as client id if OAUTH_CLIENT_METADATA is %s',
    async (mode, expected) => {
      const app = await paxlog({ oauthClientMetadata: mode })
      const { body } = await app.request({ url: SERVER })
      expect(body.client_id_metadata_document_supported).toBe(expected)
    },
  )

  test.each([
    ['v1', 'Paxlog API'],
    ['mcp', 'Paxlog MCP'],
  ])('D12 D13 D14 D20: describe the resource %s', async (name, title) => {
    const app = await paxlog()
    const { status, body } = await app.request({ url: `${RESOURCE}/api/${name}` })
    expect(status).toBe(200)
    expect(body).toEqual({
      resource: `http://localhost:3000/api/${name}`,
      resource_name: title,
      authorization_servers: ['http://localhost:3000'],
      bearer_methods_supported: ['header'],
      scopes_supported: [...scopeNames],
      resource_documentation: 'http://localhost:3000/docs',
    })
    const { body: discovery } = await app.request({ url: '/api/v1' })
    expect(discovery.scopes.map(({ name: scope }: { name: string }) => scope)).toEqual(body.scopes_supported)
  })

  test('D3: are served below the path of BASE_URL and at the root with the path appended', async () => {
    const app = await paxlog({ baseUrl: 'https://fly.example/fl' })
    const urls = [
      [`/fl${SERVER}`, `${SERVER}/fl`],
      [`/fl${RESOURCE}/api/v1`, `${RESOURCE}/fl/api/v1`],
      [`/fl${RESOURCE}/api/mcp`, `${RESOURCE}/fl/api/mcp`],
    ] as const
    for (const [below, inserted] of urls) {
      const [one, two] = [await app.request({ url: below }), await app.request({ url: inserted })]
      expect([one.status, two.status]).toEqual([200, 200])
      expect(one.body).toEqual(two.body)
    }
    expect((await app.request({ url: SERVER })).status).toBe(404)
    expect((await app.request({ url: '/fl/oauth/jwks' })).body.keys).toHaveLength(1)
  })

  test.each(['', '/openid-configuration', '/oauth-protected-resource', '/oauth-protected-resource/evil', '/x/y'])(
    'D15 D18: returns a JSON 404 for %s',
    async (path) => {
      const app = await paxlog()
      const { status, body, headers } = await app.request({ url: `/.well-known${path}` })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
      expect(headers['access-control-allow-origin']).toBe('*')
      const wrong = await app.request({ url: `${SERVER}`, method: 'POST' })
      expect([wrong.status, wrong.headers.allow, wrong.body.error.code]).toEqual([
        405,
        'GET, HEAD, OPTIONS',
        'bad_request',
      ])
    },
  )

  test('D16: take URLs from BASE_URL and never from the request', async () => {
    const app = await paxlog()
    const { text } = await app.request({
      url: SERVER,
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    })
    expect(text).not.toContain('evil')
  })

  test.each([SERVER, `${RESOURCE}/api/v1`, '/oauth/jwks'])(
    'D9 D17 D19: %s is cacheable for a short time and allows every origin',
    async (url) => {
      const app = await paxlog()
      const { headers, body } = await app.request({ url })
      expect(headers['cache-control']).toBe('public, max-age=300')
      expect(headers['access-control-allow-origin']).toBe('*')
      expect(headers['access-control-allow-credentials']).toBeUndefined()
      expect(Object.values(body as object).every((value) => !Array.isArray(value) || value.length > 0)).toBe(true)
      expect((await app.request({ url, method: 'HEAD' })).status).toBe(200)
      expect((await app.request({ url, method: 'OPTIONS' })).status).toBe(204)
    },
  )
})
