import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { databasePath } from '../../src/db/directory.ts'
import { copyDatabase } from '../../src/db/maintenance/copy.ts'
import { closeDatabase, type Db, openDatabase, openExisting } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { BASE_URL, newFamily, newLedgers } from '../durability/ledger.ts'
import { compareWithLedgers } from '../durability/verdict.ts'
import { writer } from '../durability/writers.ts'
import { csrfIn } from '../support/browser-session.ts'
import { pageRoutes } from '../support/page-routes.ts'
import { makers, temporaryFolder } from '../support/paxlog.ts'
import { type PostgresServer, startPostgres } from '../support/postgres.ts'
import { serve } from '../support/process.ts'
import { SEED, seeded } from '../support/random.ts'
import { places, report } from '../support/travel.ts'

let postgres: PostgresServer
let administration: PostgresEngine
beforeAll(async () => {
  postgres = await startPostgres()
  administration = postgresClient(postgres.url('postgres'), { name: '' })
})
afterAll(async () => {
  administration.close()
  await postgres.stop()
})

function newDatabase(name: string): string {
  administration.exec(`create database ${name}`)
  return postgres.url(name)
}

const END_ALL = 'select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = ?'

/** Terminates all connections to a database and waits until `db` has reconnected. */
function renewConnection({ $client }: Db, name: string): void {
  administration.prepare(END_ALL).all(name)
  for (;;) {
    try {
      $client.prepare('select 1').get()
      return
    } catch {
      // The first statement may fail on the lost connection.
    }
  }
}

const csv = (count: number) =>
  [
    'date,origin,destination,ticket_class,flight_number',
    ...Array.from({ length: count }, (_, index) => `${2000 + (index % 25)}-05-03,LSZH,LPPT,,LX${index}`),
  ].join('\n')

describe('a connection that is lost and restored at once', () => {
  test('does not affect an import that is checking rows', async () => {
    const db = openDatabase(temporaryFolder(), newDatabase('imports'))
    const { imports, roles } = createServices({ db })
    await roles.installBuiltIn()
    places(db)
    const { id: userId, username } = makers(db).user()
    const count = () => db.$client.prepare('select count(*) from flights').pluck().get()
    const importRows = (rows: number, progress: (done: number) => void) =>
      imports.run(
        { ...operator, userId, username },
        Buffer.from(csv(rows)),
        { format: 'auto', dryRun: false } as Parameters<typeof imports.run>[2],
        { progress },
      )
    for (const at of [0, 700]) {
      db.$client.exec('delete from flights')
      const report = await importRows(1_100, (done) => {
        if (done === at) renewConnection(db, 'imports')
      })
      expect([report.created, report.rejected, count()]).toEqual([1_100, [], 1_100])
    }
    closeDatabase(db)
  })

  test('throws DatabaseUnreachable while the server rejects new connections', () => {
    const db = openDatabase(temporaryFolder(), newDatabase('closed'))
    const selectOne = () => db.$client.prepare('select 1').pluck().get()
    administration.exec('alter database closed allow_connections false')
    administration.prepare(END_ALL).all('closed')
    // The error of the server does not refer to the statement.
    for (let tries = 0; tries < 5; tries++)
      expect(selectOne).toThrow(expect.objectContaining({ name: 'DatabaseUnreachable' }))
    administration.exec('alter database closed allow_connections true')
    renewConnection(db, 'closed')
    expect(selectOne()).toBe(1)
    closeDatabase(db)
  })
})

const ROUNDS = 4
const IMPORTED = 3_000

function copyAndClose(from: Db, to: Db): void {
  try {
    copyDatabase(from, to, { onRows: () => undefined, onTable: () => undefined })
  } finally {
    for (const db of [from, to]) closeDatabase(db)
  }
}

