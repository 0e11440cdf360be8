import { describe, expect, test } from 'vitest'
import { type FlightLog, faultsOf, flightLog } from '../../support/flight-log.ts'
import { runNow } from '../../support/write-now.ts'

const idsOf = ({ body }: { body: { data: { id: number }[] } }) => body.data.map(({ id }) => id)

/** A trip from Zurich to New York and back, over Lisbon. */
async function trips() {
  const log = await flightLog()
  const { ZRH, LIS, JFK } = log.airports
  const api = log.as(log.mira)
  const out = await log.flight({ date: '2024-03-08', fromId: ZRH, toId: LIS })
  const on = await log.flight({ date: '2024-03-08', fromId: LIS, toId: JFK, departure: '2024-03-08T18:00:00Z' })
  const back = await log.flight({ date: '2024-03-20', fromId: JFK, toId: ZRH })
  const create = async (body: object, who = log.mira) => (await log.as(who).post('/trips', body)).body.data
  return { ...log, api, out, on, back, create }
}

const flightsOf = async ({ as, mira }: Pick<FlightLog, 'as' | 'mira'>, id: number) =>
  (await as(mira).get(`/trips/${id}`)).body.data.flightIds

describe('POST /api/v1/trips', () => {
  test('stores name, note and flights, and returns the figures of its flights', async () => {
    const { api, out, on, back } = await trips()
    const flightIds = [back.id, out.id, on.id, out.id]
    const { status, headers, body } = await api.post('/trips', { name: '  New York ', note: 'With rain', flightIds })
    expect(status).toBe(201)
    const { id, createdAt } = body.data
    expect(headers.location).toBe(`/api/v1/trips/${id}`)
    expect(body.data).toEqual({
      id,
      name: 'New York',
      note: 'With rain',
      flightIds: [on.id, out.id, back.id],
      flights: 3,
      dateFrom: '2024-03-08',
      dateTo: '2024-03-20',
      distanceKm: Math.round([out, on, back].reduce((sum, { distanceKm }) => sum + distanceKm, 0)),
      countries: ['CH', 'PT', 'US'],
      createdAt,
      updatedAt: createdAt,
    })
    expect((await api.get(`/trips/${id}`)).body.data).toEqual(body.data)
  })

  test('orders flights by date, effective departure with unknown ones last, then id', async () => {
    const { api, flight } = await trips()
    const at = (date: string, times: object = {}) => flight({ date, ...times })
    const made = [
      await at('2024-05-02'),
      await at('2024-05-01'),
      await at('2024-05-01'),
      await at('2024-05-01', { departure: '2024-05-01T20:00:00Z' }),
      await at('2024-05-01', { departureScheduled: '2024-05-01T10:00:00Z', departure: '2024-05-01T21:00:00Z' }),
      await at('2024-05-01', { takeoffScheduled: '2024-05-01T09:00:00Z' }),
      await at('2024-05-01', { departure: '2024-05-01T01:00:00Z', datePrecision: 'month' }),
    ].map(({ id }) => id)
    const { body } = await api.post('/trips', { name: 'May', flightIds: made })
    expect(body.data.flightIds.map((id: number) => made.indexOf(id))).toEqual([5, 3, 4, 1, 2, 6, 0])
  })

  test('accepts a trip without flights, and has no dates, distance and countries then', async () => {
    const { create } = await trips()
    const empty = { flightIds: [], flights: 0, dateFrom: null, dateTo: null, distanceKm: 0, countries: [], note: null }
    expect(await create({ name: 'Plan' })).toMatchObject(empty)
  })

  test('reports invalid names, notes and lists', async () => {
    const { api, out } = await trips()
    const faults = async (body: object) => {
      const answer = await api.post('/trips', body)
      return [answer.status, ...faultsOf(answer)]
    }
    expect(await faults({})).toEqual([422, 'invalid_type name'])
    expect(await faults({ name: '  ' })).toEqual([422, 'too_small name'])
    expect(await faults({ name: 'é'.repeat(101), note: 'x'.repeat(10_001) })).toEqual([
      422,
      'too_big name',
      'too_big note',
    ])
    expect(await faults({ name: 'x', flightIds: Array(501).fill(out.id) })).toEqual([422, 'too_big flightIds'])
    expect(await faults({ name: 'x', flightIds: [out.id, 0, 'a'] })).toEqual([
      422,
      'too_small flightIds.1',
      'invalid_type flightIds.2',
    ])
    const longest = { name: 'é'.repeat(100), note: 'x'.repeat(10_000), flightIds: Array(500).fill(out.id) }
    expect((await api.post('/trips', longest)).body.data).toMatchObject({ flights: 1, note: longest.note })
  })

  test('rejects flights that do not exist and flights of others, each with its index', async () => {
    const { api, as, admin, create, out, flight, noor } = await trips()
    const foreign = await flight({}, noor)
    const wrong = { name: 'x', flightIds: [foreign.id, out.id, 999_999] }
    for (const answer of [await api.post('/trips', wrong), await as(admin).post('/trips', wrong)])
      expect(answer.status).toBe(422)
    expect(faultsOf(await api.post('/trips', wrong))).toEqual(['custom flightIds.0', 'custom flightIds.2'])
    const { id } = await create({ name: 'y' })
    expect(faultsOf(await api.put(`/trips/${id}`, wrong))).toEqual(['custom flightIds.0', 'custom flightIds.2'])
    expect((await api.get('/trips')).body.data).toHaveLength(1)
  })

  test('creates one trip for repeated requests with an Idempotency-Key', async () => {
    const { api, out } = await trips()
    const post = () => api.post('/trips', { name: 'x', flightIds: [out.id] }, { 'idempotency-key': 'a' })
    const [first, second] = [await post(), await post()]
    expect([second.status, second.text, second.headers['idempotency-replayed']]).toEqual([201, first.text, 'true'])
    expect((await api.get('/trips')).body.data).toHaveLength(1)
  })
})

