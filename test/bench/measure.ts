import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Request } from 'autocannon'
import { freePort } from '../../src/lib/port.ts'
import type { Benchmark, DocumentBenchmark, LoopBenchmark, PathBenchmark, RequestBenchmark } from './benchmarks.ts'
import { pinToCore } from './cores.ts'
import { withFlushDelay } from './disk.ts'
import { measureImportDuringReads } from './import-beside-reads.ts'
import { ask, type Figures, type Load, median, medianFigures, runLoad, runLoops, runOneClient } from './load.ts'
import { type BenchServer, cpuOf, memoryOf, type Sample, startBare, startPaxlog } from './processes.ts'
import { get } from './requests.ts'
import { percent, row } from './table.ts'
import type { World } from './world.ts'

const CONNECTIONS = 16
/** Code is slow for the first ten thousand requests until V8 has optimized it. */
const WARM_UP_SECONDS = 5
/** More than one client can request in a round. */
const MAX_PATHS = 10_000

/** A log with two servers: one with default settings, and one on a copy with LOG_LEVEL=warn. */
interface Bench {
  world: World
  paxlog: BenchServer
  quiet: BenchServer
  seconds: number
  rounds: number
}

/** Starts a bare route with the same response as Paxlog. */
async function startBareLike(paxlog: BenchServer, request: Request, mode: Sample['mode']): Promise<BenchServer> {
  const sample = await ask(paxlog.origin, request)
  return startBare({
    path: request.path,
    method: request.method,
    status: sample.status,
    type: sample.headers.get('content-type')!,
    body: await sample.text(),
    mode,
  })
}

const shareOf = (ours: readonly Figures[], theirs: readonly Figures[]) =>
  percent(median(ours.map(({ perSecond }, round) => perSecond / theirs[round]!.perSecond)))

/** Adds the latencies of a single client. Those of bare show the overhead of the machine. */
async function withDelays(server: BenchServer, load: Load, figures: Figures): Promise<Figures> {
  const { p50, p99 } = await runOneClient(server, load)
  return { ...figures, p50, p99 }
}

async function measureAgainstBare(
  { world, paxlog, quiet, seconds, rounds }: Bench,
  benchmark: RequestBenchmark,
): Promise<string> {
  const { target, expect = 200, connections = CONNECTIONS, maxPerSecond } = benchmark
  const requests = benchmark.requests(world)
  const bare = await startBareLike(paxlog, requests[0]!, benchmark.against === 'serialized' ? 'serializes' : 'sends')
  const load = { requests, expect, connections, maxPerSecond, seconds }
  const measured: Record<'ours' | 'quiet' | 'bare', Figures[]> = { ours: [], quiet: [], bare: [] }
  for (const server of [paxlog, quiet, bare]) await runLoad(server, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    // Alternate the servers within a round, so that all have the same conditions.
    const ours = await runLoad(paxlog, load)
    const bareFigures = await runLoad(bare, load)
    measured.quiet.push(await runLoad(quiet, load))
    measured.ours.push(await withDelays(paxlog, load, ours))
    measured.bare.push(await withDelays(bare, load, bareFigures))
  }
  await bare.stop()
  const isUnlimited = maxPerSecond === undefined
  return row({
    workload: benchmark,
    target,
    ours: medianFigures(measured.ours),
    ...(isUnlimited && {
      quiet: medianFigures(measured.quiet),
      bare: medianFigures(measured.bare),
      share: shareOf(measured.ours, measured.bare),
      quietShare: shareOf(measured.quiet, measured.bare),
    }),
  })
}

const rawCommits = (row: 'small' | 'flight', seconds: number) =>
  Number(
    execFileSync(
      ...pinToCore(
        'server',
        withFlushDelay(process.execPath, [join(import.meta.dirname, 'raw-commits.ts'), row, String(seconds)]),
      ),
    ),
  )

