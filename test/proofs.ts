/**
 * `npm run proofs`: what takes long, one kind after the other, since some of it wants the machine to itself. With names of
 * files it runs those proofs alone; `npm run proofs:postgres` runs what needs PostgreSQL. Where somebody waits for an end,
 * `PROOFS_UNTIL` is the second (of Unix time) after which nothing of PostgreSQL is begun any more.
 */
import { spawnSync } from 'node:child_process'
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

function passes({ name, args, env }: Step): boolean {
  process.stdout.write(`\n${name}\n`)
  const vitest = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', '--config', 'test/vitest.config.ts']
  const { status } = spawnSync(process.execPath, [...vitest, '--passWithNoTests', ...args, ...files], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  })
  return status === 0
}

const until = Number(process.env.PROOFS_UNTIL ?? Number.POSITIVE_INFINITY)

function passesInTime(step: Step): boolean {
  if (Date.now() / 1000 < until) return passes(step)
  process.stdout.write(`\nLeft out, since the time is over: ${step.name}. "npm run proofs:postgres" runs them.\n`)
  return true
}

const overPostgres = files.length > 0 ? [ofPostgres] : [ofPostgres, surfaces]
const passed = [
  ...(isPostgresAlone ? [] : [proofs]).map(passes),
  ...(postgresMissing ? [] : overPostgres).map(passesInTime),
]
if (postgresMissing) process.stdout.write(`Nothing was proven over PostgreSQL. ${postgresMissing}\n`)
if (passed.includes(false)) process.exitCode = 1
