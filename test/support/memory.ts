import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Resident memory of a process in MB, as Linux counts it. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kilobytes) / 1024
}

const TELL_PEAK = `
  import { readFileSync } from 'node:fs'
  process.on('exit', () => process.stderr.write(/^VmHWM.*$/m.exec(readFileSync('/proc/self/status', 'utf8'))[0]))`

/** Makes Node tell on stderr, when it ends, the most memory it had. */
export const PEAK_AT_END = ['--import', `data:text/javascript,${encodeURIComponent(TELL_PEAK)}`]

/** That figure, in MB. */
export const peakIn = (stderr: string) => Number(/VmHWM:\s+(\d+) kB/.exec(stderr)![1]) / 1024

/** Calls a function over and over and remembers the most it said. */
export function highest(measure: () => number, everyMs = 50) {
  let most = measure()
  const timer = setInterval(() => {
    most = Math.max(most, measure())
  }, everyMs)
  onTestFinished(() => clearInterval(timer))
  return () => {
    clearInterval(timer)
    return Math.max(most, measure())
  }
}
