import autocannon, { type Request } from 'autocannon'
import { cpuOf, type Subject } from './processes.ts'

export interface Figures {
  perSecond: number
  p50: number
  p99: number
  cpuMicros: number
}

export interface Load {
  requests: Request[]
  expect: number
  connections: number
  seconds: number
  mostPerSecond?: number | undefined
}

/** Every subject can keep it, so that both are measured with the same number of sleeps and wakes. */
const STEADY_RATE = 1500

/**
 * Drives one server for a while: first as hard as it can, for the rate; then by one client at half of that, or at a
 * steady rate, for the delays and the CPU time. At full speed these are not alike: the faster one finds the driver awake and the
 * slower one pays for waking it with every answer. Every answer must have the expected status.
 */
export async function drive(subject: Subject, load: Load): Promise<Figures> {
  const { perSecond } = await send(subject, load, load.mostPerSecond)
  const rate = Math.max(1, Math.floor(Math.min(STEADY_RATE, perSecond / 2)))
  return { ...(await send(subject, load, rate)), perSecond }
}

async function send(
  subject: Subject,
  { requests, expect, connections, seconds }: Load,
  rate?: number,
): Promise<Figures> {
  const before = cpuOf(subject.pid)
  const [first] = requests as [Request]
  const result = await autocannon({
    // One request needs no list: the driver is several times faster without.
    ...(requests.length === 1 ? { ...first, url: subject.origin + first.path } : { url: subject.origin, requests }),
    // Several clients at a rate all send at once and wait for each other; one waits for nothing but its answer.
    connections: rate === undefined ? connections : 1,
    duration: seconds,
    ...(rate && { overallRate: rate }),
  })
  const cpu = cpuOf(subject.pid) - before
  const answered = result.requests.total
  const right = result.statusCodeStats[String(expect)]?.count ?? 0
  if (right < answered || result.errors > 0) {
    throw new Error(
      `${requests[0]!.path} did not always answer ${expect}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`,
    )
  }
  const { p50, p99 } = result.latency
  return { perSecond: result.requests.average, p50, p99, cpuMicros: cpu / answered }
}

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
  const sorted = delays.toSorted((a, b) => a - b)
  return {
    perSecond: delays.length / elapsed,
    p50: quantile(sorted, 0.5),
    p99: quantile(sorted, 0.99),
    cpuMicros: (cpuOf(subject.pid) - before) / delays.length,
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
  return { perSecond: of('perSecond'), p50: of('p50'), p99: of('p99'), cpuMicros: of('cpuMicros') }
}
