import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../../src/db/open.ts'
import { databaseUrl } from '../../support/engine.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'
import { otherConnection, untilHeardOf } from '../../support/other-connection.ts'
import { runNow } from '../../support/write-now.ts'

const EMOJI = '🛫'
const airport = {
  icao: 'XX-1',
  name: 'My Field',
  latitude: 10,
  longitude: 20,
  timezone: 'Europe/Zurich',
  continent: 'EU',
  country: 'CH',
}

async function reference() {
  const log = await flightLog()
  const { get, post, put, delete: remove } = log.as(log.admin)
  return { ...log, get, post, put, remove }
}

const kinds = [
  { path: '/airports', body: airport as Record<string, unknown>, scope: 'data.airports.manage' },
  { path: '/airlines', body: { name: 'My Airline' } as Record<string, unknown>, scope: 'data.airlines.manage' },
  { path: '/aircraft', body: { name: 'My Type' } as Record<string, unknown>, scope: 'data.aircraft.manage' },
]

test('a search of the shipped rows is not prepared anew for writes of the instance', async () => {
  const { db, get, post, put, remove, airports } = await reference()
  const found = async (query = 'renamed') => (await get(`/airports?query=${query}`)).body.data.length
  await post('/airlines', { name: 'Another Airline' })
  expect(await found()).toBe(0)
  // A change that no count tells of shows when the search is prepared again.
  runNow(db, "update airports set name = 'Renamed' where id = ?", airports.ZRH)
  expect((await post('/airlines', { name: 'My Airline' })).status).toBe(201)
  expect((await put(`/airports/${airports.ZRH}`, airport)).status).toBe(409)
  expect((await remove('/airports/999999')).status).toBe(404)
  const { id } = (await post('/airports', airport)).body.data
  expect([await found('my%20field'), await found()]).toEqual([1, 0])
  expect((await put(`/airports/${id}`, { ...airport, name: 'Other' })).status).toBe(200)
  expect([await found('my%20field'), await found('other'), await found()]).toEqual([0, 1, 0])
  expect((await remove(`/airports/${id}`)).status).toBe(204)
  expect([await found('other'), await found()]).toEqual([0, 0])
})

