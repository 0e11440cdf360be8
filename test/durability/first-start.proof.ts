import { join } from 'node:path'
import Database from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { SEED, seeded } from '../support/random.ts'
import { report } from '../support/travel.ts'
import { chooseCuts, foundAfter } from './cuts.ts'
import { diskModel } from './disk-model.ts'
import { readTrace } from './system-calls.ts'
import { complaintsAtStart, faultsOf } from './verdict.ts'
import { watchingIsImpossible as missing, watchedCommand, watchedServer } from './watched.ts'

const slow = process.env.PAXLOG_SLOW_TESTS

interface FirstStart {
  /** Does it, and returns the trace of it. */
  watch: (dataDir: string) => Promise<string>
  /** The output after which nothing may be lost. */
  done: string
  /** A number that says how much of it there is. */
  query: string
  /** Only what comes after the output is looked at. */
  onlyDone?: boolean
  cuts?: number | undefined
}

const DATA = 'new/data'

/** Cuts the power during a start in a folder that does not even exist, and starts again each time. */
async function expectKept(what: string, { watch, done, query, onlyDone = false, cuts }: FirstStart): Promise<void> {
  const random = seeded(SEED)
  const base = temporaryFolder()
  const [disk, dataDir] = [diskModel(base), join(base, DATA)]
  const events = readTrace(await watch(dataDir), base)
  const reported = events.findIndex((event) => event.kind === 'output' && event.text.includes(done))
  const amount = (client: Database.Database) => client.prepare(query).pluck().get()
  const finished = new Database(join(dataDir, 'paxlog.db'), { readonly: true })
  const whole = amount(finished)
  finished.close()

  function complaintsIn(folder: string, isDone: boolean): string[] {
    const complaints = complaintsAtStart(folder)
    if (complaints.length > 0) return complaints
    const client = new Database(join(folder, 'paxlog.db'), { readonly: true })
    const [faults, found] = [faultsOf(client), amount(client)]
    client.close()
    const isRight = found === whole || (!isDone && found === 0)
    return isRight ? faults : [...faults, `${found} instead of ${whole}`]
  }

  const chosen = chooseCuts(events, join(dataDir, 'paxlog.db'), random, cuts)
  const judged = chosen.filter(({ before }) => !onlyDone || before > reported)
  for (const { folder, before, title } of foundAfter(judged, disk, events, random)) {
    const complaints = complaintsIn(join(folder, DATA), before > reported)
    expect([`seed ${SEED}, ${title}`, complaints]).toEqual([expect.anything(), []])
  }
  expect([reported, judged.some(({ before }) => before > reported)]).toEqual([expect.toSatisfy((at) => at >= 0), true])
  report(`K2: ${judged.length} power cuts during ${what}, nothing lost; seed ${SEED}`)
}

const createOwner = (dataDir: string) => [
  ...['user', 'create', '--owner', '--username', 'ann'],
  ...['--password-stdin', '--data-dir', dataDir],
]
const owners = { done: '"username":"ann"', query: 'select count(*) from users' }

describe(`K2: a power cut during the first start${missing ? ` (${missing})` : ''}`, () => {
  test.skipIf(missing)('takes nothing that was reported as done, and the next start works at any moment', async () => {
    const watch = (dataDir: string) => watchedCommand(createOwner(dataDir), 'a long enough password')
    await expectKept('a first start', { ...owners, watch, cuts: slow ? undefined : 8 })
  })

  test.skipIf(missing)('takes nothing that was reported as done where a file can have one name only', async () => {
    const watch = (dataDir: string) => watchedCommand(createOwner(dataDir), 'a long enough password', '?link,?linkat')
    // Before that the database may be there in part, and is refused: nothing is lost with it.
    await expectKept('a first start without links', { ...owners, watch, onlyDone: true, cuts: slow ? undefined : 3 })
  })

  test.runIf(slow && !missing)(
    'takes nothing of the shipped data once the server listens',
    { timeout: 1_800_000 },
    async () => {
      const watch = async (dataDir: string) => {
        const { trace, stop } = await watchedServer(dataDir)
        await stop()
        return trace
      }
      const query = 'select (select count(*) from airports) + (select count(*) from airlines)'
      await expectKept('a first start of the server', { watch, done: 'Paxlog', query, cuts: 50 })
    },
  )
})
