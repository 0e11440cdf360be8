import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'

/** Resident memory of a process in MB, as Linux counts it. */
export function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]
  return Number(kilobytes) / 1024
}

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