describe('a flight', () => {
  test('is in at most one trip: adding it moves it, and changes the other trip', async () => {
    const { create, api, out, on } = await trips()
    const first = await create({ name: 'First', flightIds: [out.id, on.id] })
    const second = await create({ name: 'Second', flightIds: [on.id] })
    const left = (await api.get(`/trips/${first.id}`)).body.data
    expect(left.flightIds).toEqual([out.id])
    expect(left.updatedAt > first.updatedAt).toBe(true)
    const gained = (await api.get(`/trips/${second.id}`)).body.data
    await api.put(`/trips/${first.id}`, { name: 'First', flightIds: [on.id] })
    expect((await api.get(`/trips/${second.id}`)).body.data.updatedAt > gained.updatedAt).toBe(true)
    expect((await api.get(`/trips/${first.id}`)).body.data.flightIds).toEqual([on.id])
    expect((await api.get(`/trips/${second.id}`)).body.data.flightIds).toEqual([])
  })

  test('can be in one trip of each passenger, who see only their own', async () => {
    const { create, as, flight, mira, noor } = await trips()
    const shared = await flight({ passengers: [{ userId: mira.id }, { userId: noor.id }] })
    const mine = await create({ name: 'Mine', flightIds: [shared.id] })
    const theirs = await create({ name: 'Theirs', flightIds: [shared.id] }, noor)
    expect(idsOf(await as(mira).get('/trips'))).toEqual([mine.id])
    expect(idsOf(await as(noor).get('/trips'))).toEqual([theirs.id])
    for (const send of [as(noor).get, as(noor).delete]) expect((await send(`/trips/${mine.id}`)).status).toBe(404)
    expect((await as(noor).put(`/trips/${mine.id}`, { name: 'x' })).status).toBe(404)
    expect((await as(mira).get(`/trips/${mine.id}`)).body.data.flightIds).toEqual([shared.id])
  })

  test('leaves its trip when it is deleted', async () => {
    const log = await trips()
    const { id } = await log.create({ name: 'x', flightIds: [log.out.id, log.on.id] })
    await log.api.delete(`/flights/${log.on.id}`)
    expect(await flightsOf(log, id)).toEqual([log.out.id])
  })

  test('returns to its trip when it is restored, if the trip still exists', async () => {
    const log = await trips()
    const { id } = await log.create({ name: 'x', flightIds: [log.out.id, log.on.id] })
    const restore = async () => {
      await log.api.delete(`/flights/${log.on.id}`)
      return (await log.api.post(`/flights/deleted/${log.on.id}/restore`)).status
    }
    expect(await restore()).toBe(200)
    expect(await flightsOf(log, id)).toEqual([log.on.id, log.out.id])
    await log.api.delete(`/flights/${log.on.id}`)
    await log.api.delete(`/trips/${id}`)
    expect((await log.api.post(`/flights/deleted/${log.on.id}/restore`)).status).toBe(200)
    expect((await log.api.get('/trips')).body.data).toEqual([])
  })

  test('leaves the trips of a user who is removed from it, and stays in those of others', async () => {
    const log = await trips()
    const { mira, noor, api, create } = log
    const both = [{ userId: mira.id }, { userId: noor.id }]
    const shared = await log.flight({ passengers: both })
    const mine = await create({ name: 'Mine', flightIds: [shared.id] })
    const theirs = await create({ name: 'Theirs', flightIds: [shared.id] }, noor)
    const change = (passengers: object[]) => api.put(`/flights/${shared.id}`, { ...log.plain, passengers })
    const noorsFlights = async () => (await log.as(noor).get(`/trips/${theirs.id}`)).body.data.flightIds
    await change([{ userId: mira.id, seat: 'aisle' }])
    expect([await flightsOf(log, mine.id), await noorsFlights()]).toEqual([[shared.id], []])
    await change(both)
    expect(await noorsFlights()).toEqual([])
    await log.as(noor).put(`/trips/${theirs.id}`, { name: 'x', flightIds: [shared.id] })
    // The rows of the passengers are exchanged.
    const [first, second] = (await api.get(`/flights/${shared.id}`)).body.data.passengers
    const exchanged = [
      { id: first.id, userId: second.user.id },
      { id: second.id, userId: first.user.id },
    ]
    expect((await change(exchanged)).status).toBe(200)
    expect([await flightsOf(log, mine.id), await noorsFlights()]).toEqual([[shared.id], [shared.id]])
  })

  test('is not changed by its trips: same record, tag and feed', async () => {
    const log = await trips()
    const { api, out } = log
    const tag = async () => (await api.get(`/flights/${out.id}`)).headers.etag
    const feed = async () => (await api.get('/flights/changes')).text
    const before = [await tag(), await feed()]
    const { id } = await log.create({ name: 'x', flightIds: [out.id] })
    await api.delete(`/trips/${id}`)
    expect([await tag(), await feed()]).toEqual(before)
  })

  test('keeps its trip when it is changed', async () => {
    const log = await trips()
    const { id } = await log.create({ name: 'x', flightIds: [log.out.id] })
    await log.api.put(`/flights/${log.out.id}`, { ...log.plain, date: '2024-04-01', note: 'Late' })
    expect((await log.api.get(`/trips/${id}`)).body.data).toMatchObject({ flights: 1, dateFrom: '2024-04-01' })
  })
})

