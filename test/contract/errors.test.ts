import { describe, expect, test } from 'vitest'
import { type Answer, type PaxlogOptions, paxlog } from '../support/paxlog.ts'
import { sampleOperations } from '../support/sample-operations.ts'

const METHODS = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'LOCK',
  'REPORT',
] as const

async function samples(options: PaxlogOptions = {}) {
  const server = await paxlog({ ...options, operations: sampleOperations })
  return { ...server, me: server.as(server.user({ owner: true })) }
}

/** The one shape of contract 1.3. */
function expectError({ status, headers, body }: Answer, wanted: number, code: string): void {
  expect({ status, code: body?.error?.code }).toEqual({ status: wanted, code })
  expect(Object.keys(body)).toEqual(['error'])
  expect(['code', 'message', 'details']).toEqual(expect.arrayContaining(Object.keys(body.error)))
  expect(body.error.message).toMatch(/^[A-Z].*\.$/)
  for (const detail of body.error.details ?? []) expect(Object.keys(detail)).toEqual(['code', 'path', 'message'])
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['cache-control']).toBe('private, no-store')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['access-control-allow-origin']).toBe('*')
}

describe('an unknown path', () => {
  test.each(['/api/nothing', '/api/v2', '/api/v1/nothing', '/api/v1/me/more', '/api/v1x', '/api/v1/ME', '/api/v1/Me'])(
    'below /api is 404 not_found, before any credential: %s',
    async (url) => {
      const { request } = await paxlog()
      expectError(await request({ url }), 404, 'not_found')
    },
  )

  test('is 404 whatever the method and the body are', async () => {
    const { request } = await paxlog({ bodyLimit: 100 })
    for (const contentType of ['text/xml', 'application/json', 'nonsense', '', 'multipart/form-data']) {
      for (const payload of ['{broken', 'x'.repeat(1000)]) {
        const headers = { 'content-type': contentType }
        expectError(await request({ method: 'POST', url: '/api/v1/nothing', headers, payload }), 404, 'not_found')
      }
    }
    for (const method of METHODS.filter((each) => each !== 'HEAD')) {
      expectError(await request({ method: method as 'GET', url: '/api/nothing' }), 404, 'not_found')
    }
  })

  test('is not one whose id merely starts with a dot', async () => {
    const { request } = await paxlog()
    for (const id of ['.a', '...', 'a..']) {
      expectError(await request({ url: `/api/v1/users/${id}` }), 401, 'unauthorized')
    }
  })
})

describe('a path', () => {
  test.each(['//api/nothing', '/api//nothing', '//api//v1/nothing'])('are unknown in JSON too: %s', async (url) => {
    const { request } = await paxlog()
    const { status, body } = await request({ url })
    expect([status, body.error.code]).toEqual([404, 'not_found'])
  })

  test.each(['/api/v1/me/', '/api//v1/me', '//api/v1//me', '/api/v1/me//', '/api/v1/me?x=//'])(
    'may have doubled slashes and a trailing one: %s',
    async (url) => {
      const { request, user } = await paxlog()
      const { status } = await request({ url, headers: { authorization: `Bearer ${user().key}` } })
      expect(status).toBe(200)
    },
  )

  test('that is not validly encoded is 400 bad_request', async () => {
    const { request } = await paxlog()
    for (const url of ['/api/v1/%', '/api/v1/users/%zz', '/api/v1/users/%ff', '/api/v1/users/%ED%A0%80']) {
      const { status, body } = await request({ url })
      expect([url, status, body.error.code]).toEqual([url, 400, 'bad_request'])
    }
  })

  test('with an id that is no whole number from 1 is 400, after the credential', async () => {
    const { me, request } = await samples()
    const bad = ['0', '00', '-1', '+1', '1.0', '1e3', '0x1', 'one', '%201', '9007199254740992', '9'.repeat(3000), '١']
    for (const id of bad) {
      const answer = await me.get(`/airports/${encodeURI(id).replace('%25', '%')}`)
      expectError(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toEqual(['id'])
    }
    expectError(await request({ url: '/api/v1/airports/one' }), 401, 'unauthorized')
  })

  test('may write its id with leading zeros, up to the largest safe integer', async () => {
    const { me } = await samples()
    expect((await me.get('/airports/0007')).body.data.id).toBe(7)
    expect((await me.get('/airports/00000000000000000000007')).body.data.id).toBe(7)
    expect((await me.get('/airports/9007199254740991')).body.data.id).toBe(9007199254740991)
  })

  test('with a long free id is just not found', async () => {
    const { as, user } = await paxlog()
    const answer = await as(user({ owner: true })).get(`/users/${'x'.repeat(8000)}`)
    expectError(answer, 404, 'not_found')
  })
})

describe('a method that a path lacks', () => {
  const allowed: [path: string, methods: string][] = [
    ['/api', 'GET, HEAD, OPTIONS'],
    ['/api/v1', 'GET, HEAD, OPTIONS'],
    ['/api/v1/openapi.yaml', 'GET, HEAD, OPTIONS'],
    ['/api/v1/me', 'GET, HEAD, OPTIONS'],
    ['/api/v1/preferences', 'GET, HEAD, PUT, OPTIONS'],
    ['/api/v1/users', 'GET, HEAD, POST, OPTIONS'],
    ['/api/v1/users/abc', 'GET, HEAD, PUT, DELETE, OPTIONS'],
    ['/api/v1//roles/', 'GET, HEAD, POST, OPTIONS'],
  ]
  test.each(allowed)('of %s is 405 bad_request with Allow: %s, before any credential', async (url, methods) => {
    const { request } = await paxlog()
    const lacking = METHODS.filter((method) => !methods.split(', ').includes(method))
    for (const method of lacking) {
      const answer = await request({
        method: method as 'GET',
        url,
        payload: '{broken',
        headers: { 'content-type': '?' },
      })
      expectError(answer, 405, 'bad_request')
      expect(answer.headers.allow).toBe(methods)
    }
  })

  test('of /flights/export and /flights/import is 405: they are no ids', async () => {
    const { request } = await samples()
    for (const [url, methods] of [
      ['/api/v1/flights/export', 'GET, HEAD, OPTIONS'],
      ['/api/v1/flights/import', 'POST, OPTIONS'],
    ] as const) {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const) {
        if (methods.includes(method)) continue
        const answer = await request({ method, url, payload: 'x', headers: { 'content-type': 'text/xml' } })
        expectError(answer, 405, 'bad_request')
        expect(answer.headers.allow).toBe(methods)
      }
    }
    expect((await request({ method: 'HEAD', url: '/api/v1/flights/import' })).status).toBe(405)
  })
})

