import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { longTrack } from '../support/factory.ts'
import { measured } from '../support/measured.ts'
import { growthOf, warmUp } from '../support/memory.ts'
import { loadedFolder, ownerKey, type ServerProcess, serve } from '../support/process.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'
const CONNECTIONS = 1_000
/** Limit of additional memory over a warm server. The concurrent normal client takes a quarter of it. */
const MAX_GROWTH_MB = 50

/** A generous limit, because other tests run at the same time. The measured value is printed. */
const MAX_P99_MS = 5_000

/** Opens connections with the same first bytes. Each returns when it was closed and what it received. */
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
    // A burst of a thousand would exceed the backlog of the operating system.
    if (index % 100 === 99) await once(socket, 'connect')
  }
  return { sockets, ended: Promise.all(ends) }
}

/** A normal client that measures its response times during the test. */
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

interface Waits {
  p99: number
  longest: number
}

const measuredDuring = (what: string, { p99, longest }: Waits, megabytes: number, end = '') =>
  measured(`${what}: ${megabytes} MB more memory; another client waited ${p99} ms (p99), at most ${longest} ms${end}`)

describe('N1: slow clients', () => {
  test(`${CONNECTIONS} that send headers slowly are disconnected while others are served`, async () => {
    const running = await server()
    const grown = growthOf(running.child.pid!)
    const client = normalClient(running, running.key)
    const { sockets, ended } = await openMany(running.port, CONNECTIONS, 'GET /health HTTP/1.1\r\nHost: localhost\r\n')
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('X: y\r\n')
    }, 2_000)
    onTestFinished(() => clearInterval(timer))
    const ends = await ended
    const latest = Math.max(...ends.map(({ ms }) => ms))
    const megabytes = grown()
    const end = `; all were disconnected after at most ${Math.round(latest / 1000)} s`
    measuredDuring(`${CONNECTIONS} clients with slow headers`, await client(), megabytes, end)
    expect(ends.filter(({ text }) => !text.startsWith('HTTP/1.1 408 '))).toEqual([])
    expect(Math.min(...ends.map(({ ms }) => ms))).toBeGreaterThan(8_000)
    expect(latest).toBeLessThan(40_000)
    expect(megabytes).toBeLessThan(MAX_GROWTH_MB)
  })

  test('that do not read a large export take little memory and do not delay others', async () => {
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
    const exported = await (await fetch(`${running.origin}/api/v1/flights/export`, { headers })).arrayBuffer()
    expect(exported.byteLength).toBeGreaterThan(40_000_000)
    const lines = ['GET /api/v1/flights/export HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${running.key}`]
    for (const [readers, maxMegabytes] of [
      [1, MAX_GROWTH_MB],
      [5, 4 * MAX_GROWTH_MB],
    ] as const) {
      const grown = growthOf(running.child.pid!)
      const client = normalClient(running, running.key)
      const { sockets } = await openMany(running.port, readers, `${lines.join('\r\n')}\r\n\r\n`)
      for (const socket of sockets) socket.pause()
      await wait(3_000)
      const figures = {
        ...(await client()),
        megabytes: grown(),
        exportMegabytes: Math.round(exported.byteLength / 2 ** 20),
      }
      measuredDuring(
        `${readers} ${readers === 1 ? 'client that stops' : 'clients that stop'} reading an export of ${figures.exportMegabytes} MB`,
        figures,
        figures.megabytes,
      )
      expect(figures.p99).toBeLessThan(MAX_P99_MS)
      // Each connection holds only its current track, here at most 18 MB, instead of the whole export.
      expect(figures.megabytes).toBeLessThan(maxMegabytes)
      for (const socket of sockets) socket.destroy()
    }
    expect((await fetch(`${running.origin}/ready`)).status).toBe(200)
  })

  test.runIf(SLOW)(`${CONNECTIONS} that send a body slowly are disconnected after 30 s`, async () => {
    const running = await server()
    const grown = growthOf(running.child.pid!)
    const client = normalClient(running, running.key)
    const lines = ['POST /api/v1/roles HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${running.key}`]
    const { sockets, ended } = await openMany(
      running.port,
      CONNECTIONS,
      `${lines.join('\r\n')}\r\nContent-Length: 1000\r\n\r\n{`,
    )
    const timer = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write(' ')
    }, 5_000)
    onTestFinished(() => clearInterval(timer))
    const ends = await ended
    const latest = Math.max(...ends.map(({ ms }) => ms))
    const figures = { ...(await client()), cutAfterMs: Math.round(latest), megabytes: grown() }
    const end = `; all were disconnected after at most ${Math.round(latest / 1000)} s`
    measuredDuring(`${CONNECTIONS} clients with slow bodies`, figures, figures.megabytes, end)
    expect(latest).toBeGreaterThan(28_000)
    expect(latest).toBeLessThan(60_000)
    expect(figures.megabytes).toBeLessThan(MAX_GROWTH_MB)
  })
})
