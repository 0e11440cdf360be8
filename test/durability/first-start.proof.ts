import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { measured } from '../support/measured.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { SEED, seeded } from '../support/random.ts'
import { chooseCuts, restoreAfterCuts } from './cuts.ts'
import { diskModel } from './disk-model.ts'
import { readTrace } from './system-calls.ts'
import { consistencyProblems, startProblems } from './verdict.ts'
import { tracingMissing as missing, tracedCommand, tracedServer } from './watched.ts'

const slow = process.env.PAXLOG_SLOW_TESTS

interface FirstStart {
  /** Runs the first start and returns its trace. */
  trace: (dataDir: string) => Promise<string>
  /** The output after which no data may be lost. */
  done: string
  /** A query that counts the expected rows. */
  query: string
  /** Whether to check only cuts after the output. */
  onlyDone?: boolean
  cuts?: number | undefined
}

const DATA = 'new/data'

/** Simulates power cuts during a start in a missing folder, and starts again after each one. */
async function expectNoLoss(what: string, { trace, done, query, onlyDone = false, cuts }: FirstStart): Promise<void> {
  const random = seeded(SEED)
  const base = temporaryFolder()
  const [disk, dataDir] = [diskModel(base), join(base, DATA)]
  const events = readTrace(await trace(dataDir), base)
  const reported = events.findIndex((event) => event.kind === 'output' && event.text.includes(done))
  const countRows = (client: Database.Database) => client.prepare(query).pluck().get()
  const finished = new Database(join(dataDir, 'paxlog.db'), { readonly: true })
  const expectedRows = countRows(finished)
  finished.close()

  function problemsIn(folder: string, isDone: boolean): string[] {
    const startErrors = startProblems(folder)
    if (startErrors.length > 0) return startErrors
    const client = new Database(join(folder, 'paxlog.db'), { readonly: true })
    const [problems, found] = [consistencyProblems(client), countRows(client)]
    client.close()
    const isExpected = found === expectedRows || (!isDone && found === 0)
    return isExpected ? problems : [...problems, `${found} instead of ${expectedRows}`]
  }

  const chosen = chooseCuts(events, join(dataDir, 'paxlog.db'), random, cuts)
  const checked = chosen.filter(({ before }) => !onlyDone || before > reported)
  for (const { folder, before, title } of restoreAfterCuts(checked, disk, events, random)) {
    const problems = problemsIn(join(folder, DATA), before > reported)
    expect([`seed ${SEED}, ${title}`, problems]).toEqual([expect.anything(), []])
  }
  expect([reported, checked.some(({ before }) => before > reported)]).toEqual([expect.toSatisfy((at) => at >= 0), true])
  measured(`${checked.length} power cuts during ${what}, nothing lost`)
}

const createOwner = (dataDir: string) => [
  ...['user', 'create', '--owner', '--username', 'ann'],
  ...['--password-stdin', '--data-dir', dataDir],
]
const owners = { done: '"username":"ann"', query: 'select count(*) from users' }

describe(`K2: a power cut during the first start${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)('loses no reported data, and the next start always works', async () => {
    const trace = (dataDir: string) => tracedCommand(createOwner(dataDir), 'a long enough password')
    await expectNoLoss('a first start', { ...owners, trace, cuts: slow ? undefined : 8 })
  })

  test.skipIf(missing)('loses no reported data on file systems without hard links', async () => {
    const trace = (dataDir: string) => tracedCommand(createOwner(dataDir), 'a long enough password', '?link,?linkat')
    // Before the output, the database may be incomplete and is rejected, which loses nothing.
    await expectNoLoss('a first start without links', { ...owners, trace, onlyDone: true, cuts: slow ? undefined : 3 })
  })

  test.runIf(slow && !missing)('loses no shipped data after the server listens', { timeout: 1_800_000 }, async () => {
    const trace = async (dataDir: string) => {
      const server = await tracedServer(dataDir)
      await server.stop()
      return server.trace
    }
    const query = 'select (select count(*) from airports) + (select count(*) from airlines)'
    await expectNoLoss('a first start of the server', { trace, done: 'Paxlog', query, cuts: 50 })
  })
})
