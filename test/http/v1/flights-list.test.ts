import { setImmediate as nextTurn } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { logStore } from '../../../src/domain/flights/store/log-store.ts'
import { flightStore } from '../../../src/domain/flights/store/store.ts'
import { openedDatabase } from '../../support/database.ts'
import { isPostgres } from '../../support/engine.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { type TestUser, temporaryFolder } from '../../support/paxlog.ts'
import { seeded } from '../../support/random.ts'
import { runNow, writeNow } from '../../support/write-now.ts'

type Listed = { id: number; date: string }

/** Writes flights directly to the tables, because hundreds of requests would be slow. */
function flightInserter({ db, plain }: FlightLog) {
  const store = flightStore(db)
  return (date: string, users: readonly TestUser[]): Listed => {
    const none = Object.fromEntries(
      'departure arrival departureScheduled arrivalScheduled takeoffScheduled takeoffActual landingScheduled landingActual duration departureTerminal departureGate arrivalTerminal arrivalGate flightNumber aircraftReg note airlineId aircraftId distanceMeters'
        .split(' ')
        .map((name) => [name, null]),
    )
    const row = { ...none, ...plain, date, datePrecision: 'day', completedFrom: 0 }
    const accounts = users.map(({ id }) => id)
    const rest = { guestName: null, seat: null, seatNumber: null, seatClass: null, flightReason: null }
    return writeNow(db, () => {
      const id = store.insert(
        row as unknown as Parameters<typeof store.insert>[0],
        accounts,
        '2025-01-01T00:00:00.000Z',
      )
      for (const { id: userId } of users) store.insertPassenger(id, date, { userId, ...rest })
      store.insertPassenger(id, date, { ...rest, userId: null, guestName: 'Ann' })
      return { id, date }
    })
  }
}

const newestFirst = (a: Listed, b: Listed) => (a.date < b.date ? 1 : a.date > b.date ? -1 : b.id - a.id)
const idsOf = (list: Listed[]) => list.map(({ id }) => id)

async function pages(log: FlightLog, who: TestUser, query: string, between: () => void = () => {}) {
  const found: Listed[][] = []
  for (let cursor: string | null = ''; cursor !== null; between()) {
    const { status, body, text } = await log.as(who).get(`/flights?${query}${cursor && `&cursor=${cursor}`}`)
    expect(status, text).toBe(200)
    found.push(body.data)
    cursor = body.page.nextCursor
    if (found.length > 500) throw new Error('The pages do not end.')
  }
  return found
}

