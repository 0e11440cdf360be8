import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type Answer, type PaxlogOptions, paxlog } from '../support/paxlog.ts'
import { sampleOperations } from '../support/sample-operations.ts'

async function samples(options: PaxlogOptions = {}) {
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

const verdict = ({ status, body }: Answer) => [status, body?.error?.code]
const details = ({ body }: Answer) =>
  body.error.details.map(({ code, path }: { code: string; path: string[] }) => [code, path.join('.')])

describe('a body that is not JSON', () => {
  test.each([
    ['nothing', undefined],
    ['an empty text', ''],
    ['white space', ' \n'],
    ['a broken object', '{"name":'],
    ['a trailing comma', '{"name":"Abc",}'],
    ['a comment', '{"name":"Abc"} // yes'],
    ['single quotes', "{'name':'Abc'}"],
    ['NaN', '{"count":NaN}'],
    ['two values', '{}{}'],
    ['a raw line break in a text', '{"name":"A\nbc"}'],
    ['invalid UTF-8', Buffer.from([0x7b, 0x22, 0x6e, 0x22, 0x3a, 0x22, 0xff, 0x22, 0x7d])],
    ['a surrogate as UTF-8', Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])],
    ['UTF-16', Buffer.from('{"name":"Abc"}', 'utf16le')],
    ['a __proto__ key', '{"name":"Abc","__proto__":{"a":1}}'],
    ['a __proto__ key with an escape', '{"name":"Abc","\\u005f_proto__":1}'],
    ['a __proto__ key fully escaped', '{"name":"Abc","\\u005f\\u005fproto\\u005F\\u005f":1}'],
    ['a deep __proto__ key', '{"name":"Abc","other":[{"deep":{"__proto__":null}}]}'],
  ])('is 400 invalid_json: %s', async (_name, payload) => {
    const { post } = await samples()
    expect(verdict(await post(payload))).toEqual([400, 'invalid_json'])
  })

  test('is also one with a Content-Encoding, whatever it holds', async () => {
    const { post } = await samples()
    const encodings: [string, Buffer | string][] = [
      ['gzip', gzipSync('{"name":"Abc"}')],
      ['gzip', '{"name":"Abc"}'],
      ['br', '{}'],
    ]
    for (const [encoding, payload] of encodings) {
      expect(verdict(await post(payload, { 'content-encoding': encoding }))).toEqual([400, 'invalid_json'])
    }
    expect((await post('{"name":"Abc"}', { 'content-encoding': 'Identity' })).status).toBe(201)
  })

  test('text that only mentions __proto__, and a constructor key, are harmless', async () => {
    const { json } = await samples()
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
  ])('is not looked at: "%s"', async (contentType) => {
    const { post } = await samples()
    expect((await post('{"name":"Abc"}', { 'content-type': contentType })).status).toBe(201)
    expect(verdict(await post('nope', { 'content-type': contentType }))).toEqual([400, 'invalid_json'])
    expect(verdict(await post('', { 'content-type': contentType }))).toEqual([400, 'invalid_json'])
  })
})

describe('a body on GET and DELETE', () => {
  test('is not read, however broken or large it is', async () => {
    const { request, key } = await samples({ bodyLimit: 100 })
    const headers = { authorization: `Bearer ${key}`, 'content-type': '???' }
    for (const payload of ['{broken', 'x'.repeat(500)]) {
      const get = await request({ method: 'GET', url: '/api/v1/airports/1', headers, payload })
      const remove = await request({ method: 'DELETE', url: '/api/v1/airports/1', headers, payload })
      expect([get.status, remove.status]).toEqual([200, 204])
    }
  })
})