describe('HEAD', () => {
  test('is answered like GET, without the body', async () => {
    const { request, user } = await paxlog()
    const call = { url: '/api/v1/me', headers: { authorization: `Bearer ${user().key}` } }
    const [get, head] = [await request(call), await request({ ...call, method: 'HEAD' })]
    expect(head.text).toBe('')
    const { date: _, ...same } = get.headers
    expect(head.headers).toMatchObject(same)
    const refused = await request({ method: 'HEAD', url: '/api/v1/preferences' })
    expect([refused.status, refused.text]).toEqual([401, ''])
    expect(refused.headers['www-authenticate']).toContain('scope="profile.read"')
  })
})

describe('a query parameter', () => {
  test('that is known and given twice is 400; an unknown one is ignored', async () => {
    const { me } = await samples()
    expectError(await me.get('/airports?query=a&query=b'), 400, 'bad_request')
    expectError(await me.get('/airports?query=a&query=a'), 400, 'bad_request')
    expect((await me.get('/airports?query=a&other=1&other=2&__proto__=1')).status).toBe(200)
  })

  test('that is required and missing, or has the wrong form, is 400 with its name in the message', async () => {
    const { me } = await samples()
    const missing = await me.get('/airports')
    expectError(missing, 400, 'bad_request')
    expect(missing.body.error.details).toEqual([{ code: 'invalid_type', path: ['query'], message: 'Is required.' }])
    for (const limit of ['', '0', '101', '-1', '1.5', 'ten']) {
      const answer = await me.get(`/airports?query=a&limit=${limit}`)
      expectError(answer, 400, 'bad_request')
      expect(answer.body.error.message).toContain('limit')
    }
  })
})

describe('an unexpected failure', () => {
  test.each(['/stats', '/shares'])('of %s is 500 with a general text; the cause is only in the log', async (path) => {
    const lines: string[] = []
    const { me } = await samples({ log: (line) => lines.push(line) })
    const answer = await me.get(path)
    expectError(answer, 500, 'internal_error')
    expect(answer.text).not.toMatch(/cause that|library|stack|Error:/)
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ method: 'GET', route: `/api/v1${path}` })
    expect(errors[0].err.stack).toMatch(/the cause that only the log may tell|a library failed/)
  })

  test('L1: no line of the log holds a credential, a query or a body', async () => {
    const lines: string[] = []
    const { request, user } = await paxlog({ log: (line) => lines.push(line) })
    const { key } = user({ owner: true })
    const headers = { authorization: `Bearer ${key}` }
    await request({ url: `/api/v1/me?access_token=${key}`, headers })
    await request({ url: `/api/v1/nothing/${key}`, headers })
    await request({ method: 'POST', url: '/api/v1/users', headers, payload: `{"password":"${key}"` })
    await request({ method: 'POST', url: '/api/v1/users', headers, payload: { username: 'mira', password: key } })
    expect(lines.length).toBeGreaterThan(3)
    expect(lines.join('')).not.toContain(key)
  })
})
