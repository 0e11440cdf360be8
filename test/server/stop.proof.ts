import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { contentsOf } from '../support/database.ts'
import { loadedFolder, ownerKey, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

/** Far above the usual times and far below the shutdown timeout. */
const SOON_MS = 6_000

const BODY = JSON.stringify({ name: 'Crew', permissions: [] })
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = (key: string, length = BODY.length) =>
  `POST /api/v1/roles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`

/** A server with one request whose body is incomplete. */
async function serverWithRequest(length?: number) {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const server = await serve({ dataDir })
  const running = await talk(server.port)
  running.socket.write(`${post(key, length)}${BODY.slice(0, 10)}`)
  // After this response the server has read the first part.
  await fetch(`${server.origin}/health`)
  const untilClosed = () =>
    expect
      .poll(
        () =>
          fetch(`${server.origin}/health`).then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: SOON_MS },
      )
      .toBe('closed')
  return { ...server, running, untilClosed, key }
}

/** Milliseconds until the promise resolves. */
async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('N12: a server that receives a stop signal', () => {
  test('closes idle and unused connections at once, leaves one database file and exits with 0', async () => {
    const { child, port, exited, dataDir, log } = await serve()
    const used = await Promise.all(Array.from({ length: 20 }, () => talk(port)))
    for (const { socket } of used) socket.write(head('/health'))
    await Promise.all(used.map(({ received }) => received(/\{"status":"ok"\}/)))
    const silent = await Promise.all(Array.from({ length: 20 }, () => talk(port)))
    child.kill('SIGTERM')
    const took = await timed(Promise.all([...used, ...silent].map(({ closed }) => closed)))
    expect(took).toBeLessThan(SOON_MS)
    expect(await timed(exited)).toBeLessThan(SOON_MS)
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
    expect(log().at(-1).msg).toBe('Paxlog has stopped')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    '%s: accepts no new connections but completes a request with an incomplete body',
    async (signal) => {
      const { child, running, untilClosed, exited } = await serverWithRequest()
      child.kill(signal)
      await untilClosed()
      await wait(300)
      running.socket.write(BODY.slice(10))
      const took = await timed(running.closed)
      expect(running.text()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
      expect(running.text()).toMatch(/\r\nconnection: close\r\n/i)
      expect(running.text()).toMatch(/"name":"Crew"/)
      expect(took).toBeLessThan(SOON_MS)
      expect(await timed(exited)).toBeLessThan(SOON_MS)
      expect(await exited).toEqual({ code: 0, signal: null })
    },
  )

  test('does not wait for the rest of a body after the response', async () => {
    const { child, port, origin, exited } = await serve()
    const refused = await talk(port)
    refused.socket.write(post('nonsense', 1000))
    await refused.received(/401 Unauthorized/)
    await fetch(`${origin}/health`)
    child.kill('SIGTERM')
    expect(await timed(exited)).toBeLessThan(SOON_MS)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('aborts an unfinished request within ten seconds', async () => {
    const { child, exited } = await serverWithRequest(1000)
    child.kill('SIGTERM')
    const took = await timed(exited)
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(took).toBeGreaterThan(SOON_MS)
    expect(took).toBeLessThan(12_000)
  })

  test('exits at once on a second signal', async () => {
    const { child, exited } = await serverWithRequest(1000)
    child.kill('SIGINT')
    await wait(500)
    expect(child.exitCode).toBe(null)
    child.kill('SIGINT')
    expect(await timed(exited)).toBeLessThan(SOON_MS)
    expect(await exited).toEqual({ code: 1, signal: null })
  })

  test('does not wait for another program that holds the write lock', async () => {
    const { child, dataDir, exited } = await serve()
    const other = new Database(join(dataDir, 'paxlog.db'))
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    child.kill('SIGTERM')
    expect(await timed(exited)).toBeLessThan(SOON_MS)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('treats two nearly simultaneous signals as one', async () => {
    const { child, running, untilClosed, exited } = await serverWithRequest()
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await untilClosed()
    running.socket.write(BODY.slice(10))
    await running.received(/201 Created/)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('is not ready during the shutdown', async () => {
    const logger = createLogger('silent')
    const server = await startServer(loadConfig({ HOST: '127.0.0.1', PORT: '0', DATA_DIR: loadedFolder() }), logger)
    let answer: (() => void) | undefined
    server.app.server.prependListener('request', (request, response) => {
      if (request.url === '/slow') answer = () => response.end()
    })
    const slow = fetch(`${server.baseUrl.replace('localhost', '127.0.0.1')}/slow`).catch(() => undefined)
    onTestFinished(async () => void (await slow))
    while (!answer) await once(server.app.server, 'request')
    expect((await server.app.inject('/ready')).statusCode).toBe(200)
    const stopped = server.stop()
    const { statusCode, body } = await server.app.inject('/ready')
    expect([statusCode, JSON.parse(body)]).toEqual([503, { status: 'unavailable', reason: 'The server is stopping.' }])
    answer()
    await stopped
  })
})
