import { Readable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { flightLog } from '../support/flight-log.ts'
import { writeNow } from '../support/write-now.ts'

/** Far above the length of typed text. */
const LONG_BYTES = 256 * 1024

/** A list of about this number of bytes. */
const points = (bytes: number) => `[${'[123,1],'.repeat(bytes / 8)}0]`

/** Properties to add to a body. Most are invalid. */
const members: Record<string, string> = {
  'nothing odd': '"x":{"y":[1,{"z":2}]}',
  'a text with escapes': '"note":"\\u00fc\\ud83d\\ude80 \\"],[{\\\\"',
  'a repeated key': '"note":"first","note":"last"',
  'a number beyond every range': '"duration":1e400',
  'a __proto__ key': '"x":[{"__proto__":1}]',
  'a __proto__ key with escapes': '"\\u005f_proto__":{}',
  'a __proto__ key whose object is replaced': '"x":{"__proto__":1},"x":2',
  'a __proto__ text': '"note":"__proto__"',
  'a constructor': '"constructor":{"prototype":{}}',
  'a comma too many': '"x":[1,]',
  'no comma': '"x":1 "y":2',
  'the wrong bracket': '"x":[1}',
  'a bracket too many': '"x":1}',
  'no colon': '"x"',
  'a broken escape': '"x":"\\x"',
  'a line break in a text': '"x":"\n"',
  'something after the end': '"x":1}{"y":1',
}

/** Complete bodies with a placeholder for more properties. */
const envelopes: Record<string, (inside: string) => Buffer> = {
  'as it is': (inside) => Buffer.from(`{${inside}}`),
  'after a byte order mark': (inside) => Buffer.from(`\ufeff{${inside}}`),
  'after two byte order marks': (inside) => Buffer.from(`\ufeff\ufeff{${inside}}`),
  'that does not end': (inside) => Buffer.from(`{${inside}`),
  'with an invalid UTF-8 byte': (inside) =>
    Buffer.concat([Buffer.from(`{${inside},"x":"`), Buffer.from([0xff, 0x22, 0x7d])]),
  'in a list': (inside) => Buffer.from(`[{${inside}}]`),
}

describe('a long JSON body', () => {
  test('is validated like a short one, on every surface', async () => {
    const { request, mira, plain } = await flightLog()
    const send = (url: string, payload: Buffer) => {
      const headers = {
        authorization: `Bearer ${mira.key}`,
        host: 'localhost:3000',
        'content-type': 'application/json',
      }
      return request({ method: 'POST', url, headers, payload })
    }
    const save = { from: 'ZRH', to: 'LIS', departure: '2025-05-03', passengers: [{ userId: '<USER_ID>' }] }
    const call = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const surfaces = { '/api/v1/flights': plain, '/api/flight/save': save, '/api/mcp': call }
    const verdict = ({ status, body }: { status: number; body: Record<string, unknown> }) => [
      status,
      body.error ?? body.message ?? (body.data as { note?: string } | undefined)?.note,
    ]
    const seen = new Set<number>()
    const pad = `"pad":${points(LONG_BYTES)}`
    for (const [url, good] of Object.entries(surfaces)) {
      const properties = JSON.stringify(good).slice(1, -1)
      for (const [how, wrap] of Object.entries(envelopes)) {
        for (const what of how === 'as it is' ? Object.keys(members) : ['nothing odd', 'a __proto__ key']) {
          const short = verdict(await send(url, wrap(`${properties},${members[what]}`)))
          const sent = wrap(`${pad},${properties},${members[what]}`)
          expect(sent.length).toBeGreaterThan(LONG_BYTES)
          expect([url, how, what, ...verdict(await send(url, sent))]).toEqual([url, how, what, ...short])
          seen.add(short[0] as number)
        }
      }
    }
    expect(seen).toEqual(new Set([200, 201, 400, 422]))
  })

  test.each([
    ['/api/v1/flights', ''],
    ['/api/flight/save', ''],
    ['/api/mcp', '"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"create_flight","arguments":{'],
  ])('has no effect if its key is deleted during the upload: %s', async (url, before) => {
    const { request, db, mira, plain } = await flightLog()
    const save = { ...plain, from: 'ZRH', to: 'LIS', departure: '2025-05-03', passengers: [{ userId: '<USER_ID>' }] }
    const properties = JSON.stringify(url === '/api/flight/save' ? save : plain).slice(1, -1)
    const payload = Buffer.from(`{${before}${properties},"pad":"${'x'.repeat(10 * LONG_BYTES)}"${before && '}}'}}`)
    const headers = { authorization: `Bearer ${mira.key}`, host: 'localhost:3000', 'content-type': 'application/json' }
    const flights = () => db.$client.prepare('select count(*) from flights').pluck().get()
    /** Sends the body in two halves and runs the callback between them. */
    async function* halves(between: () => void) {
      yield payload.subarray(0, payload.length / 2)
      between()
      yield payload.subarray(payload.length / 2)
    }
    const post = (between: () => void) =>
      request({ method: 'POST', url, headers, payload: Readable.from(halves(between), { objectMode: false }) })
    expect((await post(() => undefined)).status).toBeLessThan(300)
    expect(flights()).toBe(1)
    const answer = await post(() => {
      writeNow(db, () => db.$client.exec('delete from api_keys'))
    })
    expect([answer.status, flights()]).toEqual([401, 1])
  })
})
