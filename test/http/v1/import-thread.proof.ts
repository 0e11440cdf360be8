import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { write, writeInWorker } from '../../../src/db/write.ts'
import { ImportQuery } from '../../../src/domain/transfer/contract.ts'
import type { ImportWork } from '../../../src/domain/transfer/import-work.ts'
import { readFile } from '../../../src/domain/transfer/read-file.ts'
import { Busy } from '../../../src/lib/errors.ts'
import { mutex } from '../../../src/lib/mutex.ts'
import { importThread } from '../../../src/workers/import/import-thread.ts'
import { databaseUrl, useOneProcess } from '../../support/engine.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { iataCodes, importing, type Places, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let known: Places
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  known = places(app.db)
  mira = app.user({ username: 'mira', owner: true })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => deleteFlights())

const deleteFlights = () => write(app.db, 'flights', () => app.db.$client.exec('delete from flights'))

const ROW_COUNT = 2000
const HEADER =
  'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,notes,ownership'
const row = (index: number) => {
  const day = new Date(Date.UTC(1990, 0, 1) + index * 86_400_000).toISOString().slice(0, 10)
  return `${day},LX${index},${iataCodes[index % 10]},${iataCodes[(index + 3) % 10]},08:00,10:15,A note,mine`
}
const FILE = [HEADER, ...Array.from({ length: ROW_COUNT }, (_, index) => row(index))].join('\n')
const countFlights = () => Number(app.db.$client.prepare('select count(*) from flights').pluck().get())

test('commits a long import atomically', async () => {
  useOneProcess()
  const seen = new Set<number>()
  let running = true
  const polling = (async () => {
    while (running) {
      seen.add(countFlights())
      expect((await app.as(mira).get('/me')).status).toBe(200)
      await wait(2)
    }
  })()
  const [first, second] = await Promise.all([send(mira, FILE), send(mira, FILE)])
  running = false
  await polling
  // The imports run one after the other, so the second finds only duplicates.
  expect(first.body.data).toMatchObject({ rows: ROW_COUNT, created: ROW_COUNT, duplicates: 0 })
  expect(second.body.data).toMatchObject({ rows: ROW_COUNT, created: 0, duplicates: ROW_COUNT })
  expect([...seen].sort((a, b) => a - b)).toEqual([0, ROW_COUNT])
  const list = (await app.as(mira).get('/flights?limit=1')).body.data
  expect(list[0]).toMatchObject({ note: 'A note', passengers: [{ user: { id: mira.id } }] })
})

test('a dry run of a long file stores nothing', async () => {
  expect((await send(mira, FILE, 'dryRun=true')).body.data).toMatchObject({ created: ROW_COUNT, dryRun: true })
  expect(countFlights()).toBe(0)
})

test('rejects a long file like a short one', async () => {
  const padding = ' '.repeat(40_000)
  const users = ['a', 'b'].map((name) => ({ id: name, username: name, displayName: name }))
  expect(await send(mira, FILE, 'mode=restore')).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: expect.stringContaining('The parameter mode does not apply') } },
  })
  expect(await send(mira, JSON.stringify({ users, flights: [] }) + padding)).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('The file has several users') } },
  })
  expect((await send(mira, `nothing of the kind${padding}`)).status).toBe(422)
  const noor = app.user({ scopes: ['flight.import.own'] })
  const rejected = await send(noor, JSON.stringify({ users, flights: [] }) + padding, 'mode=restore')
  expect(rejected).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  expect(rejected.headers['www-authenticate']).toContain('flight.import.any')
})

test('writes wait for a writing worker, and reads do not', async () => {
  useOneProcess()
  const written = Promise.withResolvers<void>()
  const writing = writeInWorker(app.db, () => written.promise)
  let isAnswered = false
  const writes = [
    app.as(mira).put('/preferences', { distanceUnit: 'mi' }),
    app.as(mira).post('/flights', { date: '2024-01-01', fromId: 1, toId: 2 }),
  ].map(async (answer) => {
    const { status } = await answer
    isAnswered = true
    return status
  })
  for (const path of ['/me', '/flights', '/preferences']) expect((await app.as(mira).get(path)).status).toBe(200)
  expect(isAnswered).toBe(false)
  written.resolve()
  await writing
  expect(await Promise.all(writes)).toEqual([200, 201])
})

