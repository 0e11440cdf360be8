import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { ServerProcess } from './process.ts'

/** Resident memory of a process in MB, as Linux counts it. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kilobytes) / 1024
}

/** A server takes some memory for its first few hundred requests, whoever sends them; growth counts from there. */
export async function warmUp({ origin }: ServerProcess, key: string): Promise<void> {
  for (let round = 0; round < 500; round++) {
    await (await fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer()
  }
}

const TELL_PEAK = `
  import { readFileSync } from 'node:fs'
  process.on('exit', () => process.stderr.write(/^VmHWM.*$/m.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`

/** Makes Node tell on stderr, when it ends, the most memory it had. */
export const PEAK_AT_END = ['--import', `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`]

/** That figure, in MB. */
export const peakIn = (stderr: string) => Number(/VmHWM:\s+(\d+) kB/.exec(stderr)![1]) / 1024

/** How many megabytes a process has taken at most since this call. */
export function growthOf(pid: number): () => number {
  const before = memoryOf(pid)
  let most = before
  const look = () => {
    most = Math.max(most, memoryOf(pid))
  }
  const timer = setInterval(look, 10)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    look()
    return Math.round(most - before)
  }
}
