/**
 * `npm run proofs` runs the long tests in sequence, because some need the whole machine. With file names it runs only
 * those. `npm run proofs:postgres` runs the tests that need PostgreSQL. `npm run proofs:long` runs `*.long.proof.ts` with
 * their full numbers (PAXLOG_SLOW_TESTS=1). `PROOFS_UNTIL` is an optional deadline in seconds
 * of Unix time: PostgreSQL steps that would hardly finish by then are skipped, and running ones are killed.
 */
import { postgresMissing } from './support/postgres.ts'
import { type FileReport, runVitest } from './support/run-vitest.ts'

interface Step {
  name: string
  args: readonly string[]
  env?: Record<string, string>
}

const [first, ...others] = process.argv.slice(2)
const isPostgresOnly = first === '--postgres'
const isLong = first === '--long'
const LONG_FILES = '.long.proof.ts'
const named = isPostgresOnly || isLong ? others : process.argv.slice(2)
const files = isLong && named.length === 0 ? [LONG_FILES] : named
if (isLong) process.env.PAXLOG_SLOW_TESTS = '1'

const proofs: Step = { name: 'proofs', args: ['--project', 'proofs', '--maxWorkers=100%'] }
const postgresProofs: Step = { name: 'proofs of PostgreSQL', args: ['--project', 'postgres', '--maxWorkers=1'] }
/** The same tests as on SQLite, because clients must not notice a difference. */
const httpOnPostgres: Step = {
  name: 'HTTP tests on PostgreSQL',
  args: ['--project', 'http', 'test/http'],
  env: { TEST_ENGINE: 'postgres' },
}

/** Failed tests of all steps, printed at the end. */
const failures: string[] = []

function collectFailures(step: string, reports: readonly FileReport[]): void {
  for (const { name, message, assertionResults } of reports) {
    if (message) failures.push(`${step}: ${name}: ${message}`)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') failures.push(`${step}: ${name}: ${fullName}\n  ${failureMessages.join('\n  ')}`)
    }
  }
}

function passes({ name, args, env }: Step, timeoutMs?: number): boolean {
  process.stdout.write(`\n${name}\n`)
  const { passed, isTimeout, reports } = runVitest({ args: [...args, ...files], env, timeoutMs })
  collectFailures(name, reports)
  if (isTimeout) process.stdout.write(`\nStopped at the deadline: ${name}. "npm run proofs:postgres" runs all of it.\n`)
  return passed || isTimeout
}

const MIN_STEP_MS = 8 * 60_000

function passesBeforeDeadline(step: Step): boolean {
  if (process.env.PROOFS_UNTIL === undefined) return passes(step)
  const left = Number(process.env.PROOFS_UNTIL) * 1000 - Date.now()
  if (left >= MIN_STEP_MS) return passes(step, left)
  process.stdout.write(`\nSkipped because of the deadline: ${step.name}. "npm run proofs:postgres" runs them.\n`)
  return true
}

const postgresSteps = files.length > 0 ? [postgresProofs] : [postgresProofs, httpOnPostgres]
const passed = [
  ...(isPostgresOnly ? [] : [proofs]).map((step) => passes(step)),
  ...(postgresMissing ? [] : postgresSteps).map(passesBeforeDeadline),
]
if (postgresMissing) process.stdout.write(`Skipped the PostgreSQL steps. ${postgresMissing}\n`)
if (failures.length > 0) process.stdout.write(`\nFailed:\n\n${failures.join('\n\n')}\n`)
if (passed.includes(false)) process.exitCode = 1
