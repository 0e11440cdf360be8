import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import { createServices } from '../../src/app/services.ts'
import { databasePath } from '../../src/db/directory.ts'
import { copyDatabase } from '../../src/db/maintenance/copy.ts'
import { closeDatabase, type Db, openDatabase, openExisting } from '../../src/db/open.ts'
import { type PostgresEngine, postgresClient } from '../../src/db/postgres/client.ts'
import { BASE_URL, newFamily, newLedgers } from '../durability/ledger.ts'
import { judge } from '../durability/verdict.ts'
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

/** Ends the connections to a database. When this returns they are gone, and the one of `db` has another in its place. */
function renewConnection({ $client }: Db, name: string): void {
  administration.prepare(END_ALL).all(name)
  for (;;) {
    try {
      $client.prepare('select 1').get()
      return
    } catch {
      // The first statement may be the one that finds out.
    }
  }
}

const csv = (count: number) =>
  [
    'date,origin,destination,ticket_class,flight_number',
    ...Array.from({ length: count }, (_, index) => `${2000 + (index % 25)}-05-03,LSZH,LPPT,,LX${index}`),
  ].join('\n')

describe('a connection that is lost and comes back at once', () => {
  test('while the rows of an import are checked does not disturb it', async () => {
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

  test('ends in a request to try again too where the server takes no other one, for whatever reason', () => {
    const db = openDatabase(temporaryFolder(), newDatabase('closed'))
    const look = () => db.$client.prepare('select 1').pluck().get()
    administration.exec('alter database closed allow_connections false')
    administration.prepare(END_ALL).all('closed')
    // What the server says then is no word about the statement.
    for (let tries = 0; tries < 5; tries++)
      expect(look).toThrow(expect.objectContaining({ name: 'DatabaseUnreachable' }))
    administration.exec('alter database closed allow_connections true')
    renewConnection(db, 'closed')
    expect(look()).toBe(1)
    closeDatabase(db)
  })
})

const ROUNDS = 4
const IMPORTED = 3_000

function copied(from: Db, to: Db): void {
  try {
    copyDatabase(from, to, { onRows: () => undefined, onTable: () => undefined })
  } finally {
    for (const db of [from, to]) closeDatabase(db)
  }
}

/** Requests of one person to every surface, one after the other and again and again; what came of each is counted. */
function visitor(origin: string, key: string, session: string) {
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
  const faults: string[] = []
  async function send(path: string, init: RequestInit): Promise<void> {
    const answer = await fetch(`${origin}${path}`, { redirect: 'manual', ...init })
    // Of an answer that had begun the rest is missing, and whoever reads it sees that.
    const text = await answer.text().catch(() => '')
    const { status } = answer
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 503 && answer.headers.get('retry-after') !== null) return
    if (status >= 500) faults.push(`${init.method ?? 'GET'} ${path}: ${status} ${text.slice(0, 300)}`)
  }
  return {
    statuses,
    faults,
    async work(isOver: () => boolean): Promise<void> {
      for (let next = 0; !isOver(); next = (next + 1) % requests.length) {
        const [path, init] = requests[next]!
        await send(path, await init())
      }
    },
  }
}

/** One import that is sent until it is answered, as its key allows. */
async function insistingImport(origin: string, key: string, body: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'text/csv', 'idempotency-key': 'once' }
  for (;;) {
    const answer = await fetch(`${origin}/api/v1/flights/import`, { method: 'POST', headers, body })
    if (answer.status === 200) return ((await answer.json()) as { data: unknown }).data
    // While the first is being worked on, and where the connection was lost.
    expect([409, 503]).toContain(answer.status)
    await wait(100)
  }
}

test('connections that are ended at random cost nobody more than another try: no 500, nothing lost, nothing half', async () => {
  const url = newDatabase('random')
  const made = await newLedgers(4)
  const [importer, ...ledgers] = made.ledgers
  copied(openExisting(made.dataDir), openDatabase(temporaryFolder(), url))
  const db = openDatabase(temporaryFolder(), url)
  const { sessions } = createServices({ db })
  const session = await sessions.start(importer!.userId)
  const server = await serve({
    dataDir: temporaryFolder(),
    env: { BASE_URL, ADDRESS_HEADER: 'x-forwarded-for', DATABASE_URL: url },
  })
  const { origin, port } = server
  const random = seeded(SEED)
  const visits = visitor(origin, importer!.key, session)
  let isAllOver = false
  let ended = 0
  const others = Promise.all([visits.work(() => isAllOver), insistingImport(origin, importer!.key, csv(IMPORTED))])
  const one = administration
    .prepare(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'random' and pid <> ? order by random() limit 1`,
    )
    .pluck()
  const own = db.$client.prepare('select pg_backend_pid()').pluck().get()
  for (let round = 0; round < ROUNDS; round++) {
    let isOver = false
    let left = ledgers.length
    const working = ledgers.map((ledger) =>
      writer(made, ledger, seeded(random.between(0, 2 ** 31)), port, { mayBeAway: true })
        .work(() => isOver)
        .finally(() => left--),
    )
    const all = Promise.all(working)
    const before = ledgers.map(({ acknowledged }) => acknowledged)
    await expect
      .poll(() => ledgers.every(({ acknowledged }, index) => acknowledged > before[index]!), { timeout: 120_000 })
      .toBe(true)
    // Until each of them has lost an answer, or had the time for it.
    for (const end = performance.now() + 8_000; performance.now() < end && left > 0; ) {
      await wait(random.between(20, 400))
      ended += one.all(own).length
    }
    isOver = true
    await all
    const folder = temporaryFolder()
    copied(openExisting(temporaryFolder(), url), openDatabase(folder))
    const { complaints, disconnected } = judge(databasePath(folder), ledgers)
    expect([`seed ${SEED}, round ${round}`, complaints]).toEqual([`seed ${SEED}, round ${round}`, []])
    for (const ledger of disconnected) ledger.family = newFamily(db.$client, ledger.grantId)
  }
  isAllOver = true
  const [, imported] = await others
  expect(imported).toMatchObject({ created: IMPORTED, duplicates: 0, rejected: [] })
  expect(visits.faults).toEqual([])
  expect(visits.statuses.get(200)).toBeGreaterThan(10)
  const count = db.$client.prepare("select count(*) from flights where flight_number like 'LX%'").pluck().get()
  expect(count).toBe(IMPORTED)
  closeDatabase(db)
  expect(server.child.exitCode).toBe(null)
  const acknowledged = ledgers.reduce((sum, ledger) => sum + ledger.acknowledged, 0)
  expect(ended).toBeGreaterThan(ROUNDS)
  report(
    `${ended} connections ended, ${acknowledged} acknowledged writes, 0 lost, 0 half; ` +
      `readers got ${[...visits.statuses].map(([status, times]) => `${status} ${times} times`).join(', ')}; seed ${SEED}`,
  )
})
