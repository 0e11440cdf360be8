import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { growthOf, warmUp } from '../support/memory.ts'
import { loadedFolder, ownerKey, serve } from '../support/process.ts'

const MEGABYTE = Buffer.alloc(2 ** 20, ' ')
/** Limit of additional memory over a warm server. */
const MAX_GROWTH_MB = 20
/** Without Content-Length a body is buffered up to BODY_LIMIT of 20 MB. */
const MAX_GROWTH_BUFFERED_MB = 30
/** The garbage of one body may still be in memory during the next one. */
const MAX_GROWTH_SEQUENTIAL_MB = 200

async function server() {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const running = await serve({ dataDir })
  await warmUp(running, key)
  return { ...running, key, authorization: `Authorization: Bearer ${key}` }
}

/** Sends headers and then as many megabytes as the server accepts. Returns the response and the sent megabytes. */
async function sendMegabytes(
  port: number,
  head: readonly string[],
  megabytes: number,
  wrap = (piece: Buffer) => [piece],
) {
  const socket = connect(port, '127.0.0.1')
  onTestFinished(() => void socket.destroy())
  let text = ''
  let wake = () => undefined as void
  const nextEvent = () => new Promise<void>((resolve) => (wake = resolve))
  for (const event of ['drain', 'close', 'end'] as const) socket.on(event, () => wake())
  socket.on('data', (data) => {
    text += data
    wake()
  })
  // The server may close the connection after an early response.
  socket.on('error', () => undefined)
  socket.write(`${head.join('\r\n')}\r\n\r\n`)
  let sent = 0
  while (sent < megabytes && socket.writable && text === '') {
    let room = true
    for (const piece of wrap(MEGABYTE)) room = socket.write(piece)
    sent++
    if (!room) await nextEvent()
  }
  while (!/\r\n\r\n./s.test(text) && !socket.destroyed) await nextEvent()
  socket.destroy()
  const [, json = ''] = text.split('\r\n\r\n')
  return { status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), json, sent }
}

const chunk = (piece: Buffer) => [Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from('\r\n')]

