import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { sqliteOf } from '../../../src/db/sqlite/sqlite.ts'
import { isPostgres, refuseInserts } from '../../support/engine.ts'
import { kilometres } from '../../support/naive-stats.ts'
import { type Paxlog, paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let mira: TestUser
let send: ReturnType<typeof importing>
beforeAll(async () => {
  app = await sharedPaxlog()
  places(app.db)
  mira = app.user({ username: 'mira', displayName: 'Mira' })
  send = importing(app)
})
afterAll(() => app.close())
beforeEach(() => void runNow(app.db, 'delete from flights'))

const HEADER =
  'flight_date,flight_code,departure_airport_code,arrival_airport_code,departure_time,arrival_time,ownership'
/** A byAir file, the smallest CSV format. */
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n')
const ROW = '2024-05-03,LX2084,ZRH,LIS,12:20,14:15,mine'
const backup = (flights: unknown[], users: unknown[] = [{ id: 'm', username: 'mira', displayName: 'Mira' }]) =>
  JSON.stringify({ users, flights })
const flight = { date: '2024-05-03', from: 'LSZH', to: 'LPPT', passengers: [{ userId: 'm' }] }
const countOf = (table: string) => app.db.$client.prepare(`select count(*) from ${table}`).pluck().get()
const flightsOf = async (who = mira) => (await app.as(who).get('/flights')).body.data

describe('POST /api/v1/flights/import', () => {
  test('accepts the file with any content type and returns the report', async () => {
    const types = ['text/csv', 'application/json', 'application/x-www-form-urlencoded', 'nonsense', '']
    for (const [index, type] of types.entries()) {
      const headers = { authorization: `Bearer ${mira.key}`, 'content-type': type }
      const { status, body } = await app.request({
        method: 'POST',
        url: '/api/v1/flights/import',
        headers,
        payload: csv(ROW),
      })
      expect([type, status, body]).toEqual([
        type,
        200,
        {
          data: { rows: 1, created: index === 0 ? 1 : 0, duplicates: index === 0 ? 0 : 1, rejected: [], dryRun: false },
        },
      ])
    }
  })

  test('returns 400 for a form and 422 for an empty body', async () => {
    for (const type of ['multipart/form-data; boundary=x', 'Multipart/Form-Data', ' multipart/form-data']) {
      const { status, body } = await app.as(mira).post('/flights/import', csv(ROW), { 'content-type': type })
      expect([type, status, body.error.code]).toEqual([type, 400, 'bad_request'])
    }
    const url = '/api/v1/flights/import'
    const headers = { authorization: `Bearer ${mira.key}` }
    for (const payload of [undefined, '', Buffer.alloc(0)]) {
      const { status, body } = await app.request({
        method: 'POST',
        url,
        headers,
        ...(payload !== undefined && { payload }),
      })
      expect([status, body.error.code]).toEqual([422, 'validation_failed'])
    }
  })

  test('returns 422 for an unreadable file and changes nothing', async () => {
    const unreadable: [string, string | Buffer, string?][] = [
      ['only whitespace', ' \n\n '],
      ['another format', 'a,b,c\n1,2,3'],
      ['a YAML export', 'users: []\nflights: []\n'],
      ['broken JSON', '{"flights": [', 'format=backup'],
      ['JSON of another type', '{"trips": []}'],
      ['a list', '[]'],
      ['flights that are not a list', '{"flights": {}}'],
      ['missing columns', 'flight_date,flight_code\n2024-01-01,LX1', 'format=byair'],
      ['an unclosed quotation mark', `${HEADER}\n"2024-05-03,LX2084,ZRH,LIS,12:20,14:15,mine`],
      ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0xfe, 0x7d])],
      ['a ZIP archive', Buffer.from('504b0304140000000800', 'hex')],
      ['no users', backup([flight], [])],
      [
        "several users, none with the caller's username",
        backup(
          [flight],
          [
            { id: 'a', username: 'ann' },
            { id: 'b', username: 'ben' },
          ],
        ),
      ],
      ['an unknown file user', backup([flight]), 'fileUser=zoe'],
    ]
    for (const [name, content, query] of unreadable) {
      const { status, body } = await send(mira, content, query)
      expect([name, status, body.error?.code, body.error?.details]).toEqual([name, 422, 'validation_failed', undefined])
      expect(body.error.message).toMatch(/^[A-Z].*\.$/)
    }
    expect(countOf('flights')).toBe(0)
  })

  test('returns 400 for invalid parameters, including those of another format', async () => {
    const wrong: [query: string, content?: string][] = [
      ['format=xlsx'],
      ['format='],
      ['format=auto&format=auto'],
      ['mode=merge'],
      ['dryRun=1'],
      ['dryRun='],
      ['mineOnly=yes'],
      ['mode=restore'],
      ['mode=personal'],
      ['fileUser=mira'],
      ['format=byair&mode=restore'],
      ['format=byair&fileUser=mira'],
      ['mineOnly=true', backup([flight])],
      ['format=backup&mineOnly=false', backup([flight])],
      ['mode=restore&fileUser=mira', backup([flight])],
      ['format=jetlog&mineOnly=false', 'not even a file'],
    ]
    for (const [query, content = csv(ROW)] of wrong) {
      const { status, body } = await send(mira, content, query)
      expect([query, status, body.error?.code]).toEqual([query, 400, 'bad_request'])
    }
    for (const query of ['format=byair', 'mineOnly=true', 'mineOnly=false', 'dryRun=false', 'unknown=1'])
      expect([query, (await send(mira, csv(ROW), query)).status]).toEqual([query, 200])
    for (const query of ['mode=personal', 'fileUser=mira', 'format=backup', 'mode=personal&fileUser=m'])
      expect([query, (await send(mira, backup([flight]), query)).status]).toEqual([query, 200])
  })

  test('validates the request before it checks conditional scopes', async () => {
    const key = app.key(mira.id, ['flight.import.own'])
    expect((await send(key, csv(ROW), 'mode=restore')).status).toBe(400)
    expect((await send(key, '', 'mode=restore')).status).toBe(422)
    const rejected = await send(key, backup([flight]), 'mode=restore')
    expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="flight.import.own flight.import.any"'),
    ])
    expect((await send(mira, backup([flight]), 'mode=restore')).body.error.code).toBe('forbidden')
    const { status } = await send(app.key(mira.id, ['flight.import.any']), csv(ROW))
    expect(status).toBe(200)
  })

  test('reads a byte order mark, semicolons, CRLF and quoted cells, and skips blank lines', async () => {
    const quoted = '"2024-05-04";"LX ""1""";ZRH;LIS;"07:00";;mine'
    const file = `\ufeff${csv(ROW).replaceAll(',', ';')}\n\n${quoted}\n \n`.replaceAll('\n', '\r\n')
    expect((await send(mira, file)).body.data).toMatchObject({ rows: 2, created: 2, rejected: [] })
    expect((await flightsOf())[0]).toMatchObject({ flightNumber: 'LX "1"', departure: '2024-05-04T05:00:00.000Z' })
  })

  test('reads a calendar with a line folded inside a character', async () => {
    const fold = (text: string) => {
      const bytes = Buffer.from(text)
      const at = bytes.indexOf(0xc3) + 1
      return Buffer.concat([bytes.subarray(0, at), Buffer.from('\r\n '), bytes.subarray(at)])
    }
    const event =
      'BEGIN:VEVENT\r\nDTSTART:20240503T102000Z\r\nSUMMARY:LX2084 ZRH to LIS\r\nLOCATION:Zürich\r\nEND:VEVENT'
    const file = fold(`BEGIN:VCALENDAR\r\n${event}\r\nEND:VCALENDAR\r\n`)
    expect((await send(mira, file)).body.data).toMatchObject({ rows: 1, created: 1 })
  })

  test('returns 413 for a file over the body limit', async () => {
    const small = await paxlog({ bodyLimit: 70_000 })
    const answer = await importing(small)(small.user(), csv(...Array.from({ length: 3000 }, () => ROW)))
    expect([answer.status, answer.body.error.code]).toEqual([413, 'bad_request'])
  })
})

