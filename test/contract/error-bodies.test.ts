import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Answer, type PaxlogOptions, paxlog } from '../support/paxlog.ts'
import { sampleOperations } from '../support/sample-operations.ts'

async function openSamples(options: PaxlogOptions = {}) {
  const server = await paxlog({ ...options, operations: sampleOperations })
  const { key } = server.user({ owner: true })
  const post = (payload: string | Buffer | undefined, headers: Record<string, string> = {}) =>
    server.request({
      method: 'POST',
      url: '/api/v1/airports',
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...(payload !== undefined && { payload }),
    })
  const json = (body: unknown) => post(JSON.stringify(body))
  return { ...server, key, post, json }
}

const outcome = ({ status, body }: Answer) => [status, body?.error?.code]
const details = ({ body }: Answer) =>
  body.error.details.map(({ code, path }: { code: string; path: string[] }) => [code, path.join('.')])

describe('a body that is not valid JSON', () => {
  test.each([
    ['nothing', undefined],
    ['an empty body', ''],
    ['whitespace', ' \n'],
    ['a broken object', '{"name":'],
    ['a trailing comma', '{"name":"Abc",}'],
    ['a comment', '{"name":"Abc"} // yes'],
    ['single quotes', "{'name':'Abc'}"],
    ['NaN', '{"count":NaN}'],
    ['two values', '{}{}'],
    ['a raw line break in a string', '{"name":"A\nbc"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['a surrogate as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"name":"Abc"}', 'utf16le')],
    ['a __proto__ key', '{"name":"Abc","__proto__":{"a":1}}'],
    ['an escaped __proto__ key', '{"name":"Abc","\\u005f_proto__":1}'],
    ['a fully escaped __proto__ key', '{"name":"Abc","\\u005f\\u005fproto\\u005F\\u005f":1}'],
    ['a nested __proto__ key', '{"name":"Abc","other":[{"deep":{"__proto__":null}}]}'],
  ])('returns 400 invalid_json: %s', async (_name, payload) => {
    const { post } = await openSamples()
    expect(outcome(await post(payload))).toEqual([400, 'invalid_json'])
  })

  test('returns 400 invalid_json with a Content-Encoding, whatever the content', async () => {
    const { post } = await openSamples()
    const encodings: [string, Buffer | string][] = [
      ['gzip', gzipSync('{"name":"Abc"}')],
      ['gzip', '{"name":"Abc"}'],
      ['br', '{}'],
    ]
    for (const [encoding, payload] of encodings) {
      expect(outcome(await post(payload, { 'content-encoding': encoding }))).toEqual([400, 'invalid_json'])
    }
    expect((await post('{"name":"Abc"}', { 'content-encoding': 'Identity' })).status).toBe(201)
  })

  test('does not include text with __proto__ or a constructor key', async () => {
    const { json } = await openSamples()
    expect((await json({ name: 'Abc', note: '"__proto__":' })).status).toBe(201)
    expect((await json({ name: 'Abc', constructor: { prototype: {} } })).status).toBe(201)
  })
})

describe('the content type', () => {
  test.each([
    '',
    'text/plain',
    'application/xml',
    'application/json; charset=latin1',
    'multipart/form-data',
    '???',
    'a',
  ])('is ignored: "%s"', async (contentType) => {
    const { post } = await openSamples()
    expect((await post('{"name":"Abc"}', { 'content-type': contentType })).status).toBe(201)
    expect(outcome(await post('nope', { 'content-type': contentType }))).toEqual([400, 'invalid_json'])
    expect(outcome(await post('', { 'content-type': contentType }))).toEqual([400, 'invalid_json'])
  })
})

describe('a body on GET and DELETE', () => {
  test('is not read, even if invalid or too large', async () => {
    const { request, key } = await openSamples({ bodyLimit: 100 })
    const headers = { authorization: `Bearer ${key}`, 'content-type': '???' }
    for (const payload of ['{broken', 'x'.repeat(500)]) {
      const get = await request({ method: 'GET', url: '/api/v1/airports/1', headers, payload })
      const remove = await request({ method: 'DELETE', url: '/api/v1/airports/1', headers, payload })
      expect([get.status, remove.status]).toEqual([200, 204])
    }
  })
})

