import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { backupTo } from '../../../src/db/maintenance/backup.ts'
import { flightJsonCache } from '../../../src/domain/flights/cache/json-cache.ts'
import { writeBack } from '../../support/factory.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { openAgain, paxlog, type TestUser, temporaryFolder } from '../../support/paxlog.ts'
import { manyFlights, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

type Query = Record<string, string | number>

/** Whoever follows the log of a user, page by page. */
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
  /** Kind and flight of everything that follows. */
  async function news(): Promise<string[]> {
    const found: string[] = []
    for (;;) {
      const { items, more } = await next()
      found.push(...items.map(({ kind, flightId }) => `${kind} ${flightId}`))
      if (!more) return found
    }
  }
  return { next, news, cursor: () => cursor }
}

describe('the feed of changes', () => {
  test('begins with the present log, and then tells of every write, each flight once and as it is now', async () => {
    const log = await flightLog()
    const [first, gone, last] = [await log.flight(), await log.flight(), await log.flight({ note: 'old' })]
    await log.as(log.mira).delete(`/flights/${gone.id}`)
    const { next, news } = follower(log, log.mira)
    const start = await next()
    expect(start.items.map(({ kind, flight }) => [kind, flight])).toEqual([
      ['saved', first],
      ['saved', last],
    ])
    expect(start.more).toBe(false)
    expect(await news()).toEqual([])

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
    expect(await news()).toEqual([])
  })

  test('keeps what it wrote of the newest thousand changes for the next follower, and nothing that is older', async () => {
    const log = await paxlog()
    const mira = log.user()
    manyFlights(log.db, places(log.db), mira.id, 1_100)
    runNow(log.db, 'update flights set updated_at = updated_at')
    await follower(log, mira, { limit: 100 }).news()
    const asked: number[] = []
    /** Whether a flight has to be read once more. */
    const isForgotten = (id: number) => {
      const read = (rows: readonly { id: number }[]) => {
        asked.push(...rows.map(({ id }) => id))
        return []
      }
      const source = { read, partsOf: (ids: readonly number[]) => [ids.map((id) => ({ id }))] }
      flightJsonCache(log.db).get([id], source, { form: { name: 'v1', write: () => '' } })
      return asked.includes(id)
    }
    const ids = log.db.$client.prepare('select id from flights order by id').pluck().all() as number[]
    expect([isForgotten(ids.at(-1)!), isForgotten(ids[0]!)]).toEqual([false, true])
  })

  test('comes in pages of any size without a gap or a repetition, and leaves out what went before it began', async () => {
    const log = await flightLog()
    const ids: number[] = []
    for (let count = 0; count < 7; count++) ids.push((await log.flight()).id)
    await log.as(log.mira).delete(`/flights/${ids[0]}`)
    const { next, news } = follower(log, log.mira, { limit: 2 })
    const page = await next()
    expect([page.items.map(({ flightId }) => flightId), page.more]).toEqual([ids.slice(1, 3), true])
    // One that was sent and one that was not, while the follower is on its way.
    await log.as(log.mira).delete(`/flights/${ids[1]}`)
    await log.as(log.mira).delete(`/flights/${ids[4]}`)
    expect(await news()).toEqual([
      ...[ids[3], ids[5], ids[6]].map((id) => `saved ${id}`),
      `removed ${ids[1]}`,
      `removed ${ids[4]}`,
    ])
  })

  test('tells a user of flights they come aboard and leave, and nobody of flights of others', async () => {
    const log = await flightLog()
    const both = [{ userId: log.mira.id }, { userId: log.noor.id }]
    const shared = await log.flight({ passengers: both })
    await log.flight()
    const [mira, noor, all] = [
      follower(log, log.mira),
      follower(log, log.noor),
      follower(log, log.admin, { scope: 'all' }),
    ]
    expect([await mira.news(), await noor.news(), (await all.news()).length]).toEqual([
      [`saved ${shared.id}`, `saved ${shared.id + 1}`],
      [`saved ${shared.id}`],
      2,
    ])
    const { passengers: _, ...plain } = writeBack(shared)
    const put = (passengers: object[]) => log.as(log.mira).put(`/flights/${shared.id}`, { ...plain, passengers })
    await put([{ userId: log.mira.id }])
    expect([await mira.news(), await noor.news(), await all.news()]).toEqual([
      [`saved ${shared.id}`],
      [`removed ${shared.id}`],
      [`saved ${shared.id}`],
    ])
    await put(both)
    expect(await noor.news()).toEqual([`saved ${shared.id}`])
    // The record of one becomes that of the other.
    const [record] = (await log.as(log.mira).get(`/flights/${shared.id}`)).body.data.passengers
    await put([{ id: record.id, userId: log.admin.id }, { userId: log.mira.id }])
    expect([await noor.news(), await follower(log, log.admin).news()]).toEqual([
      [`removed ${shared.id}`],
      [`saved ${shared.id}`],
    ])
    expect(await mira.news()).toEqual([`saved ${shared.id}`])
  })

  test('hears of tracks, imports, the legacy API, restores and accounts that go', async () => {
    const log = await flightLog()
    const own = await log.flight()
    const { news } = follower(log, log.admin, { scope: 'all' })
    const mine = follower(log, log.mira)
    await news()
    const track = {
      coordinates: [
        [8.5, 47.4],
        [8.6, 47.5],
      ],
      sourceFormat: 'gpx',
    }
    expect((await log.as(log.mira).put(`/flights/${own.id}/track`, track)).status).toBe(200)
    expect(await news()).toEqual([`saved ${own.id}`])
    await log.as(log.mira).delete(`/flights/${own.id}/track`)
    expect(await news()).toEqual([`saved ${own.id}`])

    await mine.news()
    const backup = (await log.as(log.mira).get('/flights/export')).body
    const [{ id: _, ...flight }] = backup.flights
    const many = Array.from({ length: 200 }, (__, day) => ({
      ...flight,
      date: new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
    }))
    for (const flights of [many.slice(0, 2), many]) {
      const done = await log.as(log.mira).post('/flights/import', JSON.stringify({ ...backup, flights }))
      expect(done.text).toContain('"created"')
      const heard = await news()
      expect(heard).toHaveLength(done.body.data.created)
      expect(await mine.news()).toEqual(heard)
    }

    const saved = await log.request({
      method: 'POST',
      url: '/api/flight/save',
      headers: { authorization: `Bearer ${log.noor.key}` },
      payload: { from: 'ZRH', to: 'LIS', departure: '2024-01-02', passengers: [{ userId: '<USER_ID>' }] },
    })
    expect(saved.status).toBe(200)
    expect(await news()).toEqual([`saved ${saved.body.id}`])

    const together = await log.flight({ passengers: [{ userId: log.mira.id }, { userId: log.noor.id }] })
    await news()
    await log.services.users.remove(operator, log.noor.id)
    expect(await news()).toEqual([`removed ${saved.body.id}`, `saved ${together.id}`])
  })

  test('has what other hands put into the tables, at the latest from its next change on', async () => {
    const log = await flightLog()
    const [all, noor] = [follower(log, log.admin, { scope: 'all' }), follower(log, log.noor)]
    const { id } = await log.flight({}, log.admin)
    const columns = 'date, date_precision, from_id, to_id, completed_from, created_at, updated_at'
    runNow(log.db, `insert into flights (${columns}) select ${columns} from flights where id = ?`, id)
    const other = log.db.$client.prepare('select max(id) from flights').pluck().get() as number
    const aboard = 'insert into passengers (flight_id, user_id, date) values (?, ?, ?)'
    for (const flight of [id, other]) runNow(log.db, aboard, flight, log.noor.id, '2024-05-03')
    await Promise.all([all.news(), noor.news()])
    for (const flight of [other, id]) {
      const { body } = await log.as(log.noor).get(`/flights/${flight}`)
      await log.as(log.noor).put(`/flights/${flight}`, writeBack(body.data))
    }
    const heard = [`saved ${other}`, `saved ${id}`]
    expect([await all.news(), await noor.news()]).toEqual([heard, heard])
    await log.as(log.noor).delete(`/flights/${other}`)
    expect([await all.news(), await noor.news()]).toEqual([[`removed ${other}`], [`removed ${other}`]])
  })

  test('hears of what stands in a record and is kept elsewhere', async () => {
    const log = await flightLog()
    const field = await log.field({ key: 'meal', fieldType: 'text' })
    const seatField = await log.field({ key: 'legroom', fieldType: 'text', entityType: 'flight_passenger' })
    const admin = log.as(log.admin)
    const made = async (path: string, body: object) => (await admin.post(path, body)).body.data
    const airport = { icao: 'XXAA', name: 'Here', latitude: 1, longitude: 2, timezone: 'Europe/Zurich', country: 'CH' }
    const place = await made('/airports', { ...airport, type: 'small_airport', continent: 'EU' })
    const airline = await made('/airlines', { name: 'Ours', icao: 'OUR' })
    const type = await made('/aircraft', { name: 'Ours', icao: 'OURS' })
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
    const { id: _, custom: __, ...whole } = place
    const changes: [
      path: string,
      body: object | undefined,
      shown: (record: typeof flight) => unknown,
      value: unknown,
    ][] = [
      [`/airports/${place.id}`, { ...whole, name: 'There' }, ({ to }) => to.name, 'There'],
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

  test('refuses a cursor after an older backup was restored, also once the log has grown past it', async () => {
    const log = await flightLog()
    await log.flight()
    const early = follower(log, log.mira)
    await early.news()
    const copy = join(temporaryFolder(), 'copy.db')
    backupTo(log.db, copy)
    await log.flight()
    const late = follower(log, log.mira)
    await late.news()
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
  })

  test('refuses what is no cursor, and limits that are none', async () => {
    const log = await flightLog()
    await log.flight()
    const made = (text: string) => Buffer.from(text).toString('base64url')
    const cursors = ['', 'x', made('1'), made('1.1.0.'), made('01.0.1.ab'), made('9.0.1.ab'), 'a'.repeat(5000)]
    for (const cursor of cursors) {
      expect([cursor, (await log.as(log.mira).get(`/flights/changes?cursor=${cursor}`)).status]).toEqual([cursor, 400])
    }
    expect((await log.as(log.mira).get(`/flights/changes?cursor=${made('1.0.1.ab')}`)).status).toBe(409)
    for (const limit of ['0', '501', '', '1.5', 'x']) {
      expect((await log.as(log.mira).get(`/flights/changes?limit=${limit}`)).status).toBe(400)
    }
    expect((await log.as(log.mira).get('/flights/changes?limit=500')).status).toBe(200)
    expect((await log.as(log.mira).get('/flights/changes?scope=all')).status).toBe(403)
  })

  test('ends a page at 4 MiB, though never before its first flight', async () => {
    const log = await flightLog()
    const guests = Array.from({ length: 499 }, (_, number) => ({ guestName: `${number}`.padEnd(99, 'é') }))
    const passengers = [{ userId: log.mira.id }, ...guests]
    for (let count = 0; count < 25; count++) await log.flight({ passengers, note: '€'.repeat(10_000) })
    const { next } = follower(log, log.mira)
    const made = vi.spyOn(flightJsonCache(log.db), 'get')
    const page = await next()
    // A few at a time, with turns for others between them; one flight may be larger.
    const pieces = made.mock.results.map(({ value }) => (value as { json: Buffer }[]).map(({ json }) => json.length))
    expect(pieces.length).toBeGreaterThan(1)
    for (const piece of pieces)
      expect(piece.slice(1).reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(2 * 1024 * 1024)
    expect(page.more).toBe(true)
    expect(Buffer.byteLength(JSON.stringify(page.items))).toBeLessThan(4 * 1024 * 1024 + 1)
    const rest = await next()
    expect(page.items.length + rest.items.length).toBe(25)
  })
})
