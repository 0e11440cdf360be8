import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Request } from 'autocannon'
import { onCore } from './cores.ts'
import { cpuOf } from './processes.ts'

export interface Sent {
  answered: number
  failed: number
  seconds: number
  p50: number
  p99: number
  /** The share of its core that the load took. */
  busy: number
}

const LOOK_MS = 50
const SAYS = 'figures:'

/** Letters beyond ASCII would need another notation in Lua; no request has any. */
const quoted = (text: string) => JSON.stringify(text)

const formatted = ({ method, path, headers, body }: Request) => {
  const named = Object.entries(headers).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`)
  return `wrk.format(${quoted(method)}, ${quoted(path)}, {${named.join()}}${body === undefined ? '' : `, ${quoted(body)}`})`
}

/** Sent again and again without a word of Lua, so that the load takes less of the cores that it shares. */
const sameRequest = ({ method, path, headers, body }: Request) => `
wrk.method, wrk.path, wrk.body = ${quoted(method)}, ${quoted(path)}, ${body === undefined ? 'nil' : quoted(body)}
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`)
  .join('\n')}
`

/** Requests in turn; all are written out before the clock runs. */
const severalRequests = (requests: readonly Request[]) => `
local all = {}
local turn = 0
function init()
${requests.map((request, index) => `all[${index + 1}] = ${formatted(request)}`).join('\n')}
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
  io.write(string.format("${SAYS}%d %d %d %d %d\\n", summary.requests, e.status + e.connect + e.read + e.write + e.timeout,
    summary.duration, latency:percentile(50), latency:percentile(99)))
end
`

/** One thread of wrk, which drives several times what one core can answer. */
export async function byWrk(
  origin: string,
  requests: readonly Request[],
  connections: number,
  seconds: number,
): Promise<Sent> {
  const folder = mkdtempSync(join(tmpdir(), 'paxlog-wrk-'))
  const script = join(folder, 'requests.lua')
  writeFileSync(script, scriptOf(requests))
  const args = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`, '--timeout', '30s', '-s', script, origin]
  const child = spawn(...onCore('load', ['wrk', args]), { stdio: ['ignore', 'pipe', 'inherit'] })
  let cpu = 0
  const look = setInterval(() => {
    try {
      cpu = cpuOf(child.pid!)
    } catch {
      // It has ended.
    }
  }, LOOK_MS)
  try {
    const said = await text(child.stdout)
    const [answered, failed, micros, p50, p99] = (said.split(SAYS)[1] ?? '').split(/\s/).map(Number)
    if (p99 === undefined) throw new Error(`wrk did not run: ${said}`)
    return {
      answered: answered!,
      failed: failed!,
      seconds: micros! / 1e6,
      p50: p50! / 1000,
      p99: p99 / 1000,
      busy: cpu / micros!,
    }
  } finally {
    clearInterval(look)
    rmSync(folder, { recursive: true })
  }
}
