import { rmSync } from 'node:fs'
import { drive, driveAlone, type Figures, median, middle } from './load.ts'
import { type Subject, startPaxlog } from './processes.ts'
import { row } from './table.ts'
import type { Comparison } from './works.ts'
import { buildWorld, type World } from './world.ts'

interface Options {
  seconds: number
  rounds: number
  connections: number
}

/**
 * Every side in turn, round by round, each log served by a process of its own: all have the same neighbours on the
 * machine. Each side is held against the first of the same round.
 */
export async function compare(
  { sides, mostPerSecond }: Comparison,
  { seconds, rounds, connections }: Options,
): Promise<string[]> {
  const logs = new Map<number, { world: World; paxlog: Subject }>()
  for (const flights of new Set(sides.map((side) => side.flights))) {
    const world = await buildWorld(flights)
    logs.set(flights, { world, paxlog: await startPaxlog(world) })
  }
  const measured = sides.map(() => [] as Figures[])
  try {
    const loads = await Promise.all(
      sides.map(async ({ flights, requests, expect = 200 }) => {
        const { world, paxlog } = logs.get(flights)!
        return { paxlog, load: { requests: await requests(world), expect, connections, seconds, mostPerSecond } }
      }),
    )
    // The first round warms up.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { paxlog, load }] of loads.entries()) {
        const figures = await drive(paxlog, load)
        const { p50, p99 } = await driveAlone(paxlog, load)
        if (round > 0) measured[index]!.push({ ...figures, p50, p99 })
      }
    }
  } finally {
    for (const { world, paxlog } of logs.values()) {
      await paxlog.stop()
      rmSync(world.dataDir, { recursive: true, force: true })
    }
  }
  const [first] = measured as [Figures[]]
  const times = (of: (figures: Figures) => number, mine: readonly Figures[]) =>
    median(mine.map((figures, round) => of(figures) / of(first[round]!))).toFixed(2)
  return sides.map(({ name, aim }, index) => {
    const mine = measured[index]!
    const cpu = times(({ cpuMicros }) => cpuMicros, mine)
    const time = times(({ perSecond }) => 1 / perSecond, mine)
    const aimed = aim === undefined ? '' : `, aim ${aim}`
    return row({ name, ours: middle(mine), aim: `CPU × ${cpu}, time × ${time}${aimed}` })
  })
}
