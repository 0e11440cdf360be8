/**
 * Measures Paxlog with a durable PostgreSQL, beside it and at a distance: `npm run bench:postgres -- requests creates`.
 * README.md describes the options.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startPostgres } from '../support/postgres.ts'
import { measureOtherLoad } from './cores.ts'
import { coreWarning, createRows } from './postgres-creates.ts'
import { healthRows, requestRows } from './postgres-requests.ts'
import { type DelayProxy, type Site, startDelayProxy, startSite, timeStatement } from './postgres-servers.ts'
import { fillPostgres } from './postgres-world.ts'

const PARTS = ['requests', 'health', 'creates'] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    flights: { type: 'string', default: '100000' },
    users: { type: 'string', default: '100' },
    /** The round trip time between Paxlog and PostgreSQL. */
    'distance-ms': { type: 'string', default: '1' },
    /** Requests per row. */
    requests: { type: 'string', default: '100' },
    /** Duration of each measurement of `/health` and of creating flights. */
    seconds: { type: 'string', default: '10' },
  },
})
const [flights, users, distanceMs, requests, seconds] = [
  values.flights,
  values.users,
  values['distance-ms'],
  values.requests,
  values.seconds,
].map(Number) as [number, number, number, number, number]

const print = (line: string) => process.stdout.write(`${line}\n`)

const unknown = positionals.filter((name) => !PARTS.some((part) => part === name))
if (unknown.length > 0) {
  print(`Unknown part ${unknown.join(', ')}. Use ${PARTS.join(', ')}.`)
  process.exit(1)
}
const isSelected = (part: (typeof PARTS)[number]) => positionals.length === 0 || positionals.includes(part)

const warning = coreWarning()
const otherLoad = measureOtherLoad()
const dataDir = mkdtempSync(join(tmpdir(), 'paxlog-bench-'))
const postgres = await startPostgres({ durable: true, settings: { shared_buffers: "'512MB'", max_wal_size: "'4GB'" } })
const sites: Site[] = []
let proxy: DelayProxy | undefined

async function printRows(title: string, rows: AsyncIterable<string>): Promise<void> {
  print(`\n${title}\n`)
  for await (const line of rows) print(line)
}

try {
  const world = await fillPostgres(postgres, dataDir, { flights, users })
  proxy = await startDelayProxy(postgres.port, distanceMs)
  const roundTrips = [await timeStatement(postgres.port, 'select 1'), await timeStatement(proxy.port, 'select 1')]
  const commitMs = await timeStatement(
    postgres.port,
    "insert into settings values ('bench', '') on conflict (key) do update set value = ''",
  )
  const [direct, distant] = roundTrips.map((ms) => ms.toFixed(2)) as [string, string]
  print(`${flights} flights of ${users} users.`)
  print(
    `Round trip of "select 1": ${direct} ms direct, ${distant} ms through the proxy. Commit: ${commitMs.toFixed(2)} ms.`,
  )
  for (const [name, port] of [
    ['direct', postgres.port],
    [`${distanceMs} ms`, proxy.port],
  ] as const)
    sites.push(await startSite(name, port))
  const [near, far] = sites as [Site, Site]
  const options = { world, writer: near.servers[1], requests }
  if (isSelected('requests')) {
    const measured = [
      { site: near, proxy: undefined },
      { site: far, proxy },
    ]
    await printRows(`Requests (${requests} per row)`, requestRows(options, measured))
  }
  if (isSelected('health')) await printRows('Health', healthRows(options, sites, seconds))
  if (isSelected('creates')) {
    await printRows('Two servers', createRows(world, sites, seconds))
    if (warning) print(`\n${warning}`)
  }
} finally {
  for (const site of sites) await site.stop()
  proxy?.stop()
  await postgres.stop()
  rmSync(dataDir, { recursive: true })
}
print(`\n${otherLoad()}`)
