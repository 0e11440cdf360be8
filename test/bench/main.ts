/**
 * Measures works by name against the built server: `npm run bench -- flight list-1k`.
 * `--seconds` and `--rounds` say how long, `--starts` measures starts and memory.
 */
import { cpSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { freePort } from '../../src/lib/port.ts'
import { compare } from './compare.ts'
import { reservations, watchNeighbours } from './cores.ts'
import { measure } from './measure.ts'
import { memoryOf, startPaxlog } from './processes.ts'
import { measureStarts } from './starts.ts'
import { HEAD } from './table.ts'
import { comparisons, type Work, works } from './works.ts'
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

const say = (line: string) => process.stdout.write(`${line}\n`)

const namesOf = ({ name, group }: { name: string; group?: string }) => (group === undefined ? [name] : [name, group])
const names = new Set([...works, ...comparisons].flatMap(namesOf))
const unknown = positionals.filter((name) => !names.has(name))
if (unknown.length > 0) {
  say(`There is no work ${unknown.join(', ')}; there are ${[...names].join(', ')}.`)
  process.exit(1)
}
const everything = positionals.length === 0 && !values.starts
const isChosen = (work: { name: string; group?: string }) =>
  everything || namesOf(work).some((name) => positionals.includes(name))

/** All works over one log, which is built for them and thrown away. */
async function measureLog(flights: number, crowd: boolean, chosen: readonly Work[]): Promise<void> {
  const world = await buildWorld(flights, { crowd })
  // A copy of its own, since the writes of one server drop what the other has kept.
  const copy = `${world.dataDir}-quiet`
  cpSync(world.dataDir, copy, { recursive: true })
  const paxlog = await startPaxlog(world)
  const quiet = await startPaxlog({ dataDir: copy, port: await freePort('127.0.0.1'), logLevel: 'warn' })
  await pause(500)
  const idle = memoryOf(paxlog.pid).now
  say(`\n${flights.toLocaleString('en')} flights${crowd ? ` of ${world.people.length} people` : ''}\n${HEAD}`)
  try {
    for (const work of chosen) say(await measure({ world, paxlog, quiet, seconds, rounds }, work))
    say(`memory: ${idle.toFixed(0)} MB idle, ${memoryOf(paxlog.pid).most.toFixed(0)} MB at most; aim 180 MB`)
  } finally {
    for (const subject of [paxlog, quiet]) await subject.stop()
    for (const folder of [world.dataDir, copy]) rmSync(folder, { recursive: true, force: true })
  }
}

const neighbours = watchNeighbours()
for (const line of reservations) say(line)
if (everything || values.starts) for (const line of await measureStarts()) say(line)

const logOf = ({ flights, crowd = false }: Work) => `${flights} ${crowd}`
for (const [log, chosen] of Map.groupBy(works.filter(isChosen), logOf)) {
  const [flights, crowd] = log.split(' ')
  await measureLog(Number(flights), crowd === 'true', chosen)
}

for (const comparison of comparisons.filter(isChosen)) {
  say(`\n${comparison.name}\n${HEAD}`)
  for (const line of await compare(comparison, { seconds, rounds, connections: 16 })) say(line)
}
say(neighbours())
