import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { createServices } from '../../../src/app/services.ts'
import { closeDatabase, openDatabase } from '../../../src/db/open.ts'
import { databaseUrl, useOneProcess } from '../../support/engine.ts'
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

async function openReference() {
  const log = await flightLog()
  const { get, post, put, delete: remove } = log.as(log.admin)
  return { ...log, get, post, put, remove }
}

const kinds = [
  { path: '/airports', body: airport as Record<string, unknown>, scope: 'data.airports.manage' },
  { path: '/airlines', body: { name: 'My Airline' } as Record<string, unknown>, scope: 'data.airlines.manage' },
  { path: '/aircraft', body: { name: 'My Type' } as Record<string, unknown>, scope: 'data.aircraft.manage' },
]

test('a search does not reload the bundled rows after writes of custom rows', async () => {
  useOneProcess()
  const { db, get, post, put, remove, airports } = await openReference()
  const countFound = async (query = 'renamed') => (await get(`/airports?query=${query}`)).body.data.length
  await post('/airlines', { name: 'Another Airline' })
  expect(await countFound()).toBe(0)
  // A change outside the version counter becomes visible if the search index is rebuilt.
  runNow(db, "update airports set name = 'Renamed' where id = ?", airports.ZRH)
  expect((await post('/airlines', { name: 'My Airline' })).status).toBe(201)
  expect((await put(`/airports/${airports.ZRH}`, airport)).status).toBe(409)
  expect((await remove('/airports/999999')).status).toBe(404)
  const { id } = (await post('/airports', airport)).body.data
  expect([await countFound('my%20field'), await countFound()]).toEqual([1, 0])
  expect((await put(`/airports/${id}`, { ...airport, name: 'Other' })).status).toBe(200)
  expect([await countFound('my%20field'), await countFound('other'), await countFound()]).toEqual([0, 1, 0])
  expect((await remove(`/airports/${id}`)).status).toBe(204)
  expect([await countFound('other'), await countFound()]).toEqual([0, 0])
})

test.each(['/airports', '/airlines'])(
  '%s have the days of their existence, records in flights do not',
  async (path) => {
    const { post, put, get, flight, plain } = await openReference()
    const body = path === '/airports' ? airport : { name: 'My Airline' }
    const days = { validFrom: '1950-03-01', validUntil: '1999-12-31' }
    const { id } = (await post(path, { ...body, ...days })).body.data
    expect((await get(`${path}/${id}`)).body.data).toMatchObject(days)
    const swapped = await put(`${path}/${id}`, { ...body, validFrom: '2000-01-01', validUntil: '1999-12-31' })
    expect(faultsOf(swapped)).toEqual(['custom validUntil'])
    expect((await put(`${path}/${id}`, { ...body, validUntil: '1999-02-30' })).status).toBe(422)
    const member = path === '/airports' ? 'from' : 'airline'
    const flown = await flight({ ...plain, [`${member}Id`]: id })
    expect(flown[member].id).toBe(id)
    expect(flown[member]).not.toHaveProperty('validFrom')
    expect((await put(`${path}/${id}`, body)).body.data).toMatchObject({ validFrom: null, validUntil: null })
  },
)

