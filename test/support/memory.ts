import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import type { ServerProcess } from './process.ts'

/** Resident memory of a process in MB. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kilobytes) / 1024
}

/** Sends requests until the memory of a server is stable. */
export async function warmUp({ origin }: ServerProcess, key: string): Promise<void> {
  for (let round = 0; round < 500; round++) {
    await (await fetch(`${origin}/api/v1/me`, { headers: { authorization: `Bearer ${key}` } })).arrayBuffer()
  }
}

const PRINT_PEAK = `
  import { readFileSync } from 'node:fs'
  process.on('exit', () => process.stderr.write(/^VmHWM.*$/m.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`

/** Arguments that make Node print its peak memory to stderr at exit. */
export const PEAK_AT_END = ['--import', `data:text/javascript,${encodeURIComponent(PRINT_PEAK)}`]

/** The printed peak memory in MB. */
export const peakIn = (stderr: string) => Number(/VmHWM:\s+(\d+) kB/.exec(stderr)![1]) / 1024

/** Returns a function that returns the peak growth of a process in MB since this call. */
export function growthOf(pid: number): () => number {
  const before = memoryOf(pid)
  let peak = before
  const sample = () => {
    peak = Math.max(peak, memoryOf(pid))
  }
  const timer = setInterval(sample, 10)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    sample()
    return Math.round(peak - before)
  }
}
