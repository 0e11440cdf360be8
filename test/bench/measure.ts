import autocannon from 'autocannon'
import { cpuOf, type Subject } from './processes.ts'

export interface Figures {
  requestsPerSecond: number
  p50: number
  p99: number
  cpuMicros: number
}

interface Load {
  path: string
  headers: Record<string, string>
  expect: number
  seconds: number
}

const CONNECTIONS = 10
const STEADY_RATE = 1500

/**
 * Drives one server for a while: first as hard as it can, for the rate and the delays, then at a rate that every
 * subject can keep, for the CPU time. At full speed the two are not alike: the faster one finds the driver awake
 * and the slower one pays for waking it with every answer. Every answer must have the expected status.
 */
export async function drive(subject: Subject, load: Load): Promise<Figures> {
  const { requestsPerSecond, p50, p99 } = await send(subject, load)
  const { cpuMicros } = await send(subject, load, STEADY_RATE)
  return { requestsPerSecond, p50, p99, cpuMicros }
}

async function send(subject: Subject, { path, headers, expect, seconds }: Load, rate?: number): Promise<Figures> {
  const before = cpuOf(subject.pid)
  const result = await autocannon({
    url: subject.origin + path,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
    ...(rate && { overallRate: rate }),
  })
  const cpu = cpuOf(subject.pid) - before
  const answered = result.requests.total
  const right = result.statusCodeStats[String(expect)]?.count ?? 0
  if (right < answered || result.errors > 0) {
    throw new Error(`${path} did not always answer ${expect}: ${JSON.stringify(result.statusCodeStats)}`)
  }
  return {
    requestsPerSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    cpuMicros: cpu / answered,
  }
}

export const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The middle of several rounds: one disturbed round does not move it. */
export function middle(rounds: Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]))
  return { requestsPerSecond: of('requestsPerSecond'), p50: of('p50'), p99: of('p99'), cpuMicros: of('cpuMicros') }
}
