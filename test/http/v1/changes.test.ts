import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { backupTo } from '../../../src/db/maintenance/backup.ts'
import { flightJsonCache } from '../../../src/domain/flights/cache/json-cache.ts'
import { isPostgres, useOneProcess } from '../../support/engine.ts'
import { writeBack } from '../../support/factory.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { openAgain, paxlog, type TestUser, temporaryFolder } from '../../support/paxlog.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

type Query = Record<string, string | number>

/** Follows the changes of a user's log, page by page. */
function follower(log: Pick<FlightLog, 'as'>, who: TestUser, query: Query = {}) {
  let cursor: string | undefined
  // biome-ignore lint/suspicious/noExplicitAny: items as they come over the wire
  async function next(): Promise<{ items: any[]; more: boolean }> {
    const all = { ...query, ...(cursor !== undefined && { cursor }) }
    const path = `/flights/changes?${new URLSearchParams(Object.entries(all).map(([name, value]) => [name, String(value)]))}`
    const { status, body, text } = await log.as(who).get(path)
    if (status !== 200) throw new Error(text)
    cursor = body.page.nextCursor
    return { items: body.data, more: body.page.more }
  }
  /** Kind and flight of all following changes. */
  async function readAll(): Promise<string[]> {
    const found: string[] = []
    for (;;) {
      const { items, more } = await next()
      found.push(...items.map(({ kind, flightId }) => `${kind} ${flightId}`))
      if (!more) return found
    }
  }
  return { next, readAll, cursor: () => cursor }
}

