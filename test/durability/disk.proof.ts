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
import { type ServerProcess, serve } from '../support/process.ts'
import { seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { breakDisk, disk, diskMissing } from './file-systems.ts'
import { BASE_URL, newLedgers } from './ledger.ts'
import { judge } from './verdict.ts'
import { connection, writer } from './writers.ts'

const PRLIMIT = '/usr/bin/prlimit'
const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' }

/** A server over a small log, with its data where the test wants it. */
async function writing(place?: string) {
  const made = await newLedgers(1)
  const dataDir = place === undefined ? made.dataDir : join(place, 'data')
  if (place !== undefined) {
    mkdirSync(dataDir)
    copyFileSync(made.file, join(dataDir, 'paxlog.db'))
  }
  const file = join(dataDir, 'paxlog.db')
  const server = await serve({ dataDir, env })
  const [ledger] = made.ledgers as [(typeof made.ledgers)[0]]
  const { write, close } = writer(made, ledger, seeded(4), server.port)
  for (let count = 0; count < 60; count++) await write()
  const { send } = connection(server.port, ledger.key)

  /** True when the server took the write; false when it answered with the one error that the contract has for this. */
  async function taken(): Promise<boolean> {
    try {
      await write()
      return true
    } catch (error) {
      expect((error as Error).message).toMatch(
        / got 500 instead of \d+: \{"error(":\{"code":"internal_error"|":"server_error")/,
      )
      // What was refused must not be there afterwards, not even by chance.
      ledger.unanswered = undefined
      return false
    }
  }

  /** Writes until one is refused; a disk may have room left that belongs to the log already. */
  async function writeUntilRefused(): Promise<void> {
    const before = ledger.acknowledged
    while (await taken()) expect(ledger.acknowledged - before).toBeLessThan(5_000)
  }

  /** Everything that only reads. */
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
  const sound = () => judge(file, made.ledgers).complaints
  return { server, file, ledger, taken, writeUntilRefused, reads, ready, sound, stop: () => stop(server) }
}
type Writing = Awaited<ReturnType<typeof writing>>

const OK = Array(7).fill(200)

/** What holds while nothing can be written, and after there is room again; `free` makes room. */
async function expectSurvives(log: Writing, what: string, free: () => void): Promise<void> {
  await log.writeUntilRefused()
  let refused = 1
  for (let round = 0; round < 10; round++) {
    if (!(await log.taken())) refused++
    expect(await log.reads()).toEqual(OK)
  }
  expect(refused).toBeGreaterThan(5)
  expect(log.sound()).toEqual([])
  free()
  const freed = performance.now()
  await expect.poll(log.taken, { timeout: 60_000, interval: 20 }).toBe(true)
  const took = performance.now() - freed
  for (let count = 0; count < 40; count++) expect(await log.taken()).toBe(true)
  expect(log.server.child.exitCode).toBe(null)
  expect(log.sound()).toEqual([])
  expect(await log.stop()).toEqual({ code: 0, signal: null })
  expect(existsSync(`${log.file}-wal`)).toBe(false)
  expect(log.sound()).toEqual([])
  report(
    `${what}: ${refused} writes refused, every read answered, writing again ${Math.round(took)} ms after there was room`,
  )
}

/** Takes all the room that is left. */
function fillUp(place: string): string {
  const filler = join(place, 'filler')
  const handle = openSync(filler, 'w')
  for (let size = 1024 ** 2; size >= 512; ) {
    try {
      if (writeSync(handle, Buffer.alloc(size, 1)) < size) throw new Error('full')
    } catch {
      // The last bit of room may be smaller than what was tried.
      size /= 2
    }
  }
  closeSync(handle)
  return filler
}

describe('K4: a disk that is full', () => {
  test.skipIf(!existsSync(PRLIMIT))(
    'by the limit of the process: reads go on, writes are refused, and both work again',
    async () => {
      const log = await writing()
      const limit = (bytes: number | 'unlimited') =>
        execFileSync(PRLIMIT, ['--pid', String(log.server.child.pid), `--fsize=${bytes}:unlimited`])
      limit(statSync(`${log.file}-wal`).size)
      await expectSurvives(log, 'K4, limit of the process', () => limit('unlimited'))
    },
  )

  for (const kind of ['memory', 'ext4'] as const) {
    const missing = diskMissing(kind)
    test.skipIf(missing)(
      `on a file system of 30 MB (${missing || kind}): reads go on, writes are refused, and both work again`,
      {
        timeout: 600_000,
      },
      async () => {
        const place = disk(kind, 30)
        const log = await writing(place)
        const filler = fillUp(place)
        await expectSurvives(log, `K4, ${kind}`, () => rmSync(filler))
      },
    )
  }
})

describe('K5: a disk that turns read-only under a running server', () => {
  const missing = diskMissing('ext4')
  test.skipIf(missing)(
    `is not ready, but still answers whoever reads (${missing || 'ext4'})`,
    { timeout: 600_000 },
    async (context) => {
      const place = disk('ext4', 30)
      const log = await writing(place)
      expect(await log.ready()).toBe(200)
      context.skip(!breakDisk(place), 'this kernel cannot be asked to find a fault in a file system')
      expect(await log.ready()).toBe(503)
      expect(await log.taken()).toBe(false)
      expect(await log.reads()).toEqual(OK)
      expect(log.server.child.exitCode).toBe(null)
    },
  )

  test('is seen by the log, which can then not be opened; it is ready again when it can', async () => {
    const log = await writing()
    renameSync(`${log.file}-wal`, `${log.file}-elsewhere`)
    expect(await log.ready()).toBe(503)
    renameSync(`${log.file}-elsewhere`, `${log.file}-wal`)
    expect(await log.ready()).toBe(200)
    expect(log.sound()).toEqual([])
  })
})
