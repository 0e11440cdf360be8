import { afterAll, describe, expect, test } from 'vitest'
import { browserSession } from '../support/browser-session.ts'
import { flightLog } from '../support/flight-log.ts'
import { oauthClient } from '../support/oauth-client.ts'
import { paxlog } from '../support/paxlog.ts'

/** Property names that every object inherits. */
const inherited = [
  'constructor',
  'prototype',
  'toString',
  'valueOf',
  'hasOwnProperty',
  'isPrototypeOf',
  '__defineGetter__',
  '__lookupSetter__',
]
const all = ['__proto__', ...inherited]

const pristine = {
  keys: Reflect.ownKeys(Object.prototype).map(String).sort(),
  text: String(Object.prototype.toString),
}

/** Prototype pollution would show in every object. */
function expectPristine(): void {
  expect(Reflect.ownKeys(Object.prototype).map(String).sort()).toEqual(pristine.keys)
  expect(String(Object.prototype.toString)).toBe(pristine.text)
  expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  expect(([] as unknown as Record<string, unknown>).polluted).toBeUndefined()
}

afterAll(expectPristine)

describe('N7: inherited property names', () => {
  test('are ignored as unknown properties of bodies, except __proto__, which is rejected at any depth', async () => {
    const { as, mira, admin, plain, request } = await flightLog()
    const headers = { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' }
    const start = JSON.stringify(plain).slice(0, -1)
    const proto = ['"__proto__"', '"\\u005f_proto__"', '"__pr\\u006fto__"']
    for (const key of proto) {
      for (const member of [`${key}:{"polluted":1}`, `"a":[{"b":{${key}:1}}]`, `"customFields":{${key}:"x"}`]) {
        expect((await as(mira).post('/flights', `${start},${member}}`)).body.error.code).toBe('invalid_json')
        const legacy = await request({ method: 'POST', url: '/api/flight/save', headers, payload: `{${member}}` })
        expect([legacy.status, legacy.body.success]).toEqual([400, false])
        const mcp = await request({ method: 'POST', url: '/api/mcp', headers, payload: `{"jsonrpc":"2.0",${member}}` })
        expect([mcp.status, mcp.body.error.code]).toEqual([400, -32700])
      }
      const registered = await request({
        method: 'POST',
        url: '/oauth/register',
        headers: { 'content-type': 'application/json' },
        payload: `{"redirect_uris":["https://a.example/"],${key}:{"polluted":1}}`,
      })
      expect([registered.status, registered.body.error]).toEqual([400, 'invalid_client_metadata'])
      const file = await as(admin).post(
        '/flights/import?format=backup',
        `{"users":[],"flights":[],${key}:{"polluted":1}}`,
      )
      expect([200, 422]).toContain(file.status)
      expectPristine()
    }
    for (const name of inherited) {
      const member = `"${name}":{"prototype":{"polluted":1},"polluted":1}`
      const created = await as(mira).post('/flights', `${start},${member},"customFields":{${member}}}`)
      expect([name, created.status, created.body.data.customFields]).toEqual([name, 201, {}])
      expect(Object.keys(created.body.data)).not.toContain(name)
      const called = await request({
        method: 'POST',
        url: '/api/mcp',
        headers,
        payload: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{${member}}}}`,
      })
      expect([name, called.status, called.body.result.isError]).toEqual([name, 200, undefined])
    }
    expectPristine()
  })

  test('are unknown parameters, and invalid values of known ones', async () => {
    const { as, mira, request } = await flightLog()
    for (const name of all) {
      const query = `${name}=x&${name}[polluted]=1&${name}.polluted=1&constructor[prototype][polluted]=1`
      expect([name, (await as(mira).get(`/flights?${query}`)).status]).toEqual([name, 200])
      for (const known of ['scope', 'limit', 'cursor']) {
        expect([name, (await as(mira).get(`/flights?${known}=${name}`)).status]).toEqual([name, 400])
      }
      expect((await as(mira).get(`/flights/export?format=${name}`)).status).toBe(400)
      expect((await as(mira).post(`/flights/import?format=${name}`, 'x')).status).toBe(400)
      expect((await as(mira).get(`/airports?query=${name}`)).body.data).toEqual([])
      expect((await as(mira).get(`/users/${name}`)).status).toBe(404)
      expect((await as(mira).delete(`/visited-countries?code=${name}`)).status).toBe(400)
      expect((await request({ url: `/share/${name}` })).status).toBe(404)
      expect((await request({ url: `/api/v1/${name}` })).status).toBe(404)
      expect((await request({ url: `/${name}` })).status).toBe(404)
      expect((await request({ url: `/api/flight/${name}` })).status).toBe(404)
    }
    expectPristine()
  })

  test('are invalid as permissions, scopes, choices, types, methods, tools and grant types', async () => {
    const app = await flightLog()
    const { as, mira, admin, plain, request, user } = app
    const owner = user({ owner: true })
    const client = await oauthClient(app)
    const headers = { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' }
    for (const name of all) {
      const refused = [
        await as(owner).post('/roles', { name: 'x', permissions: [name] }),
        await as(mira).post('/flights', { ...plain, datePrecision: name }),
        await as(mira).put('/preferences', { distanceUnit: name }),
        await as(mira).put('/visited-countries', { code: name, status: 'visited' }),
        await as(admin).post('/custom-fields', { entityType: 'flight', key: 'kk', label: 'x', fieldType: name }),
        await as(admin).post('/airports', {
          icao: 'XX-1',
          name: 'x',
          latitude: 0,
          longitude: 0,
          timezone: name,
          continent: 'EU',
          country: 'CH',
        }),
      ]
      expect([name, refused.map(({ status }) => status)]).toEqual([name, refused.map(() => 422)])
      const rpc = async (method: string, params: object) =>
        (
          await request({
            method: 'POST',
            url: '/api/mcp',
            headers,
            payload: { jsonrpc: '2.0', id: 1, method, params },
          })
        ).body
      expect((await rpc(name, {})).error.code).toBe(-32601)
      expect((await rpc('tools/call', { name })).error.code).toBe(-32602)
      const answer = await client.post('/oauth/token', { grant_type: name, client_id: client.id })
      expect(answer.body.error).toMatch(/unsupported_grant_type|temporarily_unavailable/)
      const headed = await request({
        url: '/api/v1/me',
        headers: { [name]: 'polluted', authorization: `Bearer ${mira.key}` },
      })
      expect([name, headed.status]).toEqual([name, 200])
    }
    expectPristine()
  })

  test('are invalid in forms, cookies and cursors', async () => {
    const { app, as, services, user } = await paxlog()
    await services.users.createOwner({ username: 'mira', password: 'correct horse battery' })
    const reader = user()
    const browser = browserSession(app)
    await browser.signIn('mira', 'correct horse battery')
    for (const name of all) {
      const form = { [name]: 'polluted', [`${name}[polluted]`]: '1', name: 'key', scope: name }
      expect((await browser.submit('/settings/security', '/settings/security/keys', form)).status).toBe(403)
      const cookie = `${name}=1; paxlog=${name}; __proto__=polluted`
      expect((await browserSession(app).get('/settings/security', { cookie })).status).toBe(303)
      for (const content of [`{"${name}":{"polluted":1}}`, name, `2025-05-03.${name}.x`]) {
        const cursor = Buffer.from(content).toString('base64url')
        expect((await as(reader).get(`/flights?cursor=${cursor}`)).status).toBe(400)
      }
    }
    expectPristine()
  })

  test('are valid as keys of custom fields', async () => {
    const { as, mira, plain, field } = await flightLog()
    const keys = ['constructor', 'prototype', '__proto__']
    const ids = new Map<string, number>()
    for (const key of keys) ids.set(key, (await field({ key, fieldType: 'text' })).id)
    // __proto__ is not allowed in bodies, so values are set by field id.
    const values = Object.fromEntries([...ids].map(([key, id]) => [String(id), `of ${key}`]))
    const created = await as(mira).post('/flights', { ...plain, customFields: values })
    expect(created.status).toBe(201)
    const text = keys.map((key) => `"${key}":"of ${key}"`)
    for (const part of text) {
      expect(created.text).toContain(part)
      expect((await as(mira).get('/flights')).text).toContain(part)
      expect((await as(mira).get('/flights/export')).text.replaceAll('": "', '":"')).toContain(part)
    }
    expectPristine()
  })
})
