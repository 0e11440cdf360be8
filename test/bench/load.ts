import autocannon, { type Request } from 'autocannon'
import { hasWrk } from './cores.ts'
import { cpuOf, type Subject } from './processes.ts'
import { byWrk, type Sent } from './wrk.ts'

export interface Figures {
  perSecond: number
  p50: number
  p99: number
  cpuMicros: number
  /** The share of its core that the load took; near one it was the limit itself. */
  busy: number
}

export interface Load {
  requests: readonly Request[]
  expect: number
  connections: number
  seconds: number
  /** Where a limit forbids full speed. */
  mostPerSecond?: number | undefined
}

/** How many of many requests are tried one by one: the load itself tells only answers below 400 from others. */
const TRIED = 5

export async function ask(origin: string, { method, path, headers, body }: Request): Promise<Response> {
  return fetch(origin + path, { method, headers, ...(body !== undefined && { body }) })
}

/** Answers that a round must have room for, however slow they are. */
const FEWEST_ANSWERS = 30
const LONGEST_ROUND = 60

/** The same load in a round that is long enough for it. */
async function tryOut({ origin }: Subject, load: Load): Promise<Load> {
  const { requests, expect } = load
  const tried = requests.slice(0, TRIED)
  const start = performance.now()
  for (const request of tried) {
    const answer = await ask(origin, request)
    await answer.arrayBuffer()
    if (answer.status !== expect) throw new Error(`${request.path} answered ${answer.status} and not ${expect}.`)
  }
  const needed = Math.ceil((FEWEST_ANSWERS * (performance.now() - start)) / 1000 / tried.length)
  return { ...load, seconds: Math.max(load.seconds, Math.min(needed, LONGEST_ROUND)) }
}

async function byAutocannon(url: string, { requests, connections, seconds, mostPerSecond }: Load): Promise<Sent> {
  const { user, system } = process.cpuUsage()
  const result = await autocannon({
    url,
    requests: [...requests],
    connections,
    duration: seconds,
    // A rate is kept by one thread alone.
    ...(mostPerSecond === undefined ? { workers: Math.min(2, connections) } : { overallRate: mostPerSecond }),
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

async function send(subject: Subject, load: Load): Promise<Figures> {
  const { requests, connections, seconds, mostPerSecond } = load
  const before = cpuOf(subject.pid)
  const sent =
    hasWrk && mostPerSecond === undefined
      ? await byWrk(subject.origin, requests, connections, seconds)
      : await byAutocannon(subject.origin, load)
  const cpu = cpuOf(subject.pid) - before
  if (sent.failed > 0 || sent.answered === 0) {
    throw new Error(`${requests[0]!.path}: ${sent.failed} of ${sent.answered} answers failed.`)
  }
  const { answered, p50, p99, busy } = sent
  return { perSecond: answered / sent.seconds, p50, p99, cpuMicros: cpu / answered, busy }
}

/** As hard as so many clients can: for the rate and for the CPU time of the server. */
export async function drive(subject: Subject, load: Load): Promise<Figures> {
  return send(subject, await tryOut(subject, load))
}

/** One client that asks again as soon as it is answered: the time of the work without a queue. */
export const driveAlone = (subject: Subject, load: Load): Promise<Figures> =>
  drive(subject, { ...load, connections: 1, ...(load.mostPerSecond !== undefined && { mostPerSecond: 500 }) })

/** One step of a lane, such as one refresh with the token that the last one gave. */
export type Step = () => Promise<void>

/** A step again and again; what prepares each one is not measured. */
export interface Lane {
  prepare?: Step
  step: Step
}

const quantile = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)]!

/** Lanes of requests that build upon each other, each waiting for its own last answer. */
export async function driveLanes(subject: Subject, lanes: readonly Lane[], seconds: number): Promise<Figures> {
  const delays: number[] = []
  const before = cpuOf(subject.pid)
  const own = process.cpuUsage()
  const start = performance.now()
  const run = async ({ prepare, step }: Lane) => {
    while (performance.now() - start < seconds * 1000) {
      await prepare?.()
      const begin = performance.now()
      await step()
      delays.push(performance.now() - begin)
    }
  }
  await Promise.all(lanes.map(run))
  const elapsed = (performance.now() - start) / 1000
  const { user, system } = process.cpuUsage(own)
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    perSecond: delays.length / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpuMicros: (cpuOf(subject.pid) - before) / delays.length,
    busy: (user + system) / 1e6 / elapsed,
  }
}

export const median = (values: readonly number[]) =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** The middle of several rounds: one disturbed round does not move it. */
export function middle(rounds: readonly Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]))
  return {
    perSecond: of('perSecond'),
    p50: of('p50'),
    p99: of('p99'),
    cpuMicros: of('cpuMicros'),
    busy: Math.max(...rounds.map(({ busy }) => busy)),
  }
}
