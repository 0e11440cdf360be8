import { cpSync, existsSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contentsOf } from '../support/database.ts'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { type Random, SEED, seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { chooseCuts, type RestoredFiles, restoreAfterCuts } from './cuts.ts'
import { diskModel } from './disk-model.ts'
import { ledgersDuring, writeHistory } from './history.ts'
import { BASE_URL, type Ledgers, newLedgers } from './ledger.ts'
import { type Event, readTrace } from './system-calls.ts'
import { compareWithLedgers, startProblems } from './verdict.ts'
import { tracingMissing as missing, tracedServer } from './watched.ts'
import { writer } from './writers.ts'

const slow = process.env.PAXLOG_SLOW_TESTS
const WRITERS = 8
const WRITES = 500
/** The log size that triggers a checkpoint: 2000 pages, each with a header. */
const CHECKPOINT_BYTES = 2000 * (4096 + 24)
/** Every round except the first starts with the files after a power cut of the previous one. */
const ROUNDS = slow ? 4 : 2
const CUTS = slow ? undefined : 6

/**
 * Writes to a traced server and creates a backup at the same time. Stops the server after the given number of writes, if
 * the log has reached the given size.
 */
async function traceWrites(
  setup: Ledgers,
  random: Random,
  writes: number,
  logSize = 0,
  more: Record<string, string> = {},
) {
  const { dataDir, file, ledgers } = setup
  const disk = diskModel(dataDir)
  const env = { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', ...more }
  const { port, trace, stop, backUp } = await tracedServer(dataDir, env)
  const acknowledged = () => ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
  const end = acknowledged() + writes
  const writers = ledgers.map((ledger) => writer(setup, ledger, seeded(random.between(0, 2 ** 31)), port))
  const isOver = () => acknowledged() >= end && statSync(`${file}-wal`).size >= logSize
  const writing = writers.map(({ write }, index) => writeHistory(write, ledgers[index]!, isOver))
  const backup = join(dataDir, `backup-${random.between(0, 2 ** 31)}.db`)
  await backUp(backup)
  const histories = await Promise.all(writing)
  for (const { close } of writers) close()
  await stop()
  const events = readTrace(trace, dataDir)
  return { dataDir, file, backup, disk, events, ledgersAt: ledgersDuring(events, histories) }
}
type TracedRun = Awaited<ReturnType<typeof traceWrites>>

/** A reported backup must exist, and a file with its name must be complete. */
function backupProblems({ events, dataDir, backup }: TracedRun, { folder, before }: RestoredFiles): string[] {
  const file = backup.replace(dataDir, folder)
  const reported = events.findIndex((event) => event.kind === 'output' && event.text.includes(`{"file":"${backup}"`))
  if (!existsSync(file)) return before > reported ? ['the backup is lost'] : []
  return readFileSync(file).equals(readFileSync(backup)) ? [] : ['the backup is incomplete']
}

/** Opens the files after a cut and compares them with the writes acknowledged before it. */
function compareAfterCut(run: TracedRun, restored: RestoredFiles) {
  const ledgers = run.ledgersAt(restored.before)
  const problems = [...backupProblems(run, restored), ...startProblems(restored.folder)]
  if (problems.length > 0) return { problems, connected: [] }
  const verdict = compareWithLedgers(join(restored.folder, 'paxlog.db'), ledgers)
  const connected = ledgers.filter((ledger) => !verdict.disconnected.includes(ledger))
  return { problems: verdict.problems, connected }
}

/** The disk model must contain all changes of the real disk. */
function expectModelComplete({ disk, dataDir }: TracedRun): void {
  const folder = temporaryFolder()
  disk.restore(folder, seeded(0), { contents: 'all', names: 'all' })
  expect(contentsOf(folder)).toEqual(contentsOf(dataDir))
}

/** Simulates power cuts. Returns their number and the files after a cut during a checkpoint for the next round. */
function cutPower(setup: Ledgers, run: TracedRun, random: Random) {
  const { events, disk, file } = run
  const dataDir = join(temporaryFolder(), 'left')
  let [cuts, nextSetup] = [0, setup]
  for (const restored of restoreAfterCuts(chooseCuts(events, file, random, CUTS), disk, events, random)) {
    const next = events[restored.before]
    // The cut is during a checkpoint.
    const isDuringCheckpoint = next?.kind === 'write' && next.path === file
    if (isDuringCheckpoint) {
      rmSync(dataDir, { recursive: true, force: true })
      cpSync(restored.folder, dataDir, { recursive: true })
    }
    const { problems, connected } = compareAfterCut(run, restored)
    expect([`seed ${SEED}, ${restored.title}`, problems]).toEqual([expect.anything(), []])
    // Clients that missed the response to a rotation cannot continue.
    if (isDuringCheckpoint) nextSetup = { ...setup, dataDir, file: join(dataDir, 'paxlog.db'), ledgers: connected }
    cuts++
  }
  expectModelComplete(run)
  return { cuts, nextSetup }
}

describe(`K2: a power cut${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)(
    'loses no acknowledged write and leaves no partial write, even if another one follows soon',
    { timeout: slow ? 3_600_000 : 300_000 },
    async () => {
      const random = seeded(SEED)
      const sums = { cuts: 0, answers: 0, flushes: 0, checkpoints: 0 }
      let setup = await newLedgers(WRITERS)
      for (let round = 0; round < ROUNDS; round++) {
        const run = await traceWrites(setup, random, WRITES, CHECKPOINT_BYTES)
        const { cuts, nextSetup } = cutPower(setup, run, random)
        const count = (fits: (event: Event) => boolean) => run.events.filter(fits).length
        sums.cuts += cuts
        sums.answers += count(({ kind }) => kind === 'answer')
        sums.flushes += count((event) => event.kind === 'flush' && event.path === `${setup.file}-wal`)
        sums.checkpoints += count((event) => event.kind === 'flush' && event.path === setup.file)
        setup = nextSetup
      }
      report(`${sums.flushes} flushes of the log, ${sums.checkpoints} checkpoints; seed ${SEED}`)
      measured(
        `${sums.cuts} power cuts among ${sums.answers} acknowledged writes in ${ROUNDS} rounds, 0 lost, 0 partial`,
      )
      // Writes share commits, and checkpoints happen during writes and not only at the end.
      expect(sums.flushes).toBeLessThan(sums.answers)
      expect(sums.checkpoints).toBeGreaterThan(ROUNDS)
    },
  )

  for (const synchronous of slow ? ['normal', 'off'] : ['normal']) {
    test.skipIf(missing)(
      `loses acknowledged writes with synchronous = ${synchronous}, which the test detects`,
      async () => {
        const random = seeded(SEED)
        const run = await traceWrites(await newLedgers(WRITERS), random, 100, 0, {
          NODE_OPTIONS: `--import ${join(import.meta.dirname, 'fewer-flushes.ts')}`,
          PAXLOG_TEST_SYNCHRONOUS: synchronous,
        })
        const { events, disk, file } = run
        const cuts = chooseCuts(events, file, random, 6)
        let losses = 0
        for (const restored of restoreAfterCuts(cuts, disk, events, random))
          if (compareAfterCut(run, restored).problems.some((text) => /^writer\S+ is lost$/.test(text))) losses++
        measured(`for comparison, synchronous = ${synchronous} lost flights in ${losses} of ${cuts.length} power cuts`)
        expect(losses).toBeGreaterThan(0)
      },
    )
  }
})