describe('GET /api/v1/flights', () => {
  test('returns an empty page for an empty log', async () => {
    const { as, mira } = await flightLog()
    const { status, text } = await as(mira).get('/flights')
    expect([status, text]).toEqual([200, '{"data":[],"page":{"nextCursor":null}}'])
  })

  test('sorts by date and id, newest first, regardless of precision', async () => {
    const { as, mira, flight } = await flightLog()
    const dates = ['2024-01-01', '2025-01-01', '2024-01-01', '0001-01-01', '9999-12-31', '2025-01-01']
    const created: Listed[] = []
    for (const [index, date] of dates.entries()) {
      created.push(await flight({ date, datePrecision: ['day', 'month', 'year'][index % 3] }))
    }
    const { body } = await as(mira).get('/flights')
    expect(body.data).toEqual(created.toSorted(newestFirst))
  })

  test('contains the same records as single reads', async () => {
    const { as, mira, noor, flight, field } = await flightLog()
    await field({ key: 'ref', fieldType: 'text', defaultValue: 'x' })
    await field({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text' })
    const track = {
      coordinates: [
        [1, 2],
        [3, 4],
      ],
      sourceFormat: 'kml',
      sourceName: 'a.kml',
    }
    await flight({ track, customFields: { ref: 'é' } })
    await flight({ passengers: [{ userId: noor.id }, { userId: mira.id, customFields: { meal: 'fish' } }] })
    const { body } = await as(mira).get('/flights')
    for (const record of body.data) expect((await as(mira).get(`/flights/${record.id}`)).body.data).toEqual(record)
  })

  test('returns pages of 50, or 1 to 100 on request, and null after the last', async () => {
    const log = await flightLog()
    const add = flightInserter(log)
    const created = Array.from({ length: 120 }, (_, index) => add(`2025-0${1 + (index % 9)}-10`, [log.mira]))
    const sorted = idsOf(created.toSorted(newestFirst))
    for (const [query, size] of [
      ['', 50],
      ['limit=1', 1],
      ['limit=40', 40],
      ['limit=60', 60],
      ['limit=100', 100],
      ['limit=0100', 100],
    ] as const) {
      const found = await pages(log, log.mira, query)
      expect(found.flatMap(idsOf)).toEqual(sorted)
      expect(found.slice(0, -1).every((page) => page.length === size)).toBe(true)
      expect(found).toHaveLength(Math.ceil(120 / size))
    }
  })

  test('rejects empty, repeated and out-of-range parameters', async () => {
    const { as, admin, flight } = await flightLog()
    await flight({ passengers: [{ userId: admin.id }] }, admin)
    await flight({ passengers: [{ userId: admin.id }] }, admin)
    const { nextCursor } = (await as(admin).get('/flights?limit=1')).body.page
    for (const query of [
      'limit=',
      'limit=0',
      'limit=101',
      'limit=-1',
      'limit=1.0',
      'limit=1e1',
      'limit=%2050',
      'limit=٣',
      'limit=999999999999999999999',
      'limit=5&limit=5',
      'scope=',
      'scope=ALL',
      'scope=mine&scope=mine',
      'scope=user',
      'scope=user&userId=',
      `scope=user&userId=${admin.id}&userId=${admin.id}`,
      'userId=a&userId=b',
      'cursor=',
      'cursor=x',
      `cursor=${nextCursor}&cursor=${nextCursor}`,
      `cursor=${nextCursor.slice(1)}`,
      `cursor=${nextCursor}A`,
      `cursor=${nextCursor.slice(0, -1)}`,
      'cursor=eyJkIjoiMjAyNS0wNS0wMyIsImkiOjU3fQ',
    ]) {
      const answer = await as(admin).get(`/flights?${query}`)
      expect([answer.status, answer.body.error?.code], query).toEqual([400, 'bad_request'])
    }
    for (const query of ['userId=', 'unknown=1&unknown=2', 'scope=mine&userId=nobody', '__proto__=1', 'limit=1']) {
      expect((await as(admin).get(`/flights?${query}`)).status, query).toBe(200)
    }
  })

  test("selects the caller's flights, those of one user, or all, each flight once", async () => {
    const log = await flightLog()
    const { mira, noor, admin, as } = log
    const add = flightInserter(log)
    const created = {
      mira: add('2025-01-01', [mira]),
      both: add('2025-01-02', [mira, noor, admin]),
      noor: add('2025-01-03', [noor]),
      guests: add('2025-01-04', []),
    }
    const found = async (who: TestUser, query: string) => idsOf((await as(who).get(`/flights?${query}`)).body.data)
    expect(await found(mira, '')).toEqual(idsOf([created.both, created.mira]))
    expect(await found(mira, `scope=user&userId=${mira.id}`)).toEqual(idsOf([created.both, created.mira]))
    expect(await found(admin, 'scope=mine')).toEqual(idsOf([created.both]))
    expect(await found(admin, `scope=mine&userId=${noor.id}`)).toEqual(idsOf([created.both]))
    expect(await found(admin, `scope=user&userId=${noor.id}`)).toEqual(idsOf([created.noor, created.both]))
    expect(await found(admin, 'scope=user&userId=nobody')).toEqual([])
    expect(await found(admin, 'scope=all')).toEqual(idsOf([created.guests, created.noor, created.both, created.mira]))
  })

  test('requires the any scope and permission for flights of other users', async () => {
    const { as, key, mira, noor, admin } = await flightLog()
    const narrow = key(admin.id, ['flight.read.own'])
    for (const query of ['scope=all', `scope=user&userId=${noor.id}`, 'scope=user&userId=nobody']) {
      const answer = await as(narrow).get(`/flights?${query}`)
      expect(answer.status).toBe(403)
      expect(answer.headers['www-authenticate']).toContain(
        'scope="flight.read.own flight.read.any", error="insufficient_scope"',
      )
      const forbidden = await as(mira).get(`/flights?${query}`)
      expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
      // The query is validated first.
      expect((await as(narrow).get(`/flights?${query}&cursor=x`)).status).toBe(400)
    }
    expect((await as(narrow).get(`/flights?scope=user&userId=${admin.id}`)).status).toBe(200)
  })

  test('accepts a cursor of another list, because it contains only a position', async () => {
    const log = await flightLog()
    const add = flightInserter(log)
    const created = Array.from({ length: 6 }, (_, index) =>
      add(`2025-01-0${index + 1}`, index % 2 ? [log.noor] : [log.admin]),
    )
    const first = (await log.as(log.admin).get('/flights?limit=1')).body
    const rest = await log.as(log.admin).get(`/flights?scope=all&cursor=${first.page.nextCursor}`)
    expect(idsOf(rest.body.data)).toEqual(idsOf(created.toSorted(newestFirst)).slice(2))
  })

  test.each([1, 2, 3, 4])(
    'neither repeats nor omits a flight while others are added and deleted (seed %i)',
    async (seed) => {
      const log = await flightLog()
      const { below, pick } = seeded(seed)
      const add = flightInserter(log)
      const dates = Array.from({ length: 12 }, (_, index) => `2025-${String(index + 1).padStart(2, '0')}-15`)
      const people = [[log.mira], [log.mira, log.noor], [log.noor], [log.mira, log.admin]]
      const permanent = Array.from({ length: 80 }, () => ({ ...add(pick(dates), pick(people)), permanent: true }))
      const removable = Array.from({ length: 40 }, () => add(pick(dates), pick(people)))
      const remove = (id: number) => runNow(log.db, 'delete from flights where id = ?', id)
      for (const [who, query] of [
        [log.mira, ''],
        [log.admin, 'scope=all'],
        [log.admin, `scope=user&userId=${log.noor.id}`],
      ] as const) {
        const target = query.includes('all') ? undefined : query === '' ? log.mira.id : log.noor.id
        const findPassenger = log.db.$client.prepare('select 1 from passengers where flight_id = ? and user_id = ?')
        const expected = permanent
          .filter(({ id }) => target === undefined || findPassenger.get(id, target))
          .toSorted(newestFirst)
        const found = await pages(log, who, `${query}&limit=${1 + below(9)}`, () => {
          for (let times = below(4); times > 0; times--) removable.push(add(pick(dates), pick(people)))
          for (let times = below(4); times > 0; times--)
            remove(removable.splice(below(removable.length), 1)[0]?.id ?? 0)
        })
        const all = found.flatMap(idsOf)
        expect(new Set(all).size).toBe(all.length)
        const known = new Set(idsOf(expected))
        expect(all.filter((id) => known.has(id))).toEqual(idsOf(expected))
        expect(found.flat().toSorted(newestFirst)).toEqual(found.flat())
      }
    },
  )

  test('continues after a page whose flights were all deleted during the search', async () => {
    const log = await flightLog()
    const add = flightInserter(log)
    const markRare = (id: number) => runNow(log.db, "update flights set note = 'rare' where id = ?", id)
    const oldest = add('2001-01-01', [log.mira])
    markRare(oldest.id)
    // Several batches lie between the two matching flights.
    for (let count = 0; count < 1500; count++) add('2010-01-01', [log.mira])
    const remove = (id: number) => runNow(log.db, 'delete from flights where id = ?', id)
    for (let turns = 0; turns < 12; turns++) {
      const newest = add('2020-01-01', [log.mira])
      markRare(newest.id)
      const found = pages(log, log.mira, 'text=rare&limit=1')
      for (let turn = 0; turn < turns; turn++) await nextTurn()
      remove(newest.id)
      expect([turns, idsOf((await found).flat()).filter((id) => id !== newest.id)]).toEqual([turns, [oldest.id]])
    }
  })

  // Reads the query plan of SQLite.
  test.skipIf(isPostgres)('uses one index per query, without sorting', () => {
    const db = openedDatabase(temporaryFolder())
    const prepared: string[] = []
    const prepare = db.$client.prepare.bind(db.$client)
    db.$client.prepare = ((sql: string) => {
      prepared.push(sql)
      return prepare(sql)
    }) as typeof db.$client.prepare
    logStore(db)
    const plans = prepared
      .filter((sql) => sql.endsWith('limit @limit'))
      .map((sql) => {
        const values = { date: '~', id: 0, limit: 10, ...(sql.includes('@userId') && { userId: 'mira' }) }
        const steps = prepare(`explain query plan ${sql}`).all(values) as { detail: string }[]
        return steps.map(({ detail }) => detail).join('; ')
      })
    expect(plans).toHaveLength(2)
    expect(plans.join(' ')).not.toMatch(/TEMP B-TREE|SCAN p|SCAN f\b(?! USING)/)
    expect(plans[0]).toMatch(/SEARCH flights USING COVERING INDEX flights_by_date/)
    expect(plans[1]).toMatch(/SEARCH passengers USING COVERING INDEX passengers_log/)
  })
})
