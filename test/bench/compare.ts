import { rmSync } from 'node:fs'
import type { Comparison } from './benchmarks.ts'
import { type Figures, median, medianFigures, runLoad, runOneClient } from './load.ts'
import { type BenchServer, startPaxlog } from './processes.ts'
import { row } from './table.ts'
import { buildWorld, type World } from './world.ts'

interface Options {
  seconds: number
  rounds: number
  connections: number
}

/**
 * Measures all sides alternately, each log with its own server, so that all have the same conditions. Each side is
 * compared with the first of the same round.
 */
export async function compare(
  { sides, maxPerSecond }: Comparison,
  { seconds, rounds, connections }: Options,
): Promise<string[]> {
  const logs = new Map<number, { world: World; paxlog: BenchServer }>()
  for (const flights of new Set(sides.map((side) => side.flights))) {
    const world = await buildWorld(flights)
    logs.set(flights, { world, paxlog: await startPaxlog(world) })
  }
  const measured = sides.map(() => [] as Figures[])
  try {
    const loads = await Promise.all(
      sides.map(async ({ flights, requests, expect = 200 }) => {
        const { world, paxlog } = logs.get(flights)!
        return { paxlog, load: { requests: await requests(world), expect, connections, seconds, maxPerSecond } }
      }),
    )
    // The first round is a warm-up.
    for (let round = 0; round <= rounds; round++) {
      for (const [index, { paxlog, load }] of loads.entries()) {
        const figures = await runLoad(paxlog, load)
        const { p50, p99 } = await runOneClient(paxlog, load)
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
  const times = (of: (figures: Figures) => number, sideFigures: readonly Figures[]) =>
    median(sideFigures.map((figures, round) => of(figures) / of(first[round]!))).toFixed(2)
  return sides.map((side, index) => {
    const sideFigures = measured[index]!
    const cpu = times(({ cpuMicros }) => cpuMicros, sideFigures)
    const time = times(({ perSecond }) => 1 / perSecond, sideFigures)
    const targetText = side.target === undefined ? '' : `, target ${side.target}`
    return row({
      workload: side,
      ours: medianFigures(sideFigures),
      target: `CPU × ${cpu}, time × ${time}${targetText}`,
    })
  })
}
