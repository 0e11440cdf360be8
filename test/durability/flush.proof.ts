import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { closedDatabase } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, serve, start } from '../support/process.ts'
import { seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { BASE_URL, newLedgers } from './ledger.ts'
import { tracingMissing as missing, STRACE } from './watched.ts'
import { writer } from './writers.ts'

const WRITES = 50

/** System calls in order: a write to the log, a flush of the log, a response. */
type Step = 'log' | 'flush' | 'answer'

function stepsOf(trace: string, answer: RegExp): Step[] {
  return trace.split('\n').flatMap((line): Step[] => {
    if (/\bpwrite64\(\d+<[^>]*paxlog\.db-wal>/.test(line)) return ['log']
    if (/\b(fdatasync|fsync)\(\d+<[^>]*paxlog\.db-wal>/.test(line)) return ['flush']
    return answer.test(line) ? ['answer'] : []
  })
}

/** Counts responses sent with unflushed data in the log, and those sent after a flush. */
function countResponses(steps: readonly Step[]) {
  const counts = { early: 0, flushed: 0 }
  let [dirty, flushed] = [false, false]
  for (const step of steps) {
    if (step === 'log') dirty = true
    if (step === 'flush') [dirty, flushed] = [false, true]
    if (step === 'answer') {
      if (dirty) counts.early++
      else if (flushed) counts.flushed++
      flushed = false
    }
  }
  return counts
}

/** Arguments for strace. */
const straceArgs = (out: string) => [
  '-f',
  '-y',
  '-s',
  '20',
  '-e',
  'trace=pwrite64,fsync,fdatasync,write,writev',
  '-o',
  out,
]

describe(`K2: the log${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)('is flushed before each write is acknowledged', { timeout: 600_000 }, async () => {
    const setup = await newLedgers(1)
    const { child, port, exited } = await serve({
      dataDir: setup.dataDir,
      env: { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' },
    })
    const { write, close } = writer(setup, setup.ledgers[0]!, seeded(2), port)
    await write()
    const out = join(temporaryFolder(), 'trace')
    const strace = start([...straceArgs(out), '-p', String(child.pid)], { program: STRACE })
    const traced = once(strace, 'exit')
    // strace prints a line when it is attached.
    await once(strace.stderr!, 'data')
    for (let count = 0; count < WRITES; count++) await write()
    close()
    child.kill('SIGTERM')
    await exited
    await traced
    const counts = countResponses(stepsOf(readFileSync(out, 'utf8'), /"HTTP\/1\.1 20[014]/))
    report(`K2: ${WRITES} acknowledged writes, ${counts.flushed} after their flush, ${counts.early} before`)
    expect(counts.early).toBe(0)
    expect(counts.flushed).toBeGreaterThanOrEqual(WRITES - 1)
  })

  test.skipIf(missing)(
    'is not flushed in time with synchronous = normal, which the test detects',
    { timeout: 600_000 },
    () => {
      const countWith = (synchronous: string) => {
        const { file } = closedDatabase()
        const out = join(temporaryFolder(), 'trace')
        const script = `
        const db = new (require('${root}/node_modules/better-sqlite3'))('${file}')
        db.pragma('synchronous = ${synchronous}')
        for (let n = 0; n < ${WRITES}; n++) {
          db.prepare('insert into settings values (?, ?)').run(String(n), 'x')
          require('node:fs').writeSync(1, 'HTTP/1.1 201')
        }`
        spawnSync(STRACE, [...straceArgs(out), process.execPath, '-e', script])
        return countResponses(stepsOf(readFileSync(out, 'utf8'), /"HTTP\/1\.1 201/))
      }
      expect(countWith('full')).toEqual({ early: 0, flushed: WRITES })
      expect(countWith('normal').early).toBeGreaterThan(WRITES / 2)
    },
  )
})