describe.each(kinds)('$path', ({ path, body, scope }) => {
  test('custom rows are created, read, replaced and deleted', async () => {
    const { post, get, put, remove } = await reference()
    const made = await post(path, body)
    expect(made.status).toBe(201)
    const { id } = made.body.data
    expect(made.headers.location).toBe(`/api/v1${path}/${id}`)
    expect(made.body.data).toMatchObject({ ...body, custom: true })
    expect((await get(`${path}/${id}`)).text).toBe(made.text)
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([made.body.data])
    const replaced = await put(`${path}/${id}`, { ...body, name: ' Other Name ' })
    expect(replaced.status).toBe(200)
    expect(replaced.body.data).toEqual({ ...made.body.data, name: 'Other Name' })
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([])
    expect((await get(`${path}?query=other+name`)).body.data).toEqual([replaced.body.data])
    expect((await remove(`${path}/${id}`)).status).toBe(204)
    expect((await get(`${path}?query=other+name`)).body.data).toEqual([])
    for (const answer of [
      await get(`${path}/${id}`),
      await put(`${path}/${id}`, body),
      await remove(`${path}/${id}`),
    ]) {
      expect([answer.status, answer.body.error.code]).toEqual([404, 'not_found'])
    }
  })

  test('shipped rows are read by everybody and changed by nobody', async () => {
    const { put, remove, as, mira, get } = await reference()
    const before = await as(mira).get(`${path}/1`)
    expect(before.body.data).toMatchObject({ id: 1, custom: false })
    for (const answer of [await put(`${path}/1`, body), await remove(`${path}/1`)]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    }
    expect((await get(`${path}/1`)).text).toBe(before.text)
  })

  test('writing needs its scope and permission, reading its scope', async () => {
    const { as, key, admin, mira } = await reference()
    for (const send of [
      (who: string | typeof mira) => as(who).post(path, body),
      (who: string | typeof mira) => as(who).put(`${path}/1`, body),
      (who: string | typeof mira) => as(who).delete(`${path}/1`),
    ]) {
      const refused = await send(key(admin.id, ['reference_data.read']))
      expect(refused.headers['www-authenticate']).toContain(`scope="${scope}", error="insufficient_scope"`)
      const forbidden = await send(mira)
      expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
    }
    for (const url of [`${path}/1`, `${path}?query=a`]) {
      expect((await as(key(mira.id, ['profile.read'])).get(url)).headers['www-authenticate']).toContain(
        'scope="reference_data.read"',
      )
    }
  })

  test('the query is required once and not empty, and white space around it does not count', async () => {
    const { get } = await reference()
    const tooLong = 'a'.repeat(101)
    for (const query of ['', '?query=', '?query=a&query=b', '?Query=a', `?query=${tooLong}`]) {
      const answer = await get(`${path}${query}`)
      expect([answer.status, answer.body.error?.code], query).toEqual([400, 'bad_request'])
    }
    for (const query of ['%20', '%20%09%0a', '%00', 'a%00b', 'zzzzzzzz', '%F0%9F%9B%AB', 'a'.repeat(100)]) {
      const answer = await get(`${path}?query=${query}`)
      expect([answer.status, answer.text], query).toEqual([200, '{"data":[],"page":{"nextCursor":null}}'])
    }
    expect((await get(`${path}?query=%20%20airbus%20`)).text).toBe((await get(`${path}?query=airbus`)).text)
    for (const id of ['0', 'x', '-1', '1.0', '9007199254740992']) expect((await get(`${path}/${id}`)).status).toBe(400)
    expect((await get(`${path}/9007199254740991`)).status).toBe(404)
  })

  test('a row that another process writes is found and read by the next request', async () => {
    const { dataDir, get } = await reference()
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([])
    const other = openDatabase(dataDir, databaseUrl(dataDir))
    const { reference: theirs } = createServices({ db: other })
    const service = { '/airports': theirs.airports, '/airlines': theirs.airlines, '/aircraft': theirs.aircraft }[path]!
    const full = { iata: null, icao: null, municipality: null, type: 'small_airport', ...body }
    const { id } = await (service.create as (caller: unknown, row: unknown) => Promise<{ id: number }>)(operator, full)
    untilHeardOf()
    expect((await get(`${path}?query=${body.name}`)).body.data).toMatchObject([{ id, name: body.name, custom: true }])
    const update = service.update as (caller: unknown, id: number, row: unknown) => Promise<unknown>
    await update(operator, id, { ...full, name: 'Theirs' })
    untilHeardOf()
    expect((await get(`${path}?query=theirs`)).body.data).toMatchObject([{ id, name: 'Theirs' }])
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([])
    await service.remove(operator, id)
    untilHeardOf()
    expect((await get(`${path}?query=theirs`)).body.data).toEqual([])
    expect((await get(`${path}/${id}`)).status).toBe(404)
    closeDatabase(other)
  })
})