describe('the change feed', () => {
  test('starts with the current log, then returns every write, each flight once in its current state', async () => {
    const log = await flightLog()
    const [first, gone, last] = [await log.flight(), await log.flight(), await log.flight({ note: 'old' })]
    await log.as(log.mira).delete(`/flights/${gone.id}`)
    const { next, readAll } = follower(log, log.mira)
    const start = await next()
    expect(start.items.map(({ kind, flight }) => [kind, flight])).toEqual([
      ['saved', first],
      ['saved', last],
    ])
    expect(start.more).toBe(false)
    expect(await readAll()).toEqual([])

    await log.as(log.mira).put(`/flights/${last.id}`, { ...writeBack(last), note: 'new' })
    const fresh = await log.flight()
    await log.as(log.mira).put(`/flights/${last.id}`, { ...writeBack(last), note: 'newest' })
    await log.as(log.mira).delete(`/flights/${first.id}`)
    const { items } = await next()
    expect(items.map(({ kind, flightId, flight }) => [kind, flightId, flight?.note])).toEqual([
      ['saved', fresh.id, null],
      ['saved', last.id, 'newest'],
      ['removed', first.id, undefined],
    ])
    expect(items.every(({ at }) => Math.abs(Date.parse(at) - Date.now()) < 600_000)).toBe(true)
    expect(await readAll()).toEqual([])
  })

  test('caches the serialized form of the newest thousand changes only', async () => {
    useOneProcess()
    const log = await paxlog()
    const mira = log.user()
    manyFlights(log.db, places(log.db), mira.id, 1_100)
    runNow(log.db, 'update flights set updated_at = updated_at')
    await follower(log, mira, { limit: 100 }).readAll()
    const readIds: number[] = []
    /** Whether the flight is no longer cached. */
    const isEvicted = (id: number) => {
      const read = (rows: readonly { id: number }[]) => {
        readIds.push(...rows.map(({ id }) => id))
        return []
      }
      const source = { read, partsOf: (ids: readonly number[]) => [ids.map((id) => ({ id }))] }
      flightJsonCache(log.db).get([id], source, { form: { name: 'v1', write: () => '' } })
      return readIds.includes(id)
    }
    const ids = log.db.$client.prepare('select id from flights order by id').pluck().all() as number[]
    expect([isEvicted(ids.at(-1)!), isEvicted(ids[0]!)]).toEqual([false, true])
  })

  test('is paginated without gaps or repetitions and omits removals before its start', async () => {
    const log = await flightLog()
    const ids: number[] = []
    for (let count = 0; count < 7; count++) ids.push((await log.flight()).id)
    await log.as(log.mira).delete(`/flights/${ids[0]}`)
    const { next, readAll } = follower(log, log.mira, { limit: 2 })
    const page = await next()
    expect([page.items.map(({ flightId }) => flightId), page.more]).toEqual([ids.slice(1, 3), true])
    // Deletes one flight that was already returned and one that was not.
    await log.as(log.mira).delete(`/flights/${ids[1]}`)
    await log.as(log.mira).delete(`/flights/${ids[4]}`)
    expect(await readAll()).toEqual([
      ...[ids[3], ids[5], ids[6]].map((id) => `saved ${id}`),
      `removed ${ids[1]}`,
      `removed ${ids[4]}`,
    ])
  })

  test('reports flights when a user is added or removed as a passenger, and no flights of other users', async () => {
    const log = await flightLog()
    const both = [{ userId: log.mira.id }, { userId: log.noor.id }]
    const shared = await log.flight({ passengers: both })
    await log.flight()
    const [mira, noor, all] = [
      follower(log, log.mira),
      follower(log, log.noor),
      follower(log, log.admin, { scope: 'all' }),
    ]
    expect([await mira.readAll(), await noor.readAll(), (await all.readAll()).length]).toEqual([
      [`saved ${shared.id}`, `saved ${shared.id + 1}`],
      [`saved ${shared.id}`],
      2,
    ])
    const { passengers: _, ...plain } = writeBack(shared)
    const put = (passengers: object[]) => log.as(log.mira).put(`/flights/${shared.id}`, { ...plain, passengers })
    await put([{ userId: log.mira.id }])
    expect([await mira.readAll(), await noor.readAll(), await all.readAll()]).toEqual([
      [`saved ${shared.id}`],
      [`removed ${shared.id}`],
      [`saved ${shared.id}`],
    ])
    await put(both)
    expect(await noor.readAll()).toEqual([`saved ${shared.id}`])
    // A passenger record changes from one user to another.
    const [record] = (await log.as(log.mira).get(`/flights/${shared.id}`)).body.data.passengers
    await put([{ id: record.id, userId: log.admin.id }, { userId: log.mira.id }])
    expect([await noor.readAll(), await follower(log, log.admin).readAll()]).toEqual([
      [`removed ${shared.id}`],
      [`saved ${shared.id}`],
    ])
    expect(await mira.readAll()).toEqual([`saved ${shared.id}`])
  })

  test('includes tracks, imports, the legacy API, restores and deleted accounts', async () => {
    const log = await flightLog()
    const miraFlight = await log.flight()
    const { readAll } = follower(log, log.admin, { scope: 'all' })
    const miraFeed = follower(log, log.mira)
    await readAll()
    const track = {
      coordinates: [
        [8.5, 47.4],
        [8.6, 47.5],
      ],
      sourceFormat: 'gpx',
    }
    expect((await log.as(log.mira).put(`/flights/${miraFlight.id}/track`, track)).status).toBe(200)
    expect(await readAll()).toEqual([`saved ${miraFlight.id}`])
    await log.as(log.mira).delete(`/flights/${miraFlight.id}/track`)
    expect(await readAll()).toEqual([`saved ${miraFlight.id}`])

    await miraFeed.readAll()
    const backup = (await log.as(log.mira).get('/flights/export')).body
    const [{ id: _, ...flight }] = backup.flights
    const many = Array.from({ length: 200 }, (__, day) => ({
      ...flight,
      date: new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    }))
    for (const flights of [many.slice(0, 2), many]) {
      const done = await log.as(log.mira).post('/flights/import', JSON.stringify({ ...backup, flights }))
      expect(done.text).toContain('"created"')
      const changes = await readAll()
      expect(changes).toHaveLength(done.body.data.created)
      expect(await miraFeed.readAll()).toEqual(changes)
    }

    const saved = await log.request({
      method: 'POST',
      url: '/api/flight/save',
      headers: { authorization: `Bearer ${log.noor.key}` },
      payload: { from: 'ZRH', to: 'LIS', departure: '2024-01-02', passengers: [{ userId: '<USER_ID>' }] },
    })
    expect(saved.status).toBe(200)
    expect(await readAll()).toEqual([`saved ${saved.body.id}`])

    const together = await log.flight({ passengers: [{ userId: log.mira.id }, { userId: log.noor.id }] })
    await readAll()
    await log.services.users.remove(operator, log.noor.id)
    expect(await readAll()).toEqual([`removed ${saved.body.id}`, `saved ${together.id}`])
  })

  test('includes rows written directly to the tables, at the latest with their next change', async () => {
    const log = await flightLog()
    const [all, noor] = [follower(log, log.admin, { scope: 'all' }), follower(log, log.noor)]
    const { id } = await log.flight({}, log.admin)
    const columns = 'date, date_precision, from_id, to_id, completed_from, created_at, updated_at'
    runNow(log.db, `insert into flights (${columns}) select ${columns} from flights where id = ?`, id)
    const other = log.db.$client.prepare('select max(id) from flights').pluck().get() as number
    const insertPassenger = 'insert into passengers (flight_id, user_id, date) values (?, ?, ?)'
    for (const flight of [id, other]) runNow(log.db, insertPassenger, flight, log.noor.id, '2024-05-03')
    await Promise.all([all.readAll(), noor.readAll()])
    for (const flight of [other, id]) {
      const { body } = await log.as(log.noor).get(`/flights/${flight}`)
      await log.as(log.noor).put(`/flights/${flight}`, writeBack(body.data))
    }
    const changes = [`saved ${other}`, `saved ${id}`]
    expect([await all.readAll(), await noor.readAll()]).toEqual([changes, changes])
    await log.as(log.noor).delete(`/flights/${other}`)
    expect([await all.readAll(), await noor.readAll()]).toEqual([[`removed ${other}`], [`removed ${other}`]])
  })

  test('includes changes of related data in a flight record', async () => {
    const log = await flightLog()
    const field = await log.field({ key: 'meal', fieldType: 'text' })
    const seatField = await log.field({ key: 'legroom', fieldType: 'text', entityType: 'flight_passenger' })
    const admin = log.as(log.admin)
    const createRow = async (path: string, body: object) => (await admin.post(path, body)).body.data
    const airport = { icao: 'XXAA', name: 'Here', latitude: 1, longitude: 2, timezone: 'Europe/Zurich', country: 'CH' }
    const place = await createRow('/airports', { ...airport, type: 'small_airport', continent: 'EU' })
    const airline = await createRow('/airlines', { name: 'Ours', icao: 'OUR' })
    const type = await createRow('/aircraft', { name: 'Ours', icao: 'OURS' })
    const flight = await log.flight({
      toId: place.id,
      airlineId: airline.id,
      aircraftId: type.id,
      customFields: { meal: 'soup' },
      passengers: [{ userId: log.mira.id, customFields: { legroom: 'none' } }],
    })
    await log.flight({}, log.noor)
    const { next } = follower(log, log.admin, { scope: 'all' })
    await next()
    const { id: _, custom: __, ...airportBody } = place
    const changes: [
      path: string,
      body: object | undefined,
      shown: (record: typeof flight) => unknown,
      value: unknown,
    ][] = [
      [`/airports/${place.id}`, { ...airportBody, name: 'There' }, ({ to }) => to.name, 'There'],
      [`/airlines/${airline.id}`, { name: 'Theirs', icao: 'OUR' }, (record) => record.airline.name, 'Theirs'],
      [`/aircraft/${type.id}`, { name: 'Theirs', icao: 'OURS' }, (record) => record.aircraft.name, 'Theirs'],
      [
        `/users/${log.mira.id}`,
        { displayName: 'Mirabelle' },
        ({ passengers }) => passengers[0].user.displayName,
        'Mirabelle',
      ],
      [`/custom-fields/${field.id}`, { ...field, active: false }, ({ customFields }) => customFields, {}],
      [`/custom-fields/${field.id}`, { ...field }, ({ customFields }) => customFields, { meal: 'soup' }],
      [`/custom-fields/${field.id}`, undefined, ({ customFields }) => customFields, {}],
      [`/custom-fields/${seatField.id}`, undefined, ({ passengers }) => passengers[0].customFields, {}],
    ]
    for (const [path, body, shown, value] of changes) {
      const { status, text } = body ? await admin.put(path, body) : await admin.delete(path)
      expect([path, status < 300, text]).toEqual([path, true, text])
      const { items } = await next()
      expect([path, items.map((item) => [item.flightId, shown(item.flight), item.flight.updatedAt])]).toEqual([
        path,
        [[flight.id, value, flight.updatedAt]],
      ])
    }
  })

  // Restores a copy of the database file.
  test.skipIf(isPostgres)(
    'rejects a cursor after an older backup is restored, even after the log has grown past it',
    async () => {
      const log = await flightLog()
      await log.flight()
      const early = follower(log, log.mira)
      await early.readAll()
      const copy = join(temporaryFolder(), 'copy.db')
      backupTo(log.db, copy)
      await log.flight()
      const late = follower(log, log.mira)
      await late.readAll()
      const folder = temporaryFolder()
      copyFileSync(copy, join(folder, 'paxlog.db'))
      const restored = await openAgain(folder)
      const get = (cursor: string | undefined) => restored.as(log.mira).get(`/flights/changes?cursor=${cursor}`)
      expect((await get(late.cursor())).status).toBe(409)
      for (let count = 0; count < 3; count++) {
        expect((await restored.as(log.mira).post('/flights', log.plain)).status).toBe(201)
        const answer = await get(late.cursor())
        expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
      }
      expect((await get(early.cursor())).body.data).toHaveLength(3)
    },
  )

  test('rejects invalid cursors and limits', async () => {
    const log = await flightLog()
    await log.flight()
    const encode = (text: string) => Buffer.from(text).toString('base64url')
    const cursors = ['', 'x', encode('1'), encode('1.1.0.'), encode('01.0.1.ab'), encode('9.0.1.ab'), 'a'.repeat(5000)]
    for (const cursor of cursors) {
      expect([cursor, (await log.as(log.mira).get(`/flights/changes?cursor=${cursor}`)).status]).toEqual([cursor, 400])
    }
    expect((await log.as(log.mira).get(`/flights/changes?cursor=${encode('1.0.1.ab')}`)).status).toBe(409)
    for (const limit of ['0', '501', '', '1.5', 'x']) {
      expect((await log.as(log.mira).get(`/flights/changes?limit=${limit}`)).status).toBe(400)
    }
    expect((await log.as(log.mira).get('/flights/changes?limit=500')).status).toBe(200)
    expect((await log.as(log.mira).get('/flights/changes?scope=all')).status).toBe(403)
  })

  test('ends a page at 4 MiB, but never before its first flight', async () => {
    useOneProcess()
    const log = await flightLog()
    const guests = Array.from({ length: 499 }, (_, number) => ({ guestName: `${number}`.padEnd(99, 'é') }))
    const passengers = [{ userId: log.mira.id }, ...guests]
    for (let count = 0; count < 25; count++) await log.flight({ passengers, note: '€'.repeat(10_000) })
    const { next } = follower(log, log.mira)
    const getFromCache = vi.spyOn(flightJsonCache(log.db), 'get')
    const page = await next()
    // The page is built in chunks that yield in between. A single flight may exceed the chunk size.
    const chunks = getFromCache.mock.results.map(({ value }) =>
      (value as { json: Buffer }[]).map(({ json }) => json.length),
    )
    expect(chunks.length).toBeGreaterThan(1)
    for (const chunk of chunks)
      expect(chunk.slice(1).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * 1024 * 1024)
    expect(page.more).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThan(4 * 1024 * 1024 + 1)
    const rest = await next()
    expect(page.items.length + rest.items.length).toBe(25)
  })
})
