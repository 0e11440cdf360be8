import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { loadConfig } from '../../src/app/config.ts'
import { startServer } from '../../src/app/server.ts'
import { createLogger } from '../../src/lib/logger.ts'
import { contentsOf } from '../support/database.ts'
import { loadedFolder, ownerKey, serve } from '../support/process.ts'
import { talk } from '../support/talk.ts'

/** Far more than any of this takes, far less than the time that a stop may take. */
const SOON = 6_000

const BODY = JSON.stringify({ name: 'Crew', permissions: [] })
const head = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`
const post = (key: string, length = BODY.length) =>
  `POST /api/v1/roles HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${length}\r\n\r\n`

/** A server with one request on it whose body has begun to arrive. */
async function busy(length?: number) {
  const dataDir = loadedFolder()
  const key = ownerKey(dataDir)
  const server = await serve({ dataDir })
  const running = await talk(server.port)
  running.socket.write(`${post(key, length)}${BODY.slice(0, 10)}`)
  // Once this is answered, what was sent before has been read.
  await fetch(`${server.origin}/health`)
  const refuses = () =>
    expect
      .poll(
        () =>
          fetch(`${server.origin}/health`).then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: SOON },
      )
      .toBe('closed')
  return { ...server, running, refuses, key }
}

/** Milliseconds until the promise is settled. */
async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

describe('N12: a server that is told to stop', () => {
  test('closes idle and silent connections at once, leaves one whole file and exit code 0', async () => {
    const { child, port, exited, dataDir, log } = await serve()
    const used = await Promise.all(Array.from({ length: 20 }, () => talk(port)))
    for (const { socket } of used) socket.write(head('/health'))
    await Promise.all(used.map(({ received }) => received(/\{"status":"ok"\}/)))
    const silent = await Promise.all(Array.from({ length: 20 }, () => talk(port)))
    child.kill('SIGTERM')
    const took = await timed(Promise.all([...used, ...silent].map(({ closed }) => closed)))
    expect(took).toBeLessThan(SOON)
    expect(await timed(exited)).toBeLessThan(SOON)
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(Object.keys(contentsOf(dataDir))).toEqual(['paxlog.db'])
    expect(log().at(-1).msg).toBe('Paxlog has stopped')
  })

  test.each(['SIGTERM', 'SIGINT'] as const)(
    'by %s takes no new connection, but finishes a request whose body is still arriving',
    async (signal) => {
      const { child, running, refuses, exited } = await busy()
      child.kill(signal)
      await refuses()
      await wait(300)
      running.socket.write(BODY.slice(10))
      const took = await timed(running.closed)
      expect(running.text()).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
      expect(running.text()).toMatch(/\r\nconnection: close\r\n/i)
      expect(running.text()).toMatch(/"name":"Crew"/)
      expect(took).toBeLessThan(SOON)
      expect(await timed(exited)).toBeLessThan(SOON)
      expect(await exited).toEqual({ code: 0, signal: null })
    },
  )

  test('does not wait for the rest of a body that is answered already', async () => {
    const { child, port, origin, exited } = await serve()
    const refused = await talk(port)
    refused.socket.write(post('nonsense', 1000))
    await refused.received(/401 Unauthorized/)
    await fetch(`${origin}/health`)
    child.kill('SIGTERM')
    expect(await timed(exited)).toBeLessThan(SOON)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('cuts off a request that does not end, within ten seconds', async () => {
    const { child, exited } = await busy(1000)
    child.kill('SIGTERM')
    const took = await timed(exited)
    expect(await exited).toEqual({ code: 0, signal: null })
    expect(took).toBeGreaterThan(SOON)
    expect(took).toBeLessThan(12_000)
  })

  test('ends at once when it is told a second time', async () => {
    const { child, exited } = await busy(1000)
    child.kill('SIGINT')
    await wait(500)
    expect(child.exitCode).toBe(null)
    child.kill('SIGINT')
    expect(await timed(exited)).toBeLessThan(SOON)
    expect(await exited).toEqual({ code: 1, signal: null })
  })

  test('takes two signals at nearly the same time for one', async () => {
    const { child, running, refuses, exited } = await busy()
    child.kill('SIGINT')
    child.kill('SIGTERM')
    await refuses()
    running.socket.write(BODY.slice(10))
    await running.received(/201 Created/)
    expect(await exited).toEqual({ code: 0, signal: null })
  })

  test('is not ready any more while it finishes', async () => {
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
