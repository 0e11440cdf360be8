import { beforeEach, describe, expect, test } from 'vitest'
import type { Permission } from '../../../src/access/permissions.ts'
import { type Paxlog, paxlog, type TestUser } from '../../support/paxlog.ts'
import { importing, places } from '../../support/travel.ts'
import { runNow } from '../../support/write-now.ts'

let app: Paxlog
let admin: TestUser
let send: ReturnType<typeof importing>
beforeEach(async () => {
  app = await paxlog()
  places(app.db)
  admin = app.user({ username: 'admin', role: 'role-administrator' })
  send = importing(app)
})

const field = {
  icao: 'XQ02',
  iata: 'QX2',
  name: 'New field',
  lat: 1.5,
  lon: 2.5,
  tz: 'Asia/Tokyo',
  municipality: 'Town',
  type: 'heliport',
  continent: 'AS',
  country: 'JP',
}
const flight = (more: object) => ({
  date: '2024-05-03',
  from: 'LSZH',
  to: 'LPPT',
  passengers: [{ userId: 'a' }],
  ...more,
})
const file = (...flights: object[]) => ({ users: [{ id: 'a', username: 'admin' }], flights: flights.map(flight) })
const restore = (content: object, who: TestUser | string = admin) => send(who, content, 'mode=restore')
const customNames = (table: string) =>
  app.db.$client.prepare(`select name from ${table} where source_id is null order by id`).pluck().all()
const flights = async () =>
  (await app.as(admin).get('/flights?scope=all&limit=100')).body.data.sort(
    (a: { id: number }, b: { id: number }) => a.id - b.id,
  )

describe('missing reference data', () => {
  test('is created by a restore from the full record, once each, as custom rows', async () => {
    const air = { name: 'Tiny Air', icao: 'TNY', iata: 'T9' }
    const { body } = await restore(
      file(
        { from: field, airline: air, aircraft: { name: 'Home built', icao: null } },
        { to: field, airline: { ...air, name: 'TINY AIR' }, aircraft: { name: 'home BUILT' } },
        { from: field, to: field, airline: 'TNY', aircraft: null },
      ),
    )
    expect(body.data).toMatchObject({ created: 3, rejected: [] })
    expect([customNames('airports'), customNames('airlines'), customNames('aircraft')]).toEqual([
      ['New field'],
      ['Tiny Air'],
      ['Home built'],
    ])
    const [first, second, third] = await flights()
    expect(first.from).toMatchObject({
      icao: 'XQ02',
      iata: 'QX2',
      latitude: 1.5,
      timezone: 'Asia/Tokyo',
      type: 'heliport',
      custom: true,
    })
    expect(second).toMatchObject({ to: first.from, airline: first.airline, aircraft: first.aircraft })
    expect(third.airline).toEqual(first.airline)
    expect(first.distanceKm).toBeGreaterThan(1000)
  })

  test('is also used for earlier rows and for rows with only a code', async () => {
    const { body } = await restore(
      file(
        { from: 'XQ02', airline: 'TNY' },
        { from: { icao: 'XQ02', name: 'Without the rest' }, flightNumber: 'A1' },
        { from: 'QX2', flightNumber: 'A2' },
        { from: field, airline: { name: 'Tiny Air', icao: 'TNY' }, flightNumber: 'A3' },
      ),
    )
    expect(body.data).toMatchObject({ created: 4, rejected: [] })
    expect((await flights()).map(({ from }: { from: { name: string } }) => from.name)).toEqual(
      Array(4).fill('New field'),
    )
    expect((await flights())[0].airline.name).toBe('Tiny Air')
  })

  test('is not created from an incomplete record: an airport rejects the row, others become notes', async () => {
    const { tz: _, ...half } = field
    const { body } = await restore(file({ from: half }, { airline: 'ZZZ', aircraft: 'ZZZZ', note: 'Kept' }))
    expect(body.data).toMatchObject({ created: 1, rejected: [{ row: 1, reason: 'Airport code XQ02 is not known.' }] })
    expect((await flights())[0]).toMatchObject({
      airline: null,
      aircraft: null,
      note: 'Kept\nAirline: ZZZ\nAircraft: ZZZZ',
    })
  })

  test('is not created for a duplicate or by a personal import', async () => {
    await restore(file({ flightNumber: 'LX1' }))
    const more = { flightNumber: 'LX1', airline: { name: 'Tiny Air' }, aircraft: { name: 'Home built' } }
    expect((await restore(file(more))).body.data).toMatchObject({ duplicates: 1 })
    const { data } = (await send(admin, file({ ...more, flightNumber: 'LX2' }, { from: field }))).body
    expect(data).toMatchObject({ created: 1, rejected: [{ row: 2, reason: 'Airport code XQ02 is not known.' }] })
    expect([customNames('airports'), customNames('airlines'), customNames('aircraft')]).toEqual([[], [], []])
  })

  test('does not change the order of the file for many rows and existing flights', async () => {
    const known = [3, 500, 1_199]
    const number = (index: number) => `Q${index}`
    await restore(file(...known.map((index) => ({ flightNumber: number(index) }))))
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      flightNumber: number(index),
      // The first row, the last row, and rows around the batch boundaries.
      ...((index % 83 === 0 || (index > 495 && index < 505) || index > 1_195) && { airline: { name: 'Tiny Air' } }),
    }))
    const { body } = await restore(file(...rows))
    expect(body.data).toMatchObject({ created: 1_197, duplicates: 3, rejected: [] })
    const stored = app.db.$client.prepare('select flight_number from flights where id > 3 order by id').pluck().all()
    expect(stored).toEqual(rows.map(({ flightNumber }) => flightNumber).filter((_, index) => !known.includes(index)))
    expect(customNames('airlines')).toEqual(['Tiny Air'])
  })

  const everything = file({ from: field }, { airline: { name: 'Tiny Air' }, aircraft: { name: 'Home built' } })
  const scopes = ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage'] as const
  const tables = ['airports', 'airlines', 'aircraft'] as const

  test.each(scopes)('requires %s of the credential', async (scope) => {
    const key = app.key(admin.id, ['flight.import.any', ...scopes.filter((each) => each !== scope)])
    await restore(everything, key)
    const missing = tables[scopes.indexOf(scope)]
    expect(tables.filter((table) => customNames(table).length === 0)).toEqual([missing])
  })

  test.each(scopes)('requires %s of the role', async (scope) => {
    const role: Permission[] = ['flight.import.any', ...scopes.filter((each) => each !== scope)]
    await restore(everything, app.user({ role }))
    const missing = tables[scopes.indexOf(scope)]
    expect(tables.filter((table) => customNames(table).length === 0)).toEqual([missing])
  })
})