describe('rules of writing airports', () => {
  test('codes are upper-cased, names trimmed, defaults filled, member order kept', async () => {
    const { post } = await reference()
    const { text, body } = await post('/airports', {
      ...airport,
      icao: 'lszx',
      iata: 'zz1',
      name: '  Feld Ä ',
      country: 'xk',
      custom: false,
      id: 5,
    })
    expect(text).toBe(
      `{"data":{"id":${body.data.id},"icao":"LSZX","iata":"ZZ1","name":"Feld Ä","municipality":null,"latitude":10,"longitude":20,"timezone":"Europe/Zurich","type":"small_airport","continent":"EU","country":"XK","custom":true}}`,
    )
  })

  const cases: [member: string, value: unknown, fault: string][] = [
    ...['icao', 'name', 'latitude', 'longitude', 'timezone', 'continent', 'country'].flatMap(
      (name): [string, unknown, string][] => [
        [name, undefined, 'invalid_type'],
        [name, null, 'invalid_type'],
      ],
    ),
    ['icao', 'X', 'invalid_format'],
    ['icao', 'X'.repeat(9), 'invalid_format'],
    ['icao', 'ÄÖ', 'invalid_format'],
    ['icao', 'A B', 'invalid_format'],
    ['icao', '', 'invalid_format'],
    ['icao', 5, 'invalid_type'],
    ['iata', 'ZR', 'invalid_format'],
    ['iata', 'ZRHX', 'invalid_format'],
    ['iata', 'Z-H', 'invalid_format'],
    ['iata', '', 'invalid_format'],
    ['name', '  ', 'too_small'],
    ['name', EMOJI.repeat(201), 'too_big'],
    ['name', 'a\0', 'custom'],
    ['municipality', EMOJI.repeat(201), 'too_big'],
    ['municipality', 5, 'invalid_type'],
    ['latitude', 90.1, 'too_big'],
    ['latitude', -90.1, 'too_small'],
    ['latitude', '1', 'invalid_type'],
    ['longitude', 180.1, 'too_big'],
    ['longitude', -180.1, 'too_small'],
    ['timezone', 'Mars/Olympus', 'custom'],
    ['timezone', '+01:00', 'custom'],
    ['timezone', '', 'custom'],
    ['timezone', 5, 'invalid_type'],
    ['type', 'airfield', 'invalid_value'],
    ['type', null, 'invalid_type'],
    ['continent', 'XX', 'invalid_value'],
    ['continent', 'eu', 'invalid_value'],
  ]

  test('break with the code and path of the fault', async () => {
    const { post, put, get } = await reference()
    const { id } = (await post('/airports', airport)).body.data
    for (const [member, value, code] of cases) {
      const changed = { ...airport, [member]: value }
      for (const answer of [
        await post('/airports', { ...changed, ...(member !== 'icao' && { icao: 'YY' }) }),
        await put(`/airports/${id}`, changed),
      ]) {
        expect([answer.status, ...faultsOf(answer)], `${member} ${JSON.stringify(value)}`).toEqual([
          422,
          `${code} ${member}`,
        ])
      }
    }
    for (const country of ['XX', 'AC', 'TA', 'EU', 'CHE', '', 'constructor', '__']) {
      const answer = await post('/airports', { ...airport, icao: 'YY', country })
      expect(answer.status).toBe(422)
      expect(new Set(answer.body.error.details.map((detail: { path: string[] }) => detail.path.join('.')))).toEqual(
        new Set(['country']),
      )
    }
    expect((await get(`/airports/${id}`)).body.data).toMatchObject(airport)
  })

  test('the limits themselves are accepted', async () => {
    const { post } = await reference()
    for (const body of [
      { icao: 'X'.repeat(8), name: EMOJI.repeat(200), municipality: EMOJI.repeat(200), latitude: 90, longitude: 180 },
      { icao: '--', iata: null, name: 'x', municipality: '', latitude: -90, longitude: -180, type: 'closed' },
      ...['small_airport', 'medium_airport', 'large_airport', 'heliport', 'balloonport', 'seaplane_base', 'closed'].map(
        (type, index) => ({ icao: `T${index}`, type }),
      ),
      ...['AF', 'AS', 'EU', 'NA', 'OC', 'SA', 'AN'].map((continent) => ({ icao: continent, continent })),
    ]) {
      const answer = await post('/airports', { ...airport, ...body })
      expect(answer.status, answer.text).toBe(201)
      expect(answer.body.data).toMatchObject(body)
    }
  })

  test('an ICAO code is taken once, also by a shipped airport; an IATA code may be shared', async () => {
    const { post, put } = await reference()
    const { id } = (await post('/airports', { ...airport, iata: 'ZRH' })).body.data
    for (const icao of ['XX-1', 'xx-1', 'LSZH', 'lszh']) {
      const answer = await post('/airports', { ...airport, icao })
      expect([answer.status, answer.body.error.code], icao).toEqual([409, 'conflict'])
    }
    expect((await put(`/airports/${id}`, { ...airport, icao: 'LSZH' })).status).toBe(409)
    expect((await put(`/airports/${id}`, { ...airport, name: 'Same code' })).status).toBe(200)
  })
})

