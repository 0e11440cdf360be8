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

/** Starts a server on PostgreSQL with a few airports and a user with a key. */
async function startServer() {
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

/** Sends one request to each surface that needs the database, concurrently. */
function requestAll({ origin }: ServerProcess, key: string): Promise<Answer[]> {
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

function expectUnavailable(answers: readonly Answer[]): void {
  for (const { what, status, retryAfter, ms } of answers) {
    expect([what, status]).toEqual([what, 503])
    // Health checks need no Retry-After.
    if (what !== 'ready') expect([what, retryAfter]).toEqual([what, '5'])
    // The documented limit is five seconds. Waiting for the statement timeout would take more than ten.
    expect([what, ms < 9_000, ms]).toEqual([what, true, ms])
  }
}

async function untilReady({ origin }: ServerProcess): Promise<void> {
  for (const end = performance.now() + 60_000; performance.now() < end; await wait(100))
    if ((await fetch(`${origin}/ready`)).ok) return
  throw new Error('The server did not become ready.')
}

describe('an unreachable database', () => {
  test('returns 503 quickly for all requests, and the server recovers automatically', async () => {
    const { server, url, key, flight } = await startServer()
    const expected = (await requestAll(server, key)).map(({ what, status }) => [what, status])
    expect(expected.filter(([, status]) => status === 503 || status === 500)).toEqual([])
    const outage = await outageOf(url)
    try {
      outage.pause()
      expectUnavailable(await requestAll(server, key))
      // The outage is known now, and requests without a database still work.
      expectUnavailable(await requestAll(server, key))
      expect((await fetch(`${server.origin}/health`)).status).toBe(200)
      outage.resume()
      await untilReady(server)
      expect((await requestAll(server, key)).map(({ what, status }) => [what, status])).toEqual(expected)

      outage.kill()
      expectUnavailable(await requestAll(server, key))
      outage.restart()
      await untilReady(server)
      expect((await requestAll(server, key)).map(({ what, status }) => [what, status])).toEqual(expected)
      const body = JSON.stringify(flight)
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
      expect((await fetch(`${server.origin}/api/v1/flights`, { method: 'POST', headers, body })).status).toBe(201)

      // A long import has its own thread and connection. It is atomic and can be retried.
      const importing = fetch(`${server.origin}/api/v1/flights/import`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'text/csv' },
        body: LONG_FILE,
      })
      await wait(500)
      outage.kill()
      const failed = await importing
      expect([failed.status, failed.headers.get('retry-after')]).toEqual([503, '5'])
      outage.restart()
      await untilReady(server)
      const remaining = await fetch(`${server.origin}/api/v1/flights`, { headers })
      expect(((await remaining.json()) as { data: unknown[] }).data).toHaveLength(1)
    } finally {
      await outage.end()
    }
    expect(server.errorText()).toBe('')
  })

  test('fails a start with a message without the password', async () => {
    const url = 'postgres://paxlog:geheim@127.0.0.1:1/paxlog'
    expect(() => openDatabase(temporaryFolder(), url)).toThrow(
      /^The database of DATABASE_URL cannot be used: .*ECONNREFUSED/,
    )
    expect(() => openDatabase(temporaryFolder(), url)).not.toThrow(/geheim/)
  })
})

test('a hanging thread times out and is replaced', async () => {
  const thread = syncWorker(
    { url: 'postgres://127.0.0.1:1/nobody', connectMs: 500 },
    new URL('../support/silent-thread.ts', import.meta.url),
  )
  const question = {
    sql: 'select 1',
    name: undefined,
    values: [],
    connection: undefined,
    limits: { statementMs: 100, lockMs: 100 },
  }
  expect([thread.execute(question, 300), thread.execute(question, 300)]).toEqual([undefined, undefined])
  thread.close()
})
