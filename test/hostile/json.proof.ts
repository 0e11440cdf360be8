import { describe, expect, test } from 'vitest'
import { faultsOf, flightLog } from '../support/flight-log.ts'
import type { Answer } from '../support/paxlog.ts'

const DEPTHS = [10, 1_000, 20_000, 100_000]

const lists = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`

/** One request with JSON per surface, with a placeholder for the hostile value. */
async function surfaces() {
  const log = await flightLog()
  const { as, mira, admin, request, flight, field, plain } = log
  await field({ key: 'ref', fieldType: 'text' })
  await field({ key: 'tags', fieldType: 'multi-select', options: ['a'] })
  const { id } = await flight()
  const track = '"coordinates":[[1,2],[3,4]],"sourceFormat":"gpx"'
  const flightBody = JSON.stringify(plain).slice(1, -1)
  const passengers = '"passengers":[{"userId":"<USER_ID>"}]'
  const save = `"from":"ZRH","to":"LIS","departure":"2025-05-03",${passengers}`
  const post = (url: string, key: string | undefined) => (payload: string) =>
    request({
      method: 'POST',
      url,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        host: 'localhost:3000',
        'x-forwarded-for': String(Math.random()),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      payload,
    })
  const mcp = post('/api/mcp', mira.key)
  const call = (params: string) => (value: string) =>
    mcp(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params.replace('HOLE', value)}}`)
  const send = {
    'an unknown member of v1': (value: string) => as(mira).post('/flights', `{${flightBody},"other":${value}}`),
    'a text of v1': (value: string) => as(mira).post('/flights', `{${flightBody},"note":${value}}`),
    'a custom value': (value: string) => as(mira).post('/flights', `{${flightBody},"customFields":{"ref":${value}}}`),
    'a list of choices': (value: string) =>
      as(mira).post('/flights', `{${flightBody},"customFields":{"tags":${value}}}`),
    'the passengers': (value: string) => as(mira).put(`/flights/${id}`, `{${flightBody},"passengers":${value}}`),
    'a track': (value: string) => as(mira).put(`/flights/${id}/track`, `{${track},"times":${value}}`),
    'a point of a track': (value: string) =>
      as(mira).put(`/flights/${id}/track`, `{"coordinates":[[1,2],${value}],"sourceFormat":"gpx"}`),
    'a default of a field': (value: string) =>
      as(admin).post(
        '/custom-fields',
        `{"entityType":"flight","key":"k","label":"x","fieldType":"text","defaultValue":${value}}`,
      ),
    'a permission': (value: string) => as(admin).post('/roles', `{"name":"x","permissions":[${value}]}`),
    'a complete body of v1': (value: string) => as(mira).post('/flights', value),
    'an import': (value: string) => as(mira).post('/flights/import?format=backup', `{"users":[],"flights":[${value}]}`),
    'a member of a legacy save': (value: string) => post('/api/flight/save', mira.key)(`{${save},"note":${value}}`),
    'an unknown member of a legacy save': (value: string) =>
      post('/api/flight/save', mira.key)(`{${save},"more":${value}}`),
    'a legacy id': (value: string) => post('/api/flight/delete', mira.key)(`{"id":${value}}`),
    'the name of a tool': call('{"name":HOLE}'),
    'the arguments of a tool': call('{"name":"search_airports","arguments":{"query":HOLE}}'),
    'all arguments of a tool': call('{"name":"search_airports","arguments":HOLE}'),
    'an unknown argument': call('{"name":"search_airports","arguments":{"query":"zrh","more":HOLE}}'),
    'the params of MCP': (value: string) => mcp(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${value}}`),
    'the id of MCP': (value: string) => mcp(`{"jsonrpc":"2.0","id":${value},"method":"ping"}`),
    'the uri of a resource': (value: string) =>
      mcp(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":${value}}}`),
    'a cursor of MCP': (value: string) =>
      mcp(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":${value}}}`),
    'the metadata of MCP': (value: string) =>
      mcp(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":${value}}}`),
  } satisfies Record<string, (value: string) => Promise<Answer>>
  /** Limited to ten per minute. */
  const register = {
    'an unknown member of a registration': (value: string) =>
      post('/oauth/register', undefined)(`{"redirect_uris":["https://a.example/"],"logo_uri":${value}}`),
    'the name of a client': (value: string) =>
      post('/oauth/register', undefined)(`{"redirect_uris":["https://a.example/"],"client_name":${value}}`),
    'a redirect URI': (value: string) => post('/oauth/register', undefined)(`{"redirect_uris":[${value}]}`),
  } satisfies Record<string, (value: string) => Promise<Answer>>
  return { ...log, id, send, register }
}

/** Expects a success or a client error, never a server error. */
function expectNoServerError(what: string, answer: Answer): void {
  expect([what, answer.status < 500, answer.headers['content-type']]).toEqual([
    what,
    true,
    'application/json; charset=utf-8',
  ])
  expect(answer.text).not.toMatch(/RangeError|stack|internal_error|-32603/)
  if (answer.status >= 400) expect(answer.text.length).toBeLessThan(100_000)
}

