import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { version } from '../../src/app/version.ts'
import { contentsOf } from '../support/database.ts'
import { memoryOf } from '../support/memory.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { dist, loadedFolder, run, serve, start } from '../support/process.ts'

/** Starts a server that is expected to fail. */
const runServer = (env: Record<string, string>) =>
  run([dist('main.js')], { env: { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(temporaryFolder(), 'data'), ...env } })

/** Usually about 100. */
const MAX_IDLE_MB = 200

/** A port that another program listens on. */
async function takenPort(): Promise<number> {
  const other = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')
  return (other.address() as AddressInfo).port
}

describe('a start', () => {
  test('creates all files in an empty directory and is ready', async () => {
    const dataDir = join(temporaryFolder(), 'new/data')
    const { origin, log, child, exited } = await serve({ dataDir })
    expect((await fetch(`${origin}/ready`)).status).toBe(200)
    expect(statSync(join(dataDir, 'paxlog.db')).size).toBeGreaterThan(10_000_000)
    expect(log()[0]).toMatchObject({
      level: 30,
      version,
      baseUrl: origin.replace('127.0.0.1', 'localhost'),
      address: origin.slice('http://'.length),
      msg: `Paxlog ${version} serves ${origin.replace('127.0.0.1', 'localhost')} and listens on ${origin.slice('http://'.length)}`,
    })
    expect(log()[1]).toMatchObject({
      loaded: [{ kind: 'airports' }, { kind: 'airlines' }, { kind: 'aircraft' }, { kind: 'routes' }],
    })
    expect(log()[2].msg).toMatch(
      /^There is no owner yet\. Open http:\/\/localhost:\d+ in a browser, or create one with: paxlog user create --owner /,
    )
    child.kill('SIGTERM')
    expect(await exited).toEqual({ code: 0, signal: null })
    const before = contentsOf(dataDir)
    expect(Object.keys(before)).toEqual(['paxlog.db'])

    const second = await serve({ dataDir })
    expect(second.log().some(({ loaded }) => loaded)).toBe(false)
    second.child.kill('SIGTERM')
    await second.exited
    expect(contentsOf(dataDir)).toEqual(before)
  })

  test('takes little memory before the first request', async () => {
    const { origin, child } = await serve()
    expect((await fetch(`${origin}/ready`)).status).toBe(200)
    expect(memoryOf(child.pid!)).toBeLessThan(MAX_IDLE_MB)
  })

  test('with npm forwards signals and ends with the server', async () => {
    const env = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: loadedFolder(), HOME: temporaryFolder() }
    const npm = start(['start', '--silent'], { program: 'npm', env })
    let log = ''
    npm.stdout!.on('data', (chunk) => {
      log += chunk
    })
    await expect.poll(() => log, { timeout: 120_000 }).toMatch(/ listens on /)
    npm.kill('SIGTERM')
    const [code] = await once(npm, 'close')
    expect(code).toBe(0)
    expect(log).toMatch(/"msg":"Paxlog has stopped"\}\n$/)
  })

  test('on a port in use fails with a message', async () => {
    const port = await takenPort()
    const { code, stdout, stderr } = await runServer({ PORT: String(port), DATA_DIR: loadedFolder() })
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toBe(`Port ${port} on 127.0.0.1 is already in use. Set another PORT or HOST.\n`)
  })

  test.each([
    ['203.0.113.7', '0', 'is not available: this machine does not have that address'],
    ['203.0.113.7', '4711', 'is not available: this machine does not have that address'],
  ])('on the address %s with port %s fails with a message', async (HOST, PORT, reason) => {
    const { code, stderr } = await runServer({ HOST, PORT, DATA_DIR: loadedFolder() })
    expect([code, stderr]).toEqual([1, `Port ${PORT} on ${HOST} ${reason}. Set another PORT or HOST.\n`])
  })

  test('with invalid settings fails with one message each and creates nothing', async () => {
    const DATA_DIR = join(temporaryFolder(), 'data')
    const { code, stdout, stderr } = await runServer({ DATA_DIR, BASE_URL: 'example.org', XFF_DEPTH: '0' })
    expect([code, stdout]).toEqual([1, ''])
    expect(
      stderr
        .trimEnd()
        .split('\n')
        .map((line) => line.split(' ')[0]),
    ).toEqual(['BASE_URL', 'XFF_DEPTH'])
    expect(existsSync(DATA_DIR)).toBe(false)
  })

  test('warns about plain http on a public host', async () => {
    const { log, logged } = await serve({ env: { BASE_URL: 'http://log.example.org' } })
    await logged(({ msg }) => msg?.startsWith('BASE_URL') ?? false)
    expect(log()[0].baseUrl).toBe('http://log.example.org')
    expect(log().at(-1)).toMatchObject({
      level: 40,
      msg: expect.stringContaining('http://log.example.org is plain http'),
    })
  })

  test('logs nothing below LOG_LEVEL', async () => {
    const { code, stdout, stderr } = await runServer({
      PORT: String(await takenPort()),
      LOG_LEVEL: 'silent',
      DATA_DIR: loadedFolder(),
    })
    // Startup errors go to stderr, not to the log.
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).not.toBe('')
  })
})