describe('PUT and DELETE /api/v1/trips/{id}', () => {
  test('replaces name and note, and keeps the flights without flightIds', async () => {
    const { api, create, out } = await trips()
    const trip = await create({ name: 'Before', note: 'x', flightIds: [out.id] })
    const { body } = await api.put(`/trips/${trip.id}`, { name: 'After' })
    expect(body.data).toEqual({ ...trip, name: 'After', note: null, updatedAt: body.data.updatedAt })
    expect(body.data.updatedAt > trip.updatedAt).toBe(true)
    const emptied = await api.put(`/trips/${trip.id}`, { name: 'After', flightIds: [] })
    expect(emptied.body.data.flights).toBe(0)
  })

  test('keeps the flights of a deleted trip', async () => {
    const { api, create, out } = await trips()
    const { id } = await create({ name: 'x', flightIds: [out.id] })
    expect((await api.delete(`/trips/${id}`)).status).toBe(204)
    expect((await api.get(`/flights/${out.id}`)).status).toBe(200)
    for (const send of [api.get, api.delete]) expect((await send(`/trips/${id}`)).status).toBe(404)
    expect((await api.put(`/trips/${id}`, { name: 'x' })).status).toBe(404)
  })

  test('accepts If-Match with the tag of getTrip, and rejects others without writing', async () => {
    const { api, create, out } = await trips()
    const { id } = await create({ name: 'x', flightIds: [out.id] })
    const path = `/trips/${id}`
    const tag = async () => String((await api.get(path)).headers.etag)
    const stale = { 'if-match': '"other"' }
    expect((await api.put(path, { name: 'y' }, stale)).body.error.code).toBe('precondition_failed')
    expect((await api.delete(path, undefined, stale)).status).toBe(412)
    const changed = await api.put(path, { name: 'y' }, { 'if-match': await tag() })
    expect([changed.status, changed.headers.etag]).toEqual([200, await tag()])
    // A deleted flight changes the record of its trip.
    const before = await tag()
    await api.delete(`/flights/${out.id}`)
    expect((await api.delete(path, undefined, { 'if-match': before })).status).toBe(412)
    expect((await api.delete(path, undefined, { 'if-match': await tag() })).status).toBe(204)
  })

  test('returns 405 for other methods of suggestions', async () => {
    const { api } = await trips()
    for (const send of [api.put, api.delete]) expect((await send('/trips/suggestions', {})).status).toBe(405)
  })
})