/** Sends requests to every surface in a loop and counts the statuses. */
function createVisitor(origin: string, key: string, session: string) {
  const bearer = { authorization: `Bearer ${key}` }
  const cookie = { cookie: `paxlog=${session}` }
  const json = { ...bearer, 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
  const message = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const file = csv(600)
  const form = async () => {
    const html = await (await fetch(`${origin}/import`, { headers: cookie })).text()
    const body = new FormData()
    body.append('csrf', csrfIn(html))
    body.append('file', new Blob([file]), 'flights.csv')
    return body
  }
  const requests: [path: string, init: () => Promise<RequestInit> | RequestInit][] = [
    ...[
      'flights',
      'flights?text=lx',
      'stats',
      'stats/breakdown?by=route',
      'stats/records',
      'stats/punctuality',
      'countries',
      'flights/changes',
    ]
      .concat('flights/export', 'shares', 'custom-fields', 'me', 'airports?query=zur', 'flight-numbers/LX1')
      .map((path): [string, () => RequestInit] => [`/api/v1/${path}`, () => ({ headers: bearer })]),
    ...pageRoutes
      .filter((route) => /^GET [^{]+$/.test(route))
      .map((route): [string, () => RequestInit] => [route.slice(4), () => ({ headers: cookie })]),
    ['/api/flight/list', () => ({ headers: bearer })],
    ['/api/mcp', () => ({ method: 'POST', headers: json, body: message('tools/call', { name: 'get_me' }) })],
    [
      '/api/mcp',
      () => ({ method: 'POST', headers: json, body: message('resources/read', { uri: 'paxlog://profile' }) }),
    ],
    ['/oauth/token', () => ({ method: 'POST', body: new URLSearchParams({ grant_type: 'refresh_token' }) })],
    ['/share/nothing', () => ({})],
    ['/calendar/nothing.ics', () => ({})],
    ['/api/v1/flights/import?dryRun=true', () => ({ method: 'POST', headers: bearer, body: file })],
    ['/import', async () => ({ method: 'POST', headers: cookie, body: await form() })],
  ]
  const statuses = new Map<number, number>()
  const problems: string[] = []
  async function send(path: string, init: RequestInit): Promise<void> {
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init })
    // A response that has started may be cut off, which the client notices.
    const text = await answer.text().catch(() => '')
    const { status } = answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 503 && answer.headers.get('retry-after') !== null) return
    if (status >= 500) problems.push(`${init.method ?? 'GET'} ${path}: ${status} ${text.slice(0, 300)}`)
  }
  return {
    statuses,
    problems,
    async work(isOver: () => boolean): Promise<void> {
      for (let next = 0; !isOver(); next = (next + 1) % requests.length) {
        const [path, init] = requests[next]!
        await send(path, await init())
      }
    },
  }
}

/** Retries an import with the same idempotency key until it succeeds. */
async function retryImport(origin: string, key: string, body: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'idempotency-key': 'once' }
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/flights/import`, { method: 'POST', headers, body })
    if (answer.status === 200) return ((await answer.json()) as { data: unknown }).data
    // 409 while the first request is running, 503 after a lost connection.
    expect([409, 503]).toContain(answer.status)
    await wait(100)
  }
}

test('random disconnects cause no 500, no lost write and no partial write', async () => {
  const url = newDatabase('random')
  const setup = await newLedgers(4)
  const [importer, ...ledgers] = setup.ledgers
  copyAndClose(openExisting(setup.dataDir), openDatabase(temporaryFolder(), url))
  const db = openDatabase(temporaryFolder(), url)
  const { sessions } = createServices({ db })
  const session = await sessions.start(importer!.userId)
  const server = await serve({
    dataDir: temporaryFolder(),
    env: { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', DATABASE_URL: url },
  })
  const { origin, port } = server
  const random = seeded(SEED)
  const visits = createVisitor(origin, importer!.key, session)
  let isTestOver = false
  let ended = 0
  const otherClients = Promise.all([visits.work(() => isTestOver), retryImport(origin, importer!.key, csv(IMPORTED))])
  const terminateOne = administration
    .prepare(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'random' and pid <> ? order by random() limit 1`,
    )
    .pluck()
  const ownPid = db.$client.prepare('select pg_backend_pid()').pluck().get()
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false
    let activeWriters = ledgers.length
    const writing = ledgers.map((ledger) =>
      writer(setup, ledger, seeded(random.between(0, 2 ** 31)), port, { mayBeUnreachable: true })
        .work(() => isOver)
        .finally(() => activeWriters--),
    )
    const all = Promise.all(writing)
    const before = ledgers.map(({ acknowledged }) => acknowledged)
    await expect
      .poll(() => ledgers.every(({ acknowledged }, index) => acknowledged > before[index]!), { timeout: 120_000 })
      .toBe(true)
    // Until each writer has lost a response, at most 8 s.
    for (const end = performance.now() + 8_000; performance.now() < end && activeWriters > 0; ) {
      await wait(random.between(20, 400))
      ended += terminateOne.all(ownPid).length
    }
    isOver = true
    await all
    const folder = temporaryFolder()
    copyAndClose(openExisting(temporaryFolder(), url), openDatabase(folder))
    const { problems, disconnected } = compareWithLedgers(databasePath(folder), ledgers)
    expect([`seed ${SEED}, round ${round}`, problems]).toEqual([`seed ${SEED}, round ${round}`, []])
    for (const ledger of disconnected) ledger.family = newFamily(db.$client, ledger.grantId)
  }
  isTestOver = true
  const [, imported] = await otherClients
  expect(imported).toMatchObject({ created: IMPORTED, duplicates: 0, rejected: [] })
  expect(visits.problems).toEqual([])
  expect(visits.statuses.get(200)).toBeGreaterThan(10)
  const count = db.$client.prepare("select count(*) from flights where flight_number like 'LX%'").pluck().get()
  expect(count).toBe(IMPORTED)
  closeDatabase(db)
  expect(server.child.exitCode).toBe(null)
  const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
  expect(ended).toBeGreaterThan(ROUNDS)
  report(
    `${ended} connections terminated, ${acknowledged} acknowledged writes, 0 lost, 0 partial; ` +
      `statuses of reads: ${[...visits.statuses].map(([status, times]) => `${times} × ${status}`).join(', ')}; seed ${SEED}`,
  )
})