describe('a dry run', () => {
  // PostgreSQL never reuses ids.
  test.skipIf(isPostgres)('returns the report of an import without writing rows or using ids', async () => {
    const owner = app.user({ role: 'role-administrator' })
    const airport = {
      icao: 'XQ02',
      name: 'New field',
      lat: 1,
      lon: 2,
      tz: 'Asia/Tokyo',
      continent: 'AS',
      country: 'JP',
    }
    const file = backup([
      { ...flight, from: airport, airline: { name: 'New Air', icao: 'NWA' }, aircraft: { name: 'New type' } },
      { ...flight, to: 'QQQQ' },
    ])
    const tables = ['flights', 'passengers', 'airports', 'airlines', 'aircraft', 'flight_tracks']
    const state = () => [
      tables.map(countOf),
      // PostgreSQL does not reuse sequence values.
      sqliteOf(app.db)?.prepare("select * from sqlite_sequence where name <> 'api_keys' order by name").all(),
      app.db.$client.prepare('select * from settings order by key').all(),
    ]
    const before = state()
    const dry = (await send(owner, file, 'mode=restore&dryRun=true')).body.data
    expect(dry).toEqual({
      rows: 2,
      created: 1,
      duplicates: 0,
      rejected: [
        { row: 2, reason: 'Airport code QQQQ is not known.', line: 2, reasons: ['Airport code QQQQ is not known.'] },
      ],
      dryRun: true,
    })
    expect(state()).toEqual(before)
    expect((await app.as(owner).get('/airports?query=XQ02')).body.data).toEqual([])
    // The id of the rolled back airport is still unknown.
    const next = Number(app.db.$client.prepare('select max(id) + 1 from airports').pluck().get())
    const { status } = await app.as(mira).post('/flights', { date: '2024-01-01', fromId: next, toId: 1 })
    expect(status).toBe(422)
    const real = (await send(owner, file, 'mode=restore')).body.data
    expect(real).toEqual({ ...dry, dryRun: false })
    expect((await app.as(owner).get('/airports?query=XQ02')).body.data).toHaveLength(1)
  })

  test('finds the same duplicates as an import', async () => {
    await send(mira, csv(ROW))
    const { data } = (await send(mira, csv(ROW, ROW), 'dryRun=true')).body
    expect(data).toMatchObject({ created: 0, duplicates: 2 })
    expect(countOf('flights')).toBe(1)
  })
})

