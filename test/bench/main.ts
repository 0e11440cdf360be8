/**
 * Measures works by name against the built server: `npm run bench -- flight list-1k`.
 * `--seconds` and `--rounds` say how long, `--starts` measures starts and memory.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Request } from 'autocannon'
import { freePort } from '../../src/lib/port.ts'
import { compare } from './compare.ts'
import { onDisk } from './disk.ts'
import { importBesideReads } from './import-beside-reads.ts'
import { drive, driveLanes, type Figures, median, middle } from './load.ts'
import { memoryOf, type Sample, type Subject, startBare, startPaxlog } from './processes.ts'
import { measureStarts } from './starts.ts'
import { comparisons, type DocumentWork, type LaneWork, type RequestWork, type Work, works } from './works.ts'
import { buildWorld, type World } from './world.ts'

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
const CONNECTIONS = 10
/** Code that runs for the first time is slow, and stays so for some ten thousand requests. */
const WARM_UP_SECONDS = 5

const say = (line: string) => process.stdout.write(`${line}\n`)
const column = (value: string, width: number) => value.padStart(width)

function row(name: string, { perSecond, p50, p99, cpuMicros }: Figures, share: string): string {
  const digits = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))
  return (
    name.padEnd(16) +
    column(digits(perSecond), 10) +
    column(digits(p50), 9) +
    column(digits(p99), 9) +
    column(cpuMicros.toFixed(0), 12) +
    `  ${share.padStart(8)}`
  )
}

const HEAD = `${'work'.padEnd(16)}${column('req/s', 10)}${column('p50 ms', 9)}${column('p99 ms', 9)}${column('CPU µs/req', 12)}${column('share', 10)}`

const percent = (shares: readonly number[]) => `${(100 * median(shares)).toFixed(0)} %`

const rawCommits = (row: 'small' | 'flight') =>
  Number(execFileSync(...onDisk(process.execPath, [join(import.meta.dirname, 'raw-commits.ts'), row, String(seconds)])))

/** Three yardsticks: commits of a small row, of a row of flights, and a bare route that commits a small row. */
async function againstCommits(paxlog: Subject, work: RequestWork, world: World): Promise<string> {
  const { expect = 200, connections = 1 } = work
  const load = { requests: work.requests(world), expect, connections, seconds }
  const bare = await bareLike(paxlog, load.requests[0]!, 'commits')
  const figures: Figures[] = []
  const shares: [small: number[], flight: number[], bare: number[]] = [[], [], []]
  for (const subject of [paxlog, bare]) await drive(subject, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    const ours = await drive(paxlog, load)
    figures.push(ours)
    shares[0].push(ours.perSecond / rawCommits('small'))
    shares[1].push(ours.perSecond / rawCommits('flight'))
    shares[2].push(ours.perSecond / (await drive(bare, load)).perSecond)
  }
  await bare.stop()
  const [small, flight, committing] = shares.map(percent)
  return row(work.name, middle(figures), `${small}, flights' rows ${flight}, bare route ${committing}`)
}

/** A bare route that answers as Paxlog does. */
async function bareLike(paxlog: Subject, request: Request, does: Sample['does']): Promise<Subject> {
  const { method, path, headers, body } = request
  const sample = await fetch(paxlog.origin + path, { method, headers, ...(body !== undefined && { body }) })
  return startBare({
    path,
    method,
    status: sample.status,
    type: sample.headers.get('content-type')!,
    body: await sample.text(),
    does,
  })
}

async function againstBare(paxlog: Subject, work: RequestWork, world: World): Promise<string> {
  const requests = work.requests(world)
  const bare = await bareLike(paxlog, requests[0]!, work.against === 'serialized' ? 'serializes' : 'sends')
  const { expect = 200, connections = CONNECTIONS, mostPerSecond } = work
  const load = { requests, expect, connections, mostPerSecond, seconds }
  const figures: Figures[] = []
  const shares: number[] = []
  for (const subject of [paxlog, bare]) await drive(subject, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    const ours = await drive(paxlog, load)
    // Round against round: both had the same neighbours on the machine.
    const theirs = await drive(bare, load)
    figures.push(ours)
    shares.push(ours.perSecond / theirs.perSecond)
  }
  await bare.stop()
  return row(work.name, middle(figures), mostPerSecond === undefined ? percent(shares) : '')
}

async function inLanes(paxlog: Subject, work: LaneWork, world: World): Promise<string> {
  const lanes = work.lanes(world)
  return row(work.name, await driveLanes(paxlog, lanes, seconds), '')
}

/** A server of its own, so that its largest memory is that of this one answer. */
async function document(work: DocumentWork, world: World): Promise<string> {
  const paxlog = await startPaxlog({ dataDir: world.dataDir, port: await freePort('127.0.0.1') })
  const headers = { authorization: `Bearer ${world.key}` }
  const read = async (path: string) => {
    let bytes = 0
    const answer = await fetch(paxlog.origin + path, { headers })
    for await (const chunk of answer.body!) bytes += chunk.length
    return bytes
  }
  await read('/api/v1/me')
  await pause(500)
  const idle = memoryOf(paxlog.pid).now
  const start = performance.now()
  const bytes = await read(work.document)
  const took = (performance.now() - start) / 1000
  const { most } = memoryOf(paxlog.pid)
  await paxlog.stop()
  const megabytes = (bytes / 1024 / 1024).toFixed(0)
  return `${work.name.padEnd(16)}${megabytes} MB in ${took.toFixed(1)} s, ${(most - idle).toFixed(0)} MB over idle`
}

async function measure(paxlog: Subject, work: Work, world: World): Promise<string> {
  if ('lanes' in work) return inLanes(paxlog, work, world)
  if ('document' in work) return document(work, world)
  if ('beside' in work) return (await importBesideReads(paxlog, world, rounds)).join('\n')
  return work.against === 'commits' ? againstCommits(paxlog, work, world) : againstBare(paxlog, work, world)
}

const names = [...works, ...comparisons].map(({ name }) => name)
const unknown = positionals.filter((name) => !names.includes(name))
if (unknown.length > 0) {
  say(`There is no work ${unknown.join(', ')}; there are ${names.join(', ')}.`)
  process.exit(1)
}
const everything = positionals.length === 0 && !values.starts
const isChosen = ({ name }: { name: string }) => everything || positionals.includes(name)
const chosen = works.filter(isChosen)
if (everything || values.starts) for (const line of await measureStarts()) say(line)

for (const flights of new Set(chosen.map((work) => work.flights))) {
  const world = await buildWorld(flights)
  const paxlog = await startPaxlog(world)
  await pause(500)
  const idle = memoryOf(paxlog.pid).now
  say(`\n${flights.toLocaleString('en')} flights`)
  say(HEAD)
  try {
    for (const work of chosen.filter((each) => each.flights === flights)) say(await measure(paxlog, work, world))
    say(`memory: ${idle.toFixed(0)} MB idle, ${memoryOf(paxlog.pid).most.toFixed(0)} MB at most`)
  } finally {
    await paxlog.stop()
    rmSync(world.dataDir, { recursive: true, force: true })
  }
}

for (const comparison of comparisons.filter(isChosen)) {
  say(`\n${HEAD}`)
  for (const line of await compare(comparison, { seconds, rounds, connections: CONNECTIONS, row })) say(line)
}
