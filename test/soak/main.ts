/**
 * K12: a built server under a mixed load of all surfaces for as long as you like, at about a fifth of one core:
 * `npm run soak -- --minutes 1440`. Every minute the load rests for a moment, and what the server holds then is noted.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuOf, memoryOf, startPaxlog } from '../bench/processes.ts'
import { buildWorld } from '../bench/world.ts'
import { countingClient } from './client.ts'
import { allDeeds, type Deed } from './deeds.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Percent of one core that the server uses on average. */
    cpu: { type: 'string', default: '20' },
  },
})
const minutes = Number(values.minutes)
const share = Number(values.cpu) / 100
const FLIGHTS = 1000
const LANES = 8
/** Long enough for connections to be let go and for memory to settle. */
const REST_MS = 5_000
const MINUTE_MS = 60_000

interface Sample {
  minute: number
  requests: number
  p50: number
  p99: number
  cpu: number
  rss: number
  descriptors: number
  logMegabytes: number
}

const say = (line: string) => process.stdout.write(`${line}\n`)
const shareOf = (times: readonly number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** Picks deeds by weight. */
function chooser(deeds: readonly Deed[]): () => Promise<unknown> {
  const all = deeds.flatMap(([weight, run]) => Array.from({ length: weight }, () => run))
  return () => all[Math.floor(Math.random() * all.length)]!()
}

/** How much a figure grows an hour, by the line that fits best. */
function slopePerHour(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [middle, level] = [mean(({ minute }) => minute), mean(figure)]
  const spread = mean(({ minute }) => (minute - middle) ** 2)
  return spread === 0 ? 0 : (60 * mean((sample) => (sample.minute - middle) * (figure(sample) - level))) / spread
}

const world = await buildWorld(FLIGHTS)
const server = await startPaxlog({ dataDir: world.dataDir, port: world.port })
const { ask, takeTimes, hangUp, wrong, failures } = countingClient(world.port)
const act = chooser(allDeeds(world, ask))

/** Works for a while, faster or slower, so that the server uses the share of a core that was asked for. */
async function work(lengthMs: number): Promise<number> {
  const [began, used] = [performance.now(), cpuOf(server.pid)]
  const isOver = () => performance.now() - began >= lengthMs
  const usedShare = () => (cpuOf(server.pid) - used) / 1000 / (performance.now() - began)
  const lane = async () => {
    while (!isOver()) {
      if (usedShare() > share) await pause(10)
      else await act()
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  return usedShare()
}

const samples: Sample[] = []
say('minute  requests  p50 ms  p99 ms  CPU %  RSS MB  descriptors  log MB')
for (let minute = 1; minute <= minutes; minute++) {
  const cpu = await work(MINUTE_MS - REST_MS)
  hangUp()
  await pause(REST_MS)
  const times = takeTimes()
  const sample: Sample = {
    minute,
    requests: times.length,
    p50: shareOf(times, 0.5),
    p99: shareOf(times, 0.99),
    cpu: 100 * cpu,
    rss: memoryOf(server.pid).now,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    logMegabytes: statSync(join(world.dataDir, 'paxlog.db-wal')).size / 1024 ** 2,
  }
  samples.push(sample)
  const { requests, p50, p99, rss, descriptors, logMegabytes } = sample
  const figures = [requests, p50.toFixed(1), p99.toFixed(1), sample.cpu.toFixed(0), rss.toFixed(1), descriptors]
  const widths = [10, 8, 8, 7, 8, 13]
  say(
    String(minute).padStart(6) +
      figures.map((figure, index) => String(figure).padStart(widths[index]!)).join('') +
      logMegabytes.toFixed(1).padStart(8),
  )
}
await server.stop()
rmSync(world.dataDir, { recursive: true })

// Caches fill and the connection that has waited for the start ends by itself; only what comes later is a trend.
const warmUp = Math.min(Math.max(2, Math.floor(samples.length / 3)), 30)
const settled = samples.slice(Math.min(warmUp, samples.length - 1))
const p99Of = (part: readonly Sample[]) =>
  shareOf(
    part.map(({ p99 }) => p99),
    0.5,
  )
const half = Math.ceil(settled.length / 2)
const drift = 100 * (p99Of(settled.slice(-half)) / p99Of(settled.slice(0, half)) - 1)
const descriptors = new Set(settled.map((sample) => sample.descriptors))
say(`RSS slope ${slopePerHour(settled, ({ rss }) => rss).toFixed(2)} MB/h over the last ${settled.length} minutes`)
say(`p99 of the second half against the first: ${drift.toFixed(0)} %`)
say(`descriptors: ${[...descriptors].join(', ')}; answers with 5xx: ${failures()}`)
for (const [what, count] of wrong) say(`unexpected: ${what}, ${count} times`)
if (descriptors.size > 1 || failures() > 0 || wrong.size > 0) process.exitCode = 1
