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
const custom = (table: string) =>
  app.db.$client.prepare(`select name from ${table} where source_id is null order by id`).pluck().all()
const flights = async () =>
  (await app.as(admin).get('/flights?scope=all&limit=100')).body.data.sort(
    (a: { id: number }, b: { id: number }) => a.id - b.id,
  )

describe('missing reference rows', () => {
  test('are made by a restore from the full record, once each, as custom rows', async () => {
    const air = { name: 'Tiny Air', icao: 'TNY', iata: 'T9' }
    const { body } = await restore(
      file(
        { from: field, airline: air, aircraft: { name: 'Home built', icao: null } },
        { to: field, airline: { ...air, name: 'TINY AIR' }, aircraft: { name: 'home BUILT' } },
        { from: field, to: field, airline: 'TNY', aircraft: null },
      ),
    )
    expect(body.data).toMatchObject({ created: 3, rejected: [] })
    expect([custom('airports'), custom('airlines'), custom('aircraft')]).toEqual([
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

  test('serve also the rows before the record, and those that only have a code', async () => {
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

  test('are not made from half a record: the airport rejects the row, the others become lines of the note', async () => {
    const { tz: _, ...half } = field
    const { body } = await restore(file({ from: half }, { airline: 'ZZZ', aircraft: 'ZZZZ', note: 'Kept' }))
    expect(body.data).toMatchObject({ created: 1, rejected: [{ row: 1, reason: 'Airport code XQ02 is not known.' }] })
    expect((await flights())[0]).toMatchObject({
      airline: null,
      aircraft: null,
      note: 'Kept\nAirline: ZZZ\nAircraft: ZZZZ',
    })
  })

  test('are not made for a duplicate, nor by a personal import', async () => {
    await restore(file({ flightNumber: 'LX1' }))
    const more = { flightNumber: 'LX1', airline: { name: 'Tiny Air' }, aircraft: { name: 'Home built' } }
    expect((await restore(file(more))).body.data).toMatchObject({ duplicates: 1 })
    const { data } = (await send(admin, file({ ...more, flightNumber: 'LX2' }, { from: field }))).body
    expect(data).toMatchObject({ created: 1, rejected: [{ row: 2, reason: 'Airport code XQ02 is not known.' }] })
    expect([custom('airports'), custom('airlines'), custom('aircraft')]).toEqual([[], [], []])
  })

  test('leave the order of the file, however many rows wait for them and whatever the log holds of it already', async () => {
    const known = [3, 500, 1_199]
    const number = (index: number) => `Q${index}`
    await restore(file(...known.map((index) => ({ flightNumber: number(index) }))))
    const rows = Array.from({ length: 1_200 }, (_, index) => ({
      flightNumber: number(index),
      // First, last, and some around the ends of what is moved together.
      ...((index % 83 === 0 || (index > 495 && index < 505) || index > 1_195) && { airline: { name: 'Tiny Air' } }),
    }))
    const { body } = await restore(file(...rows))
    expect(body.data).toMatchObject({ created: 1_197, duplicates: 3, rejected: [] })
    const stored = app.db.$client.prepare('select flight_number from flights where id > 3 order by id').pluck().all()
    expect(stored).toEqual(rows.map(({ flightNumber }) => flightNumber).filter((_, index) => !known.includes(index)))
    expect(custom('airlines')).toEqual(['Tiny Air'])
  })

  const everything = file({ from: field }, { airline: { name: 'Tiny Air' }, aircraft: { name: 'Home built' } })
  const scopes = ['data.airports.manage', 'data.airlines.manage', 'data.aircraft.manage'] as const
  const tables = ['airports', 'airlines', 'aircraft'] as const

  test.each(scopes)('need %s of the credential', async (scope) => {
    const key = app.key(admin.id, ['flight.import.any', ...scopes.filter((each) => each !== scope)])
    await restore(everything, key)
    const missing = tables[scopes.indexOf(scope)]
    expect(tables.filter((table) => custom(table).length === 0)).toEqual([missing])
  })

  test.each(scopes)('need %s of the role', async (scope) => {
    const role: Permission[] = ['flight.import.any', ...scopes.filter((each) => each !== scope)]
    await restore(everything, app.user({ role }))
    const missing = tables[scopes.indexOf(scope)]
    expect(tables.filter((table) => custom(table).length === 0)).toEqual([missing])
  })
})

describe('airlines and aircraft types of a backup', () => {
  test('are found by name where several share a code, then by ICAO, IATA and name', async () => {
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