describe('N2: huge bodies', () => {
  test('are rejected by Content-Length before they are read, with the error format of each surface', async () => {
    const { port, authorization, child } = await server()
    const grown = growthOf(child.pid!)
    const type = 'Content-Type: application/json'
    const surfaces: [path: string, type: string, code: string][] = [
      ['/api/v1/flights', type, '"code":"bad_request"'],
      ['/api/v1/flights/import', type, '"code":"bad_request"'],
      ['/api/flight/save', type, '"success":false'],
      ['/api/mcp', type, '"code":"bad_request"'],
      ['/oauth/token', 'Content-Type: application/x-www-form-urlencoded', '"error":"invalid_request"'],
      ['/oauth/register', type, '"error":"invalid_request"'],
      ['/login', 'Content-Type: application/x-www-form-urlencoded', '<!doctype html>'],
    ]
    const headOf = (path: string, kind: string) => [
      ...[`POST ${path} HTTP/1.1`, `Host: localhost:${port}`, authorization, kind],
    ]
    for (const [path, kind, code] of surfaces) {
      const stated = await sendMegabytes(port, [...headOf(path, kind), `Content-Length: ${10 * 2 ** 30}`], 20)
      expect([path, stated.status]).toEqual([path, 413])
      expect(stated.json).toContain(code)
    }
    const forStated = grown()
    const grownMore = growthOf(child.pid!)
    // Twice, so that leaked memory would add up.
    for (const [path, kind, code] of [...surfaces, ...surfaces]) {
      const endless = await sendMegabytes(port, [...headOf(path, kind), 'Transfer-Encoding: chunked'], 200, chunk)
      expect([path, endless.status]).toEqual([path, 413])
      expect(endless.json).toContain(code)
      // The limit plus the socket buffers, but not everything.
      expect(endless.sent).toBeLessThan(100)
    }
    const forEndless = grownMore()
    process.stdout.write(
      `huge bodies on ${surfaces.length} surfaces: ${forStated} MB more memory, ${forEndless} MB without Content-Length\n`,
    )
    expect(forStated).toBeLessThan(MAX_GROWTH_MB)
    expect(forEndless).toBeLessThan(MAX_GROWTH_BUFFERED_MB)
  })

  test('of many concurrent clients are not buffered', async () => {
    const { port, authorization, child, origin } = await server()
    const grown = growthOf(child.pid!)
    const clients = 50
    const head = ['POST /api/v1/flights HTTP/1.1', 'Host: localhost', authorization, `Content-Length: ${100 * 2 ** 20}`]
    const answers = await Promise.all(Array.from({ length: clients }, () => sendMegabytes(port, head, 100)))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 413))
    const megabytes = grown()
    process.stdout.write(`${clients} bodies of 100 MB: ${megabytes} MB more memory\n`)
    expect(megabytes).toBeLessThan(MAX_GROWTH_MB)
    expect((await fetch(`${origin}/health`)).status).toBe(200)
  })

  test('within the limit are read one after the other, and each gets a response', async () => {
    const { origin, child, key } = await server()
    const send = async (path: string, method: string, type: string, body: Buffer) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type }
      // A stream has no Content-Length.
      const stream = new Blob([new Uint8Array(body)]).stream()
      const answer = await fetch(origin + path, { method, headers, body: stream, duplex: 'half' } as RequestInit)
      return [answer.status, JSON.parse(await answer.text()).error.code]
    }
    const points = Buffer.from(`{"coordinates":[${'[1.5,2.5],'.repeat(1_500_000)}[1,2]]}`)
    const file = Buffer.from(`date,from,to\n${'2020-01-01,ZRH,LIS\n'.repeat(800_000)}`)
    const both = () => [
      send('/api/v1/flights', 'POST', 'application/json', points),
      send('/api/v1/flights/import', 'POST', 'text/csv', file),
    ]
    // The engine retains some memory of the first body of each kind.
    await Promise.all(both())
    const grown = growthOf(child.pid!)
    const clients = 6
    const answers = await Promise.all(Array.from({ length: clients }, both).flat())
    const megabytes = grown()
    process.stdout.write(`${answers.length} bodies of 15 MB at once: ${megabytes} MB more memory than two\n`)
    expect(answers).toEqual(answers.map(() => [422, 'validation_failed']))
    expect(megabytes).toBeLessThan(MAX_GROWTH_SEQUENTIAL_MB)
    expect((await fetch(`${origin}/health`)).status).toBe(200)
  })

  test('wait for one that is almost complete, and continue when it disconnects', async () => {
    const { port, authorization, origin } = await server()
    const head = (more: string) => ['POST /api/v1/flights HTTP/1.1', 'Host: localhost', authorization, more]
    const stalled = connect(port, '127.0.0.1')
    stalled.on('error', () => undefined)
    onTestFinished(() => void stalled.destroy())
    stalled.write(`${head(`Content-Length: ${19 * 2 ** 20}`).join('\r\n')}\r\n\r\n`)
    for (let sent = 0; sent < 18; sent++) if (!stalled.write(MEGABYTE)) await once(stalled, 'drain')
    // The server reads the buffered bytes before it answers these requests.
    for (let count = 0; count < 100; count++) await (await fetch(`${origin}/health`)).arrayBuffer()
    let isAnswered = false
    const other = sendMegabytes(port, head(`Content-Length: ${15 * 2 ** 20}`), 15).finally(() => {
      isAnswered = true
    })
    const short = await sendMegabytes(port, head(`Content-Length: ${2 ** 20}`), 1)
    expect([short.status, isAnswered]).toEqual([400, false])
    stalled.destroy()
    expect((await other).status).toBe(400)
  })

  test('without a credential are not read', async () => {
    const { port } = await server()
    for (const path of ['/api/v1/flights', '/api/flight/save', '/api/mcp']) {
      const head = [`POST ${path} HTTP/1.1`, `Host: localhost:${port}`, 'Transfer-Encoding: chunked']
      const { status, sent } = await sendMegabytes(port, head, 200, chunk)
      expect([path, status, sent < 60]).toEqual([path, 401, true])
    }
  })

  test('that are compressed are rejected without decompression', async () => {
    const { origin, key, child } = await server()
    const grown = growthOf(child.pid!)
    const bomb = gzipSync(Buffer.alloc(50 * 2 ** 20, ' '))
    const post = async (path: string, encoding: string, body: Uint8Array<ArrayBuffer>, type = 'application/json') => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': type, 'content-encoding': encoding }
      const answer = await fetch(`${origin}${path}`, { method: 'POST', headers, body })
      return [answer.status, await answer.text()] as const
    }
    const body = new Uint8Array(bomb)
    expect(bomb.length).toBeLessThan(64 * 1024)
    for (const encoding of ['gzip', 'br', 'deflate', 'gzip, gzip']) {
      expect(await post('/api/v1/flights', encoding, body)).toEqual([400, expect.stringContaining('invalid_json')])
      expect(await post('/api/v1/flights/import', encoding, body)).toEqual([
        400,
        expect.stringContaining('invalid_json'),
      ])
      expect(await post('/api/flight/save', encoding, body)).toEqual([400, expect.stringContaining('"success":false')])
      expect(await post('/api/mcp', encoding, body)).toEqual([400, expect.stringContaining('-32700')])
    }
    expect(await post('/oauth/register', 'gzip', body)).toEqual([
      400,
      expect.stringContaining('invalid_client_metadata'),
    ])
    expect(await post('/oauth/token', 'gzip', body, 'application/x-www-form-urlencoded')).toEqual([
      400,
      expect.stringContaining('invalid_request'),
    ])
    expect(grown()).toBeLessThan(MAX_GROWTH_MB)
  })

  test('with a wrong length are rejected', async () => {
    const { port, authorization, origin } = await server()
    const talk = async (length: string, body: string) => {
      const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      let text = ''
      socket.on('data', (data) => {
        text += data
      })
      socket.on('error', () => undefined)
      socket.end(`POST /api/v1/roles HTTP/1.1\r\nHost: localhost\r\n${authorization}\r\n${length}\r\n\r\n${body}`)
      await once(socket, 'close')
      return text
    }
    expect(await talk('Content-Length: 100', '{"name":"short"')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await talk('Transfer-Encoding: chunked', '5\r\n{"a":')).toMatch(/^HTTP\/1\.1 400 /)
    expect(await talk('Content-Length: 2', '{}{"name":"long"}')).toMatch(/^HTTP\/1\.1 4/)
    for (const length of ['-1', 'x', '1e3', '99999999999999999999999', '0x10', '']) {
      expect([length, await talk(`Content-Length: ${length}`, '{}')]).toEqual([
        length,
        expect.stringMatching(/^HTTP\/1\.1 4/),
      ])
    }
    expect((await fetch(`${origin}/ready`)).status).toBe(200)
  })
})

