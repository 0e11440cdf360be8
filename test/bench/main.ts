/**
 * Runs benchmarks by name against the built server: `npm run bench -- flight list-1k`.
 * `--seconds` and `--rounds` set the duration, `--starts` measures starts and memory.
 */
import { cpSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/lib/port.ts'
import { type Benchmark, benchmarks, comparisons } from './benchmarks.ts'
import { compare } from './compare.ts'
import { measureOtherLoad, warnings } from './cores.ts'
import { measure } from './measure.ts'
import { memoryOf, startPaxlog } from './processes.ts'
import { measureStarts } from './starts.ts'
import { HEAD } from './table.ts'
import { buildWorld } from './world.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seconds: { type: 'string', default: '2' },
    rounds: { type: 'string', default: '5' },
    starts: { type: 'boolean', default: false },
  },
})
const seconds = Number(values.seconds)
const rounds = Number(values.rounds)

const print = (line: string) => process.stdout.write(`${line}\n`)
const printList = (lines: readonly string[]) => {
  if (lines.length > 0) print(`\n${lines.map((line) => `- ${line}`).join('\n')}`)
}

const namesOf = ({ name, group }: { name: string; group?: string }) => (group === undefined ? [name] : [name, group])
const names = new Set([...benchmarks, ...comparisons].flatMap(namesOf))
const unknown = positionals.filter((name) => !names.has(name))
if (unknown.length > 0) {
  print(`Unknown benchmark ${unknown.join(', ')}. Use ${[...names].join(', ')}.`)
  process.exit(1)
}
const runsAll = positionals.length === 0 && !values.starts
const isSelected = (benchmark: { name: string; group?: string }) =>
  runsAll || namesOf(benchmark).some((name) => positionals.includes(name))

/** Runs benchmarks on one log, which is created and deleted for them. */
async function measureLog(flights: number, crowd: boolean, selected: readonly Benchmark[]): Promise<void> {
  const world = await buildWorld(flights, { crowd })
  // A copy, because the writes of one server would invalidate the caches of the other.
  const copy = `${world.dataDir}-quiet`
  cpSync(world.dataDir, copy, { recursive: true })
  const paxlog = await startPaxlog(world)
  const quiet = await startPaxlog({ dataDir: copy, port: await freePort('127.0.0.1'), logLevel: 'warn' })
  await pause(500)
  const idle = memoryOf(paxlog.pid).now
  print(`\n${flights.toLocaleString('en')} flights${crowd ? ` of ${world.people.length} users` : ''}:\n`)
  const notes: string[] = []
  let hasTable = false
  try {
    for (const benchmark of selected) {
      const measured = await measure({ world, paxlog, quiet, seconds, rounds }, benchmark)
      if (measured.rows && !hasTable) print(HEAD)
      hasTable ||= measured.rows !== undefined
      for (const line of measured.rows ?? []) print(line)
      notes.push(...(measured.notes ?? []))
    }
    notes.push(`Memory: ${idle.toFixed(0)} MB idle, ${memoryOf(paxlog.pid).peak.toFixed(0)} MB peak; target 180 MB`)
    printList(notes)
  } finally {
    for (const server of [paxlog, quiet]) await server.stop()
    for (const folder of [world.dataDir, copy]) rmSync(folder, { recursive: true, force: true })
  }
}

const otherLoad = measureOtherLoad()
printList(warnings)
if (runsAll || values.starts) printList(await measureStarts())

const logOf = ({ flights, crowd = false }: Benchmark) => `${flights} ${crowd}`
for (const [log, selected] of Map.groupBy(benchmarks.filter(isSelected), logOf)) {
  const [flights, crowd] = log.split(' ')
  await measureLog(Number(flights), crowd === 'true', selected)
}

for (const comparison of comparisons.filter(isSelected)) {
  print(`\n\`${comparison.name}\`:\n\n${HEAD}`)
  for (const line of await compare(comparison, { seconds, rounds, connections: 16 })) print(line)
}
print(`\n${otherLoad()}`)
