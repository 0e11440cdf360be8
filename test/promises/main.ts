/**
 * `npm run promises` measures and verifies everything that docs/promises.md claims, and writes the file. With titles as
 * arguments (`-- "The interactive map"`, `-- Guarantees`) it prints only these sections.
 */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { arch, availableParallelism, cpus, release, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import { postgresMissing } from '../support/postgres.ts'
import { type Measured, measurements, notMeasured, promises } from './promises.ts'
import { runProofs } from './run-proofs.ts'

const root = resolve(import.meta.dirname, '../..')
const FILE = join(root, 'docs/promises.md')
const GUARANTEES = 'Guarantees'

/** Problems of all sections, for the exit code and the head of the page. */
const failures: string[] = []
/** Skipped tests, which the last section lists. */
const skipped: string[] = []

const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

/** The output of a command, which is also printed while it runs. */
async function outputOf(command: string): Promise<{ text: string; code: number | null }> {
  const child = spawn('sh', ['-c', command.replace('npm run ', 'npm run --silent ')], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk
    process.stdout.write(chunk)
  })
  const [code] = (await once(child, 'close')) as [number | null]
  return { text: text.trim(), code }
}

async function measuredSection({ title, text, command }: Measured): Promise<string> {
  const started = performance.now()
  const output = await outputOf(command)
  const minutes = ((performance.now() - started) / 60_000).toFixed(0)
  if (output.code !== 0) failures.push(`\`${command}\` failed.`)
  const result = output.code === 0 ? output.text : 'The command failed.'
  return `## ${title}\n\n${text}\n\n\`${command}\` (${minutes} minutes)\n\n${result}`
}

const isBelow = (file: string, path: string) => file === path || file.startsWith(`${path}/`)

function guaranteesSection(): string {
  const files = promises.flatMap(({ proofs }) => proofs)
  const { passed: allPassed, results } = runProofs(root, files)
  if (!allPassed) failures.push('Some tests failed.')
  const rows = promises.map(({ promise, proofs }) => {
    const tests = proofs.flatMap((path) => [...results].flatMap(([file, found]) => (isBelow(file, path) ? found : [])))
    const count = (status: string) => tests.filter((test) => test.status === status).length
    const [passed, failed] = [count('passed'), count('failed')]
    if (failed > 0 || passed === 0) failures.push(`Not verified: ${promise}.`)
    for (const { status, name } of tests) if (status !== 'passed' && status !== 'failed') skipped.push(name)
    const verdict = [`${passed} passed`, ...(failed > 0 ? [`**${failed} failed**`] : [])].join(', ')
    const figures = tests.flatMap(({ measured }) => measured).join('<br>')
    return `| ${promise} | ${figures} | ${verdict}: ${proofs.map((path) => `\`${path}\``).join(', ')} |`
  })
  return [
    `## ${GUARANTEES}`,
    '`npm run proofs -- FILE` runs one of these tests, and `PAXLOG_SLOW_TESTS=1` runs it with higher numbers. Resident memory includes mapped program files. The [reliability matrix](reliability-matrix.md) and the [security matrix](security-matrix.md) describe the rows in the titles of the tests.',
    ['| Promise | Measured | Tests |', '|---|---|---|', ...rows].join('\n'),
  ].join('\n\n')
}

async function section(title: string): Promise<string> {
  process.stdout.write(`\n${title}\n\n`)
  if (title === GUARANTEES) return guaranteesSection()
  return measuredSection(measurements.find((each) => each.title === title)!)
}

function machine(): string {
  const postgres = postgresMissing ? 'no PostgreSQL' : execFileSync('psql', ['--version'], { encoding: 'utf8' }).trim()
  return [
    `${cpus()[0]!.model.trim()}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `Linux ${release()} on ${arch()}`,
    `Node.js ${process.versions.node}`,
    postgres,
  ].join('; ')
}

/** The state of the sources before the measurements. */
function commitOfSources(): string {
  const isChanged = git('status', '--porcelain', '--', '.', ':!docs/promises.md') !== ''
  return `${git('rev-parse', '--short', 'HEAD')}${isChanged ? ' with uncommitted changes' : ''}`
}

function head(commit: string, minutes: number): string {
  return [
    '# Promises',
    'Everything on this page was measured in one run of `npm run promises`, which writes this file. Run it on your machine: figures depend on it.',
    [
      '| Date | Commit | Machine | Duration |',
      '|---|---|---|---|',
      `| ${new Date().toISOString().slice(0, 10)} | ${commit} | ${machine()} | ${minutes} minutes |`,
    ].join('\n'),
    ...(failures.length > 0 ? [`**Not everything was verified in this run:** ${failures.join(' ')}`] : []),
  ].join('\n\n')
}

function notMeasuredSection(): string {
  const skippedText = [...new Set(skipped)].map((name) => `Skipped in this run: ${name}.`)
  return `## Not measured\n\n${[...notMeasured, ...skippedText].map((line) => `- ${line}`).join('\n')}`
}

const [started, commit] = [performance.now(), commitOfSources()]
// Speed first, because the proofs leave the machine warm and busy.
const titles = [...measurements.map(({ title }) => title), GUARANTEES]
const selected = process.argv.slice(2)
const unknown = selected.filter((title) => !titles.includes(title))
if (unknown.length > 0) {
  process.stderr.write(`Unknown section: ${unknown.join(', ')}. Use ${titles.join(', ')}.\n`)
  process.exit(1)
}
const sections = new Map<string, string>()
for (const title of titles)
  if (selected.length === 0 || selected.includes(title)) sections.set(title, await section(title))

if (selected.length > 0) process.stdout.write(`\n${[...sections.values()].join('\n\n')}\n`)
else {
  const minutes = Math.round((performance.now() - started) / 60_000)
  const guarantees = sections.get(GUARANTEES)!
  const others = measurements.map(({ title }) => sections.get(title)!)
  writeFileSync(FILE, `${[head(commit, minutes), guarantees, ...others, notMeasuredSection()].join('\n\n')}\n`)
  process.stdout.write(`\nWrote docs/promises.md.\n`)
}
for (const failure of failures) process.stderr.write(`${failure}\n`)
if (failures.length > 0) process.exitCode = 1
