import { execFileSync } from 'node:child_process'
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { measured } from '../support/measured.ts'
import { type ServerProcess, serve } from '../support/process.ts'
import { seeded } from '../support/random.ts'
import { breakDisk, disk, diskMissing } from './file-systems.ts'
import { BASE_URL, newLedgers } from './ledger.ts'
import { compareWithLedgers } from './verdict.ts'
import { connection, writer } from './writers.ts'

const PRLIMIT = '/usr/bin/prlimit'
const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' }

/** Starts a server with a small log in the given folder. */
async function startWriting(folder?: string) {
  const setup = await newLedgers(1)
  const dataDir = folder === undefined ? setup.dataDir : join(folder, 'data')
  if (folder !== undefined) {
    mkdirSync(dataDir)
    copyFileSync(setup.file, join(dataDir, 'paxlog.db'))
  }
  const file = join(dataDir, 'paxlog.db')
  const server = await serve({ dataDir, env })
  const [ledger] = setup.ledgers as [(typeof setup.ledgers)[0]]
  const { write, close } = writer(setup, ledger, seeded(4), server.port)
  for (let count = 0; count < 60; count++) await write()
  const { send } = connection(server.port, ledger.key)

  /** Returns whether the server accepted the write. The only accepted error is that of the contract. */
  async function tryWrite(): Promise<boolean> {
    try {
      await write()
      return true
    } catch (error) {
      expect((error as Error).message).toMatch(
        / got 500 instead of \d+: \{"error(":\{"code":"internal_error"|":"server_error")/,
      )
      // A rejected write must not be saved.
      ledger.unanswered = undefined
      return false
    }
  }

  /** Writes until one is rejected. The log may have preallocated space on a full disk. */
  async function writeUntilRejected(): Promise<void> {
    const before = ledger.acknowledged
    while (await tryWrite()) expect(ledger.acknowledged - before).toBeLessThan(5_000)
  }

  /** Sends one request of each reading operation and returns the statuses. */
  async function reads(): Promise<number[]> {
    const id = [...ledger.flights.values()].find((flight) => flight.id !== undefined)?.id
    const paths = ['/me', '/flights', `/flights/${id}`, `/flights/${id}/track`, '/flights/export', '/stats']
    const answers = []
    for (const path of paths) answers.push((await send('GET', `/api/v1${path}`)).status)
    return [...answers, (await send('GET', '/health')).status]
  }

  async function ready(): Promise<number> {
    return (await send('GET', '/ready')).status
  }

  async function stop({ child, exited }: ServerProcess): Promise<unknown> {
    close()
    child.kill('SIGTERM')
    return exited
  }
  const problems = () => compareWithLedgers(file, setup.ledgers).problems
  return { server, file, ledger, tryWrite, writeUntilRejected, reads, ready, problems, stop: () => stop(server) }
}
type WritingServer = Awaited<ReturnType<typeof startWriting>>

const OK = Array(7).fill(200)

/** Checks that reads work while the disk is full, and that writes work again after `free`. */
async function expectSurvives(log: WritingServer, what: string, free: () => void): Promise<void> {
  await log.writeUntilRejected()
  let rejected = 1
  for (let round = 0; round < 10; round++) {
    if (!(await log.tryWrite())) rejected++
    expect(await log.reads()).toEqual(OK)
  }
  expect(rejected).toBeGreaterThan(5)
  expect(log.problems()).toEqual([])
  free()
  const freed = performance.now()
  await expect.poll(log.tryWrite, { timeout: 60_000, interval: 20 }).toBe(true)
  const took = performance.now() - freed
  for (let count = 0; count < 40; count++) expect(await log.tryWrite()).toBe(true)
  expect(log.server.child.exitCode).toBe(null)
  expect(log.problems()).toEqual([])
  expect(await log.stop()).toEqual({ code: 0, signal: null })
  expect(existsSync(`${log.file}-wal`)).toBe(false)
  expect(log.problems()).toEqual([])
  measured(
    `${what}: ${rejected} writes rejected, all reads succeeded, writes resumed ${Math.round(took)} ms after space was freed`,
  )
}

/** Fills the remaining space with a file. */
function fillUp(folder: string): string {
  const filler = join(folder, 'filler')
  const handle = openSync(filler, 'w')
  for (let size = 1024 ** 2; size >= 512; ) {
    try {
      if (writeSync(handle, Buffer.alloc(size, 1)) < size) throw new Error('full')
    } catch {
      // Retry with smaller writes until no space is left.
      size /= 2
    }
  }
  closeSync(handle)
  return filler
}

describe('K4: a full disk', () => {
  test.skipIf(!existsSync(PRLIMIT))(
    'simulated by a process limit rejects writes but not reads, and recovers',
    async () => {
      const log = await startWriting()
      const limit = (bytes: number | 'unlimited') =>
        execFileSync(PRLIMIT, ['--pid', String(log.server.child.pid), `--fsize=${bytes}:unlimited`])
      limit(statSync(`${log.file}-wal`).size)
      await expectSurvives(log, 'a limit of the process', () => limit('unlimited'))
    },
  )

  for (const kind of ['memory', 'ext4'] as const) {
    const missing = diskMissing(kind)
    test.skipIf(missing)(
      `on a file system of 30 MB (${missing || kind}) rejects writes but not reads, and recovers`,
      {
        timeout: 600_000,
      },
      async () => {
        const folder = disk(kind, 30)
        const log = await startWriting(folder)
        const filler = fillUp(folder)
        await expectSurvives(log, `a full file system (${kind})`, () => rmSync(filler))
      },
    )
  }
})

describe('K5: a disk that turns read-only under a running server', () => {
  const missing = diskMissing('ext4')
  test.skipIf(missing)(
    `makes the server not ready but keeps reads working (${missing || 'ext4'})`,
    { timeout: 600_000 },
    async (context) => {
      const folder = disk('ext4', 30)
      const log = await startWriting(folder)
      expect(await log.ready()).toBe(200)
      context.skip(!breakDisk(folder), 'this kernel cannot trigger a file system error')
      expect(await log.ready()).toBe(503)
      expect(await log.tryWrite()).toBe(false)
      expect(await log.reads()).toEqual(OK)
      expect(log.server.child.exitCode).toBe(null)
    },
  )

  test('is detected by opening the log, and the server is ready again when that works', async () => {
    const log = await startWriting()
    renameSync(`${log.file}-wal`, `${log.file}-elsewhere`)
    expect(await log.ready()).toBe(503)
    renameSync(`${log.file}-elsewhere`, `${log.file}-wal`)
    expect(await log.ready()).toBe(200)
    expect(log.problems()).toEqual([])
  })
})
