import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { listening } from '../support/listening.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { cli } from '../support/process.ts'
import { seeded } from '../support/random.ts'
import { percentile, report } from '../support/travel.ts'
import { BASE_URL, type Content, type Ledger, newLedgers } from './ledger.ts'
import { faultsOf, same, storedFlights } from './verdict.ts'
import { writer } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const BACKUPS = slow ? 100 : 8
const WRITERS = 4
/** Between two writes of one writer: together about 300 a second. */
const PAUSE_MS = (1000 * WRITERS) / 300

type Log = Map<string, { content: Content }>

/** One acknowledged write, and the log of its writer after it. */
interface Step {
  sent: number
  acknowledged: number
  log: Log
}

interface Copy {
  file: string
  /** How many steps each writer had behind it when the backup was asked for. */
  since: number[]
}

const logOf = ({ flights }: Ledger): Log => new Map(flights)

/** Writes at a steady pace and remembers every state that was ever acknowledged. */
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
  for (const [tag, { content }] of log) if (!same(content, found.get(tag))) return false
  return true
}

/** The first and the last step after which the log of a writer was as the copy has it. */
function placesOf(
  steps: readonly Step[],
  since: number,
  found: Map<string, Content>,
): [first: number, last: number] | undefined {
  const fits = steps.flatMap(({ log }, place) => (place >= since && equals(log, found) ? [place] : []))
  return fits.length > 0 ? [fits[0]!, fits.at(-1)!] : undefined
}

/** A copy is one moment: whatever was acknowledged before something in it was even sent is in it too. */
function faultsOfCopy({ file, since }: Copy, ledgers: readonly Ledger[], histories: readonly Step[][]): string[] {
  const client = new Database(file, { readonly: true })
  const faults = faultsOf(client)
  const stored = storedFlights(client)
  client.close()
  const [newestIn, oldestOut] = [[0], [Number.POSITIVE_INFINITY]]
  ledgers.forEach(({ name }, index) => {
    const own = [...stored].filter(([, { writer }]) => writer === name)
    const found = new Map(own.map(([tag, { content }]) => [tag, content]))
    const steps = histories[index]!
    const places = placesOf(steps, since[index]!, found)
    if (!places) faults.push(`${name}: the copy is no state that its log ever had`)
    else {
      newestIn.push(steps[places[0]]!.sent)
      oldestOut.push(steps[places[1] + 1]?.acknowledged ?? Number.POSITIVE_INFINITY)
    }
  })
  if (Math.max(...newestIn) > Math.min(...oldestOut))
    faults.push('the copy holds a write, but not one that came before it')
  return faults
}

/** Another household's log, so that a copy takes as long as it would in real life. */
function grow(dataDir: string, flights: number): void {
  const db = openDatabase(dataDir)
  db.$client.exec(`
    insert into flights (date, date_precision, flight_number, note, from_id, to_id, completed_from, created_at, updated_at)
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${flights})
      select '2001-01-01', 'day', 'LX' || i, 'A note of the usual length, and a bit more than that.', 1, 2, 0, '', '' from n;
    insert into passengers (flight_id, guest_name, date) select id, 'Noor', date from flights`)
  closeDatabase(db)
}

describe('K8: backups while others write', () => {
  test('are each one sound moment with everything acknowledged before it, and hold nobody up', {
    timeout: slow ? 1_800_000 : 600_000,
  }, async () => {
    const made = await newLedgers(WRITERS)
    const { ledgers, dataDir } = made
    grow(dataDir, slow ? 400_000 : 20_000)
    const { url, longestTurn } = await listening(dataDir, { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for' })
    const histories: Step[][] = ledgers.map((ledger) => [{ sent: 0, acknowledged: 0, log: logOf(ledger) }])
    const writers = ledgers.map((ledger, index) => writer(made, ledger, seeded(index), Number(new URL(url).port)))
    let over = false
    const working = writers.map(({ write }, index) =>
      writeSteadily(write, ledgers[index]!, histories[index]!, () => over),
    )
    await wait(500)

    const folder = temporaryFolder()
    const times: number[] = []
    let [took, lag] = [0, 0]
    let last: Copy | undefined
    for (let count = 0; count < BACKUPS; count++) {
      const file = join(folder, `${count}.db`)
      const since = histories.map((steps) => steps.length - 1)
      const began = performance.now()
      const turn = await longestTurn(async () => {
        const { code, stderr } = await cli(['backup', file, '--data-dir', dataDir])
        expect([code, stderr]).toEqual([0, ''])
      })
      const ended = performance.now()
      // What was under way when the copy was made is known only when it is answered.
      const lengths = histories.map((steps) => steps.length)
      while (histories.some((steps, index) => steps.length === lengths[index])) await wait(5)
      last = { file, since }
      expect([count, faultsOfCopy(last, ledgers, histories)]).toEqual([count, []])
      const during = histories.flat().filter(({ sent }) => sent > began && sent < ended)
      times.push(...during.map(({ sent, acknowledged }) => acknowledged - sent))
      took += ended - began
      lag = Math.max(lag, turn)
      if (count === BACKUPS - 1) break
      // Older states would fill the memory of a long run.
      rmSync(file)
      histories.forEach((steps, index) => {
        steps.splice(0, since[index]!)
      })
    }
    over = true
    await Promise.all(working)
    for (const { close } of writers) close()
    report(
      `K8: ${BACKUPS} backups beside ${Math.round((times.length * 1000) / took)} writes/s; a write took ` +
        `${percentile(times, 0.5).toFixed(1)} ms (median), ${percentile(times, 0.99).toFixed(1)} ms (99 %), ` +
        `${percentile(times, 1).toFixed(0)} ms at most; longest turn of the event loop ${lag} ms`,
    )
    // The same judgement must see a copy that is no moment: the newest one with one of its flights gone.
    const { file, since } = last!
    const spoiled = new Database(file)
    spoiled.exec("delete from flights where id = (select min(id) from flights where flight_number like 'writer%')")
    spoiled.close()
    expect(faultsOfCopy({ file, since }, ledgers, histories)).toEqual([
      expect.stringContaining('no state that its log ever had'),
    ])
  })
})
