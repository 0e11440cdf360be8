import { once } from 'node:events'
import { connect } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { longTrack } from '../support/factory.ts'
import { largeFlights } from '../support/large-flights.ts'
import { measured } from '../support/measured.ts'
import { growthOf, warmUp } from '../support/memory.ts'
import { loadedFolder, ownerKey, serve } from '../support/process.ts'

const MEGABYTE = 2 ** 20
/** The default heap of Node in a container of 192 MB. */
const SMALL_HEAP = '--max-old-space-size=92'

interface Options {
  /** Each with 499 guests. */
  flights?: number
  flags?: readonly string[]
}

async function server({ flights = 1, flags = [] }: Options = {}) {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const db = openDatabase(dataDir)
  const idOf = (icao: string) =>
    db.$client.prepare('select id from airports where icao = ?').pluck().get(icao) as number
  const route = { fromId: idOf('LSZH'), toId: idOf('LPPT') }
  largeFlights(db, { ...route, userId: 'owner', flights, guests: 499 })
  closeDatabase(db)
  const running = await serve({ dataDir, before: flags })
  const headers = { authorization: `Bearer ${key}` }
  const ask = (path: string, init: RequestInit = {}) => fetch(running.origin + path, { headers, ...init })
  const send = async (method: string, path: string, body: string) => {
    const type = { 'content-type': 'application/json' }
    const answer = await ask(path, { method, headers: { ...headers, ...type }, body })
    return { status: answer.status, text: await answer.text() }
  }
  return { ...running, key, ask, send, route }
}

const repeated = (text: string, bytes: number) =>
  Array.from({ length: Math.floor(bytes / (text.length + 1)) }, () => text)

/** Sends a request and does not read the response. */
async function sendWithoutReading(port: number, head: readonly string[], body: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => undefined)
  onTestFinished(() => void socket.destroy())
  socket.pause()
  const lines = [...head, 'Host: localhost', `Content-Length: ${Buffer.byteLength(body)}`]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  if (!socket.write(body)) await once(socket, 'drain')
  return socket
}

describe('a server with the heap of a small container', () => {
  test('survives bodies of millions of values and rejects each with its limit', async () => {
    const { send, route, ask, errorText } = await server({ flags: [SMALL_HEAP] })
    const bytes = 18 * MEGABYTE
    const flight = JSON.stringify({ date: '2025-05-03', ...route }).slice(1, -1)
    const passengers = await send('POST', '/api/v1/flights', `{${flight},"passengers":[${repeated('{}', bytes)}]}`)
    expect(passengers.status).toBe(422)
    expect(JSON.parse(passengers.text).error.details).toMatchObject([{ code: 'too_big', path: ['passengers'] }])
    const points = await send(
      'PUT',
      '/api/v1/flights/1/track',
      `{"sourceFormat":"gpx","coordinates":[${repeated('[1,2]', bytes)}]}`,
    )
    expect(points.status).toBe(422)
    expect(JSON.parse(points.text).error.details).toMatchObject([{ code: 'too_big', path: ['coordinates'] }])
    const bodies = [
      `{${flight},"x":[${repeated('{}', bytes)}]}`,
      `{${flight},"x":{${Array.from({ length: bytes / 14 }, (_, index) => `"k${index}":{}`)}}}`,
      `{${flight},"x":${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}}`,
      `{${flight},"x":[${repeated(`[${repeated('""', 200_000)}]`, bytes)}]}`,
      `{${flight},"note":"${'ü'.repeat(bytes / 2)}"}`,
      `{${flight},"note":"${'x'.repeat(bytes)}✈"}`,
      `{"name":"x","permissions":[${repeated('"x"', bytes)}]}`,
    ]
    for (const [index, body] of bodies.entries()) {
      for (const [method, path] of [
        ['POST', '/api/v1/flights'],
        ['POST', '/api/v1/roles'],
        ['POST', '/api/flight/save'],
        ['POST', '/api/mcp'],
      ] as const) {
        const { status } = await send(method, path, body)
        expect([index, path, status < 500, errorText()]).toEqual([
          index,
          path,
          true,
          expect.not.stringContaining('heap'),
        ])
      }
    }
    expect((await ask('/health')).status).toBe(200)
  }, 300_000)

  test('survives lists of flights with 500 passengers each, on every surface', async () => {
    const { ask, send, errorText } = await server({ flights: 150, flags: [SMALL_HEAP] })
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'list_flights', arguments: { limit: 100 } },
    }
    for (const path of [
      '/api/v1/flights?limit=100',
      '/api/flight/list',
      '/api/v1/flights/export',
      '/api/flight/export',
    ]) {
      const answers = await Promise.all([ask(path), ask(path), ask(path)])
      for (const answer of answers)
        expect([path, answer.status, (await answer.text()).length > MEGABYTE]).toEqual([path, 200, true])
    }
    expect((await send('POST', '/api/mcp', JSON.stringify(call))).status).toBe(200)
    expect((await ask('/health')).status).toBe(200)
    expect(errorText()).not.toContain('heap')
  }, 300_000)
})

describe('an unread response', () => {
  test('of one track to 100 clients takes memory for only a few copies', async () => {
    const { port, child, key, send, ask, ...running } = await server()
    await warmUp({ port, child, ...running }, key)
    expect((await send('PUT', '/api/v1/flights/1/track', JSON.stringify(longTrack(100_000)))).status).toBe(200)
    const text = await (await ask('/api/v1/flights/1/track')).text()
    expect(text.length).toBeGreaterThan(5 * MEGABYTE)
    const grown = growthOf(child.pid!)
    const head = ['GET /api/v1/flights/1/track HTTP/1.1', `Authorization: Bearer ${key}`]
    const sockets = await Promise.all(Array.from({ length: 100 }, () => sendWithoutReading(port, head, '')))
    await Promise.all(sockets.map((socket) => once(socket, 'readable')))
    expect((await ask('/health')).status).toBe(200)
    const megabytes = grown()
    measured(
      `100 clients that do not read a track of ${Math.round(text.length / MEGABYTE)} MB: ${megabytes} MB more memory`,
    )
    // One copy per client would take 600 MB.
    expect(megabytes).toBeLessThan(300)
  }, 240_000)

  test('with a track of 20 MB does not block large request bodies', async () => {
    const { port, key, send } = await server()
    const { coordinates, ...track } = longTrack(100_000)
    const digits = Array.from({ length: 100_000 }, (_, index) => 0.1234567890123456 + index / 1e6)
    const body = JSON.stringify({
      ...track,
      coordinates: digits.map((digit) => [digit, digit, digit]),
      groundSpeedKt: digits,
      trackDeg: digits,
      more: '',
    }).replace('"more":""', (found) => `${found.slice(0, -1)}${'x'.repeat(6 * MEGABYTE)}"`)
    expect(body.length).toBeGreaterThan(15 * MEGABYTE)
    expect(body.length).toBeLessThan(20 * MEGABYTE)
    await sendWithoutReading(port, ['PUT /api/v1/flights/1/track HTTP/1.1', `Authorization: Bearer ${key}`], body)
    const other = `{"x":"${'x'.repeat(6 * MEGABYTE)}"}`
    const statuses = await Promise.all([1, 2].map(async () => (await send('POST', '/api/v1/flights', other)).status))
    expect(statuses).toEqual([422, 422])
  }, 240_000)
})
