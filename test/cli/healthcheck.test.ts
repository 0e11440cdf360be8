import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { command } from '../support/command.ts'
import { PEAK_AT_END, peakIn } from '../support/memory.ts'
import { dist, run } from '../support/process.ts'

/** Starts an HTTP server with the given listener on a free port. */
async function listening(listener: RequestListener, host = '127.0.0.1'): Promise<number> {
  const server = createServer(listener).listen(0, host)
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const check = (port: number, env: Record<string, string> = {}) =>
  command(['healthcheck'], { env: { PORT: String(port), ...env } })

describe('paxlog healthcheck', () => {
  test('prints the reason if the server is not ready', async () => {
    const port = await listening((_request, response) => {
      response.writeHead(503).end('{"status":"unavailable","reason":"The server is stopping."}')
    })
    expect(await check(port)).toMatchObject({ code: 1, stdout: '', stderr: 'The server is stopping.\n' })
  })

  test('uses the address on which the server listens', async () => {
    const port = await listening((_request, response) => void response.end('{"status":"ready"}'))
    for (const HOST of ['0.0.0.0', '127.0.0.1', 'localhost']) {
      expect(await check(port, { HOST })).toMatchObject({ code: 0, stdout: 'ok\n', stderr: '' })
    }
  })

  test('reports that nothing is listening', async () => {
    const port = await listening(() => undefined)
    const free = port === 65535 ? 1 : port + 1
    const { code, stdout, stderr } = await check(free, { HOST: '127.0.0.2' })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`The server on port ${free} cannot be reached: nothing is listening there (ECONNREFUSED).\n`)
  })

  test.each(['<html>hello</html>', '{"hello":"world"}', '[]', 'null'])(
    'rejects the response of another program: %s',
    async (body) => {
      const port = await listening((_request, response) => void response.end(body))
      const { code, stdout, stderr } = await check(port)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/nother program answers .*\.\n$/)
    },
  )

  test('gives up after five seconds', async () => {
    const port = await listening(() => undefined)
    const began = performance.now()
    expect(await check(port)).toMatchObject({
      code: 1,
      stderr: `The server on port ${port} cannot be reached: no answer within 5 seconds.\n`,
    })
    expect(performance.now() - began).toBeGreaterThan(4_900)
  })

  test('uses less than 25 MB more memory than Node itself', async () => {
    const port = await listening((_request, response) => void response.end('{"status":"ready"}'))
    const peakOf = async (...args: string[]) =>
      peakIn((await run([...PEAK_AT_END, ...args], { env: { PORT: String(port) } })).stderr)
    const [bare, check] = [await peakOf('-e', '0'), await peakOf(dist('cli.js'), 'healthcheck')]
    // Usually below 18 MB, half of it zod for the settings. The modules of the server would add 45 MB.
    expect(check - bare).toBeLessThan(25)
  })

  test('fails if PORT is 0', async () => {
    expect(await check(0)).toMatchObject({
      code: 1,
      stderr: 'PORT is 0, so the port of the server is unknown. Set PORT.\n',
    })
  })
})