/** Three baselines: commits of a small row, commits of a flight, and a bare route that commits a small row. */
async function measureAgainstCommits(
  { world, paxlog, seconds, rounds }: Bench,
  benchmark: RequestBenchmark,
): Promise<string> {
  const { expect = 200, connections = 1 } = benchmark
  const load = { requests: benchmark.requests(world), expect, connections, seconds }
  const bare = await startBareLike(paxlog, load.requests[0]!, 'commits')
  const [figures, bares]: [Figures[], Figures[]] = [[], []]
  const shares: [small: number[], flight: number[]] = [[], []]
  for (const server of [paxlog, bare]) await runLoad(server, { ...load, seconds: WARM_UP_SECONDS })
  for (let round = 0; round < rounds; round++) {
    const ours = await runLoad(paxlog, load)
    const bareResult = await runLoad(bare, load)
    figures.push(await withDelays(paxlog, load, ours))
    bares.push(await withDelays(bare, load, bareResult))
    shares[0].push(ours.perSecond / rawCommits('small', seconds))
    shares[1].push(ours.perSecond / rawCommits('flight', seconds))
  }
  await bare.stop()
  const [small, flight] = shares.map((each) => percent(median(each)))
  return row({
    workload: benchmark,
    ours: medianFigures(figures),
    bare: medianFigures(bares),
    share: shareOf(figures, bares),
    target: `60 % of raw commits: ${small}, of raw flights ${flight}`,
  })
}

async function measureLoops({ world, paxlog, seconds }: Bench, benchmark: LoopBenchmark): Promise<string> {
  const ours = await runLoops(paxlog, benchmark.loops(world), seconds)
  return row({ workload: benchmark, target: benchmark.target, ours })
}

/** The first round shows unoptimized code, as right after a start. The others are summarized by their median. */
async function measurePaths({ world, paxlog, seconds, rounds }: Bench, benchmark: PathBenchmark): Promise<string[]> {
  const { name, title, target } = benchmark
  const requests = benchmark.paths(world).map((path) => get(world, path))
  const measured: Figures[] = []
  for (let round = 0, sent = 0; round <= rounds; round++) {
    const next = sent % requests.length
    const rotated = [...requests.slice(next), ...requests.slice(0, next)].slice(0, MAX_PATHS)
    measured.push(await runOneClient(paxlog, { requests: rotated, expect: 200, connections: 1, seconds }))
    sent += Math.ceil(measured.at(-1)!.perSecond * seconds)
  }
  const [first, ...others] = measured as [Figures, ...Figures[]]
  return [
    row({ workload: { name, title: `${title}, first round` }, ours: first }),
    row({ workload: benchmark, target, ours: medianFigures(others) }),
  ]
}

/** Uses a new server, so that its peak memory results from this response. */
async function measureDocument({ world }: Bench, benchmark: DocumentBenchmark): Promise<string> {
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
  const [first, again] = [await read(benchmark.document), await read(benchmark.document)]
  const { peak } = memoryOf(paxlog.pid)
  await paxlog.stop()
  const time = ({ took, cpu }: typeof first) => `${took.toFixed(2)} s, ${cpu.toFixed(2)} s of CPU`
  const targetText = benchmark.target === undefined ? '' : `; target ${benchmark.target}`
  const megabytes = (first.bytes / 1024 / 1024).toFixed(0)
  return `\`${benchmark.name}\`: ${megabytes} MB in ${time(first)}, again in ${time(again)}, ${(peak - idle).toFixed(0)} MB over idle${targetText}`
}

/** The rows of a table, and sentences about what does not fit into one. */
export async function measure(bench: Bench, benchmark: Benchmark): Promise<{ rows?: string[]; notes?: string[] }> {
  if ('loops' in benchmark) return { rows: [await measureLoops(bench, benchmark)] }
  if ('paths' in benchmark) return { rows: await measurePaths(bench, benchmark) }
  if ('document' in benchmark) return { notes: [await measureDocument(bench, benchmark)] }
  if ('during' in benchmark) return { notes: await measureImportDuringReads(bench.paxlog, bench.world, bench.rounds) }
  const against = benchmark.against === 'commits' ? measureAgainstCommits : measureAgainstBare
  return { rows: [await against(bench, benchmark)] }
}
