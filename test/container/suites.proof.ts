import { chownSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../support/paxlog.ts'
import { root, run } from '../support/process.ts'
import { report } from '../support/travel.ts'
import { FOREIGN_UID, isolatedArgs, isolationMissing, UNSHARE } from './conditions.ts'

const SLOW = process.env.PAXLOG_SLOW_TESTS === '1'

/** Tests of HTTP; the other folders need to write files or start processes. */
const SUITES = ['test/http', 'test/walks', 'test/contract']
const MIN_TESTS = 1_800

interface Outcome {
  success: boolean
  numPassedTests: number
  numPendingTests: number
  testResults: { name: string; message: string; assertionResults: { fullName: string; status: string }[] }[]
}

/** Names of failed tests and of files that failed to load. */
const failures = ({ testResults }: Outcome) =>
  testResults.flatMap(({ name, message, assertionResults }) => [
    ...(assertionResults.length === 0 ? [`${name}: ${message}`] : []),
    ...assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName),
  ])

test.runIf(SLOW && !isolationMissing)(
  'N16: the tests of HTTP, walks and contract pass on read-only files, without a network, as user nobody',
  { timeout: 3_600_000 },
  async () => {
    const folder = temporaryFolder()
    chownSync(folder, FOREIGN_UID, FOREIGN_UID)
    const result = join(folder, 'result.json')
    const runner = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts']
    // The default config loader writes a file next to the configuration.
    const outputOptions = ['--configLoader=runner', '--reporter=json', `--outputFile=${result}`]
    const { stderr } = await run(isolatedArgs([process.execPath, ...runner, ...outputOptions, ...SUITES]), {
      program: UNSHARE,
      cwd: root,
      // Only this folder is writable, so it is also the home and temporary folder.
      env: { DATA_DIR: folder, HOME: folder, TMPDIR: folder, GROUP: '', NODE_COMPILE_CACHE: '' },
    })
    if (!existsSync(result)) throw new Error(`The tests did not run: ${stderr}`)
    const outcome: Outcome = JSON.parse(readFileSync(result, 'utf8'))
    expect(failures(outcome)).toEqual([])
    expect(outcome.success).toBe(true)
    expect(outcome.numPassedTests).toBeGreaterThan(MIN_TESTS)
    report(
      `N16: ${outcome.numPassedTests} tests of ${SUITES.join(', ')} passed under container restrictions, ${outcome.numPendingTests} were skipped`,
    )
  },
)
