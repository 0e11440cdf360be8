import { describe, expect, test } from 'vitest'
import { useOneProcess } from '../../support/engine.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'
import { openAgain } from '../../support/paxlog.ts'

const key = (value: string) => ({ 'idempotency-key': value })
const replayed = ({ headers }: { headers: Record<string, unknown> }) => headers['idempotency-replayed']

describe('a request with an Idempotency-Key', () => {
  test('creates one flight for repeated requests and returns the same response', async () => {
    const log = await flightLog()
    const post = (body: object, value: string, who = log.mira) => log.as(who).post('/flights', body, key(value))
    const first = await post(log.plain, 'a')
    const second = await post(log.plain, 'a')
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([201, undefined, 201, 'true'])
    expect([second.text, second.headers.location, second.headers['content-type']]).toEqual([
      first.text,
      first.headers.location,
      first.headers['content-type'],
    ])
    const ids = []
    for (const answer of [await post(log.plain, 'b'), await post(log.plain, 'a', log.noor)])
      ids.push(answer.body.data.id)
    expect(new Set([first.body.data.id, ...ids]).size).toBe(3)
    const other = await post({ ...log.plain, note: 'x' }, 'a')
    // Even if the difference does not affect the flight.
    const unused = await post({ ...log.plain, unknown: 'x' }, 'a')
    for (const { status, body } of [other, unused]) {
      expect([status, body.error.code, body.error.details]).toEqual([422, 'validation_failed', undefined])
    }
  })

  test('stores only errors that a retry would get again', async () => {
    const log = await flightLog()
    const post = (body: object) => log.as(log.mira).post('/flights', body, key('a'))
    for (const bad of ['', 'é', 'x'.repeat(256)]) {
      expect((await log.as(log.mira).post('/flights', log.plain, key(bad))).status).toBe(400)
    }
    const scoped = log.as(log.key(log.mira.id, ['flight.create.own']))
    expect((await scoped.post('/flights', { ...log.plain, track: null }, key('a'))).status).toBe(403)
    const wrong = { ...log.plain, toId: 999_999 }
    const [first, second] = [await post(wrong), await post(wrong)]
    expect([first.status, second.status, replayed(second), second.text]).toEqual([422, 422, 'true', first.text])
    expect(faultsOf(second)).toEqual(faultsOf(first))
    expect((await post(log.plain)).status).toBe(422)
    expect((await log.as(log.mira).get('/flights')).body.data).toEqual([])
  })

  test('stores validation errors of the body if the key is valid', async () => {
    const log = await flightLog()
    const api = log.as(log.mira)
    const { date: _, ...dateless } = log.plain
    const [first, second] = [
      await api.post('/flights', dateless, key('a')),
      await api.post('/flights', dateless, key('a')),
    ]
    expect([first.status, replayed(first), second.status, replayed(second)]).toEqual([422, undefined, 422, 'true'])
    expect([second.text, faultsOf(second)]).toEqual([first.text, ['invalid_type date']])
    const corrected = await api.post('/flights', log.plain, key('a'))
    expect([corrected.status, corrected.body.error.details]).toEqual([422, undefined])
    expect((await api.post('/flights', dateless, key(''))).status).toBe(400)
    expect((await api.post('/flights', dateless)).status).toBe(422)
    // Even for an unknown value of any depth.
    const deep = `{"fromId":${'['.repeat(200_000)}${']'.repeat(200_000)}}`
    const statuses = [await api.post('/flights', deep, key('d')), await api.post('/flights', deep, key('d'))]
    expect(statuses.map((answer) => [answer.status, replayed(answer)])).toEqual([
      [422, undefined],
      [422, 'true'],
    ])
    // Invalid JSON and an invalid query are not stored, because a retry may succeed.
    expect((await api.post('/flights', '{', key('b'))).status).toBe(400)
    expect((await api.post('/flights/import?mode=other', 'x', key('c'))).status).toBe(400)
    expect((await api.post('/flights', log.plain, key('b'))).status).toBe(201)
    expect(replayed(await api.post('/flights/import', 'x', key('c')))).toBe(undefined)
  })

  test('returns 409 with Retry-After while the first request is in progress', async () => {
    useOneProcess()
    const log = await flightLog()
    const both = await Promise.all([1, 2].map(() => log.as(log.mira).post('/flights', log.plain, key('a'))))
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)!.headers['retry-after']).toBe('1')
    expect((await log.as(log.mira).post('/flights', log.plain, key('a'))).status).toBe(201)
    expect((await log.as(log.mira).get('/flights')).body.data).toHaveLength(1)
  })

  test('runs in only one of two processes that receive it concurrently, with the same response from both', async () => {
    const now = () => Date.parse('2025-05-04T08:00:00.000Z')
    const log = await flightLog({ now })
    const other = await openAgain(log.dataDir, { now })
    const file = 'date,from,to,flight_number,plane,from_oid\n2020-01-02,ZRH,LIS,LX1,,1'
    for (const [path, body, status] of [
      ['/flights', log.plain, 201],
      ['/flights', { ...log.plain, toId: 999_999 }, 422],
      ['/flights/import', file, 200],
      ['/flights/import?dryRun=true', file, 200],
    ] as const) {
      const name = key(`${path} ${status}`)
      const both = await Promise.all([log, other].map((each) => each.as(log.mira).post(path, body, name)))
      expect(both.map((answer) => answer.status)).toEqual([status, status])
      expect(both[0]!.text).toBe(both[1]!.text)
      expect(both.map(replayed).sort()).toEqual(['true', undefined])
    }
    expect((await log.as(log.mira).get('/flights')).body.data).toHaveLength(2)
    const different = [log.plain, { ...log.plain, note: 'x' }].map((body, at) =>
      [log, other][at]!.as(log.mira).post('/flights', body, key('x')),
    )
    expect((await Promise.all(different)).map(({ status }) => status).sort()).toEqual([201, 422])
    expect((await log.as(log.mira).get('/flights')).body.data).toHaveLength(3)
  })

  test('imports a file once, even in a worker or as a dry run, and treats the query as part of the request', async () => {
    const log = await flightLog()
    const lines = (rows: number) => Array.from({ length: rows }, (_, row) => `2020-01-02,ZRH,LIS,LX${row},,1`)
    const file = (rows: number) => ['date,from,to,flight_number,plane,from_oid', ...lines(rows)].join('\n')
    for (const [rows, query] of [
      [2, '?dryRun=true'],
      [2, ''],
      [900, ''],
    ] as const) {
      const send = () => log.as(log.mira).post(`/flights/import${query}`, file(rows), key(`${rows}${query}`))
      const [first, second] = [await send(), await send()]
      expect([first.status, second.status, replayed(second), second.text]).toEqual([200, 200, 'true', first.text])
      expect(first.body.data.created).toBeGreaterThan(0)
    }
    const other = await log.as(log.mira).post('/flights/import?dryRun=true', file(2), key('2'))
    expect(other.status).toBe(422)
  })

  test('counts as new after a day, and its stored response is deleted', async () => {
    let now = Date.parse('2025-05-04T08:00:00.000Z')
    const log = await flightLog({ now: () => now })
    const send = () => log.as(log.mira).post('/flights', log.plain, key('a'))
    const [first, second] = [await send(), await send()]
    expect(second.body.data.id).toBe(first.body.data.id)
    now += 24 * 60 * 60 * 1000 + 1
    const third = await send()
    expect([third.body.data.id === first.body.data.id, replayed(third)]).toEqual([false, undefined])
    expect(replayed(await send())).toBe('true')
    const countStored = () => log.db.$client.prepare('select count(*) from idempotent_answers').pluck().get()
    await log.services.idempotency.purge()
    expect(countStored()).toBe(1)
    now += 24 * 60 * 60 * 1000 + 1
    await log.services.idempotency.purge()
    expect(countStored()).toBe(0)
  })

  test('reads a very large flight again for the response', async () => {
    const log = await flightLog()
    const passengers = Array.from({ length: 500 }, (_, number) => ({ guestName: `${number}`.padEnd(100, '€') }))
    const body = { ...log.plain, passengers: [{ userId: log.mira.id }, ...passengers.slice(1)] }
    const { id } = (await log.as(log.mira).post('/flights', body, key('a'))).body.data
    log.db.$client.prepare('update idempotent_answers set body = null').run()
    const again = await log.as(log.mira).post('/flights', body, key('a'))
    expect([again.status, again.body.data.id, replayed(again)]).toEqual([201, id, 'true'])
    // The response requires no permission to read, only to create.
    const writer = log.as(log.key(log.mira.id, ['flight.create.own', 'flight.passengers.manage.own']))
    const byWriter = await writer.post('/flights', body, key('a'))
    expect([byWriter.status, byWriter.text]).toEqual([201, again.text])
    await log.as(log.admin).put(`/flights/${id}`, { ...log.plain, passengers: [{ guestName: 'Jo' }] })
    const gone = await writer.post('/flights', body, key('a'))
    expect([gone.status, replayed(gone), gone.headers.location]).toEqual([409, undefined, undefined])
  })
})