describe('airlines and aircraft types of a backup', () => {
  test('are matched by name if several share a code, then by ICAO, IATA and name', async () => {
    const names = async (...airlines: unknown[]) => {
      runNow(app.db, 'delete from flights')
      await restore(
        file(...airlines.map((airline, index) => ({ airline, flightNumber: `A${index}` }))),
        app.key(admin.id, ['flight.import.any']),
      )
      return (await flights()).map(({ airline }: { airline: { name: string } | null }) => airline?.name ?? null)
    }
    expect(
      await names(
        { name: 'Swissair', icao: 'SWR', iata: 'SR' },
        { name: 'swiss', icao: 'swr' },
        { name: 'Another name', icao: 'SWR' },
        { name: 'Another name', icao: 'ZZZ', iata: 'LX' },
        { name: 'Another name', iata: 'SK*' },
        { name: 'Another name', iata: 'SK' },
        { name: 'scandinavian airlines', icao: 'ZZZ' },
        'swr',
        'LX',
        { name: 'Nobody' },
      ),
    ).toEqual([
      'Swissair',
      'Swiss',
      'Swiss',
      'Swiss',
      'Scandinavian Airlines',
      'Scandinavian Airlines',
      'Scandinavian Airlines',
      'Swiss',
      null,
      null,
    ])
  })
})

describe('a code that several airports and airlines had', () => {
  const place = (icao: string, days: object) => {
    const { lat, lon, tz, ...rest } = field
    return { ...rest, icao, latitude: lat, longitude: lon, timezone: tz, ...days }
  }

  async function reused() {
    const { post } = app.as(admin)
    const made = async (path: string, body: object): Promise<number> => (await post(path, body)).body.data.id
    const [old, today] = [{ validUntil: '1999-12-31' }, { validFrom: '2000-01-01' }]
    return {
      now: {
        from: await made('/airports', place('XQ12', today)),
        airline: await made('/airlines', { name: 'New', icao: 'QAQ', ...today }),
      },
      former: {
        from: await made('/airports', place('XQ11', old)),
        airline: await made('/airlines', { name: 'Old', icao: 'QAQ', ...old }),
      },
    }
  }
  const row = (date: string) => ({ date, from: 'QX2', to: 'LPPT', airline: 'QAQ', flightNumber: 'QA1' })
  const stored = async () =>
    (await flights()).map((one: Record<string, { id: number }>) => ({ from: one.from!.id, airline: one.airline!.id }))

  test('resolves to those of the day', async () => {
    const { now, former } = await reused()
    const { body } = await send(admin, file(row('1999-12-31'), row('2000-01-01')))
    expect(body.data).toMatchObject({ created: 2, rejected: [] })
    expect(await stored()).toEqual([former, now])
  })

  test('still finds a flight that an earlier release stored with those of today', async () => {
    const { now } = await reused()
    const { post } = app.as(admin)
    const [to] = (await app.as(admin).get('/airports?query=LPPT')).body.data
    const before = { date: '1999-05-03', fromId: now.from, toId: to.id, flightNumber: 'QA1' }
    expect((await post('/flights', before)).status).toBe(201)
    const { body } = await send(admin, file(row('1999-05-03')))
    expect(body.data).toMatchObject({ created: 0, duplicates: 1 })
  })

  test('resolves to those of a full record in a backup', async () => {
    const { now } = await reused()
    const record = { ...field, icao: 'XQ12' }
    const { body } = await restore(
      file({ date: '1999-05-03', from: record, to: 'LPPT', airline: { name: 'New', icao: 'QAQ' } }),
    )
    expect(body.data).toMatchObject({ created: 1 })
    expect(await stored()).toEqual([now])
  })
})
