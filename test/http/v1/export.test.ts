import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse as parseYaml } from 'yaml'
import { type Paxlog, paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { type Furniture, fill, furnish } from '../../support/varied-log.ts'
import { runNow } from '../../support/write-now.ts'

const NOW = Date.parse('2025-12-31T23:59:59.999Z')
let app: Paxlog
let fixture: Furniture
beforeAll(async () => {
  app = await sharedPaxlog({ now: () => NOW })
  fixture = await furnish(app)
  await fill(app, fixture)
})
afterAll(() => app.close())

const exportFlights = (who: TestUser | string, query = '') => app.as(who).get(`/flights/export${query}`)
const pretty = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`

describe('GET /api/v1/flights/export', () => {
  test('returns the document indented by two spaces with a final line feed', async () => {
    for (const who of [fixture.owner, fixture.mira, fixture.noor]) {
      const { text } = await exportFlights(who, who === fixture.owner ? '?scope=all' : '')
      expect(text).toBe(pretty(JSON.parse(text)))
      expect(JSON.parse(text).flights.length).toBeGreaterThan(0)
    }
  })

  test('returns two empty lists for an empty log, in both formats', async () => {
    const newUser = app.user()
    expect((await exportFlights(newUser)).text).toBe(pretty({ users: [], flights: [] }))
    expect((await exportFlights(newUser, '?format=yaml')).text).toBe('users: []\nflights: []\n')
  })

  test('has exactly the members of contract 4.12, in order', async () => {
    const { flights } = JSON.parse((await exportFlights(fixture.owner, '?scope=all')).text)
    const [first, plain] = flights
    const always =
      'date datePrecision departure arrival departureScheduled arrivalScheduled takeoffScheduled takeoffActual landingScheduled landingActual duration departureTerminal departureGate arrivalTerminal arrivalGate flightNumber aircraftReg note from to airline aircraft passengers'
    expect(Object.keys(first).join(' ')).toBe(`${always} track customFields`)
    expect(Object.keys(plain).join(' ')).toBe(always)
    expect(first.from).toEqual({
      icao: 'LSZH',
      iata: 'ZRH',
      lat: 47.458056,
      lon: 8.548056,
      tz: 'Europe/Zurich',
      name: 'Zurich Airport',
      municipality: 'Zurich',
      type: 'large_airport',
      continent: 'EU',
      country: 'CH',
      custom: false,
    })
    expect(first.airline).toEqual({ name: 'Swissair', icao: 'SWR', iata: 'SR', iconPath: null, sourceId: 'swissair' })
    expect(first.aircraft).toEqual({ name: 'Airbus A220-300', icao: 'BCS3', sourceId: 'BCS3' })
    expect(plain.aircraft).toBeNull()
    expect(flights[5]).toMatchObject({
      from: { icao: 'XQ-01', iata: null, municipality: null, custom: true, type: 'small_airport' },
      airline: { name: 'My Air', sourceId: null },
      aircraft: { name: 'Home built', sourceId: null },
    })
    expect(flights.map(({ date }: { date: string }) => date)).toEqual([
      '2025-05-03',
      '2020-02-01',
      '1999-01-01',
      '0001-01-01',
      '2024-07-01',
      '2024-07-02',
      '2023-03-03',
      '2023-03-03',
    ])
  })

  test('includes users of passengers, and custom values only where stored', async () => {
    const [first] = JSON.parse((await exportFlights(fixture.mira)).text).flights
    const { mira, noor } = fixture
    expect(first.passengers).toEqual([
      {
        userId: noor.id,
        guestName: null,
        seat: 'pilot',
        seatNumber: '0A',
        seatClass: 'private',
        flightReason: 'crew',
        user: { id: noor.id, displayName: 'Noor', username: 'Noor' },
      },
      {
        userId: mira.id,
        guestName: null,
        seat: 'window',
        seatNumber: null,
        seatClass: null,
        flightReason: null,
        user: { id: mira.id, displayName: 'Mira "M" Å', username: 'mira' },
        customFields: {
          points: -0.5,
          lounge: expect.objectContaining({ icao: 'EKCH', tz: 'Europe/Copenhagen' }),
          old_meal: 'fish',
        },
      },
      expect.objectContaining({ userId: null, guestName: 'Noor', user: null }),
      expect.objectContaining({ guestName: 'Ådél (2)', customFields: { points: 5e-7 } }),
    ])
    expect(first.customFields).toMatchObject({
      old_field: 'kept although inactive',
      via: { icao: 'XQ-01', custom: true },
      partner: { name: 'My Air', icao: 'SWR', sourceId: null },
      planned: { name: 'Home built', icao: 'BCS3', sourceId: null },
      tags: ['null', 'sun'],
      upgrade: false,
    })
  })

  test('includes a complete track', async () => {
    const [first, , , , fifth] = JSON.parse((await exportFlights(fixture.owner, '?scope=all')).text).flights
    expect(first.track.coordinates).toHaveLength(2100)
    expect(Object.keys(first.track).sort()).toEqual(
      ['coordinates', 'estimated', 'ground', 'groundSpeedKt', 'sourceFormat', 'sourceName', 'times', 'trackDeg'].sort(),
    )
    expect(fifth.track).toEqual({
      coordinates: [
        [0, 0],
        [1e-7, -1e-7],
      ],
      sourceFormat: 'gpx',
      sourceName: null,
    })
  })

  test('contains no numeric ids', async () => {
    const names = new Set<string>()
    JSON.parse((await exportFlights(fixture.owner, '?scope=all')).text, (key, value) => {
      if (typeof value === 'number') names.add(/^\d+$/.test(key) ? 'an item' : key)
      return value
    })
    expect([...names].sort()).toEqual(['an item', 'duration', 'lat', 'lon', 'points', 'price'])
  })

  test('lists only users on the exported flights, sorted by username ignoring case', async () => {
    const names = async (who: TestUser, query = '') =>
      JSON.parse((await exportFlights(who, query)).text).users.map(({ username }: { username: string }) => username)
    expect(await names(fixture.owner, '?scope=all')).toEqual(['boss', 'jon', 'mira', 'Noor'])
    expect(await names(fixture.noor)).toEqual(['mira', 'Noor'])
    expect(await names(fixture.owner)).toEqual(['boss'])
    expect(await names(fixture.owner, `?scope=user&userId=${fixture.jon.id}`)).toEqual(['jon', 'mira'])
    expect(await names(fixture.owner, '?scope=user&userId=nobody')).toEqual([])
  })

  test('is a private file named after the UTC day and readable for every origin', async () => {
    for (const [query, name, type] of [
      ['', 'paxlog-2025-12-31.json', 'application/json; charset=utf-8'],
      ['?format=', 'paxlog-2025-12-31.json', 'application/json; charset=utf-8'],
      ['?format=json', 'paxlog-2025-12-31.json', 'application/json; charset=utf-8'],
      ['?format=yaml', 'paxlog-2025-12-31.yaml', 'application/yaml; charset=utf-8'],
      ['?format=yml', 'paxlog-2025-12-31.yaml', 'application/yaml; charset=utf-8'],
    ] as const) {
      const { status, headers } = await app.app
        .inject({
          url: `/api/v1/flights/export${query}`,
          headers: { authorization: `Bearer ${fixture.mira.key}`, origin: 'https://elsewhere.example' },
        })
        .then(({ statusCode, headers: all }) => ({ status: statusCode, headers: all }))
      expect([status, headers['content-disposition'], headers['content-type']]).toEqual([
        200,
        `attachment; filename="${name}"`,
        type,
      ])
      expect(headers['cache-control']).toBe('private, no-store')
      expect(headers['access-control-expose-headers']).toContain('Content-Disposition')
    }
  })

  test('answers HEAD like GET without the body', async () => {
    const { statusCode, headers, body } = await app.app.inject({
      method: 'HEAD',
      url: '/api/v1/flights/export',
      headers: { authorization: `Bearer ${fixture.mira.key}` },
    })
    expect([statusCode, body, headers['content-type']]).toEqual([200, '', 'application/json; charset=utf-8'])
  })

  test('returns 400 for invalid parameters and 403 without the any scope', async () => {
    for (const query of ['?format=xml', '?format=json&format=json', '?scope=user', '?scope=', '?scope=user&userId='])
      expect([query, (await exportFlights(fixture.owner, query)).status]).toEqual([query, 400])
    const ownScopeKey = app.key(fixture.owner.id, ['flight.export.own'])
    expect((await exportFlights(ownScopeKey)).status).toBe(200)
    expect((await exportFlights(ownScopeKey, `?scope=user&userId=${fixture.owner.id}`)).status).toBe(200)
    const rejected = await exportFlights(ownScopeKey, '?scope=all')
    expect([rejected.status, rejected.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="flight.export.own flight.export.any"'),
    ])
    expect((await exportFlights(fixture.mira, '?scope=all')).body.error.code).toBe('forbidden')
  })
})

describe('the YAML format', () => {
  test('contains the same document', async () => {
    // YAML 1.1 interprets more words as values other than text.
    for (const [who, query, version] of [
      [fixture.owner, 'scope=all', '1.2'],
      [fixture.noor, 'scope=mine', '1.1'],
    ] as const) {
      const json = JSON.parse((await exportFlights(who, `?${query}`)).text)
      const { text } = await exportFlights(who, `?${query}&format=yaml`)
      expect(parseYaml(text, { version, maxAliasCount: 0, uniqueKeys: true, merge: false })).toEqual(json)
    }
  })

  test('uses block style with double-quoted text and one line per value', async () => {
    const lines = (await exportFlights(fixture.owner, '?scope=all&format=yaml')).text.split('\n')
    expect(lines.at(-1)).toBe('')
    const value = String.raw`(?:"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|true|false|null|\[\]|\{\})`
    const line = new RegExp(String.raw`^ *(?:- )*(?:(?:[A-Za-z_]\w*|"[^"]*"):(?: ${value})?|${value})$`)
    expect(lines.slice(0, -1).filter((each) => !line.test(each))).toEqual([])
  })
})

test('omits a flight that is deleted during the export and completes the document', async () => {
  const newApp = await paxlog()
  const newFixture = await furnish(newApp)
  await fill(newApp, newFixture)
  const chunks = newApp.services.exports.all({ target: 'all', format: 'json' })
  const first = await chunks.next()
  runNow(newApp.db, 'delete from flights where id > 4')
  let text = first.value as string
  for await (const chunk of chunks) text += chunk
  expect(text).toBe(pretty(JSON.parse(text)))
})
