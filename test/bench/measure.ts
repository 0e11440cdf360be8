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

/** Drives one server for a while; every answer must have the expected status. */
export async function drive(subject: Subject, { path, headers, expect, seconds }: Load): Promise<Figures> {
  const before = cpuOf(subject.pid)
  const result = await autocannon({
    url: subject.origin + path,
    headers,
    connections: CONNECTIONS,
    duration: seconds,
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

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!

/** The middle of several rounds: one disturbed round does not move it. */
export function middle(rounds: Figures[]): Figures {
  const of = (name: keyof Figures) => median(rounds.map((round) => round[name]))
  return { requestsPerSecond: of('requestsPerSecond'), p50: of('p50'), p99: of('p99'), cpuMicros: of('cpuMicros') }
}
