import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Request } from 'autocannon'
import { pinToCore } from './cores.ts'
import { cpuOf } from './processes.ts'

export interface Sent {
  answered: number
  failed: number
  seconds: number
  p50: number
  p99: number
  /** The share of its core that the load used. */
  busy: number
}

const CPU_SAMPLE_MS = 50
const RESULT_PREFIX = 'figures:'

/** JSON strings are valid in Lua for ASCII, and requests contain nothing else. */
const quote = (text: string) => JSON.stringify(text)

const formatRequest = ({ method, path, headers, body }: Request) => {
  const named = Object.entries(headers).map(([name, value]) => `[${quote(name)}]=${quote(value)}`)
  return `wrk.format(${quote(method)}, ${quote(path)}, {${named.join()}}${body === undefined ? '' : `, ${quote(body)}`})`
}

/** One request without a Lua function, which reduces the CPU time of the load. */
const sameRequest = ({ method, path, headers, body }: Request) => `
wrk.method, wrk.path, wrk.body = ${quote(method)}, ${quote(path)}, ${body === undefined ? 'nil' : quote(body)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quote(name)}] = ${quote(value)}`)
  .join('\n')}
`

/** Alternating requests, formatted before the measurement starts. */
const severalRequests = (requests: readonly Request[]) => `
local all = {}
local turn = 0
function init()
${requests.map((request, index) => `all[${index + 1}] = ${formatRequest(request)}`).join('\n')}
end
function request()
  turn = turn % #all + 1
  return all[turn]
end
`

const scriptOf = (requests: readonly Request[]) => `
${requests.length === 1 ? sameRequest(requests[0]!) : severalRequests(requests)}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format("${RESULT_PREFIX}%d %d %d %d %d\\n", summary.requests, e.status + e.connect + e.read + e.write + e.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
`

/** Runs wrk with one thread, which can saturate several server cores. */
export async function runWrk(
  origin: string,
  requests: readonly Request[],
  connections: number,
  seconds: number,
): Promise<Sent> {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-wrk-'))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, scriptOf(requests))
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', script, origin]
  const child = spawn(...pinToCore('load', ['wrk', args]), { stdio: ['ignore', 'pipe', 'inherit'] })
  let cpu = 0
  const cpuTimer = setInterval(() => {
    try {
      cpu = cpuOf(child.pid!)
    } catch {
      // The process has ended.
    }
  }, CPU_SAMPLE_MS)
  try {
    const output = await text(child.stdout)
    const [answered, failed, micros, p50, p99] = (output.split(RESULT_PREFIX)[1] ?? '').split(/\s/).map(Number)
    if (p99 === undefined) throw new Error(`wrk did not run: ${output}`)
    return {
      answered: answered!,
      failed: failed!,
      seconds: micros! / 1e6,
      p50: p50! / 1000,
      p99: p99 / 1000,
      busy: cpu / micros!,
    }
  } finally {
    clearInterval(cpuTimer)
    rmSync(folder, { recursive: true })
  }
}