describe('N4: a track of a million points', () => {
  test('is rejected with 422 for its points or 413 for its size', async () => {
    const { origin, key, child } = await server()
    const headers = { authorization: `Bearer ${key}` }
    const search = async (query: string) => {
      const { data } = (await (await fetch(`${origin}/api/v1/airports?query=${query}`, { headers })).json()) as {
        data: { id: number }[]
      }
      return data[0]!.id
    }
    const [fromId, toId] = [await search('zrh'), await search('lis')]
    const body = JSON.stringify({ date: '2025-05-03', fromId, toId })
    const created = await fetch(`${origin}/api/v1/flights`, { method: 'POST', headers, body })
    const { data } = (await created.json()) as { data: { id: number } }
    const put = async (points: string) => {
      const answer = await fetch(`${origin}/api/v1/flights/${data.id}/track`, {
        method: 'PUT',
        headers,
        body: `{"sourceFormat":"gpx","coordinates":[${points}]}`,
      })
      return { status: answer.status, body: (await answer.json()) as { error: { code: string; details?: object[] } } }
    }
    const grown = growthOf(child.pid!)
    const short = await put(Array.from({ length: 1_000_000 }, () => '[1,2]').join())
    expect([short.status, short.body.error.code]).toEqual([422, 'validation_failed'])
    expect(short.body.error.details).toMatchObject([{ code: 'too_big', path: ['coordinates'] }])
    const long = await put(Array.from({ length: 1_000_000 }, () => '[8.548056,47.458056,430.5]').join())
    expect([long.status, long.body.error.code]).toEqual([413, 'bad_request'])
    process.stdout.write(`a million points: ${grown()} MB more memory\n`)
    const track = await fetch(`${origin}/api/v1/flights/${data.id}/track`, { headers })
    expect(await track.json()).toEqual({ data: null })
  })
})

