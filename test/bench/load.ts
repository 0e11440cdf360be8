import autocannon, { type Request } from 'autocannon'
import { hasWrk } from './cores.ts'
import { type BenchServer, cpuOf } from './processes.ts'
import { runWrk, type Sent } from './wrk.ts'

export interface Figures {
  perSecond: number
  p50: number
  p99: number
  cpuMicros: number
  /** The share of its core that the load used. Near 1 the load is the bottleneck. */
  busy: number
}

export interface Load {
  requests: readonly Request[]
  expect: number
  connections: number
  seconds: number
  /** For requests with a rate limit. */
  maxPerSecond?: number | undefined
}

/** Number of requests whose status is checked. The load itself only counts statuses of 400 and above. */
const MAX_SAMPLED = 5

export async function ask(origin: string, { method, path, headers, body }: Request): Promise<Response> {
  return fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
}

/** Slow benchmarks get longer rounds, so that each round has this many responses. */
const MIN_RESPONSES = 30
const MAX_ROUND_SECONDS = 60

/** Checks some requests and extends the round if they are slow. */
async function calibrate({ origin }: BenchServer, load: Load): Promise<Load> {
  const { requests, expect } = load
  const sampled = requests.slice(0, MAX_SAMPLED)
  const start = performance.now()
  for (const request of sampled) {
    const answer = await ask(origin, request)
    await answer.arrayBuffer()
    if (answer.status !== expect) throw new Error(`${request.path} returned ${answer.status} instead of ${expect}.`)
  }
  const needed = Math.ceil((MIN_RESPONSES * (performance.now() - start)) / 1000 / sampled.length)
  return { ...load, seconds: Math.max(load.seconds, Math.min(needed, MAX_ROUND_SECONDS)) }
}

async function runAutocannon(url: string, { requests, connections, seconds, maxPerSecond }: Load): Promise<Sent> {
  const { user, system } = process.cpuUsage()
  const result = await autocannon({
    url,
    requests: [...requests],
    connections,
    duration: seconds,
    // A fixed rate works with one thread only.
    ...(maxPerSecond === undefined ? { workers: Math.min(2, connections) } : { overallRate: maxPerSecond }),
  })
  const used = process.cpuUsage({ user, system })
  const refused = Object.entries(result.statusCodeStats).filter(([status]) => Number(status) >= 400)
  return {
    answered: result.requests.total,
    failed: refused.reduce((sum, [, { count }]) => sum + count, result.errors),
    seconds: result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    busy: (used.user + used.system) / 1e6 / result.duration,
  }
}

async function send(server: BenchServer, load: Load): Promise<Figures> {
  const { requests, connections, seconds, maxPerSecond } = load
  const before = cpuOf(server.pid)
  const sent =
    hasWrk && maxPerSecond === undefined
      ? await runWrk(server.origin, requests, connections, seconds)
      : await runAutocannon(server.origin, load)
  const cpu = cpuOf(server.pid) - before
  if (sent.failed > 0 || sent.answered === 0) {
    throw new Error(`${requests[0]!.path}: ${sent.failed} of ${sent.answered} requests failed.`)
  }
  const { answered, p50, p99, busy } = sent
  return { perSecond: answered / sent.seconds, p50, p99, cpuMicros: cpu / answered, busy }
}

/** Sends requests at full speed, to measure the rate and the CPU time of the server. */
export async function runLoad(server: BenchServer, load: Load): Promise<Figures> {
  return send(server, await calibrate(server, load))
}

/** Sends requests of one client in sequence, to measure latencies without a queue. */
export const runOneClient = (server: BenchServer, load: Load): Promise<Figures> =>
  runLoad(server, { ...load, connections: 1, ...(load.maxPerSecond !== undefined && { maxPerSecond: 500 }) })

/** One step of a loop, such as one refresh with the token of the previous one. */
export type Step = () => Promise<void>

/** Repeats a step. The time of `prepare` is not measured. */
export interface Loop {
  prepare?: Step
  step: Step
}

export const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!

/** Runs loops in parallel. Each step of a loop waits for the previous one. */
export async function runLoops(server: BenchServer, loops: readonly Loop[], seconds: number): Promise<Figures> {
  const delays: number[] = []
  const before = cpuOf(server.pid)
  const cpuBefore = process.cpuUsage()
  const start = performance.now()
  const run = async ({ prepare, step }: Loop) => {
    while (performance.now() - start < seconds * 1000) {
      await prepare?.()
      const begin = performance.now()
      await step()
      delays.push(performance.now() - begin)
    }
  }
  await Promise.all(loops.map(run))
  const elapsed = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(cpuBefore)
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    perSecond: delays.length / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpuMicros: (cpuOf(server.pid) - before) / delays.length,
    busy: (user + system) / 1e6 / elapsed,
  }
}

export const median = (values: readonly number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** The median of several rounds, which ignores a single disturbed one. */
export function medianFigures(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicros: of('cpuMicros'),
    busy: Math.max(...rounds.map(({ busy }) => busy)),
  }
}