describe('GET /api/v1/trips', () => {
  test('lists empty trips first, then by the last date and id, in pages', async () => {
    const log = await trips()
    const { api, create } = log
    const at = async (name: string, ...dates: string[]) => {
      const flights = []
      for (const date of dates) flights.push(await log.flight({ date }))
      return create({ name, flightIds: flights.map(({ id }) => id) })
    }
    await at('c', '2024-01-05')
    await at('none')
    await at('a', '2024-01-01', '2024-02-09')
    await at('d', '2024-01-05')
    await at('none too')
    const names = ['none too', 'none', 'a', 'd', 'c']
    expect((await api.get('/trips')).body.data.map(({ name }: { name: string }) => name)).toEqual(names)
    const read: string[] = []
    for (let cursor = ''; cursor !== 'null'; ) {
      const { body } = await api.get(`/trips?limit=2${cursor && `&cursor=${cursor}`}`)
      read.push(...body.data.map(({ name }: { name: string }) => name))
      cursor = String(body.page.nextCursor)
    }
    expect(read).toEqual(names)
    for (const query of ['limit=0', 'limit=201', 'cursor=x'])
      expect((await api.get(`/trips?${query}`)).status).toBe(400)
  })

  test('has 50 trips per page without a limit', async () => {
    const { api, create } = await trips()
    for (let count = 0; count < 51; count++) await create({ name: `Trip ${count}` })
    const { data, page } = (await api.get('/trips')).body
    expect([data.length, typeof page.nextCursor]).toEqual([50, 'string'])
    expect((await api.get('/trips?limit=200')).body.data).toHaveLength(51)
  })

  test('returns 304 for a known tag until a trip or its flights change', async () => {
    const { api, create, out } = await trips()
    const { id } = await create({ name: 'x', flightIds: [out.id] })
    for (const path of ['/trips', `/trips/${id}`]) {
      const { headers } = await api.get(path)
      expect(headers).toMatchObject({ 'cache-control': 'private, no-cache', vary: 'Authorization' })
      const known = { 'if-none-match': String(headers.etag) }
      expect((await api.get(path, undefined, known)).status).toBe(304)
      await api.put(`/trips/${id}`, { name: `Not ${path}`, flightIds: [out.id] })
      expect((await api.get(path, undefined, known)).status).toBe(200)
    }
  })
})

describe('GET /api/v1/trips/suggestions', () => {
  test('suggests round journeys of flights without a trip, newest first, and stores nothing', async () => {
    const { api, flight, airports, out, on, back, db } = await trips()
    const { ZRH, LIS, SIN } = airports
    runNow(db, "update airports set municipality = 'Singapore' where id = ?", SIN)
    const departure = '2024-03-08T09:00:00Z'
    await api.put(`/flights/${out.id}`, { date: '2024-03-08', fromId: ZRH, toId: LIS, departure })
    const there = await flight({ date: '2025-01-10', fromId: ZRH, toId: SIN })
    const again = await flight({ date: '2025-01-31', fromId: SIN, toId: ZRH })
    const singapore = {
      name: 'Singapore, January 2025',
      flightIds: [there.id, again.id],
      dateFrom: '2025-01-10',
      dateTo: '2025-01-31',
    }
    const newYork = {
      name: 'John F. Kennedy International Airport, March 2024',
      flightIds: [out.id, on.id, back.id],
      dateFrom: '2024-03-08',
      dateTo: '2024-03-20',
    }
    const suggested = await api.get('/trips/suggestions')
    expect(suggested.body).toEqual({ data: [singapore, newYork], page: { nextCursor: null } })
    expect((await api.get('/trips')).body.data).toEqual([])
    expect((await api.post('/trips', singapore)).status).toBe(201)
    expect((await api.get('/trips/suggestions')).body.data).toEqual([newYork])
  })
})

