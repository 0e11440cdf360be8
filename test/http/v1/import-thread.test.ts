import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { write, writeInWorker } from '../../../src/db/write.ts'
import { ImportQuery } from '../../../src/domain/transfer/contract.ts'
import type { ImportWork } from '../../../src/domain/transfer/import-work.ts'
import { importAlone } from '../../../src/import-alone.ts'
import { importThread } from '../../../src/import-thread.ts'
import { Busy } from '../../../src/lib/errors.ts'
import { mutex } from '../../../src/lib/mutex.ts'
import { databaseUrl } from '../../support/engine.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { iataCodes, importing, type Places, places } from '../../support/travel.ts'

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

const ROWS = 2000
const HEADER =
  'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,notes,ownership'
const row = (index: number) => {
  const day = new Date(Date.UTC(1990, 0, 1) + index * 86_400_000).toISOString().slice(0, 10)
  return `${day},LX${index},${iataCodes[index % 10]},${iataCodes[(index + 3) % 10]},08:00,10:15,A note,mine`
}
const FILE = [HEADER, ...Array.from({ length: ROWS }, (_, index) => row(index))].join('\n')
const stored = () => Number(app.db.$client.prepare('select count(*) from flights').pluck().get())

test('a long import arrives as a whole: others see the state before it, then all of it', async () => {
  const seen = new Set<number>()
  let running = true
  const watching = (async () => {
    while (running) {
      seen.add(stored())
      expect((await app.as(mira).get('/me')).status).toBe(200)
      await wait(2)
    }
  })()
  const [first, second] = await Promise.all([send(mira, FILE), send(mira, FILE)])
  running = false
  await watching
  // One after the other: the second finds what the first has brought.
  expect(first.body.data).toMatchObject({ rows: ROWS, created: ROWS, duplicates: 0 })
  expect(second.body.data).toMatchObject({ rows: ROWS, created: 0, duplicates: ROWS })
  expect([...seen].sort((a, b) => a - b)).toEqual([0, ROWS])
  const list = (await app.as(mira).get('/flights?limit=1')).body.data
  expect(list[0]).toMatchObject({ note: 'A note', passengers: [{ user: { id: mira.id } }] })
})

test('a dry run of a long file keeps nothing', async () => {
  expect((await send(mira, FILE, 'dryRun=true')).body.data).toMatchObject({ created: ROWS, dryRun: true })
  expect(stored()).toBe(0)
})

test('a long file that is refused is refused as a short one is', async () => {
  const padding = ' '.repeat(40_000)
  const users = ['a', 'b'].map((name) => ({ id: name, username: name, displayName: name }))
  expect(await send(mira, FILE, 'mode=restore')).toMatchObject({
    status: 400,
    body: { error: { code: 'bad_request', message: expect.stringContaining('The parameter mode does not belong') } },
  })
  expect(await send(mira, JSON.stringify({ users, flights: [] }) + padding)).toMatchObject({
    status: 422,
    body: { error: { message: expect.stringContaining('The file has several users') } },
  })
  expect((await send(mira, `nothing of the kind${padding}`)).status).toBe(422)
  const noor = app.user({ scopes: ['flight.import.own'] })
  const refused = await send(noor, JSON.stringify({ users, flights: [] }) + padding, 'mode=restore')
  expect(refused).toMatchObject({ status: 403, body: { error: { code: 'insufficient_scope' } } })
  expect(refused.headers['www-authenticate']).toContain('flight.import.any')
})

test('who writes waits while an import moves its flights, and who reads does not', async () => {
  const moved = Promise.withResolvers<void>()
  const moving = writeInWorker(app.db, () => moved.promise)
  let written = false
  const writes = [
    app.as(mira).put('/preferences', { distanceUnit: 'mi' }),
    app.as(mira).post('/flights', { date: '2024-01-01', fromId: 1, toId: 2 }),
  ].map(async (answer) => {
    const { status } = await answer
    written = true
    return status
  })
  for (const path of ['/me', '/flights', '/preferences']) expect((await app.as(mira).get(path)).status).toBe(200)
  expect(written).toBe(false)
  moved.resolve()
  await moving
  expect(await Promise.all(writes)).toEqual([200, 201])
})

test('imports stand in line, one that waits too long is told so, and those behind it still get their turn', async () => {
  const inLine = mutex(200, 'Busy.')
  let finish = () => undefined as void
  const first = inLine(() => new Promise<string>((resolve) => (finish = () => resolve('first'))))
  await expect(inLine(async () => 'second')).rejects.toThrow(Busy)
  const third = inLine(async () => 'third')
  finish()
  expect(await Promise.all([first, third])).toEqual(['first', 'third'])
  await expect(inLine(() => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await inLine(async () => 'fifth')).toBe('fifth')
})

const works: [string, () => ImportWork][] = [
  ['on the same connection', () => importAlone(app.db).run],
  [
    'in a thread',
    () =>
      importThread(
        { dataDir: app.dataDir, databaseUrl: databaseUrl(app.dataDir) },
        join(import.meta.dirname, '../../../dist/import-worker.js'),
      ),
  ],
]
test.each(works)('finds duplicates that another write adds after the rows were staged: %s', async (_name, workOf) => {
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
    const report = await workOf()(caller, Buffer.from(content), ImportQuery.parse(query), {
      wasRead: () => undefined,
      progress: () => undefined,
      alone: async (commit) => {
        expect((await app.as(mira).post('/flights', { ...flight, fromId, toId })).status).toBe(201)
        return commit()
      },
    })
    expect([query, report]).toEqual([query, { rows: 2, created: 1, duplicates: 1, rejected: [], dryRun: false }])
  }
})
