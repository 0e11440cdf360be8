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

async function openSamples(options: PaxlogOptions = {}) {
  const server = await paxlog({ ...options, operations: sampleOperations })
  return { ...server, me: server.as(server.user({ owner: true })) }
}

/** Checks the error format of contract 1.3. */
function expectError({ status, headers, body }: Answer, expectedStatus: number, code: string): void {
  expect({ status, code: body?.error?.code }).toEqual({ status: expectedStatus, code })
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
    'returns 404 not_found below /api before it checks the credential: %s',
    async (url) => {
      const { request } = await paxlog()
      expectError(await request({ url }), 404, 'not_found')
    },
  )

  test('returns 404 for any method and body', async () => {
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

  test('does not include a known path with an id that starts with a dot', async () => {
    const { request } = await paxlog()
    for (const id of ['.a', '...', 'a..']) {
      expectError(await request({ url: `/api/v1/users/${id}` }), 401, 'unauthorized')
    }
  })
})

describe('a path', () => {
  test.each(['//api/nothing', '/api//nothing', '//api//v1/nothing'])(
    'returns a JSON 404 if unknown, even with duplicate slashes: %s',
    async (url) => {
      const { request } = await paxlog()
      const { status, body } = await request({ url })
      expect([status, body.error.code]).toEqual([404, 'not_found'])
    },
  )

  test.each(['/api/v1/me/', '/api//v1/me', '//api/v1//me', '/api/v1/me//', '/api/v1/me?x=//'])(
    'can have duplicate and trailing slashes: %s',
    async (url) => {
      const { request, user } = await paxlog()
      const { status } = await request({ url, headers: { authorization: `Bearer ${user().key}` } })
      expect(status).toBe(200)
    },
  )

  test('returns 400 bad_request if the encoding is invalid', async () => {
    const { request } = await paxlog()
    for (const url of ['/api/v1/%', '/api/v1/users/%zz', '/api/v1/users/%ff', '/api/v1/users/%ED%A0%80']) {
      const { status, body } = await request({ url })
      expect([url, status, body.error.code]).toEqual([url, 400, 'bad_request'])
    }
  })

  test('returns 400 for an id that is not a positive integer, after the credential check', async () => {
    const { me, request } = await openSamples()
    const bad = ['0', '00', '-1', '+1', '1.0', '1e3', '0x1', 'one', '%201', '9007199254740992', '9'.repeat(3000), '١']
    for (const id of bad) {
      const answer = await me.get(`/airports/${encodeURI(id).replace('%25', '%')}`)
      expectError(answer, 400, 'bad_request')
      expect(answer.body.error.details[0].path).toEqual(['id'])
    }
    expectError(await request({ url: '/api/v1/airports/one' }), 401, 'unauthorized')
  })

  test('can have an id with leading zeros, up to the largest safe integer', async () => {
    const { me } = await openSamples()
    expect((await me.get('/airports/0007')).body.data.id).toBe(7)
    expect((await me.get('/airports/00000000000000000000007')).body.data.id).toBe(7)
    expect((await me.get('/airports/9007199254740991')).body.data.id).toBe(9007199254740991)
  })

  test('returns 404 for a long unknown id', async () => {
    const { as, user } = await paxlog()
    const answer = await as(user({ owner: true })).get(`/users/${'x'.repeat(8000)}`)
    expectError(answer, 404, 'not_found')
  })
})

describe('an unsupported method', () => {
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
  test.each(allowed)(
    'on %s returns 405 bad_request with Allow: %s, before it checks the credential',
    async (url, methods) => {
      const { request } = await paxlog()
      const unsupported = METHODS.filter((method) => !methods.split(', ').includes(method))
      for (const method of unsupported) {
        const answer = await request({
          method: method as 'GET',
          url,
          payload: '{broken',
          headers: { 'content-type': '?' },
        })
        expectError(answer, 405, 'bad_request')
        expect(answer.headers.allow).toBe(methods)
      }
    },
  )

  test('on /flights/export and /flights/import returns 405, because they are not ids', async () => {
    const { request } = await openSamples()
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
  test('is answered like GET without a body', async () => {
    const { request, user } = await paxlog()
    const call = { url: '/api/v1/me', headers: { authorization: `Bearer ${user().key}` } }
    const [get, head] = [await request(call), await request({ ...call, method: 'HEAD' })]
    expect(head.text).toBe('')
    const { date: _, ...same } = get.headers
    expect(head.headers).toMatchObject(same)
    const rejected = await request({ method: 'HEAD', url: '/api/v1/preferences' })
    expect([rejected.status, rejected.text]).toEqual([401, ''])
    expect(rejected.headers['www-authenticate']).toContain('scope="profile.read"')
  })
})

describe('a query parameter', () => {
  test('returns 400 if it is known and repeated, and is ignored if unknown', async () => {
    const { me } = await openSamples()
    expectError(await me.get('/airports?query=a&query=b'), 400, 'bad_request')
    expectError(await me.get('/airports?query=a&query=a'), 400, 'bad_request')
    expect((await me.get('/airports?query=a&other=1&other=2&__proto__=1')).status).toBe(200)
  })

  test('returns 400 with its name if it is missing or invalid', async () => {
    const { me } = await openSamples()
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

describe('an unexpected error', () => {
  test.each(['/stats', '/shares'])('of %s returns 500 with a general message and logs the cause', async (path) => {
    const lines: string[] = []
    const { me } = await openSamples({ log: (line) => lines.push(line) })
    const answer = await me.get(path)
    expectError(answer, 500, 'internal_error')
    expect(answer.text).not.toMatch(/cause that|library|stack|Error:/)
    const errors = lines.map((line) => JSON.parse(line)).filter(({ level }) => level === 50)
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ method: 'GET', route: `/api/v1${path}` })
    expect(errors[0].err.stack).toMatch(/the cause that only the log may tell|a library failed/)
  })

  test('L1: is logged without credentials, queries or bodies', async () => {
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