describe('an invalid body', () => {
  test('returns 422 with every error, in the messages and codes of the contract', async () => {
    const { json } = await openSamples()
    const answer = await json({ name: 'A', note: 'x'.repeat(21), kind: 'huge', count: 0, tags: 'none', code: 'abc' })
    expect(outcome(answer)).toEqual([422, 'validation_failed'])
    expect(details(answer)).toEqual([
      ['too_small', 'name'],
      ['too_big', 'note'],
      ['invalid_value', 'kind'],
      ['too_small', 'count'],
      ['invalid_type', 'tags'],
      ['invalid_format', 'code'],
    ])
    for (const { message } of answer.body.error.details) expect(message).toMatch(/^[A-Z].*\.$/)
  })

  test('returns invalid_type for a missing member, a disallowed null and a wrong type', async () => {
    const { json } = await openSamples()
    expect(details(await json({}))).toEqual([['invalid_type', 'name']])
    expect(details(await json({ name: null }))).toEqual([['invalid_type', 'name']])
    expect(details(await json({ name: 'Abc', count: '1' }))).toEqual([['invalid_type', 'count']])
    expect(details(await json({ name: 'Abc', count: 1.5 }))).toEqual([['invalid_type', 'count']])
    expect((await json({ name: 'Abc', note: null })).status).toBe(201)
  })

  test('returns 422 if it is not an object', async () => {
    const { post } = await openSamples()
    for (const payload of ['[]', '"text"', '1', 'null', 'true']) {
      expect(outcome(await post(payload))).toEqual([422, 'validation_failed'])
    }
  })

  test('has array indexes as strings in paths', async () => {
    const { json } = await openSamples()
    const { body } = await json({ name: 'Abc', tags: [{ name: 'ok' }, { name: 5 }] })
    expect(body.error.details).toEqual([
      { code: 'invalid_type', path: ['tags', '1', 'name'], message: 'Must be text.' },
    ])
  })

  test('lists at most 50 errors', async () => {
    const { json } = await openSamples()
    const { body } = await json({ name: 'Abc', tags: Array.from({ length: 80 }, () => ({})) })
    expect(body.error.details).toHaveLength(50)
  })

  test('returns 422 for U+0000 and lone surrogates, and lengths count code points', async () => {
    const { post, json } = await openSamples()
    for (const text of ['A\\u0000c', 'Ab\\ud800', '\\udc00bc', 'A\\ude00\\ud83d']) {
      const answer = await post(`{"name":"${text}"}`)
      expect([text, ...outcome(answer), details(answer)]).toEqual([
        text,
        422,
        'validation_failed',
        [['custom', 'name']],
      ])
    }
    expect((await json({ name: '😀'.repeat(10) })).status).toBe(201)
    expect(details(await json({ name: '😀'.repeat(11) }))).toEqual([['too_big', 'name']])
    expect(details(await json({ name: '😀' }))).toEqual([['too_small', 'name']])
  })

  test('is trimmed before its length is checked', async () => {
    const { json } = await openSamples()
    expect((await json({ name: `  ${'a'.repeat(10)}\n` })).body.data.name).toBe('a'.repeat(10))
    expect(details(await json({ name: ' a ' }))).toEqual([['too_small', 'name']])
  })
})

describe('an unusual but valid body', () => {
  test('can repeat keys, and the last one wins', async () => {
    const { post } = await openSamples()
    expect((await post('{"name":"First","name":"Last"}')).body.data.name).toBe('Last')
  })

  test('can have unknown members at every level', async () => {
    const { post } = await openSamples()
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await post(`{"name":"Abc","other":${deep}}`)).status).toBe(201)
    expect((await post(`{"name":"Abc","tags":[{"name":"a","more":{"x":1}}]}`)).status).toBe(201)
  })

  test('can start with a byte order mark', async () => {
    const { post } = await openSamples()
    expect((await post('\ufeff{"name":"Abc"}')).status).toBe(201)
  })
})

describe('the order of checks', () => {
  test('is size, JSON, path and query, body', async () => {
    const { request, key } = await openSamples({ bodyLimit: 50 })
    const put = (path: string, payload: string) =>
      request({ method: 'PUT', url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` }, payload })
    expect(outcome(await put('/airports/one?query=', `{${'x'.repeat(60)}`))).toEqual([413, 'bad_request'])
    expect(outcome(await put('/airports/one?query=', '{x'))).toEqual([400, 'invalid_json'])
    expect(outcome(await put('/airports/one?query=a', '{}'))).toEqual([400, 'bad_request'])
    expect(outcome(await put('/airports/1?query=', '{}'))).toEqual([400, 'bad_request'])
    expect(outcome(await put('/airports/1?query=a', '{}'))).toEqual([422, 'validation_failed'])
    expect((await put('/airports/1?query=a', '{"name":"Abc"}')).status).toBe(200)
  })

  test('checks credential, scope and role before it reads the body', async () => {
    const { request, user } = await openSamples({ bodyLimit: 50 })
    const post = (headers: Record<string, string>) =>
      request({ method: 'POST', url: '/api/v1/airports', headers, payload: 'x'.repeat(60) })
    const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })
    expect(outcome(await post({}))).toEqual([401, 'unauthorized'])
    expect(outcome(await post(bearer(user({ scopes: ['profile.read'] }))))).toEqual([403, 'insufficient_scope'])
    expect(outcome(await post(bearer(user({ role: [] }))))).toEqual([403, 'forbidden'])
    expect(outcome(await post(bearer(user({ role: ['data.airports.manage'] }))))).toEqual([413, 'bad_request'])
  })

  test('includes the query in the challenge of a missing fixed scope', async () => {
    const { as, user } = await openSamples()
    const narrow = as(user({ scopes: ['profile.read'] }))
    const scopes = async (path: string) =>
      / scope="([^"]*)"/.exec(String((await narrow.get(path)).headers['www-authenticate']))?.[1]
    expect(await scopes('/flights/export')).toBe('flight.export.own')
    expect(await scopes('/flights/export?scope=all')).toBe('flight.export.own flight.export.any')
  })
})
