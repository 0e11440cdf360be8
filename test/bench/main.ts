/**
 * Measures works by name against the built server: `node test/bench/main.ts me`.
 * Each is driven in turn with a bare Fastify route that returns the same bytes.
 */
import { drive, type Figures, median, middle } from './measure.ts'
import { type Subject, startBare, startPaxlog } from './processes.ts'
import { UNKNOWN_KEY, type Work, works } from './works.ts'

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9)
const FLIGHTS = Number(process.env.BENCH_FLIGHTS ?? 10_000)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)

const say = (line: string) => process.stdout.write(`${line}\n`)

function credentialOf(work: Work, key: string): Record<string, string> {
  if (work.credential === 'none') return {}
  return { authorization: `Bearer ${work.credential === 'good' ? key : UNKNOWN_KEY}` }
}

const row = (name: string, { requestsPerSecond, p50, p99, cpuMicros }: Figures) =>
  `${name.padEnd(26)}${requestsPerSecond.toFixed(0).padStart(10)}${String(p50).padStart(8)}${String(p99).padStart(8)}${cpuMicros.toFixed(1).padStart(12)}`

async function compare(work: Work, paxlog: Subject & { key: string; lastPage: string }): Promise<void> {
  const headers = credentialOf(work, paxlog.key)
  const path = work.path.replace('LAST', paxlog.lastPage)
  const sample = await fetch(paxlog.origin + path, { headers })
  const bare = await startBare(path, sample.status, await sample.text(), work.serializes)
  const load = { path, headers, expect: work.expect }
  const figures: Record<'paxlog' | 'bare', Figures[]> = { paxlog: [], bare: [] }
  for (const subject of [paxlog, bare]) await drive(subject, { ...load, seconds: 2 })
  for (let round = 0; round < ROUNDS; round++) {
    figures.paxlog.push(await drive(paxlog, { ...load, seconds: SECONDS }))
    figures.bare.push(await drive(bare, { ...load, seconds: SECONDS }))
  }
  await bare.stop()
  const [ours, theirs] = [middle(figures.paxlog), middle(figures.bare)]
  // Round against round: both had the same neighbours on the machine.
  const ratio = (of: keyof Figures) =>
    median(figures.paxlog.map((round, index) => round[of] / figures.bare[index]![of])).toFixed(2)
  say(row(work.name, ours))
  say(row('  bare', theirs))
  say(
    `${'  ratio'.padEnd(26)}${ratio('requestsPerSecond').padStart(10)}${' '.repeat(16)}${ratio('cpuMicros').padStart(12)}`,
  )
}

const asked = process.argv.slice(2)
const chosen = asked.length === 0 ? works : works.filter(({ name }) => asked.includes(name))
const unknown = asked.filter((name) => !works.some((work) => work.name === name))
if (unknown.length > 0) {
  say(`There is no work ${unknown.join(', ')}; there are ${works.map(({ name }) => name).join(', ')}.`)
  process.exit(1)
}
const paxlog = await startPaxlog(FLIGHTS)
try {
  say(
    `${''.padEnd(26)}${'req/s'.padStart(10)}${'p50 ms'.padStart(8)}${'p99 ms'.padStart(8)}${'CPU µs/req'.padStart(12)}`,
  )
  for (const work of chosen) await compare(work, paxlog)
} finally {
  await paxlog.stop()
}
