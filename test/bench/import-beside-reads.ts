import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../support/travel.ts'
import type { BenchServer } from './processes.ts'
import type { World } from './world.ts'

/**
 * Rows, and the maximum wait of other writes: the commit holds the lock for 500 ms per 10 000 rows (contract 16.11).
 */
const SIZES = [
  { rows: 10_000, maxWaitMs: 500 },
  { rows: 50_000, maxWaitMs: 2_500 },
] as const

/** A byAir file with local times, so that every row needs two time zones. Each run has different days. */
function fileOf(rows: number, run: number): string {
  const codes = ['ZRH', 'LIS', 'LHR', 'CPH', 'JFK', 'HNL', 'AKL', 'SIN', 'FRA', 'SYD']
  const lines = Array.from({ length: rows }, (_, index) => {
    const day = new Date(Date.UTC(1900 + run * 5, 0, 1) + (index % 1500) * 86_400_000).toISOString().slice(0, 10)
    const minute = String(index % 60).padStart(2, '0')
    return `${day},LX${index},${codes[index % 10]},${codes[(index + 3) % 10]},08:${minute},10:15,A note,mine`
  })
  return `flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,notes,ownership\n${lines.join('\n')}`
}

/** Runs a client that reads every few milliseconds and one that saves preferences from time to time. */
async function runClientsDuring(paxlog: BenchServer, headers: Record<string, string>, work: () => Promise<unknown>) {
  const times: { reads: number[]; writes: number[] } = { reads: [], writes: [] }
  let running = true
  const client = async (durations: number[], path: string, init: RequestInit, gap: number) => {
    while (running) {
      const start = performance.now()
      await (await fetch(paxlog.origin + path, init)).text()
      durations.push(performance.now() - start)
      await pause(gap)
    }
  }
  const clients = [
    client(times.reads, '/api/v1/me', { headers }, 2),
    client(times.writes, '/api/v1/preferences', { method: 'PUT', headers, body: '{"distanceUnit":"km"}' }, 50),
  ]
  await work()
  running = false
  await Promise.all(clients)
  return times
}

/** Measures the response times of reads and writes during a long import. */
export async function measureImportDuringReads(paxlog: BenchServer, { key }: World, runs: number): Promise<string[]> {
  const headers = { authorization: `Bearer ${key}` }
  const lines: string[] = []
  const all = Array.from({ length: runs }, () => SIZES).flat()
  for (const [run, { rows, maxWaitMs }] of all.entries()) {
    const body = fileOf(rows, run)
    let [took, created] = [0, 0]
    const { reads, writes } = await runClientsDuring(paxlog, headers, async () => {
      const start = performance.now()
      const answer = await fetch(`${paxlog.origin}/api/v1/flights/import`, { method: 'POST', headers, body })
      const { data } = (await answer.json()) as { data: { created: number } }
      took = (performance.now() - start) / 1000
      created = data.created
    })
    const figure = (times: number[], share: number) => percentile(times, share).toFixed(1)
    lines.push(
      `\`import-beside-reads\`: ${created} rows in ${took.toFixed(1)} s; ${reads.length} reads took ${figure(reads, 0.5)} ms (p50), ${figure(reads, 0.99)} ms (p99), at most ${Math.max(...reads).toFixed(0)} ms; ${writes.length} writes ${figure(writes, 0.5)} ms (p50), at most ${Math.max(...writes).toFixed(0)} ms (target ${maxWaitMs})`,
    )
  }
  return lines
}
