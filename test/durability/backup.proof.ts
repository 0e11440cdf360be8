import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { listening } from '../support/listening.ts'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli } from '../support/process.ts'
import { seeded } from '../support/random.ts'
import { percentile } from '../support/travel.ts'
import { BASE_URL, type Content, type Ledger, newLedgers } from './ledger.ts'
import { consistencyProblems, hasSameContent, storedFlights } from './verdict.ts'
import { writer } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const BACKUPS = slow ? 100 : 8
const WRITERS = 4
/** Results in about 300 writes per second of all writers. */
const PAUSE_MS = (1000 * WRITERS) / 300

type Log = Map<string, { content: Content }>

/** One acknowledged write and the log of its writer after it. */
interface Step {
  sent: number
  acknowledged: number
  log: Log
}

interface Copy {
  file: string
  /** The step of each writer when the backup started. */
  startSteps: number[]
}

const logOf = ({ flights }: Ledger): Log => new Map(flights)

/** Writes at a steady rate and records every acknowledged state. */
async function writeSteadily(write: () => Promise<void>, ledger: Ledger, steps: Step[], isOver: () => boolean) {
  let next = performance.now()
  while (!isOver()) {
    const sent = performance.now()
    await write()
    steps.push({ sent, acknowledged: performance.now(), log: logOf(ledger) })
    next = Math.max(next + PAUSE_MS, performance.now() - 1_000)
    await wait(Math.max(0, next - performance.now()))
  }
}

function equals(log: Log, found: Map<string, Content>): boolean {
  if (log.size !== found.size) return false
  for (const [tag, { content }] of log) if (!hasSameContent(content, found.get(tag))) return false
  return true
}

/** The first and the last step whose log equals that of the copy. */
function matchingSteps(
  steps: readonly Step[],
  startStep: number,
  found: Map<string, Content>,
): [first: number, last: number] | undefined {
  const matches = steps.flatMap(({ log }, index) => (index >= startStep && equals(log, found) ? [index] : []))
  return matches.length > 0 ? [matches[0]!, matches.at(-1)!] : undefined
}

/** A copy must be a snapshot: it contains every write acknowledged before any of its writes was sent. */
function problemsOfCopy(
  { file, startSteps }: Copy,
  ledgers: readonly Ledger[],
  histories: readonly Step[][],
): string[] {
  const client = new Database(file, { readonly: true })
  const problems = consistencyProblems(client)
  const stored = storedFlights(client)
  client.close()
  const [newestIn, oldestOut] = [[0], [Number.POSITIVE_INFINITY]]
  ledgers.forEach(({ name }, index) => {
    const flights = [...stored].filter(([, { writer }]) => writer === name)
    const found = new Map(flights.map(([tag, { content }]) => [tag, content]))
    const steps = histories[index]!
    const matches = matchingSteps(steps, startSteps[index]!, found)
    if (!matches) problems.push(`${name}: the copy matches no state of the log`)
    else {
      newestIn.push(steps[matches[0]]!.sent)
      oldestOut.push(steps[matches[1] + 1]?.acknowledged ?? Number.POSITIVE_INFINITY)
    }
  })
  if (Math.max(...newestIn) > Math.min(...oldestOut))
    problems.push('the copy contains a write but lacks an earlier one')
  return problems
}

/** Adds flights, so that a copy takes a realistic time. */
function addFlights(dataDir: string, flights: number): void {
  const db = openDatabase(dataDir)
  db.$client.exec(`
    insert into flights (date, date_precision, flight_number, note, from_id, to_id, completed_from, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${flights})
      select '2001-01-01', 'day', 'LX' || i, 'A note of the usual length, and a bit more than that.', 1, 2, 0, '', '' from n;
    insert into passengers (flight_id, guest_name, date) select id, 'Noor', date from flights`)
  closeDatabase(db)
}

describe('K8: backups during writes', () => {
  test('are consistent snapshots with every write acknowledged before, and do not block writes', {
    timeout: slow ? 1_800_000 : 600_000,
  }, async () => {
    const setup = await newLedgers(WRITERS)
    const { ledgers, dataDir } = setup
    addFlights(dataDir, slow ? 400_000 : 20_000)
    const { url, longestTurn } = await listening(dataDir, { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' })
    const histories: Step[][] = ledgers.map((ledger) => [{ sent: 0, acknowledged: 0, log: logOf(ledger) }])
    const writers = ledgers.map((ledger, index) => writer(setup, ledger, seeded(index), Number(new URL(url).port)))
    let isOver = false
    const writing = writers.map(({ write }, index) =>
      writeSteadily(write, ledgers[index]!, histories[index]!, () => isOver),
    )
    await wait(500)

    const folder = temporaryFolder()
    const times: number[] = []
    let [totalMs, lag] = [0, 0]
    let last: Copy | undefined
    for (let count = 0; count < BACKUPS; count++) {
      const file = join(folder, `${count}.db`)
      const startSteps = histories.map((steps) => steps.length - 1)
      const began = performance.now()
      const turn = await longestTurn(async () => {
        const { code, stderr } = await cli(['backup', file, '--data-dir', dataDir])
        expect([code, stderr]).toEqual([0, ''])
      })
      const ended = performance.now()
      // Wait for the responses to writes that were in progress during the copy.
      const lengths = histories.map((steps) => steps.length)
      while (histories.some((steps, index) => steps.length === lengths[index])) await wait(5)
      last = { file, startSteps }
      expect([count, problemsOfCopy(last, ledgers, histories)]).toEqual([count, []])
      const during = histories.flat().filter(({ sent }) => sent > began && sent < ended)
      times.push(...during.map(({ sent, acknowledged }) => acknowledged - sent))
      totalMs += ended - began
      lag = Math.max(lag, turn)
      if (count === BACKUPS - 1) break
      // Drop older states to limit memory in long runs.
      rmSync(file)
      histories.forEach((steps, index) => {
        steps.splice(0, startSteps[index]!)
      })
    }
    isOver = true
    await Promise.all(writing)
    for (const { close } of writers) close()
    measured(
      `${BACKUPS} backups during ${Math.round((times.length * 1000) / totalMs)} writes per second; a write took ` +
        `${percentile(times, 0.5).toFixed(1)} ms (median), ${percentile(times, 0.99).toFixed(1)} ms (p99), ` +
        `${percentile(times, 1).toFixed(0)} ms (maximum); longest task of the event loop ${lag} ms`,
    )
    // The check must detect a copy that is not a snapshot: the newest one without one of its flights.
    const { file, startSteps } = last!
    const damaged = new Database(file)
    damaged.exec("delete from flights where id = (select min(id) from flights where flight_number like 'writer%')")
    damaged.close()
    expect(problemsOfCopy({ file, startSteps }, ledgers, histories)).toEqual([
      expect.stringContaining('matches no state of the log'),
    ])
  })
})
