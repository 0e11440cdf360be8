import { describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import { permissions } from '../../../src/access/permissions.ts'
import { flightLog } from '../../support/flight-log.ts'
import { mcpClient } from '../mcp/support.ts'

const DAY_MS = 86_400_000

const shown = ({ status, body }: { status: number; body: { error?: { code: string; message: string } } }) => [
  status,
  body?.error?.code,
]

const points = { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx', sourceName: 'a.gpx' } // biome-ignore format: two points

/** A flight with everything that belongs to a flight. */
async function fullFlight(log: Awaited<ReturnType<typeof flightLog>>) {
  await log.field({ key: 'meal', label: 'Meal', fieldType: 'text' })
  await log.field({ key: 'lounge', label: 'Lounge', fieldType: 'airport', entityType: 'flight_passenger' })
  return log.flight(
    {
      airlineId: log.airlines.SWR,
      aircraftId: log.aircraft.BCS3,
      flightNumber: 'LX2084',
      departure: '2025-05-03T10:20:00Z',
      arrival: '2025-05-03T13:05:00Z',
      note: 'Window seat over the Pyrenees',
      track: points,
      customFields: { meal: 'fish' },
      passengers: [
        { userId: log.mira.id, seat: 'window', customFields: { lounge: log.airports.ZRH } },
        { userId: log.noor.id, seat: 'middle' },
        { guestName: 'Ida' },
      ],
    },
    log.admin,
  )
}

describe('a deleted flight', () => {
  test('is listed for its passengers as it was, with who deleted it and when', async () => {
    const log = await flightLog()
    const { as, mira, noor, admin, user } = log
    const flight = await fullFlight(log)
    expect((await as(noor).delete(`/flights/${flight.id}`)).status).toBe(204)
    const listed = { id: flight.id, deletedBy: { id: noor.id, username: 'noor' }, flight }
    for (const who of [mira, noor]) {
      const { status, body } = await as(who).get('/flights/deleted')
      expect(status).toBe(200)
      expect(body).toEqual({
        data: [{ ...listed, deletedAt: expect.stringMatching(/^2025-05-04T08:/) }],
        page: { nextCursor: null },
      })
    }
    expect((await as(admin).get('/flights/deleted')).body.data).toEqual([])
    expect((await as(admin).get('/flights/deleted?scope=all')).body.data).toEqual([expect.objectContaining(listed)])
    expect(shown(await as(user()).get('/flights/deleted?scope=all'))).toEqual([403, 'forbidden'])
    expect((await as(mira).get(`/flights/${flight.id}`)).status).toBe(404)
  })

  test('returns with passengers, custom values and track under its old id, and is changed now', async () => {
    const log = await flightLog()
    const { as, mira, noor } = log
    const flight = await fullFlight(log)
    const track = (await as(mira).get(`/flights/${flight.id}/track`)).body
    await as(mira).delete(`/flights/${flight.id}`)
    const restored = await as(noor).post(`/flights/deleted/${flight.id}/restore`)
    expect(restored.status).toBe(200)
    expect(restored.body.data).toEqual({ ...flight, updatedAt: expect.any(String) })
    expect(restored.body.data.updatedAt > flight.updatedAt).toBe(true)
    expect((await as(mira).get(`/flights/${flight.id}`)).body).toEqual(restored.body)
    expect((await as(mira).get(`/flights/${flight.id}/track`)).body).toEqual(track)
    expect((await as(mira).get('/flights/deleted')).body.data).toEqual([])
    expect(shown(await as(noor).post(`/flights/deleted/${flight.id}/restore`))).toEqual([404, 'not_found'])
    // A later deletion and restore works the same.
    await as(mira).delete(`/flights/${flight.id}`)
    expect((await as(mira).post(`/flights/deleted/${flight.id}/restore`)).body.data.passengers).toEqual(
      flight.passengers,
    )
  })

  test('is counted in statistics and lists only while it exists', async () => {
    const { as, mira, flight } = await flightLog()
    const { id } = await flight()
    const stats = async () => (await as(mira).get('/stats')).body.data
    const before = await stats()
    await as(mira).delete(`/flights/${id}`)
    expect((await as(mira).get('/flights')).body.data).toEqual([])
    expect((await stats()).flights ?? 0).not.toEqual(before.flights)
    await as(mira).post(`/flights/deleted/${id}/restore`)
    expect(await stats()).toEqual(before)
    expect((await as(mira).get('/flights')).body.data).toHaveLength(1)
  })

  test('follows in the feed as removed, then as saved', async () => {
    const { as, mira, noor, admin, flight } = await flightLog()
    const { id } = await flight({ passengers: [{ userId: mira.id }, { userId: noor.id }] }, admin)
    const changesOf = async (who: typeof mira, scope: string, cursor?: string) =>
      (await as(who).get(`/flights/changes?scope=${scope}${cursor ? `&cursor=${cursor}` : ''}`)).body
    for (const [who, scope] of [
      [mira, 'mine'],
      [noor, 'mine'],
      [admin, 'all'],
    ] as const) {
      const start = await changesOf(who, scope)
      await as(mira).delete(`/flights/${id}`)
      const removed = await changesOf(who, scope, start.page.nextCursor)
      expect(removed.data).toEqual([expect.objectContaining({ flightId: id, kind: 'removed', flight: null })])
      await as(mira).post(`/flights/deleted/${id}/restore`)
      const saved = await changesOf(who, scope, removed.page.nextCursor)
      expect(saved.data).toEqual([
        expect.objectContaining({ flightId: id, kind: 'saved', flight: expect.objectContaining({ id }) }),
      ])
      // A client that missed the deletion receives the flight once.
      const both = await changesOf(who, scope, start.page.nextCursor)
      expect(both.data.map(({ kind }: { kind: string }) => kind)).toEqual(['saved'])
    }
  })

  test('is hidden from users who were not on it and may not create flights of others', async () => {
    const { as, mira, noor, user, key, flight } = await flightLog()
    const { id } = await flight()
    await as(mira).delete(`/flights/${id}`)
    const path = `/flights/deleted/${id}/restore`
    expect(shown(await as(noor).post(path))).toEqual([404, 'not_found'])
    const reader = user({ role: ['flight.read.any', 'flight.create.own'] })
    expect(shown(await as(reader).post(path))).toEqual([403, 'forbidden'])
    const creator = user({ role: ['flight.create.any'] })
    expect(shown(await as(key(creator.id, ['flight.create.own'])).post(path))).toEqual([403, 'insufficient_scope'])
    expect((await as(creator).post(path)).status).toBe(200)
  })

  test('is left without an airline, type or custom field that was deleted meanwhile', async () => {
    const { as, mira, admin, flight, field, airports } = await flightLog()
    const {
      validFrom: _,
      validUntil: __,
      ...airline
    } = (await as(admin).post('/airlines', { name: 'Own Air' })).body.data
    const type = (await as(admin).post('/aircraft', { name: 'Own type' })).body.data
    const { id: fieldId } = await field({ key: 'meal', fieldType: 'text' })
    await field({ key: 'company', fieldType: 'airline' })
    const created = await flight({
      airlineId: airline.id,
      aircraftId: type.id,
      customFields: { meal: 'fish', company: airline.id },
    })
    await as(mira).delete(`/flights/${created.id}`)
    for (const path of [`/airlines/${airline.id}`, `/aircraft/${type.id}`, `/custom-fields/${fieldId}`])
      expect((await as(admin).delete(path)).status).toBe(204)
    const [item] = (await as(mira).get('/flights/deleted')).body.data
    expect(item.flight).toMatchObject({ airline, aircraft: type, from: { id: airports.ZRH } })
    const restored = (await as(mira).post(`/flights/deleted/${created.id}/restore`)).body.data
    expect(restored).toMatchObject({ airline: null, aircraft: null, customFields: {} })
  })

  test('cannot be restored without its airport, whose record stays in the list', async () => {
    const { as, mira, admin, flight, services, db } = await flightLog()
    const place = {
      icao: 'XQAA',
      name: 'Field',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      continent: 'EU',
      country: 'CH',
    }
    const { validFrom: _, validUntil: __, ...field } = (await as(admin).post('/airports', place)).body.data
    const { id } = await flight({ fromId: field.id })
    await as(mira).delete(`/flights/${id}`)
    expect((await as(admin).delete(`/airports/${field.id}`)).status).toBe(204)
    expect((await as(mira).get('/flights/deleted')).body.data[0].flight.from).toEqual(field)
    expect(shown(await as(mira).post(`/flights/deleted/${id}/restore`))).toEqual([409, 'conflict'])
    await services.deletedFlights.purge()
    expect(db.$client.prepare('select count(*) from deleted_flight_records').pluck().get()).toBe(1)
  })

  test('expires after 30 days, for readers at once and in the database with the next purge', async () => {
    let now = Date.parse('2025-05-04T08:00:00.000Z')
    const { as, mira, flight, services, db } = await flightLog({ now: () => now })
    const { id } = await flight({ track: points })
    await as(mira).delete(`/flights/${id}`)
    const rows = () =>
      ['deleted_flights', 'deleted_flight_tracks'].map((table) =>
        db.$client.prepare(`select count(*) from ${table}`).pluck().get(),
      )
    now += 30 * DAY_MS - 1
    await services.deletedFlights.purge()
    expect((await as(mira).get('/flights/deleted')).body.data).toHaveLength(1)
    now += 1
    expect((await as(mira).get('/flights/deleted')).body.data).toEqual([])
    expect(shown(await as(mira).post(`/flights/deleted/${id}/restore`))).toEqual([404, 'not_found'])
    expect(rows()).toEqual([1, 1])
    await services.deletedFlights.purge()
    expect(rows()).toEqual([0, 0])
  })
})

describe('the record of a deleted flight', () => {
  const place = {
    icao: 'XQAA',
    name: 'Field',
    latitude: 1,
    longitude: 2,
    timezone: 'UTC',
    continent: 'EU',
    country: 'CH',
  }

  test('has the current names of users and reference rows', async () => {
    const { as, mira, admin, user, flight } = await flightLog()
    const airport = (await as(admin).post('/airports', place)).body.data
    const { id } = await flight({ fromId: airport.id })
    await as(mira).delete(`/flights/${id}`)
    await as(admin).put(`/airports/${airport.id}`, { ...place, name: 'Renamed field' })
    await as(user({ owner: true })).put(`/users/${mira.id}`, { displayName: 'Mira Holm' })
    const [item] = (await as(mira).get('/flights/deleted')).body.data
    expect(item.flight.from.name).toBe('Renamed field')
    expect(item.flight.passengers[0].user).toMatchObject({ id: mira.id, displayName: 'Mira Holm' })
  })

  test('names nobody if the operator deleted the flight', async () => {
    const { as, mira, flight, services } = await flightLog()
    const { id } = await flight()
    await services.flights.remove(operator, id)
    expect((await as(mira).get('/flights/deleted')).body.data[0]).toMatchObject({ id, deletedBy: null })
  })
})

describe('a deletion', () => {
  test('can be undone if it was made with the legacy API or a tool', async () => {
    const { as, mira, flight, request } = await flightLog()
    const [first, second] = [await flight(), await flight()]
    const legacy = await request({
      method: 'POST',
      url: '/api/flight/delete',
      headers: { authorization: `Bearer ${mira.key}` },
      payload: { id: first.id },
    })
    expect(legacy.status).toBe(200)
    const tool = await mcpClient(request, mira).call('delete_flight', { id: second.id })
    expect(tool.body.result.isError).not.toBe(true)
    const ids = () =>
      as(mira)
        .get('/flights/deleted')
        .then(({ body }) => body.data.map(({ id }: { id: number }) => id))
    expect(await ids()).toEqual([second.id, first.id])
    const restored = await mcpClient(request, mira).call('restore_flight', { id: second.id })
    expect(restored.body.result.structuredContent.data.id).toBe(second.id)
    expect(await ids()).toEqual([first.id])
  })

  test('removes the flight from the calendar, shares and exports', async () => {
    const { as, mira, flight, services, request } = await flightLog()
    const kept = await flight({ flightNumber: 'LX1', departure: '2025-05-03T10:00:00Z' })
    const { id } = await flight({ flightNumber: 'LX999', departure: '2025-05-03T12:00:00Z' })
    const caller = { ...operator, userId: mira.id, permissions: new Set(permissions) }
    const calendar = new URL(await services.calendars.make(caller, true)).pathname
    const { slug } = (await as(mira).post('/shares', { showFlightList: true, showFlightNumbers: true })).body.data
    const headers = { authorization: `Bearer ${mira.key}` }
    const texts = async () => {
      const urls = [calendar, `/share/${slug}`, '/api/v1/flights/export', '/api/flight/export']
      const answers = []
      for (const url of urls) answers.push((await request({ url, headers })).text)
      return answers.map((text) => [text.includes(kept.flightNumber), text.includes('LX999')])
    }
    expect(await texts()).toEqual(Array(4).fill([true, true]))
    await as(mira).delete(`/flights/${id}`)
    expect(await texts()).toEqual(Array(4).fill([true, false]))
  })
})

test('a restore reads no body, and its response has the ETag of the flight', async () => {
  const { as, mira, flight, request } = await flightLog()
  const { id } = await flight()
  await as(mira).delete(`/flights/${id}`)
  const restored = await request({
    method: 'POST',
    url: `/api/v1/flights/deleted/${id}/restore`,
    headers: { authorization: `Bearer ${mira.key}`, 'content-type': 'application/json' },
    payload: '{not json',
  })
  expect(restored.status).toBe(200)
  expect(restored.headers.etag).toBe((await as(mira).get(`/flights/${id}`)).headers.etag)
})

describe('deleting an account', () => {
  test('removes its passengers from deleted flights, and purges those without another user', async () => {
    const log = await flightLog()
    const { as, mira, noor, admin, user, db } = log
    const owner = user({ owner: true })
    const shared = await fullFlight(log)
    const alone = await log.flight({ track: points })
    const withGuest = await log.flight({ passengers: [{ userId: mira.id }, { guestName: 'Ida' }] }, admin)
    for (const { id } of [shared, alone, withGuest]) await as(mira).delete(`/flights/${id}`)
    expect((await as(owner).delete(`/users/${mira.id}`)).status).toBe(204)
    const [item, ...others] = (await as(admin).get('/flights/deleted?scope=all')).body.data
    expect(others).toEqual([])
    expect(item).toMatchObject({ id: shared.id, deletedBy: null })
    const names = item.flight.passengers.map(
      ({ user, guestName }: (typeof shared.passengers)[0]) => user?.username ?? guestName,
    )
    expect(names).toEqual(['noor', 'Ida'])
    expect(db.$client.prepare('select count(*) from deleted_flight_tracks').pluck().get()).toBe(1)
    const restored = await as(noor).post(`/flights/deleted/${shared.id}/restore`)
    expect(restored.body.data).toEqual({ ...item.flight, updatedAt: expect.any(String) })
  })

  test('purges the flights that go with it at once', async () => {
    const { as, mira, admin, user, flight } = await flightLog()
    await flight()
    expect((await as(user({ owner: true })).delete(`/users/${mira.id}`)).status).toBe(204)
    expect((await as(admin).get('/flights/deleted?scope=all')).body.data).toEqual([])
  })
})

test('a deleted flight follows its airport, airline and type when they are merged', async () => {
  const { as, mira, admin, flight, services, airports, airlines } = await flightLog()
  const place = {
    icao: 'XQAA',
    name: 'Field',
    latitude: 1,
    longitude: 2,
    timezone: 'UTC',
    continent: 'EU',
    country: 'CH',
  }
  const airport = (await as(admin).post('/airports', place)).body.data
  const airline = (await as(admin).post('/airlines', { name: 'Own Air' })).body.data
  const { id } = await flight({ fromId: airport.id, airlineId: airline.id })
  await as(mira).delete(`/flights/${id}`)
  const caller = { ...operator, permissions: new Set(permissions) }
  await services.reference.airports.merge(caller, airport.id, airports.CPH)
  await services.reference.airlines.merge(caller, airline.id, airlines.SAS)
  const { distanceKm } = await flight({ fromId: airports.CPH })
  const restored = (await as(mira).post(`/flights/deleted/${id}/restore`)).body.data
  expect(restored).toMatchObject({ from: { id: airports.CPH }, airline: { id: airlines.SAS }, distanceKm })
})

test('a restored flight is in its trip again, if the trip still exists', async () => {
  const { as, mira, flight } = await flightLog()
  const [first, second] = [await flight(), await flight()]
  const trip = async (flightIds: number[]) => (await as(mira).post('/trips', { name: 'Lisbon', flightIds })).body.data
  const [kept, deleted] = [await trip([first.id]), await trip([second.id])]
  for (const { id } of [first, second]) await as(mira).delete(`/flights/${id}`)
  await as(mira).delete(`/trips/${deleted.id}`)
  expect((await as(mira).get(`/trips/${kept.id}`)).body.data.flightIds).toEqual([])
  for (const { id } of [first, second]) {
    expect((await as(mira).post(`/flights/deleted/${id}/restore`)).status).toBe(200)
  }
  expect((await as(mira).get(`/trips/${kept.id}`)).body.data.flightIds).toEqual([first.id])
})

describe('DELETED_FLIGHTS_DAYS=0', () => {
  test('deletes flights at once', async () => {
    const { as, mira, flight, db } = await flightLog({ deletedFlightsDays: 0 })
    const { id } = await flight({ track: points })
    expect((await as(mira).delete(`/flights/${id}`)).status).toBe(204)
    expect((await as(mira).get('/flights/deleted')).body.data).toEqual([])
    expect(shown(await as(mira).post(`/flights/deleted/${id}/restore`))).toEqual([404, 'not_found'])
    for (const table of ['deleted_flights', 'deleted_flight_tracks', 'flight_tracks'])
      expect(db.$client.prepare(`select count(*) from ${table}`).pluck().get()).toBe(0)
  })
})

describe('GET /api/v1/flights/deleted', () => {
  test('pages through all deleted flights, the last deletion first', async () => {
    const { as, mira, flight } = await flightLog()
    const ids: number[] = []
    for (let count = 0; count < 5; count++) ids.push((await flight()).id)
    const deleted = [ids[3]!, ids[0]!, ids[4]!, ids[1]!, ids[2]!]
    for (const id of deleted) await as(mira).delete(`/flights/${id}`)
    const found: number[] = []
    let query = '?limit=2'
    for (let more = true; more; ) {
      const { data, page } = (await as(mira).get(`/flights/deleted${query}`)).body
      found.push(...data.map(({ id }: { id: number }) => id))
      more = page.nextCursor !== null
      query = `?limit=2&cursor=${page.nextCursor}`
    }
    expect(found).toEqual(deleted.reverse())
  })

  test('has 50 flights per page without a limit', async () => {
    const { as, mira, flight } = await flightLog()
    for (let count = 0; count < 51; count++) await as(mira).delete(`/flights/${(await flight()).id}`)
    const { data, page } = (await as(mira).get('/flights/deleted')).body
    expect([data.length, typeof page.nextCursor]).toEqual([50, 'string'])
    expect((await as(mira).get('/flights/deleted?limit=200')).body.data).toHaveLength(51)
  })

  test('rejects a limit above 200, another scope and a cursor of another list', async () => {
    const { as, mira, flight } = await flightLog()
    for (let count = 0; count < 2; count++) await flight()
    const { nextCursor } = (await as(mira).get('/flights?limit=1')).body.page
    for (const query of ['limit=201', 'scope=user', 'cursor=x', `cursor=${nextCursor}`])
      expect(shown(await as(mira).get(`/flights/deleted?${query}`))).toEqual([400, 'bad_request'])
  })
})
