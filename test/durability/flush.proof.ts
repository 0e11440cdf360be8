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
import { watchingIsImpossible as missing, STRACE } from './watched.ts'
import { writer } from './writers.ts'

const WRITES = 50

/** What was asked of the system, in order: the log was written to, the log was flushed, an answer left. */
type Step = 'log' | 'flush' | 'answer'

function stepsOf(trace: string, answer: RegExp): Step[] {
  return trace.split('\n').flatMap((line): Step[] => {
    if (/\bpwrite64\(\d+<[^>]*paxlog\.db-wal>/.test(line)) return ['log']
    if (/\b(fdatasync|fsync)\(\d+<[^>]*paxlog\.db-wal>/.test(line)) return ['flush']
    return answer.test(line) ? ['answer'] : []
  })
}

/** How many answers left while the log held something that was not flushed, and how many came after a flush. */
function judge(steps: readonly Step[]) {
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

/** Watches a process, or one that it starts, and gives what it asked of the system. */
const watch = (out: string) => ['-f', '-y', '-s', '20', '-e', 'trace=pwrite64,fsync,fdatasync,write,writev', '-o', out]

describe(`K2: what is flushed before an answer leaves${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)('is the log of every write that the server acknowledges', { timeout: 600_000 }, async () => {
    const made = await newLedgers(1)
    const { child, port, exited } = await serve({
      dataDir: made.dataDir,
      env: { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' },
    })
    const { write, close } = writer(made, made.ledgers[0]!, seeded(2), port)
    await write()
    const out = join(temporaryFolder(), 'trace')
    const strace = start([...watch(out), '-p', String(child.pid)], { program: STRACE })
    const watched = once(strace, 'exit')
    // It says so when it has taken hold.
    await once(strace.stderr!, 'data')
    for (let count = 0; count < WRITES; count++) await write()
    close()
    child.kill('SIGTERM')
    await exited
    await watched
    const counts = judge(stepsOf(readFileSync(out, 'utf8'), /"HTTP\/1\.1 20[014]/))
    report(`K2: of ${WRITES} acknowledged writes ${counts.flushed} left after their flush, ${counts.early} before`)
    expect(counts.early).toBe(0)
    expect(counts.flushed).toBeGreaterThanOrEqual(WRITES - 1)
  })

  test.skipIf(missing)('and a database that flushes less is seen to do so', { timeout: 600_000 }, () => {
    const seen = (synchronous: string) => {
      const { file } = closedDatabase()
      const out = join(temporaryFolder(), 'trace')
      const script = `
        const db = new (require('${root}/node_modules/better-sqlite3'))('${file}')
        db.pragma('synchronous = ${synchronous}')
        for (let n = 0; n < ${WRITES}; n++) {
          db.prepare('insert into settings values (?, ?)').run(String(n), 'x')
          require('node:fs').writeSync(1, 'HTTP/1.1 201')
        }`
      spawnSync(STRACE, [...watch(out), process.execPath, '-e', script])
      return judge(stepsOf(readFileSync(out, 'utf8'), /"HTTP\/1\.1 201/))
    }
    expect(seen('full')).toEqual({ early: 0, flushed: WRITES })
    expect(seen('normal').early).toBeGreaterThan(WRITES / 2)
  })
})