describe('a body that breaks a rule', () => {
  test('is 422 with every fault found, in the words and codes of the contract', async () => {
    const { json } = await samples()
    const answer = await json({ name: 'A', note: 'x'.repeat(21), kind: 'huge', count: 0, tags: 'none', code: 'abc' })
    expect(verdict(answer)).toEqual([422, 'validation_failed'])
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

  test('says invalid_type for a missing member, for null where it is not allowed, and for a wrong type', async () => {
    const { json } = await samples()
    expect(details(await json({}))).toEqual([['invalid_type', 'name']])
    expect(details(await json({ name: null }))).toEqual([['invalid_type', 'name']])
    expect(details(await json({ name: 'Abc', count: '1' }))).toEqual([['invalid_type', 'count']])
    expect(details(await json({ name: 'Abc', count: 1.5 }))).toEqual([['invalid_type', 'count']])
    expect((await json({ name: 'Abc', note: null })).status).toBe(201)
  })

  test('that is no object at all is 422', async () => {
    const { post } = await samples()
    for (const payload of ['[]', '"text"', '1', 'null', 'true']) {
      expect(verdict(await post(payload))).toEqual([422, 'validation_failed'])
    }
  })

  test('writes array indexes of a path as strings', async () => {
    const { json } = await samples()
    const { body } = await json({ name: 'Abc', tags: [{ name: 'ok' }, { name: 5 }] })
    expect(body.error.details).toEqual([
      { code: 'invalid_type', path: ['tags', '1', 'name'], message: 'Must be text.' },
    ])
  })

  test('lists at most 50 faults', async () => {
    const { json } = await samples()
    const { body } = await json({ name: 'Abc', tags: Array.from({ length: 80 }, () => ({})) })
    expect(body.error.details).toHaveLength(50)
  })

  test('refuses U+0000 and lone surrogates in text, and counts code points', async () => {
    const { post, json } = await samples()
    for (const text of ['A\\u0000c', 'Ab\\ud800', '\\udc00bc', 'A\\ude00\\ud83d']) {
      const answer = await post(`{"name":"${text}"}`)
      expect([text, ...verdict(answer), details(answer)]).toEqual([
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

  test('trims before it counts', async () => {
    const { json } = await samples()
    expect((await json({ name: `  ${'a'.repeat(10)}\n` })).body.data.name).toBe('a'.repeat(10))
    expect(details(await json({ name: ' a ' }))).toEqual([['too_small', 'name']])
  })
})

describe('a body that is unusual but good', () => {
  test('may repeat keys: the last one counts', async () => {
    const { post } = await samples()
    expect((await post('{"name":"First","name":"Last"}')).body.data.name).toBe('Last')
  })

  test('may have unknown members at every level, very deep ones too', async () => {
    const { post } = await samples()
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect((await post(`{"name":"Abc","other":${deep}}`)).status).toBe(201)
    expect((await post(`{"name":"Abc","tags":[{"name":"a","more":{"x":1}}]}`)).status).toBe(201)
  })

  test('may start with a byte order mark', async () => {
    const { post } = await samples()
    expect((await post('\ufeff{"name":"Abc"}')).status).toBe(201)
  })
})

describe('the order of checks', () => {
  test('is size, JSON, path and query, body', async () => {
    const { request, key } = await samples({ bodyLimit: 50 })
    const put = (path: string, payload: string) =>
      request({ method: 'PUT', url: `/api/v1${path}`, headers: { authorization: `Bearer ${key}` }, payload })
    expect(verdict(await put('/airports/one?query=', `{${'x'.repeat(60)}`))).toEqual([413, 'bad_request'])
    expect(verdict(await put('/airports/one?query=', '{x'))).toEqual([400, 'invalid_json'])
    expect(verdict(await put('/airports/one?query=a', '{}'))).toEqual([400, 'bad_request'])
    expect(verdict(await put('/airports/1?query=', '{}'))).toEqual([400, 'bad_request'])
    expect(verdict(await put('/airports/1?query=a', '{}'))).toEqual([422, 'validation_failed'])
    expect((await put('/airports/1?query=a', '{"name":"Abc"}')).status).toBe(200)
  })

  test('asks for the credential before the body is read, and for scope and role too', async () => {
    const { request, user } = await samples({ bodyLimit: 50 })
    const post = (headers: Record<string, string>) =>
      request({ method: 'POST', url: '/api/v1/airports', headers, payload: 'x'.repeat(60) })
    const bearer = ({ key }: { key: string }) => ({ authorization: `Bearer ${key}` })
    expect(verdict(await post({}))).toEqual([401, 'unauthorized'])
    expect(verdict(await post(bearer(user({ scopes: ['profile.read'] }))))).toEqual([403, 'insufficient_scope'])
    expect(verdict(await post(bearer(user({ role: [] }))))).toEqual([403, 'forbidden'])
    expect(verdict(await post(bearer(user({ role: ['data.airports.manage'] }))))).toEqual([413, 'bad_request'])
  })

  test('looks at the query for the challenge of a missing fixed scope', async () => {
    const { as, user } = await samples()
    const narrow = as(user({ scopes: ['profile.read'] }))
    const scopes = async (path: string) =>
      / scope="([^"]*)"/.exec(String((await narrow.get(path)).headers['www-authenticate']))?.[1]
    expect(await scopes('/flights/export')).toBe('flight.export.own')
    expect(await scopes('/flights/export?scope=all')).toBe('flight.export.own flight.export.any')
  })
})
