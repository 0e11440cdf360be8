import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentsOf } from '../support/database.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type Random, SEED, seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { chooseCuts, type Found, foundAfter } from './cuts.ts'
import { diskModel } from './disk-model.ts'
import { ledgersDuring, writeHistory } from './history.ts'
import { BASE_URL, type Ledgers, newLedgers } from './ledger.ts'
import { type Event, readTrace } from './system-calls.ts'
import { complaintsAtStart, judge } from './verdict.ts'
import { watchingIsImpossible as missing, watchedServer } from './watched.ts'
import { writer } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const WRITERS = 8
const WRITES = 500
/** What src/db/open.ts lets the log grow to before it is copied into the file: 2000 pages, each with a header. */
const LONG_LOG = 2000 * (4096 + 24)
/** Every round but the first begins with what a power cut has left of the one before. */
const ROUNDS = slow ? 4 : 2
const CUTS = slow ? undefined : 6

/**
 * Lets writers work on a server that is watched, with a backup beside them, and stops it in good order; not before the
 * log was so long, if that is asked for.
 */
async function watch(made: Ledgers, random: Random, writes: number, logSize = 0, more: Record<string, string> = {}) {
  const { dataDir, file, ledgers } = made
  const disk = diskModel(dataDir)
  const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', ...more }
  const { port, trace, stop, backUp } = await watchedServer(dataDir, env)
  const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
  const end = acknowledged() + writes
  const writers = ledgers.map((ledger) => writer(made, ledger, seeded(random.between(0, 2 ** 31)), port))
  const isOver = () => acknowledged() >= end && statSync(`${file}-wal`).size >= logSize
  const working = writers.map(({ write }, index) => writeHistory(write, ledgers[index]!, isOver))
  const backup = join(dataDir, `backup-${random.between(0, 2 ** 31)}.db`)
  await backUp(backup)
  const histories = await Promise.all(working)
  for (const { close } of writers) close()
  await stop()
  const events = readTrace(trace, dataDir)
  return { dataDir, file, backup, disk, events, ledgersAt: ledgersDuring(events, histories) }
}
type Watched = Awaited<ReturnType<typeof watch>>

/** What was reported as done is there, and nothing but the whole ever bears its name. */
function complaintsAboutBackup({ events, dataDir, backup }: Watched, { folder, before }: Found): string[] {
  const file = backup.replace(dataDir, folder)
  const reported = events.findIndex((event) => event.kind === 'output' && event.text.includes(`{"file":"${backup}"`))
  if (!existsSync(file)) return before > reported ? ['the backup is lost'] : []
  return readFileSync(file).equals(readFileSync(backup)) ? [] : ['the backup is not whole']
}

/** Starts after a cut, and holds what is there against what was acknowledged before it. */
function verdictOn(watched: Watched, found: Found) {
  const ledgers = watched.ledgersAt(found.before)
  const complaints = [...complaintsAboutBackup(watched, found), ...complaintsAtStart(found.folder)]
  if (complaints.length > 0) return { complaints, connected: [] }
  const verdict = judge(join(found.folder, 'paxlog.db'), ledgers)
  const connected = ledgers.filter((ledger) => !verdict.disconnected.includes(ledger))
  return { complaints: verdict.complaints, connected }
}

/** Everything that was asked of the system must be in the model: else it would prove something about another disk. */
function expectComplete({ disk, dataDir }: Watched): void {
  const folder = temporaryFolder()
  disk.restore(folder, seeded(0), { contents: 'all', names: 'all' })
  expect(contentsOf(folder)).toEqual(contentsOf(dataDir))
}

/** Cuts the power over and over; returns how often, and what the most hostile cut has left for a next round. */
function cutPower(made: Ledgers, watched: Watched, random: Random) {
  const { events, disk, file } = watched
  const dataDir = join(temporaryFolder(), 'left')
  let [cuts, left] = [0, made]
  for (const found of foundAfter(chooseCuts(events, file, random, CUTS), disk, events, random)) {
    const next = events[found.before]
    // The log was just being copied into the file.
    const isHostile = next?.kind === 'write' && next.path === file
    if (isHostile) {
      rmSync(dataDir, { recursive: true, force: true })
      cpSync(found.folder, dataDir, { recursive: true })
    }
    const { complaints, connected } = verdictOn(watched, found)
    expect([`seed ${SEED}, ${found.title}`, complaints]).toEqual([expect.anything(), []])
    // Whoever missed the answer to a rotation has nothing to go on with.
    if (isHostile) left = { ...made, dataDir, file: join(dataDir, 'paxlog.db'), ledgers: connected }
    cuts++
  }
  expectComplete(watched)
  return { cuts, left }
}

describe(`K2: a power cut${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)(
    'takes nothing that was acknowledged and leaves nothing half done, also when the next one comes soon',
    { timeout: slow ? 3_600_000 : 300_000 },
    async () => {
      const random = seeded(SEED)
      const sums = { cuts: 0, answers: 0, flushes: 0, copies: 0 }
      let made = await newLedgers(WRITERS)
      for (let round = 0; round < ROUNDS; round++) {
        const watched = await watch(made, random, WRITES, LONG_LOG)
        const { cuts, left } = cutPower(made, watched, random)
        const count = (fits: (event: Event) => boolean) => watched.events.filter(fits).length
        sums.cuts += cuts
        sums.answers += count(({ kind }) => kind === 'answer')
        sums.flushes += count((event) => event.kind === 'flush' && event.path === `${made.file}-wal`)
        sums.copies += count((event) => event.kind === 'flush' && event.path === made.file)
        made = left
      }
      report(
        `K2: ${sums.cuts} power cuts among ${sums.answers} acknowledged writes in ${ROUNDS} rounds, 0 lost, 0 half; ` +
          `${sums.flushes} flushes of the log, which was copied into the file ${sums.copies} times; seed ${SEED}`,
      )
      // Writers had to share commits, and the log had to be copied beside them, not only at the end.
      expect(sums.flushes).toBeLessThan(sums.answers)
      expect(sums.copies).toBeGreaterThan(ROUNDS)
    },
  )

  for (const synchronous of slow ? ['normal', 'off'] : ['normal']) {
    test.skipIf(missing)(
      `is seen to take what was acknowledged from a database with synchronous = ${synchronous}`,
      async () => {
        const random = seeded(SEED)
        const watched = await watch(await newLedgers(WRITERS), random, 100, 0, {
          NODE_OPTIONS: `--import ${join(import.meta.dirname, 'fewer-flushes.ts')}`,
          PAXLOG_TEST_SYNCHRONOUS: synchronous,
        })
        const { events, disk, file } = watched
        const cuts = chooseCuts(events, file, random, 6)
        let losses = 0
        for (const found of foundAfter(cuts, disk, events, random))
          if (verdictOn(watched, found).complaints.some((text) => /^writer\S+ is lost$/.test(text))) losses++
        report(`K2: synchronous = ${synchronous} lost flights in ${losses} of ${cuts.length} power cuts; seed ${SEED}`)
        expect(losses).toBeGreaterThan(0)
      },
    )
  }
})