describe('N3: JSON', () => {
  test('of any depth is validated in known properties and ignored in unknown ones', async () => {
    const { send, register } = await surfaces()
    const ignored = ['an unknown member of v1', 'an unknown member of a legacy save', 'an unknown argument']
    for (const levels of DEPTHS) {
      for (const value of [lists(levels), objects(levels)]) {
        for (const [what, call] of Object.entries(send)) {
          const answer = await call(value)
          expectNoServerError(`${what}, ${levels} levels`, answer)
          if (ignored.includes(what)) expect([what, levels, answer.status < 300]).toEqual([what, levels, true])
        }
      }
    }
    const answers = Object.entries(register).map(async ([what, call]) => {
      // Bodies of OAuth are limited to 64 KiB.
      for (const value of [lists(30_000), objects(8_000), lists(100_000)]) expectNoServerError(what, await call(value))
    })
    await Promise.all(answers)
  })

  test('is not repeated in error details', async () => {
    const { send } = await surfaces()
    const long = JSON.stringify('x'.repeat(5_000_000))
    for (const [what, call] of Object.entries(send)) expectNoServerError(what, await call(long))
  })

  test('numbers out of range are rejected in numeric properties and cause no server error elsewhere', async () => {
    const { send, register } = await surfaces()
    const numbers = [
      '1e400',
      '-1e400',
      '1e-400',
      '-0',
      '9007199254740993',
      '-9007199254740993',
      '1.5',
      `${'9'.repeat(400)}`,
    ]
    for (const value of numbers) {
      for (const [what, call] of Object.entries(send)) expectNoServerError(`${what} ${value}`, await call(value))
    }
    for (const [what, call] of Object.entries(register)) expectNoServerError(what, await call('1e400'))
  })

  test('numbers such as 1e400 and integers above 2^53 return 422 with their path, and -0 is 0', async () => {
    const { as, mira, admin, plain, field } = await surfaces()
    const post = (member: string) => as(mira).post('/flights', `${JSON.stringify(plain).slice(0, -1)},${member}}`)
    expect(faultsOf(await post('"duration":1e400'))).toEqual([
      expect.stringMatching(/^(invalid_type|too_big) duration$/),
    ])
    expect(faultsOf(await post('"duration":9007199254740993'))).toEqual(['too_big duration'])
    expect(faultsOf(await post('"airlineId":9007199254740993'))).toEqual(['too_big airlineId'])
    expect((await post('"duration":-0')).text).toContain('"duration":0,')
    await field({ key: 'price', fieldType: 'number' })
    expect((await post('"customFields":{"price":-0}')).text).toContain('"customFields":{"price":0}')
    expect(faultsOf(await post('"customFields":{"price":1e400}'))).toEqual(['invalid_type customFields.price'])
    const airport = {
      icao: 'XX-1',
      name: 'F',
      latitude: 0,
      longitude: 0,
      timezone: 'UTC',
      continent: 'EU',
      country: 'CH',
    }
    const created = await as(admin).post('/airports', JSON.stringify(airport).replace('"latitude":0', '"latitude":-0'))
    expect(created.text).toContain('"latitude":0,')
    for (const id of ['9007199254740992', '9007199254740993', `1${'0'.repeat(300)}`]) {
      expect((await as(mira).get(`/flights/${id}`)).status).toBe(400)
    }
  })

  test('the last of repeated keys wins on every surface', async () => {
    const { as, mira, request, id } = await surfaces()
    const twice = await as(mira).post('/roles', '{"name":"a","permissions":[],"name":"b"}')
    expect(twice.status).toBe(403)
    const noted = await as(mira).put(
      `/flights/${id}`,
      '{"note":"first","date":"2025-05-03","fromId":0,"fromId":6,"toId":7,"note":"last"}',
    )
    expect([noted.status, noted.body.data.note]).toEqual([200, 'last'])
    const headers = { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' }
    const removed = await request({
      method: 'POST',
      url: '/api/flight/delete',
      headers,
      payload: `{"id":"x","id":${id}}`,
    })
    expect([removed.status, removed.body]).toEqual([200, { success: true }])
    const called = await request({
      method: 'POST',
      url: '/api/mcp',
      headers,
      payload: '{"jsonrpc":"2.0","id":1,"method":"nothing","method":"ping","id":2}',
    })
    expect(called.body).toEqual({ jsonrpc: '2.0', id: 2, result: {} })
    const registered = await request({
      method: 'POST',
      url: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      payload: '{"redirect_uris":["http://evil.example/"],"redirect_uris":["https://a.example/"]}',
    })
    expect([registered.status, registered.body.redirect_uris]).toEqual([201, ['https://a.example/']])
  })

  test('with 40 000 keys is accepted and unknown ones are ignored; 100 000 keys are rejected', async () => {
    const { as, mira, plain, request } = await surfaces()
    const keys = Array.from({ length: 40_000 }, (_, index) => `"k${index}":1`).join()
    const began = performance.now()
    const body = `${JSON.stringify(plain).slice(0, -1)},${keys}}`
    expect((await as(mira).post('/flights', body)).status).toBe(201)
    const inside = await as(mira).post('/flights', `${JSON.stringify(plain).slice(0, -1)},"customFields":{${keys}}}`)
    expect([inside.status, inside.body.data.customFields]).toEqual([201, {}])
    const headers = { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' }
    const message = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":{${keys}}}}`
    const called = await request({ method: 'POST', url: '/api/mcp', headers, payload: message })
    expect([called.status, called.body.result.isError]).toEqual([200, undefined])
    process.stdout.write(`three bodies of 40 000 keys: ${Math.round(performance.now() - began)} ms\n`)
    const tooMany = `${JSON.stringify(plain).slice(0, -1)},${Array.from({ length: 100_000 }, (_, index) => `"k${index}":1`).join()}}`
    const refused = await as(mira).post('/flights', tooMany)
    expect([refused.status, refused.body.error.details]).toMatchObject([422, [{ code: 'too_big', path: [] }]])
  })
})
