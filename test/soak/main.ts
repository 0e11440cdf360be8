/**
 * K12: runs the built server under a mixed load of all surfaces, by default with 20 % of one core:
 * `npm run soak -- --minutes 1440`. Every minute the load pauses, and memory and descriptors are recorded.
 */
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { cpuOf, memoryOf, startPaxlog } from '../bench/processes.ts'
import { buildWorld } from '../bench/world.ts'
import { type Action, allActions } from './actions.ts'
import { countingClient } from './client.ts'

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    /** Average CPU usage of the server in percent of one core. */
    cpu: { type: 'string', default: '20' },
  },
})
const minutes = Number(values.minutes)
const share = Number(values.cpu) / 100
const FLIGHTS = 1000
const CONCURRENCY = 8
/** Long enough for connections to close and memory to settle. */
const PAUSE_MS = 5_000
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

const print = (line: string) => process.stdout.write(`${line}\n`)
const percentileOf = (times: readonly number[], part: number) =>
  [...times].sort((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0

/** Picks random actions by weight. */
function actionPicker(actions: readonly Action[]): () => Promise<unknown> {
  const all = actions.flatMap(([weight, run]) => Array.from({ length: weight }, () => run))
  return () => all[Math.floor(Math.random() * all.length)]!()
}

/** The growth per hour by linear regression. */
function slopePerHour(samples: readonly Sample[], figure: (sample: Sample) => number): number {
  const mean = (of: (sample: Sample) => number) => samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length
  const [middle, level] = [mean(({ minute }) => minute), mean(figure)]
  const spread = mean(({ minute }) => (minute - middle) ** 2)
  return spread === 0 ? 0 : (60 * mean((sample) => (sample.minute - middle) * (figure(sample) - level))) / spread
}

const world = await buildWorld(FLIGHTS)
const server = await startPaxlog({ dataDir: world.dataDir, port: world.port })
const { ask, takeTimes, closeAll, unexpected, failures } = countingClient(world.port)
const runAction = actionPicker(allActions(world, ask))

/** Runs actions at a rate that results in the configured CPU usage. */
async function work(lengthMs: number): Promise<number> {
  const [began, used] = [performance.now(), cpuOf(server.pid)]
  const isOver = () => performance.now() - began >= lengthMs
  const usedShare = () => (cpuOf(server.pid) - used) / 1000 / (performance.now() - began)
  const sendActions = async () => {
    while (!isOver()) {
      if (usedShare() > share) await pause(10)
      else await runAction()
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, sendActions))
  return usedShare()
}

const samples: Sample[] = []
print('minute  requests  p50 ms  p99 ms  CPU %  RSS MB  descriptors  log MB')
for (let minute = 1; minute <= minutes; minute++) {
  const cpu = await work(MINUTE_MS - PAUSE_MS)
  closeAll()
  await pause(PAUSE_MS)
  const times = takeTimes()
  const sample: Sample = {
    minute,
    requests: times.length,
    p50: percentileOf(times, 0.5),
    p99: percentileOf(times, 0.99),
    cpu: 100 * cpu,
    rss: memoryOf(server.pid).now,
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    logMegabytes: statSync(join(world.dataDir, 'paxlog.db-wal')).size / 1024 ** 2,
  }
  samples.push(sample)
  const { requests, p50, p99, rss, descriptors, logMegabytes } = sample
  const figures = [requests, p50.toFixed(1), p99.toFixed(1), sample.cpu.toFixed(0), rss.toFixed(1), descriptors]
  const widths = [10, 8, 8, 7, 8, 13]
  print(
    String(minute).padStart(6) +
      figures.map((figure, index) => String(figure).padStart(widths[index]!)).join('') +
      logMegabytes.toFixed(1).padStart(8),
  )
}
await server.stop()
rmSync(world.dataDir, { recursive: true })

// Ignore the warm-up, during which caches fill.
const warmUp = Math.min(Math.max(2, Math.floor(samples.length / 3)), 30)
const settled = samples.slice(Math.min(warmUp, samples.length - 1))
const p99Of = (part: readonly Sample[]) =>
  percentileOf(
    part.map(({ p99 }) => p99),
    0.5,
  )
const half = Math.ceil(settled.length / 2)
const drift = 100 * (p99Of(settled.slice(-half)) / p99Of(settled.slice(0, half)) - 1)
const descriptors = new Set(settled.map((sample) => sample.descriptors))
print(`RSS slope ${slopePerHour(settled, ({ rss }) => rss).toFixed(2)} MB/h over the last ${settled.length} minutes`)
print(`p99 change from the first to the second half: ${drift.toFixed(0)} %`)
print(`descriptors: ${[...descriptors].join(', ')}; responses with 5xx: ${failures()}`)
for (const [what, count] of unexpected) print(`unexpected: ${what}, ${count} times`)
if (descriptors.size > 1 || failures() > 0 || unexpected.size > 0) process.exitCode = 1