test('imports run one at a time, and an import that waits too long is rejected', async () => {
  const runExclusive = mutex(200, 'Busy.')
  let finish = () => undefined as void
  const first = runExclusive(() => new Promise<string>((resolve) => (finish = () => resolve('first'))))
  await expect(runExclusive(async () => 'second')).rejects.toThrow(Busy)
  const third = runExclusive(async () => 'third')
  finish()
  expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  await expect(runExclusive(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await runExclusive(async () => 'fifth')).toBe('fifth')
})

const importers: [string, () => ImportWork][] = [
  [
    'on the same connection',
    () => {
      const { importRows } = createServices({ db: app.db })
      return (caller, content, query, steps) => importRows(caller, readFile(content, query), query, steps)
    },
  ],
  [
    'in a worker',
    () =>
      importThread(
        { dataDir: app.dataDir, databaseUrl: databaseUrl(app.dataDir) },
        join(import.meta.dirname, '../../../dist/import-worker.js'),
      ),
  ],
]
test.each(importers)(
  'finds duplicates that another write adds after the rows were checked: %s',
  async (_name, createImporter) => {
    const flight = { date: '2024-05-03', flightNumber: 'LX14' }
    const { ZRH: fromId, LIS: toId } = known.airports
    const flights = ['LX14', 'LX15'].map((flightNumber) => ({
      ...{ date: flight.date, flightNumber, from: 'LSZH', to: 'LPPT', passengers: [{ userId: 'm' }] },
    }))
    const backup = JSON.stringify({ users: [{ id: 'm', username: 'mira' }], flights })
    const csv = [HEADER, '2024-05-03,LX14,ZRH,LIS,,,,', '2024-05-03,LX15,ZRH,LIS,,,,'].join('\n')
    for (const [content, query] of [
      [csv, {}],
      [backup, { mode: 'personal' }],
      [backup, { mode: 'restore' }],
    ] as const) {
      await deleteFlights()
      const caller = { ...operator, userId: mira.id, username: mira.username }
      const report = await createImporter()(caller, Buffer.from(content), ImportQuery.parse(query), {
        authorize: () => undefined,
        exclusively: async (commit) => {
          expect((await app.as(mira).post('/flights', { ...flight, fromId, toId })).status).toBe(201)
          return commit()
        },
      })
      expect([query, report]).toEqual([query, { rows: 2, created: 1, duplicates: 1, rejected: [], dryRun: false }])
    }
  },
)

const rowsOf = (count: number) =>
  Buffer.from([HEADER, ...Array.from({ length: count }, (_, index) => row(index))].join('\n'))

test.each(importers)('blocks other writes until the rows are committed: %s', async (_name, createImporter) => {
  const caller = { ...operator, userId: mira.id, username: mira.username }
  let seen: number | undefined
  await createImporter()(caller, rowsOf(20), ImportQuery.parse({}), {
    authorize: () => undefined,
    exclusively: async (commit) => {
      const result = await commit()
      seen = countFlights()
      return result
    },
  })
  expect(seen).toBe(20)
})

const changes: [string, (user: TestUser) => void, object][] = [
  ['the account', ({ id }) => runNow(app.db, 'delete from users where id = ?', id), { code: 'unauthorized' }],
  ['the key', ({ id }) => runNow(app.db, 'delete from api_keys where user_id = ?', id), { code: 'unauthorized' }],
  [
    'the scopes of the key',
    ({ id }) => runNow(app.db, `update api_keys set scopes = '["flight.read.own"]' where user_id = ?`, id),
    { code: 'insufficient_scope', needed: ['flight.import.own'] },
  ],
  [
    'the role',
    ({ id }) => runNow(app.db, 'update users set role_id = ? where id = ?', app.role([]), id),
    { code: 'forbidden' },
  ],
]
test.each(
  importers.flatMap(([place, createImporter]) => changes.map((change) => [...change, place, createImporter] as const)),
)('rejects an import if a concurrent write changes %s', async (_what, change, error, _place, createImporter) => {
  const noor = app.user()
  const caller = await app.services.credentials.authenticate(noor.key, 'v1')
  const work = createImporter()(caller, rowsOf(2), ImportQuery.parse({}), {
    authorize: () => undefined,
    exclusively: (commit) => {
      change(noor)
      return commit()
    },
  })
  await expect(work).rejects.toMatchObject(error)
  expect(countFlights()).toBe(0)
})
