import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { copyDatabase } from '../../src/db/maintenance/copy.ts'
import { closeDatabase, openDatabase, openExisting } from '../../src/db/open.ts'
import { syncWorker } from '../../src/workers/postgres/sync-worker.ts'
import { newLedgers } from '../durability/ledger.ts'
import { outageOf } from '../support/outage.ts'
import { temporaryFolder } from '../support/paxlog.ts'
import { startPostgres } from '../support/postgres.ts'
import { type ServerProcess, serve } from '../support/process.ts'

/** A server over PostgreSQL that knows a few airports, and somebody with a key. */
async function served() {
  const postgres = await startPostgres()
  onTestFinished(postgres.stop)
  const url = postgres.url('postgres')
  const { dataDir, ledgers, fromId, toId } = await newLedgers(1)
  const [file, database] = [openExisting(dataDir), openDatabase(temporaryFolder(), url)]
  copyDatabase(file, database, { onRows: () => undefined, onTable: () => undefined })
  for (const db of [file, database]) closeDatabase(db)
  const server = await serve({ dataDir: temporaryFolder(), env: { DATABASE_URL: url } })
  return { server, url, key: ledgers[0]!.key, flight: { fromId, toId, date: '2024-05-01' } }
}

const LONG_FILE = [
  'date,origin,destination,ticket_class,flight_number',
  ...Array.from({ length: 20_000 }, (_, index) => `${2000 + (index % 25)}-05-03,LSZH,LPPT,,LX${index}`),
].join('\n')

interface Answer {
  what: string
  status: number
  retryAfter: string | null
  ms: number
}

/** One request to each surface that needs the database, all at once. */
function askEverywhere({ origin }: ServerProcess, key: string): Promise<Answer[]> {
  const json = { 'content-type': 'application/json' }
  const bearer = { authorization: `Bearer ${key}` }
  const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const requests: [what: string, path: string, init?: RequestInit][] = [
    ['ready', '/ready'],
    ['v1', '/api/v1/flights', { headers: bearer }],
    ['create', '/api/v1/flights', { method: 'POST', headers: { ...bearer, ...json }, body: '{}' }],
    ['legacy', '/api/flight/list', { headers: bearer }],
    ['mcp', '/api/mcp', { method: 'POST', headers: { ...bearer, ...json }, body: call }],
    ['token', '/oauth/token', { method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) }],
    ['keys', '/oauth/jwks'],
    ['page', '/login'],
    ['share', '/share/nothing'],
  ]
  return Promise.all(
    requests.map(async ([what, path, init]) => {
      const began = performance.now()
      const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init })
      await answer.arrayBuffer()
      return {
        what,
        status: answer.status,
        retryAfter: answer.headers.get('retry-after'),
        ms: performance.now() - began,
      }
    }),
  )
}

function expectAway(answers: readonly Answer[]): void {
  for (const { what, status, retryAfter, ms } of answers) {
    expect([what, status]).toEqual([what, 503])
    // Health checks have their own rhythm.
    if (what !== 'ready') expect([what, retryAfter]).toEqual([what, '5'])
    // Five seconds are promised; whoever waited for the statement's own limit would take more than ten.
    expect([what, ms < 9_000, ms]).toEqual([what, true, ms])
  }
}

async function untilReady({ origin }: ServerProcess): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(100))
    if ((await fetch(`${origin}/ready`)).ok) return
  throw new Error('It did not come back.')
}

describe('a database that is away', () => {
  test('ends every request in 503 soon, whether it hangs or is gone, and everything goes on by itself', async () => {
    const { server, url, key, flight } = await served()
    const usual = (await askEverywhere(server, key)).map(({ what, status }) => [what, status])
    expect(usual.filter(([, status]) => status === 503 || status === 500)).toEqual([])
    const outage = await outageOf(url)
    try {
      outage.pause()
      expectAway(await askEverywhere(server, key))
      // By now nobody has to find out, and the process serves what needs no database.
      expectAway(await askEverywhere(server, key))
      expect((await fetch(`${server.origin}/health`)).status).toBe(200)
      outage.resume()
      await untilReady(server)
      expect((await askEverywhere(server, key)).map(({ what, status }) => [what, status])).toEqual(usual)

      outage.kill()
      expectAway(await askEverywhere(server, key))
      outage.begin()
      await untilReady(server)
      expect((await askEverywhere(server, key)).map(({ what, status }) => [what, status])).toEqual(usual)
      const body = JSON.stringify(flight)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      expect((await fetch(`${server.origin}/api/v1/flights`, { method: 'POST', headers, body })).status).toBe(201)

      // A long import, which has a thread and a connection of its own: all of it or nothing, and it may be sent again.
      const importing = fetch(`${server.origin}/api/v1/flights/import`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: LONG_FILE,
      })
      await wait(500)
      outage.kill()
      const broken = await importing
      expect([broken.status, broken.headers.get('retry-after')]).toEqual([503, '5'])
      outage.begin()
      await untilReady(server)
      const left = await fetch(`${server.origin}/api/v1/flights`, { headers })
      expect(((await left.json()) as { data: unknown[] }).data).toHaveLength(1)
    } finally {
      await outage.end()
    }
    expect(server.errorText()).toBe('')
  })

  test('is refused at a start with a sentence that has no password in it', async () => {
    const url = 'postgres://paxlog:geheim@127.0.0.1:1/paxlog'
    expect(() => openDatabase(temporaryFolder(), url)).toThrow(
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    )
    expect(() => openDatabase(temporaryFolder(), url)).not.toThrow(/geheim/)
  })
})

test('a thread that hangs is waited for no longer than it may take, and another one takes its place', async () => {
  const thread = syncWorker(
    { url: 'postgres://127.0.0.1:1/nobody', connectMs: 500 },
    new URL('../support/silent-thread.ts', import.meta.url),
  )
  const question = { sql: 'select 1', name: undefined, values: [], connection: undefined, timeoutMs: 100 }
  expect([thread.execute(question, 300), thread.execute(question, 300)]).toEqual([undefined, undefined])
  thread.close()
})