describe.each(kinds)('$path', ({ path, body, scope }) => {
  test('creates, reads, replaces and deletes custom rows', async () => {
    const { post, get, put, remove } = await openReference()
    const created = await post(path, body)
    expect(created.status).toBe(201)
    const { id } = created.body.data
    expect(created.headers.location).toBe(`/api/v1${path}/${id}`)
    expect(created.body.data).toMatchObject({ ...body, custom: true })
    expect((await get(`${path}/${id}`)).text).toBe(created.text)
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([created.body.data])
    const replaced = await put(`${path}/${id}`, { ...body, name: ' Other Name ' })
    expect(replaced.status).toBe(200)
    expect(replaced.body.data).toEqual({ ...created.body.data, name: 'Other Name' })
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

  test('lets every user read bundled rows and no user change them', async () => {
    const { put, remove, as, mira, get } = await openReference()
    const before = await as(mira).get(`${path}/1`)
    expect(before.body.data).toMatchObject({ id: 1, custom: false })
    for (const answer of [await put(`${path}/1`, body), await remove(`${path}/1`)]) {
      expect([answer.status, answer.body.error.code]).toEqual([409, 'conflict'])
    }
    expect((await get(`${path}/1`)).text).toBe(before.text)
  })

  test('requires scope and permission for writes, and scope for reads', async () => {
    const { as, key, admin, mira } = await openReference()
    for (const send of [
      (who: string | typeof mira) => as(who).post(path, body),
      (who: string | typeof mira) => as(who).put(`${path}/1`, body),
      (who: string | typeof mira) => as(who).delete(`${path}/1`),
    ]) {
      const rejected = await send(key(admin.id, ['reference_data.read']))
      expect(rejected.headers['www-authenticate']).toContain(`scope="${scope}", error="insufficient_scope"`)
      const forbidden = await send(mira)
      expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'forbidden'])
    }
    for (const url of [`${path}/1`, `${path}?query=a`]) {
      expect((await as(key(mira.id, ['profile.read'])).get(url)).headers['www-authenticate']).toContain(
        'scope="reference_data.read"',
      )
    }
  })

  test('requires a single non-empty query and ignores surrounding whitespace', async () => {
    const { get } = await openReference()
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

  test('finds rows of another process with the next request', async () => {
    const { dataDir, get } = await openReference()
    expect((await get(`${path}?query=${body.name}`)).body.data).toEqual([])
    const other = openDatabase(dataDir, databaseUrl(dataDir))
    const { reference: otherReference } = createServices({ db: other })
    const service = {
      '/airports': otherReference.airports,
      '/airlines': otherReference.airlines,
      '/aircraft': otherReference.aircraft,
    }[path]!
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

describe('airport validation', () => {
  test('converts codes to upper case, trims names, applies defaults and keeps the member order', async () => {
    const { post } = await openReference()
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
      `{"data":{"id":${body.data.id},"icao":"LSZX","iata":"ZZ1","name":"Feld Ä","municipality":null,"latitude":10,"longitude":20,"timezone":"Europe/Zurich","type":"small_airport","continent":"EU","country":"XK","custom":true,"validFrom":null,"validUntil":null}}`,
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

  test('reports the code and path of an error', async () => {
    const { post, put, get } = await openReference()
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

  test('accepts the limits themselves', async () => {
    const { post } = await openReference()
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

  test('rejects an ICAO code in use, even by a bundled airport, and allows shared IATA codes', async () => {
    const { post, put } = await openReference()
    const { id } = (await post('/airports', { ...airport, iata: 'ZRH' })).body.data
    for (const icao of ['XX-1', 'xx-1', 'LSZH', 'lszh']) {
      const answer = await post('/airports', { ...airport, icao })
      expect([answer.status, answer.body.error.code], icao).toEqual([409, 'conflict'])
    }
    expect((await put(`/airports/${id}`, { ...airport, icao: 'LSZH' })).status).toBe(409)
    expect((await put(`/airports/${id}`, { ...airport, name: 'Same code' })).status).toBe(200)
  })
})

describe('airline and aircraft type validation', () => {
  test.each(['/airlines', '/aircraft'])('%s: sorts custom rows that match a query by name', async (path) => {
    const { post, get } = await openReference()
    for (const name of ['Qoppa', 'Sampi Qoppa', 'Digamma Qoppa', 'Qoppatic']) await post(path, { name })
    const { data } = (await get(`${path}?query=qoppa`)).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual([
      'Digamma Qoppa',
      'Qoppa',
      'Qoppatic',
      'Sampi Qoppa',
    ])
  })

  test('converts and validates codes, and iconPath is always null', async () => {
    const { post } = await openReference()
    const created = await post('/airlines', { name: ' Mine ', icao: 'm1', iata: 'q9*', iconPath: '/x.png' })
    expect(created.text).toBe(
      `{"data":{"id":${created.body.data.id},"name":"Mine","icao":"M1","iata":"Q9*","iconPath":null,"custom":true,"validFrom":null,"validUntil":null}}`,
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

  test.each(['/airlines', '/aircraft'])('%s: returns 409 for the same code and name, ignoring case', async (path) => {
    const { post, put } = await openReference()
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
  ])('%s as %s of a flight, a value or a default cannot be deleted', async (path, member, fieldType) => {
    const { post, remove, put, flight, field, as, mira, plain } = await openReference()
    const { body } = kinds.find((kind) => kind.path === path)!
    const { id } = (await post(path, body)).body.data
    const rejected = async () => {
      const answer = await remove(`${path}/${id}`)
      expect([answer.status, answer.body?.error.code]).toEqual([409, 'conflict'])
    }
    const created = await flight({ [member]: id })
    await rejected()
    await as(mira).put(`/flights/${created.id}`, plain)

    const onFlight = await field({ key: 'first', fieldType })
    await as(mira).put(`/flights/${created.id}`, { ...plain, customFields: { first: id } })
    await rejected()
    await put(`/custom-fields/${onFlight.id}`, { label: 'x', active: false })
    await rejected()
    await remove(`/custom-fields/${onFlight.id}`)

    const onPassenger = await field({ key: 'second', fieldType, entityType: 'flight_passenger' })
    await as(mira).put(`/flights/${created.id}`, {
      ...plain,
      passengers: [{ userId: mira.id, customFields: { second: id } }],
    })
    await rejected()
    await remove(`/custom-fields/${onPassenger.id}`)

    const asDefault = await field({ key: 'third', fieldType, defaultValue: id })
    await rejected()
    await put(`/custom-fields/${asDefault.id}`, { label: 'x' })
    const number = await field({ key: 'fourth', fieldType: 'number', defaultValue: id })
    expect(number.defaultValue).toBe(id)
    expect((await remove(`${path}/${id}`)).status).toBe(204)
  })

  test('updates flights at once when an airport moves or changes its time zone', async () => {
    const { post, put, flight, as, mira, db, airports } = await openReference()
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

  test('keeps the old row after a rejected change', async () => {
    const { post, put, get } = await openReference()
    const { id } = (await post('/airports', airport)).body.data
    await post('/airports', { ...airport, icao: 'XX-2' })
    expect((await put(`/airports/${id}`, { ...airport, icao: 'XX-2', name: 'Changed' })).status).toBe(409)
    expect((await get(`/airports/${id}`)).body.data.name).toBe('My Field')
    expect((await get('/airports?query=xx-1')).body.data).toMatchObject([{ name: 'My Field' }])
  })

  test('shows a row changed directly in the database with the next request', async () => {
    const { dataDir, flight, as, mira, airports } = await openReference()
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
