import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from 'autocannon'
import { freePort } from '../../src/lib/port.ts'
import { onCore } from './cores.ts'
import { onDisk } from './disk.ts'
import { importBesideReads } from './import-beside-reads.ts'
import { ask, drive, driveAlone, driveLanes, type Figures, type Load, median, middle } from './load.ts'
import { cpuOf, memoryOf, type Sample, type Subject, startBare, startPaxlog } from './processes.ts'
import { get } from './requests.ts'
import { percent, row } from './table.ts'
import type { AskedWork, DocumentWork, LaneWork, RequestWork, Work } from './works.ts'
import type { World } from './world.ts'

const CONNECTIONS = 16
/** Code that runs for the first time is slow, and stays so for some ten thousand requests. */
const WARM_UP_SECONDS = 5
/** More than one client gets answered in a round. */
const MOST_ASKED = 10_000

/** A log, and the servers over it: with the default settings, and over a copy with LOG_LEVEL=warn. */
interface Bench {
  world: World
  paxlog: Subject
  quiet: Subject
  seconds: number
  rounds: number
}

/** A bare route that answers as Paxlog does. */
async function bareLike(paxlog: Subject, request: Request, does: Sample['does']): Promise<Subject> {
  const sample = await ask(paxlog.origin, request)
  return startBare({
    path: request.path,
    method: request.method,
    status: sample.status,
    type: sample.headers.get('content-type')!,
    body: await sample.text(),
    does,
  })
}

const shareOf = (ours: readonly Figures[], theirs: readonly Figures[]) =>
  percent(median(ours.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond)))

/** Figures of many clients with the delays of one: those of bare tell what the machine itself adds. */
async function withDelays(subject: Subject, load: Load, figures: Figures): Promise<Figures> {
  const { p50, p99 } = await driveAlone(subject, load)
  return { ...figures, p50, p99 }
}

async function againstBare({ world, paxlog, quiet, seconds, rounds }: Bench, work: RequestWork): Promise<string> {
  const { name, aim, expect = 200, connections = CONNECTIONS, mostPerSecond } = work
  const requests = work.requests(world)
  const bare = await bareLike(paxlog, requests[0]!, work.against === 'serialized' ? 'serializes' : 'sends')
  const load = { requests, expect, connections, mostPerSecond, seconds }
  const measured: Record<'ours' | 'quiet' | 'bare', Figures[]> = { ours: [], quiet: [], bare: [] }
  for (const subject of [paxlog, quiet, bare]) await drive(subject, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    // In turns, and shares round by round: all had the same neighbours on the machine.
    const ours = await drive(paxlog, load)
    const theirs = await drive(bare, load)
    measured.quiet.push(await drive(quiet, load))
    measured.ours.push(await withDelays(paxlog, load, ours))
    measured.bare.push(await withDelays(bare, load, theirs))
  }
  await bare.stop()
  const isFree = mostPerSecond === undefined
  return row({
    name,
    aim,
    ours: middle(measured.ours),
    ...(isFree && {
      quiet: middle(measured.quiet),
      bare: middle(measured.bare),
      share: shareOf(measured.ours, measured.bare),
      quietShare: shareOf(measured.quiet, measured.bare),
    }),
  })
}

const rawCommits = (row: 'small' | 'flight', seconds: number) =>
  Number(
    execFileSync(
      ...onCore(
        'server',
        onDisk(process.execPath, [join(import.meta.dirname, 'raw-commits.ts'), row, String(seconds)]),
      ),
    ),
  )

/** Three yardsticks: commits of a small row, of a row of flights, and a bare route that commits a small row. */
async function againstCommits({ world, paxlog, seconds, rounds }: Bench, work: RequestWork): Promise<string> {
  const { name, expect = 200, connections = 1 } = work
  const load = { requests: work.requests(world), expect, connections, seconds }
  const bare = await bareLike(paxlog, load.requests[0]!, 'commits')
  const [figures, bares]: [Figures[], Figures[]] = [[], []]
  const shares: [small: number[], flight: number[]] = [[], []]
  for (const subject of [paxlog, bare]) await drive(subject, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    const ours = await drive(paxlog, load)
    const theirs = await drive(bare, load)
    figures.push(await withDelays(paxlog, load, ours))
    bares.push(await withDelays(bare, load, theirs))
    shares[0].push(ours.perSecond / rawCommits('small', seconds))
    shares[1].push(ours.perSecond / rawCommits('flight', seconds))
  }
  await bare.stop()
  const [small, flight] = shares.map((each) => percent(median(each)))
  return row({
    name,
    ours: middle(figures),
    bare: middle(bares),
    share: shareOf(figures, bares),
    aim: `60 % of raw commits: ${small}, of flights' rows ${flight}`,
  })
}

async function inLanes({ world, paxlog, seconds }: Bench, { name, aim, lanes }: LaneWork): Promise<string> {
  return row({ name, aim, ours: await driveLanes(paxlog, lanes(world), seconds) })
}

/** The first round is that of code which has not run before, as right after a start; the others have the middle. */
async function oneByOne({ world, paxlog, seconds, rounds }: Bench, { name, aim, asks }: AskedWork): Promise<string> {
  const requests = asks(world).map((path) => get(world, path))
  const measured: Figures[] = []
  for (let round = 0, asked = 0; round <= rounds; round++) {
    const next = asked % requests.length
    const inTurn = [...requests.slice(next), ...requests.slice(0, next)].slice(0, MOST_ASKED)
    measured.push(await driveAlone(paxlog, { requests: inTurn, expect: 200, connections: 1, seconds }))
    asked += Math.ceil(measured.at(-1)!.perSecond * seconds)
  }
  const [first, ...others] = measured as [Figures, ...Figures[]]
  return [row({ name: `${name}, first`, ours: first }), row({ name, aim, ours: middle(others) })].join('\n')
}

/** A server of its own, so that its largest memory is that of this one answer, which nobody has read before. */
async function document({ world }: Bench, work: DocumentWork): Promise<string> {
  const paxlog = await startPaxlog({ dataDir: world.dataDir, port: await freePort('127.0.0.1') })
  const headers = { authorization: `Bearer ${world.key}` }
  const read = async (path: string) => {
    const [start, before] = [performance.now(), cpuOf(paxlog.pid)]
    let bytes = 0
    const answer = await fetch(paxlog.origin + path, { headers })
    for await (const chunk of answer.body!) bytes += chunk.length
    return { bytes, took: (performance.now() - start) / 1000, cpu: (cpuOf(paxlog.pid) - before) / 1e6 }
  }
  await read('/api/v1/me')
  await pause(500)
  const idle = memoryOf(paxlog.pid).now
  const [first, again] = [await read(work.document), await read(work.document)]
  const { most } = memoryOf(paxlog.pid)
  await paxlog.stop()
  const time = ({ took, cpu }: typeof first) => `${took.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU`
  const aimed = work.aim === undefined ? '' : `; aim ${work.aim}`
  const megabytes = (first.bytes / 1024 / 1024).toFixed(0)
  return `${work.name}: ${megabytes} MB in ${time(first)}, once more ${time(again)}, ${(most - idle).toFixed(0)} MB over idle${aimed}`
}

export async function measure(bench: Bench, work: Work): Promise<string> {
  if ('lanes' in work) return inLanes(bench, work)
  if ('asks' in work) return oneByOne(bench, work)
  if ('document' in work) return document(bench, work)
  if ('beside' in work) return (await importBesideReads(bench.paxlog, bench.world, bench.rounds)).join('\n')
  return work.against === 'commits' ? againstCommits(bench, work) : againstBare(bench, work)
}
