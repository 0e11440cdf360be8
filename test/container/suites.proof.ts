import { chownSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run } from '../support/process.ts'
import { report } from '../support/travel.ts'
import { FOREIGN_UID, locked, lockMissing, UNSHARE } from './conditions.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'

/** Everything that speaks HTTP; the other folders are about files, processes and the machine itself. */
const SUITES = ['test/http', 'test/walks', 'test/contract']
const LEAST_TESTS = 1_800

interface Outcome {
  success: boolean
  numPassedTests: number
  numPendingTests: number
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Names of what failed: tests, and files that could not even be loaded. */
const failures = ({ testResults }: Outcome) =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ])

test.runIf(SLOW && !lockMissing)(
  'N16: all tests of surfaces, walks and contract pass on read-only files, without a network, as nobody',
  { timeout: 3_600_000 },
  async () => {
    const folder = temporaryFolder()
    chownSync(folder, FOREIGN_UID, FOREIGN_UID)
    const result = join(folder, 'result.json')
    const runner = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
    // The usual way to read the configuration writes a file beside it.
    const quiet = ['--configLoader=runner', '--reporter=json', `--outputFile=${result}`]
    const { stderr } = await run(locked([process.execPath, ...runner, ...quiet, ...SUITES]), {
      program: UNSHARE,
      cwd: root,
      // The one folder that can be written to is home and temporary folder too.
      env: { DATA_DIR: folder, HOME: folder, TMPDIR: folder, GROUP: '', NODE_COMPILE_CACHE: '' },
    })
    if (!existsSync(result)) throw new Error(`The tests did not run: ${stderr}`)
    const outcome: Outcome = JSON.parse(readFileSync(result, 'utf8'))
    expect(failures(outcome)).toEqual([])
    expect(outcome.success).toBe(true)
    expect(outcome.numPassedTests).toBeGreaterThan(LEAST_TESTS)
    report(
      `N16: ${outcome.numPassedTests} tests of ${SUITES.join(', ')} passed in those conditions, ${outcome.numPendingTests} were left out`,
    )
  },
)