describe('rules of writing airlines and aircraft types', () => {
  test.each(['/airlines', '/aircraft'])('%s: own ones that have the words of a query come by name', async (path) => {
    const { post, get } = await reference()
    for (const name of ['Qoppa', 'Sampi Qoppa', 'Digamma Qoppa', 'Qoppatic']) await post(path, { name })
    const { data } = (await get(`${path}?query=qoppa`)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual([
      'Digamma Qoppa',
      'Qoppa',
      'Qoppatic',
      'Sampi Qoppa',
    ])
  })

  test('codes are upper-cased and checked, iconPath is always null', async () => {
    const { post } = await reference()
    const made = await post('/airlines', { name: ' Mine ', icao: 'm1', iata: 'q9*', iconPath: '/x.png' })
    expect(made.text).toBe(
      `{"data":{"id":${made.body.data.id},"name":"Mine","icao":"M1","iata":"Q9*","iconPath":null,"custom":true}}`,
    )
    expect((await post('/aircraft', { name: 'Mine', icao: 'zz9' })).text).toMatch(
      /^\{"data":\{"id":\d+,"name":"Mine","icao":"ZZ9","custom":true\}\}$/,
    )
    for (const [path, body, faults] of [
      ['/airlines', {}, ['invalid_type name']],
      ['/airlines', { name: ' ' }, ['too_small name']],
      ['/airlines', { name: EMOJI.repeat(201) }, ['too_big name']],
      ['/airlines', { name: 'x', icao: '' }, ['invalid_format icao']],
      ['/airlines', { name: 'x', icao: 'ABCD' }, ['invalid_format icao']],
      ['/airlines', { name: 'x', icao: 'A-B' }, ['invalid_format icao']],
      ['/airlines', { name: 'x', iata: 'A' }, ['invalid_format iata']],
      ['/airlines', { name: 'x', iata: 'ABC' }, ['invalid_format iata']],
      ['/airlines', { name: 'x', iata: '*A' }, ['invalid_format iata']],
      ['/airlines', { name: 'x', iata: 'AB**' }, ['invalid_format iata']],
      ['/airlines', { name: 5, icao: 5, iata: 5 }, ['invalid_type name', 'invalid_type icao', 'invalid_type iata']],
      ['/aircraft', {}, ['invalid_type name']],
      ['/aircraft', { name: '\ud800' }, ['custom name']],
      ['/aircraft', { name: 'x', icao: 'A' }, ['invalid_format icao']],
      ['/aircraft', { name: 'x', icao: 'ABCDE' }, ['invalid_format icao']],
    ] as [string, object, string[]][]) {
      const answer = await post(path, body)
      expect([answer.status, ...faultsOf(answer)], JSON.stringify(body)).toEqual([422, ...faults])
    }
  })

  test.each(['/airlines', '/aircraft'])('%s: equal in name, whatever the case, and code is 409', async (path) => {
    const { post, put } = await reference()
    const { id } = (await post(path, { name: 'Größe', icao: 'ZZ' })).body.data
    for (const body of [
      { name: 'GRÖßE', icao: 'zz' },
      { name: 'Gro\u0308ße ', icao: 'ZZ' },
    ]) {
      expect((await post(path, body)).status, JSON.stringify(body)).toBe(409)
    }
    const none = (await post(path, { name: 'größe' })).body.data
    expect(none.icao).toBeNull()
    expect((await post(path, { name: 'Größe', icao: null })).status).toBe(409)
    expect((await put(`${path}/${none.id}`, { name: 'größe', icao: 'ZZ' })).status).toBe(409)
    expect((await put(`${path}/${id}`, { name: 'GRÖSSE', icao: 'ZZ' })).status).toBe(200)
    expect((await post(path, { name: 'Another', icao: 'ZZ' })).status).toBe(201)
  })
})

describe('rows in use', () => {
  test.each([
    ['/airports', 'fromId', 'airport'],
    ['/airports', 'toId', 'airport'],
    ['/airlines', 'airlineId', 'airline'],
    ['/aircraft', 'aircraftId', 'aircraft'],
  ])('%s as %s of a flight, as a value or as a default cannot be deleted', async (path, member, fieldType) => {
    const { post, remove, put, flight, field, as, mira, plain } = await reference()
    const { body } = kinds.find((kind) => kind.path === path)!
    const { id } = (await post(path, body)).body.data
    const refused = async () => {
      const answer = await remove(`${path}/${id}`)
      expect([answer.status, answer.body?.error.code]).toEqual([409, 'conflict'])
    }
    const made = await flight({ [member]: id })
    await refused()
    await as(mira).put(`/flights/${made.id}`, plain)

    const onFlight = await field({ key: 'first', fieldType })
    await as(mira).put(`/flights/${made.id}`, { ...plain, customFields: { first: id } })
    await refused()
    await put(`/custom-fields/${onFlight.id}`, { label: 'x', active: false })
    await refused()
    await remove(`/custom-fields/${onFlight.id}`)

    const onPassenger = await field({ key: 'second', fieldType, entityType: 'flight_passenger' })
    await as(mira).put(`/flights/${made.id}`, {
      ...plain,
      passengers: [{ userId: mira.id, customFields: { second: id } }],
    })
    await refused()
    await remove(`/custom-fields/${onPassenger.id}`)

    const asDefault = await field({ key: 'third', fieldType, defaultValue: id })
    await refused()
    await put(`/custom-fields/${asDefault.id}`, { label: 'x' })
    const number = await field({ key: 'fourth', fieldType: 'number', defaultValue: id })
    expect(number.defaultValue).toBe(id)
    expect((await remove(`${path}/${id}`)).status).toBe(204)
  })

  test('an airport that moves or changes its zone changes its flights at once', async () => {
    const { post, put, flight, as, mira, db, airports } = await reference()
    const { id } = (await post('/airports', airport)).body.data
    const [out, back, round] = [
      await flight({ fromId: id }),
      await flight({ toId: id }),
      await flight({ fromId: id, toId: id }),
    ]
    const other = await flight({ fromId: airports.JFK })
    const read = async (flightId: number) => (await as(mira).get(`/flights/${flightId}`)).body.data
    await put(`/airports/${id}`, {
      ...airport,
      latitude: 47.458056,
      longitude: 8.548056,
      timezone: 'Pacific/Auckland',
      name: 'Moved',
    })
    const moved = await read(out.id)
    expect(moved.distanceKm).toBe(1723.1)
    expect(moved.from).toMatchObject({ name: 'Moved', timezone: 'Pacific/Auckland' })
    expect(moved.updatedAt).toBe(out.updatedAt)
    expect((await read(back.id)).distanceKm).toBe(0)
    expect((await read(round.id)).distanceKm).toBe(0)
    expect(await read(other.id)).toEqual(other)
    const completed = db.$client.prepare('select completed_from from flights where id = ?').pluck()
    expect(completed.get(out.id)).toBe(Date.parse('2025-05-02T12:00Z'))
    expect(completed.get(back.id)).toBe(Date.parse('2025-05-02T22:00Z'))
    expect(
      (await as(mira).get('/flights')).body.data.map(({ distanceKm }: { distanceKm: number }) => distanceKm),
    ).toEqual([other.distanceKm, 0, 0, 1723.1])
  })

  test('a refused change leaves no trace in what is read next', async () => {
    const { post, put, get } = await reference()
    const { id } = (await post('/airports', airport)).body.data
    await post('/airports', { ...airport, icao: 'XX-2' })
    expect((await put(`/airports/${id}`, { ...airport, icao: 'XX-2', name: 'Changed' })).status).toBe(409)
    expect((await get(`/airports/${id}`)).body.data.name).toBe('My Field')
    expect((await get('/airports?query=xx-1')).body.data).toMatchObject([{ name: 'My Field' }])
  })

  test('a row that an operator mends by hand shows in the flights of the next request', async () => {
    const { dataDir, flight, as, mira, airports } = await reference()
    const { id } = await flight()
    expect((await as(mira).get('/airports?query=by+hand')).body.data).toEqual([])
    const other = otherConnection(dataDir)
    for (const name of ['Mended', 'Mended again']) {
      other.prepare('update airports set name = ? where id = ?').run(name, airports.ZRH)
      expect((await as(mira).get(`/flights/${id}`)).body.data.from.name).toBe(name)
    }
    const { lastInsertRowid } = other
      .prepare(
        "insert into airports (icao, name, latitude, longitude, timezone, type, continent, country) values ('HAND', 'By Hand', 1, 1, '', 'closed', 'EU', 'CH')",
      )
      .run()
    expect((await as(mira).get('/airports?query=by+hand')).body.data).toMatchObject([
      { id: Number(lastInsertRowid), custom: true },
    ])
  })
})
