import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTrack } from '../support/factory.ts'
import { growthOf, warmUp } from '../support/memory.ts'
import { loadedFolder, ownerKey, type ServerProcess, serve } from '../support/process.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'
const CONNECTIONS = 1_000
/** Over a server that is warm; a quarter of it goes to those who are served meanwhile. */
const MOST_MEGABYTES = 50

/** Nothing here is about speed, and other tests run beside it; the measured figure is printed. */
const GENEROUS_MS = 5_000

/** Opens connections that begin alike; every one of them tells when it was closed and what it was told. */
async function openMany(port: number, count: number, beginning: string) {
  const began = performance.now()
  const sockets: Socket[] = []
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
  })
  const ends: Promise<{ ms: number; text: string }>[] = []
  for (let index = 0; index < count; index++) {
    const socket = connect(port, '127.0.0.1')
    sockets.push(socket)
    let text = ''
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      text += chunk
    })
    ends.push(once(socket, 'close').then(() => ({ ms: performance.now() - began, text })))
    socket.write(beginning)
    // A burst of a thousand would be told apart by the length of the queue of the system, not by the server.
    if (index % 100 === 99) await once(socket, 'connect')
  }
  return { sockets, ended: Promise.all(ends) }
}

/** A client like any other, which counts how long it waits while something else goes on. */
function normalClient({ origin }: ServerProcess, key: string) {
  const waits: number[] = []
  let running = true
  const done = (async () => {
    while (running) {
      const began = performance.now()
      const { status } = await fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })
      expect(status).toBe(200)
      waits.push(performance.now() - began)
      await wait(20)
    }
  })()
  return async () => {
    running = false
    await done
    waits.sort((a, b) => a - b)
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? 0
    return { requests: waits.length, p99: Math.round(p99), longest: Math.round(waits.at(-1) ?? 0) }
  }
}

async function server() {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const running = await serve({ dataDir })
  await warmUp(running, key)
  return { ...running, key }
}

const told = (what: string, figures: object) => process.stdout.write(`${what}: ${JSON.stringify(figures)}\n`)

describe('N1: slow clients', () => {
  test(`${CONNECTIONS} that send a header now and then are cut off while others are served`, async () => {
    const running = await server()
    const grown = growthOf(running.child.pid!)
    const client = normalClient(running, running.key)
    const { sockets, ended } = await openMany(running.port, CONNECTIONS, 'GET /health HTTP/1.1\r\nHost: localhost\r\n')
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('X: y\r\n')
    }, 2_000)
    onTestFinished(() => clearInterval(drip))
    const ends = await ended
    const latest = Math.max(...ends.map(({ ms }) => ms))
    const megabytes = grown()
    told(`${CONNECTIONS} slow headers`, { ...(await client()), cutAfterMs: Math.round(latest), megabytes })
    expect(ends.filter(({ text }) => !text.startsWith('HTTP/1.1 408 '))).toEqual([])
    expect(Math.min(...ends.map(({ ms }) => ms))).toBeGreaterThan(8_000)
    expect(latest).toBeLessThan(40_000)
    expect(megabytes).toBeLessThan(MOST_MEGABYTES)
  })

  test('that do not read a large export hold little, and keep nobody waiting', async () => {
    const running = await server()
    const headers = { authorization: `Bearer ${running.key}` }
    const call = async (method: string, path: string, body?: object) => {
      const answer = await fetch(`${running.origin}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return answer.json() as Promise<{ data: { id: number }[] & { id: number } }>
    }
    const [{ id: fromId }, { id: toId }] = [
      (await call('GET', '/airports?query=zrh')).data[0]!,
      (await call('GET', '/airports?query=lis')).data[0]!,
    ]
    const track = longTrack(100_000)
    for (let count = 0; count < 3; count++) await call('POST', '/flights', { date: '2025-05-03', fromId, toId, track })
    const whole = await (await fetch(`${running.origin}/api/v1/flights/export`, { headers })).arrayBuffer()
    expect(whole.byteLength).toBeGreaterThan(40_000_000)
    const lines = ['GET /api/v1/flights/export HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${running.key}`]
    for (const [readers, most] of [
      [1, MOST_MEGABYTES],
      [5, 2 * MOST_MEGABYTES],
    ] as const) {
      const grown = growthOf(running.child.pid!)
      const client = normalClient(running, running.key)
      const { sockets } = await openMany(running.port, readers, `${lines.join('\r\n')}\r\n\r\n`)
      for (const socket of sockets) socket.pause()
      await wait(3_000)
      const figures = {
        ...(await client()),
        megabytes: grown(),
        exportMegabytes: Math.round(whole.byteLength / 2 ** 20),
      }
      told(`${readers} that stop reading`, figures)
      expect(figures.p99).toBeLessThan(GENEROUS_MS)
      // Each holds the one track it has come to, 18 MB at most here, and nothing of the others.
      expect(figures.megabytes).toBeLessThan(most)
      for (const socket of sockets) socket.destroy()
    }
    expect((await fetch(`${running.origin}/ready`)).status).toBe(200)
  })

  test.runIf(SLOW)(`${CONNECTIONS} that send a body now and then are cut off after half a minute`, async () => {
    const running = await server()
    const grown = growthOf(running.child.pid!)
    const client = normalClient(running, running.key)
    const lines = ['POST /api/v1/roles HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${running.key}`]
    const { sockets, ended } = await openMany(
      running.port,
      CONNECTIONS,
      `${lines.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`,
    )
    const drip = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 5_000)
    onTestFinished(() => clearInterval(drip))
    const ends = await ended
    const latest = Math.max(...ends.map(({ ms }) => ms))
    const figures = { ...(await client()), cutAfterMs: Math.round(latest), megabytes: grown() }
    told(`${CONNECTIONS} slow bodies`, figures)
    expect(latest).toBeGreaterThan(28_000)
    expect(latest).toBeLessThan(60_000)
    expect(figures.megabytes).toBeLessThan(MOST_MEGABYTES)
  })
})