describe('duplicates', () => {
  const importRows = async (...rows: string[]) => {
    const { created, duplicates } = (await send(mira, csv(...rows))).body.data
    return [created, duplicates]
  }

  test('are matched by flight number, ignoring times, case, spaces and hyphens', async () => {
    expect(await importRows(ROW)).toEqual([1, 0])
    for (const number of ['lx2084', 'LX 2084', 'LX-2084', ' l-x 2 084']) {
      expect([number, await importRows(`2024-05-03,${number},ZRH,LIS,06:00,07:00,mine`)]).toEqual([number, [0, 1]])
    }
    expect(await importRows('2024-05-03,LX2085,ZRH,LIS,12:20,14:15,mine')).toEqual([1, 0])
  })

  test('are matched by the minute of departure without a flight number, and two missing times match', async () => {
    expect(await importRows('2024-05-03,,ZRH,LIS,12:20:10,,')).toEqual([1, 0])
    expect(await importRows('2024-05-03,,ZRH,LIS,12:20:50,,')).toEqual([0, 1])
    expect(await importRows('2024-05-03,,ZRH,LIS,12:21,,')).toEqual([1, 0])
    expect(await importRows('2024-05-03,,ZRH,LIS,,,')).toEqual([1, 0])
    expect(await importRows('2024-05-03,,ZRH,LIS,,,')).toEqual([0, 1])
    expect(await importRows('2024-05-03,- -,ZRH,LIS,12:20,,')).toEqual([0, 1])
  })

  test('have the same date, precision, origin and destination', async () => {
    const item = (more: object) => send(mira, backup([{ ...flight, date: '2024-05-01', ...more }]))
    expect((await item({})).body.data.created).toBe(1)
    for (const more of [
      { datePrecision: 'month' },
      { date: '2024-05-02' },
      { from: 'EGLL' },
      { to: 'EGLL' },
      { from: 'LPPT', to: 'LSZH' },
    ])
      expect([more, (await item(more)).body.data.created]).toEqual([more, 1])
    expect((await item({ from: { iata: 'ZRH' }, note: 'other', duration: 5 })).body.data.duplicates).toBe(1)
  })

  test('do not change the flight, its updatedAt or its passengers', async () => {
    await send(mira, backup([flight]))
    const before = await flightsOf()
    await send(
      mira,
      backup([{ ...flight, note: 'new', passengers: [{ userId: 'm', seat: 'window' }, { guestName: 'Ada' }] }]),
    )
    expect(await flightsOf()).toEqual(before)
  })

  test("are searched only in the caller's log", async () => {
    await send(app.user(), csv(ROW))
    expect(await importRows(ROW)).toEqual([1, 0])
  })
})