const many = (count: number, make: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => make(index))

/** Request line, header and expected status. */
const heads: Record<string, [line: string, header: string, status: number]> = {
  '2 000 headers': ['/health', many(2_000, (index) => `X-${index}: ${index}`).join('\r\n'), 431],
  'a header of 64 kB': ['/health', `X: ${'y'.repeat(65_536)}`, 431],
  'a header name of 20 kB': ['/health', `${'y'.repeat(20_000)}: x`, 431],
  'endless cookies': ['/login', `Cookie: ${'a=b; '.repeat(4_000)}`, 431],
  'an address of 8 kB': [`/health?${'y'.repeat(8_192)}`, 'X: y', 200],
  'an address of 64 kB': [`/health?${'y'.repeat(65_536)}`, 'X: y', 431],
  'a path of 8 kB': [`/${'y'.repeat(8_192)}`, 'X: y', 404],
  '8 000 slashes': [`${'/'.repeat(8_000)}health`, 'X: y', 200],
  'a path with 4 000 segments': ['/a'.repeat(4_000), 'X: y', 404],
  '1 500 parameters': [`/health?${many(1_500, (index) => `p${index}=1`).join('&')}`, 'X: y', 200],
  '10 000 parameters': [`/health?${many(10_000, (index) => `p${index}=1`).join('&')}`, 'X: y', 431],
}

describe('N5: request headers', () => {
  test('are accepted up to 16 kB in total and rejected above', async () => {
    const { port, origin } = await serve()
    for (const [what, [target, header, status]] of Object.entries(heads)) {
      const head = [`GET ${target} HTTP/1.1`, 'Host: x', 'Connection: close', header]
      const answer = await sendMegabytes(port, head, 0)
      expect([what, answer.status]).toEqual([what, status])
      if (status === 431) {
        expect(answer.json).toBe('{"error":{"code":"bad_request","message":"The headers are too large."}}')
      }
      expect((await fetch(`${origin}/health`)).status).toBe(200)
    }
  })

  test('with a repeated parameter are rejected, and unknown parameters are ignored', async () => {
    const { origin, key } = await server()
    const get = async (query: string) =>
      (await fetch(`${origin}/api/v1/flights?${query}`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await get(Array.from({ length: 1_500 }, () => 'limit=1').join('&'))).toBe(400)
    expect(await get(Array.from({ length: 1_500 }, () => 'other=1').join('&'))).toBe(200)
    expect(await get('&'.repeat(8_000))).toBe(200)
    expect(await get('='.repeat(8_000))).toBe(200)
    expect(await get(`limit=1&limit[]=2&limit.a=3&${'limit[a]'.repeat(500)}=4`)).toBe(200)
  })
})
