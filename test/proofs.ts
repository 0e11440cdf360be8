/**
 * `npm run proofs`: what takes long, one kind after the other, since some of it wants the machine to itself. With names of
 * files it runs those proofs alone; `npm run proofs:postgres` runs what needs PostgreSQL. Where somebody waits for an end,
 * `PROOFS_UNTIL` is the second (of Unix time) at which it comes: what of PostgreSQL would hardly be done by then is not begun,
 * and what is not done by then is ended.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { postgresMissing } from './support/postgres.ts'

interface Step {
  name: string
  args: readonly string[]
  env?: Record<string, string>
}

const root = resolve(import.meta.dirname, '..')
const [isPostgresAlone, files] =
  process.argv[2] === '--postgres' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)]

const proofs: Step = { name: 'proofs', args: ['--project', 'proofs', '--maxWorkers=100%'] }
const ofPostgres: Step = { name: 'proofs of PostgreSQL', args: ['--project', 'postgres', '--maxWorkers=1'] }
/** The same tests that run on a file: whoever calls must not see the difference. */
const surfaces: Step = {
  name: 'tests of the surfaces over PostgreSQL',
  args: ['--project', 'http', 'test/http'],
  env: { TEST_ENGINE: 'postgres' },
}

interface Report {
  testResults: { name: string; message: string; assertionResults: Assertion[] }[]
}

interface Assertion {
  status: string
  fullName: string
  failureMessages: string[]
}

/** The failed tests of all steps, shown at the end: the log is too long to look for them. */
const failures: string[] = []
const reports = mkdtempSync(join(tmpdir(), 'paxlog-proofs-'))

function collectFailures(step: string, file: string): void {
  if (!existsSync(file)) return
  const { testResults } = JSON.parse(readFileSync(file, 'utf8')) as Report
  for (const { name, message, assertionResults } of testResults) {
    if (message) failures.push(`${step}: ${name}: ${message}`)
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') failures.push(`${step}: ${name}: ${fullName}\n  ${failureMessages.join('\n  ')}`)
    }
  }
}

function passes({ name, args, env }: Step, timeout?: number): boolean {
  process.stdout.write(`\n${name}\n`)
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts']
  const report = join(reports, `${name}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const all = [...vitest, '--passWithNoTests', ...reporters, ...args, ...files]
  const { status, error } = spawnSync(process.execPath, all, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
    timeout,
    killSignal: 'SIGKILL',
  })
  collectFailures(name, report)
  if (!error) return status === 0
  if ((error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw error
  process.stdout.write(
    `\nEnded before its end, since the time is over: ${name}. "npm run proofs:postgres" runs all of it.\n`,
  )
  return true
}

const MIN_STEP_MS = 8 * 60_000

function passesInTime(step: Step): boolean {
  if (process.env.PROOFS_UNTIL === undefined) return passes(step)
  const left = Number(process.env.PROOFS_UNTIL) * 1000 - Date.now()
  if (left >= MIN_STEP_MS) return passes(step, left)
  process.stdout.write(`\nLeft out, since the time is over: ${step.name}. "npm run proofs:postgres" runs them.\n`)
  return true
}

const overPostgres = files.length > 0 ? [ofPostgres] : [ofPostgres, surfaces]
const passed = [
  ...(isPostgresAlone ? [] : [proofs]).map((step) => passes(step)),
  ...(postgresMissing ? [] : overPostgres).map(passesInTime),
]
if (postgresMissing) process.stdout.write(`Nothing was proven over PostgreSQL. ${postgresMissing}\n`)
rmSync(reports, { recursive: true })
if (failures.length > 0) process.stdout.write(`\nFailed:\n\n${failures.join('\n\n')}\n`)
if (passed.includes(false)) process.exitCode = 1
