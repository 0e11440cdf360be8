/**
 * Compares one process with two readers, in turns: `npm run bench:readers`. Nothing is pinned to a core, since the readers are
 * there for all of them. Where two cores serve three processes and the load, the CPU time that each request takes of all
 * processes together says more than the rate.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { freePort } from '../../src/lib/port.ts'
import { drive, median } from './load.ts'
import { cpuOf, memoryOf, type Subject, startPaxlog } from './processes.ts'
import { get } from './requests.ts'
import { buildWorld } from './world.ts'

const ROUNDS = 5
const SECONDS = 3
const CONNECTIONS = 16

const say = (line: string) => process.stdout.write(`${line}\n`)

/** A process and those that it has started. */
function processesOf({ pid }: Subject): number[] {
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    execFileSync('cat', [`/proc/${pid}/task/${task}/children`], { encoding: 'utf8' })
      .trim()
      .split(' ')
      .filter(Boolean),
  )
  return [pid, ...children.map(Number)]
}

const cpu = (subject: Subject) => processesOf(subject).reduce((sum, pid) => sum + cpuOf(pid), 0)

const world = await buildWorld(10_000)
const paths = { flight: `/api/v1/flights/${world.someFlight}`, list: '/api/v1/flights' }
const started: [name: string, subject: Subject][] = []
for (const readers of ['0', '2']) {
  process.env.READERS = readers
  started.push([`READERS=${readers}`, await startPaxlog({ dataDir: world.dataDir, port: await freePort('127.0.0.1') })])
}
for (const [name, path] of Object.entries(paths)) {
  const rates = started.map((): number[] => [])
  const micros = started.map((): number[] => [])
  for (let round = -1; round < ROUNDS; round++) {
    for (const [index, [, subject]] of started.entries()) {
      const before = cpu(subject)
      const load = { requests: [get(world, path)], expect: 200, connections: CONNECTIONS, seconds: SECONDS }
      const { perSecond } = await drive(subject, load)
      if (round < 0) continue
      rates[index]!.push(perSecond)
      micros[index]!.push((cpu(subject) - before) / (perSecond * SECONDS))
    }
  }
  for (const [index, [setting]] of started.entries()) {
    say(
      `${name} ${setting}: ${median(rates[index]!).toFixed(0)} req/s, ${median(micros[index]!).toFixed(0)} µs CPU a request`,
    )
  }
  const [alone = 1, family = 1] = rates.map(median)
  const [aloneMicros = 1, familyMicros = 1] = micros.map(median)
  say(
    `${name}: ${(family / alone).toFixed(2)} times as many beside the load; ${((2 * aloneMicros) / familyMicros).toFixed(2)} by CPU time, with two cores for the readers alone`,
  )
}
for (const [setting, subject] of started) {
  const memory = processesOf(subject).map((pid) => memoryOf(pid).now.toFixed(0))
  say(`${setting}: memory ${memory.join(' + ')} MB`)
  await subject.stop()
}
rmSync(world.dataDir, { recursive: true, force: true })