describe('trips', () => {
  test('are recorded in the activity of their user', async () => {
    const { api, create, services, mira } = await trips()
    const { id } = await create({ name: 'Alps' })
    await api.put(`/trips/${id}`, { name: 'Andes' })
    await api.delete(`/trips/${id}`)
    const entries = [...services.activity.history(0, { id: mira.id, username: 'mira' })].slice(-3)
    expect(entries.map(({ kind, summary, subject }) => [kind, summary, subject])).toEqual([
      ['trip.created', 'mira created the trip “Alps”.', { kind: 'trip', id }],
      ['trip.changed', 'mira changed the trip “Andes”.', { kind: 'trip', id }],
      ['trip.deleted', 'mira deleted the trip “Andes”.', { kind: 'trip', id }],
    ])
  })

  test('are not in exports', async () => {
    const { api, create, out, mira, request } = await trips()
    await create({ name: 'Secret journey', flightIds: [out.id] })
    expect((await api.get('/flights/export')).text).not.toContain('Secret journey')
    const headers = { authorization: `Bearer ${mira.key}` }
    expect((await request({ url: '/api/flight/export', headers })).text).not.toContain('Secret journey')
  })
})

describe('the filter tripId', () => {
  async function filtered() {
    const log = await trips()
    const loose = await log.flight({ date: '2024-07-01' })
    const { id } = await log.create({ name: 'New York', flightIds: [log.out.id, log.on.id] })
    const other = await log.create({ name: 'Home', flightIds: [log.back.id] })
    const found = async (query: string) => idsOf(await log.api.get(`/flights?order=oldest&${query}`))
    return { ...log, loose, trip: id, other: other.id, found }
  }

  test('selects flights by trips, without a trip, or both, together with other filters', async () => {
    const { found, trip, other, out, on, back, loose, api } = await filtered()
    expect(await found(`tripId=${trip}`)).toEqual([out.id, on.id])
    expect(await found(`tripId=${trip},${other}`)).toEqual([out.id, on.id, back.id])
    expect(await found('tripId=none')).toEqual([loose.id])
    expect(await found(`tripId=none,${other}`)).toEqual([back.id, loose.id])
    expect(await found(`tripId=${trip}&fromId=${out.to.id}`)).toEqual([on.id])
    expect(await found('tripId=999999')).toEqual([])
    expect((await api.get('/flights?tripId=x')).status).toBe(400)
    expect((await api.get(`/stats?tripId=${trip}`)).body.data.flights).toBe(2)
    expect((await api.get(`/stats/breakdown?by=airport&tripId=${other}`)).body.data.total.flights).toBe(1)
    expect((await api.get(`/stats/records?tripId=${other}`)).body.data.longestDistance.id).toBe(back.id)
  })

  test('follows changes of trips at once', async () => {
    const { found, trip, out, on, back, api } = await filtered()
    const statistics = async () => (await api.get(`/stats?tripId=${trip}`)).body.data.flights
    expect([await found(`tripId=${trip}`), await statistics()]).toEqual([[out.id, on.id], 2])
    await api.put(`/trips/${trip}`, { name: 'x', flightIds: [back.id] })
    expect([await found(`tripId=${trip}`), await statistics()]).toEqual([[back.id], 1])
    await api.delete(`/trips/${trip}`)
    expect([await found(`tripId=${trip}`), await statistics()]).toEqual([[], 0])
  })

  test('finds nothing in trips of others, and no trip of fellow passengers', async () => {
    const { as, mira, noor, flight, create } = await filtered()
    const shared = await flight({ passengers: [{ userId: mira.id }, { userId: noor.id }] })
    const { id } = await create({ name: 'Mine', flightIds: [shared.id] })
    expect(idsOf(await as(noor).get(`/flights?tripId=${id}`))).toEqual([])
    expect(idsOf(await as(noor).get('/flights?tripId=none'))).toEqual([shared.id])
    expect(idsOf(await as(mira).get(`/flights?tripId=${id}`))).toEqual([shared.id])
  })

  test('returns 400 for flights of others', async () => {
    const { as, admin, mira, trip } = await filtered()
    const paths = ['/flights', '/stats', '/stats/breakdown?by=year', '/stats/records', '/stats/punctuality']
    for (const path of paths) {
      const query = `${path}${path.includes('?') ? '&' : '?'}tripId=${trip}`
      for (const scope of ['all', `user&userId=${mira.id}`]) {
        const answer = await as(admin).get(`${query}&scope=${scope}`)
        expect([path, answer.status, faultsOf(answer)]).toEqual([path, 400, ['custom tripId']])
      }
      expect((await as(mira).get(`${query}&scope=user&userId=${mira.id}`)).status).toBe(200)
    }
  })
})

