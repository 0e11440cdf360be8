import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'

const isInstalled = (program: string, flag: string) => {
  try {
    execFileSync(program, [flag], { stdio: 'ignore' })
    return true
  } catch (error) {
    // Some programs print their usage and fail.
    return (error as NodeJS.ErrnoException).code !== 'ENOENT'
  }
}

export const hasWrk = isInstalled('wrk', '--version')
const canPin = !process.env.BENCH_UNPINNED && availableParallelism() > 1 && isInstalled('taskset', '--version')

/** Servers use all cores, as in production, because V8 has helper threads. `BENCH_ONE_CORE=1` limits them to one. */
const cores = { server: process.env.BENCH_ONE_CORE ? '0' : undefined, load: '1' } as const

/** The command that runs a program on the cores of servers or on the core of the load. */
export function pinToCore(part: keyof typeof cores, [program, args]: readonly [string, readonly string[]]) {
  const core = canPin ? cores[part] : undefined
  const call = core === undefined ? [program, [...args]] : ['taskset', ['-c', core, program, ...args]]
  return call as [string, string[]]
}

/** Reasons why measurements on this machine are less reliable. */
export const warnings = [
  ...(hasWrk ? [] : ['wrk is not installed. The load comes from autocannon, which can be the bottleneck.']),
  ...(canPin ? [] : ['The load is not pinned to a core.']),
]

const ticksOf = (line: string) => line.trim().split(/\s+/).slice(1).map(Number)

/** Busy ticks of all cores, and those of this process and its ended children. */
function ticks() {
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = ticksOf(
    readFileSync('/proc/stat', 'utf8').split('\n')[0]!,
  )
  const processFields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 15)
  return {
    busy: user + nice + system + irq + softIrq + steal,
    own: processFields.reduce((sum, part) => sum + Number(part), 0),
  }
}

/** Returns a function that reports the load of other programs. All child processes must have ended by then. */
export function measureOtherLoad(): () => string {
  const [start, before] = [performance.now(), ticks()]
  return () => {
    const after = ticks()
    const others = after.busy - before.busy - (after.own - before.own)
    const cores = (others * 10) / (performance.now() - start)
    return `Other programs used ${Math.max(0, cores).toFixed(1)} of ${availableParallelism()} cores.`
  }
}