describe('an import transaction', () => {
  test('rolls back the whole import on an error', async () => {
    const newApp = await paxlog()
    places(newApp.db)
    const admin = newApp.user({ role: 'role-administrator' })
    const { $client } = newApp.db
    const allow = refuseInserts(newApp.db, 'flights', "new.flight_number = 'STOP'")
    const file = backup(
      [
        {
          ...flight,
          airline: { name: 'New Air', icao: 'NWA' },
          track: {
            coordinates: [
              [0, 0],
              [1, 1],
            ],
            sourceFormat: 'gpx',
          },
        },
        { ...flight, flightNumber: 'STOP' },
        flight,
      ],
      [{ id: 'm', username: admin.username }],
    )
    const { status, body } = await importing(newApp)(admin, file, 'mode=restore')
    expect([status, body.error.code]).toEqual([500, 'internal_error'])
    expect(body.error.message).not.toContain('provoked')
    for (const table of ['flights', 'passengers', 'flight_tracks'])
      expect($client.prepare(`select count(*) from ${table}`).pluck().get()).toBe(0)
    expect($client.prepare("select count(*) from airlines where icao = 'NWA'").pluck().get()).toBe(0)
    allow()
    expect((await importing(newApp)(admin, file, 'mode=restore')).body.data.created).toBe(3)
  })

  test('looks up data again that changed while the file was read', async () => {
    const newApp = await paxlog()
    places(newApp.db)
    const admin = newApp.user({ role: 'role-administrator' })
    const guest = newApp.user({ username: 'leaver', displayName: 'Leaver' })
    const { id } = (await newApp.as(admin).post('/airlines', { name: 'Short-lived', icao: 'SLV' })).body.data
    const flights = Array.from({ length: 400 }, (_, index) => ({
      ...flight,
      flightNumber: `A${index}`,
      airline: { name: 'Short-lived', icao: 'SLV' },
      passengers: [{ userId: 'l' }, { userId: 'a' }],
    }))
    const file = backup(flights, [
      { id: 'l', username: 'leaver', displayName: 'Leaver' },
      { id: 'a', username: admin.username },
    ])
    const caller = { ...operator, userId: admin.id, username: admin.username }
    const query = { format: 'auto', mode: 'restore', dryRun: false } as const
    let calls = 0
    const progress = (done: number) => {
      if (done !== 300 || calls++ > 0) return
      runNow(newApp.db, 'delete from airlines where id = ?', id)
      runNow(newApp.db, 'delete from users where id = ?', guest.id)
    }
    const data = await newApp.services.imports.run(caller, Buffer.from(file), query, { progress })
    expect(calls).toBe(2)
    expect(data).toEqual({ rows: 400, created: 400, duplicates: 0, rejected: [], dryRun: false })
    const names = newApp.db.$client.prepare("select count(*) from passengers where guest_name = 'Leaver'").pluck().get()
    expect(names).toBe(400)
  })

  // 300 rows are imported inline, 800 rows in a worker.
  test.each([300, 800])(
    'uses the new location for all rows of an airport that moves while %i rows are read',
    async (rows) => {
      const newApp = await paxlog()
      places(newApp.db)
      const admin = newApp.user({ role: 'role-administrator' })
      const airport = {
        icao: 'QQQQ',
        name: 'Meadow',
        latitude: 10,
        longitude: 20,
        timezone: 'Europe/Zurich',
        continent: 'EU',
        country: 'CH',
      }
      const { id } = (await newApp.as(admin).post('/airports', airport)).body.data
      const lines = Array.from({ length: rows }, (_, row) => `2025-06-15,QQQQ,LIS,LX${row},,1`)
      const file = ['date,from,to,flight_number,plane,from_oid', ...lines].join('\n')
      const caller = { ...operator, userId: admin.id, username: admin.username }
      const query = { format: 'auto', dryRun: false } as const
      const { airports } = newApp.services.reference
      const moved = { ...airport, iata: null, municipality: null, type: 'small_airport', latitude: -40 } as const
      const progress = (done: number) => {
        if (done === 200) void airports.update(operator, id, { ...moved, timezone: 'Pacific/Pago_Pago' } as never)
      }
      const { created } = await newApp.services.imports.run(caller, Buffer.from(file), query, { progress })
      expect(created).toBe(rows)
      const { data } = (await newApp.as(admin).get('/flights?limit=100')).body
      const distances = data.map(({ distanceKm }: { distanceKm: number }) => distanceKm)
      expect(new Set(distances)).toEqual(new Set([Math.round(kilometres(data[0]) * 10) / 10]))
      // Midnight in Samoa, not in Zurich.
      const begins = newApp.db.$client.prepare('select distinct completed_from from flights').pluck().all()
      expect(begins).toEqual([Date.parse('2025-06-15T11:00:00Z')])
    },
  )
})