describe('a share of a trip', () => {
  const allShown = { showFlightList: true, showStats: true, showTracks: true }

  async function shared(body: object = {}) {
    const log = await trips()
    await log.flight({ date: '2024-07-01', fromId: log.airports.ZRH, toId: log.airports.SIN })
    const trip = await log.create({ name: 'Autumn in New York', flightIds: [log.out.id, log.on.id, log.back.id] })
    const make = (more: object) => log.api.post('/shares', { ...allShown, tripId: trip.id, ...more })
    const share = (await make(body)).body.data
    const page = async () => (await log.request({ url: `/share/${share.slug}` })).text
    return { ...log, trip, make, share, page }
  }

  test('shows only the flights of the trip, in list, map and statistics', async () => {
    const { page, share, trip, request } = await shared()
    expect(share.tripId).toBe(trip.id)
    const html = await page()
    expect(html).toContain('<bdi>Autumn in New York</bdi></h1>')
    expect(html).toContain('JFK')
    expect(html).not.toContain('SIN')
    const map = await request({ url: `/share/${share.slug}/map.json` })
    expect(map.text).toContain('JFK')
    expect(map.text).not.toContain('SIN')
  })

  test('applies its other filters too, also to the dates that it shows', async () => {
    const { page } = await shared({ dateFrom: '2024-03-09' })
    const html = await page()
    expect(html).toContain('JFK')
    expect(html).not.toContain('LIS')
    expect(html).toContain('20 Mar 2024')
    expect(html).not.toContain('8 Mar 2024')
  })

  test('shows name and dates of the trip only with showDates', async () => {
    const { page } = await shared({ showDates: false })
    const html = await page()
    expect(html).toContain('JFK')
    for (const hidden of ['Autumn in New York', '2024']) expect(html).not.toContain(hidden)
  })

  test('follows the trip, and is deleted with it', async () => {
    const { page, api, trip, share, out, request } = await shared()
    expect(await page()).toContain('JFK')
    await api.put(`/trips/${trip.id}`, { name: 'Portugal', flightIds: [out.id] })
    const html = await page()
    expect(html).toContain('<bdi>Portugal</bdi></h1>')
    expect(html).not.toContain('JFK')
    await api.delete(`/trips/${trip.id}`)
    expect((await request({ url: `/share/${share.slug}` })).status).toBe(404)
    expect((await api.get('/shares')).body.data).toEqual([])
  })

  test('keeps its trip if a PUT does not name one, and shows everything after null', async () => {
    const { api, share, trip } = await shared()
    const put = async (body: object) => (await api.put(`/shares/${share.id}`, body)).body.data.tripId
    expect(await put({ showStats: true })).toBe(trip.id)
    expect(await put({ tripId: null })).toBe(null)
    expect(await put({ tripId: trip.id })).toBe(trip.id)
  })

  test('can only be of a trip of its owner', async () => {
    const { api, as, noor, trip, share } = await shared()
    for (const answer of [
      await as(noor).post('/shares', { tripId: trip.id }),
      await api.post('/shares', { tripId: 999_999 }),
      await api.put(`/shares/${share.id}`, { tripId: 999_999 }),
    ])
      expect([answer.status, faultsOf(answer)]).toEqual([422, ['custom tripId']])
    expect(faultsOf(await api.post('/shares', { tripId: 'x' }))).toEqual(['invalid_type tripId'])
  })
})
