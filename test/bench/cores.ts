import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const isThere = (program: string, flag: string) => {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch (error) {
    // Some programs show their usage and fail.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

export const hasWrk = isThere('wrk', '--version')
const canPin = !process.env.BENCH_UNPINNED && availableParallelism() > 1 && isThere('taskset', '--version')

/** Servers have all cores, as where people run them: the engine's helpers work beside. `BENCH_ONE_CORE=1` gives them one. */
const cores = { server: process.env.BENCH_ONE_CORE ? '0' : undefined, load: '1' } as const

/** How to start a program on the cores of the servers or on that of the load, which must not take its time from them. */
export function onCore(part: keyof typeof cores, [program, args]: readonly [string, readonly string[]]) {
  const core = canPin ? cores[part] : undefined
  const call = core === undefined ? [program, [...args]] : ['taskset', ['-c', core, program, ...args]]
  return call as [string, string[]]
}

/** What makes the figures of this machine worth less. */
export const reservations = [
  ...(hasWrk ? [] : ['wrk is not installed: the load comes from autocannon, which can be the limit itself.']),
  ...(canPin ? [] : ['The load is not pinned to a core.']),
]

const ticksOf = (line: string) => line.trim().split(/\s+/).slice(1).map(Number)

/** Ticks of all cores that were busy, and of this process and those that it has seen end. */
function ticks() {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = ticksOf(
    readFileSync('/proc/stat', 'utf8').split('\n')[0]!,
  )
  const own = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
  return {
    busy: user + nice + system + irq + softIrq + steal,
    own: own.reduce((sum, part) => sum + Number(part), 0),
  }
}

/** Says afterwards how busy the machine was with other work; everything that was started must have ended by then. */
export function watchNeighbours(): () => string {
  const [start, before] = [performance.now(), ticks()]
  return () => {
    const after = ticks()
    const others = after.busy - before.busy - (after.own - before.own)
    const cores = (others * 10) / (performance.now() - start)
    return `Other programs took ${Math.max(0, cores).toFixed(1)} of ${availableParallelism()} cores meanwhile.`
  }
}
