import { describe, expect, test } from 'vitest'
import { writeBack } from '../../support/factory.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'

type Passenger = { id: number; user: { id: string } | null; guestName: string | null }

const ids = (flight: { passengers: Passenger[] }) => flight.passengers.map(({ id }) => id)
const names = (flight: { passengers: Passenger[] }) =>
  flight.passengers.map(({ id, user, guestName }) => `${id} ${user?.id ?? guestName}`)

/** A flight of Mira, Noor and two guests, with functions to update it. */
async function fullFlight() {
  const log = await flightLog()
  const { as, mira, noor, plain, flight } = log
  const stored = await flight({
    passengers: [
      { userId: mira.id, seat: 'window', seatNumber: '7A' },
      { userId: noor.id, seatClass: 'business' },
      { guestName: 'Ann', flightReason: 'crew' },
      { guestName: 'Bo' },
    ],
  })
  const put = (body: object, by = mira) => as(by).put(`/flights/${stored.id}`, { ...plain, ...body })
  async function replace(body: object, by = mira) {
    const answer = await put(body, by)
    expect(answer.status, answer.text).toBe(200)
    return answer.body.data
  }
  return { ...log, stored, ids: ids(stored) as [number, number, number, number], put, replace }
}

describe('PUT /api/v1/flights/{id}', () => {
  test('sets every plain member and resets absent ones to their default', async () => {
    const { flight, as, mira, plain, airports, airlines, aircraft } = await flightLog()
    const { id, createdAt, updatedAt, passengers } = await flight({
      datePrecision: 'month',
      departure: '2025-05-03T10:20Z',
      arrival: '2025-05-03T13:15Z',
      duration: 5,
      note: 'Old',
      flightNumber: 'LX1',
      airlineId: airlines.SWR,
      aircraftId: aircraft.BCS3,
    })
    const { body, status } = await as(mira).put(`/flights/${id}`, { ...plain, toId: airports.CPH, date: '2025-06-01' })
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      id,
      date: '2025-06-01',
      datePrecision: 'day',
      departure: null,
      arrival: null,
      duration: null,
      note: null,
      flightNumber: null,
      airline: null,
      aircraft: null,
      to: { iata: 'CPH' },
      passengers,
      createdAt,
    })
    expect(body.data.updatedAt > updatedAt).toBe(true)
    expect((await as(mira).get(`/flights/${id}`)).body).toEqual(body)
  })

  test('recomputes duration and distance', async () => {
    const { flight, as, mira, plain, airports } = await flightLog()
    const { id, distanceKm } = await flight({ departure: '2025-05-03T10:20Z', arrival: '2025-05-03T13:15Z' })
    const { body } = await as(mira).put(`/flights/${id}`, {
      ...plain,
      fromId: airports.JFK,
      departure: '2025-05-03T10:20Z',
      arrival: '2025-05-03T10:20:59.999Z',
    })
    expect(body.data.duration).toBe(59)
    expect(body.data.distanceKm).not.toBe(distanceKm)
  })

  test('validates its body like POST and changes nothing on error', async () => {
    const { stored, put, as, mira } = await fullFlight()
    for (const [body, faults] of [
      [{ date: 'soon' }, ['invalid_format date']],
      [{ fromId: 99_999, airlineId: 99_999 }, ['custom fromId', 'custom airlineId']],
      [{ departure: '2025-05-03T10:20Z', arrival: '2025-05-03T10:19Z' }, ['custom arrival']],
      [{ passengers: [] }, ['too_small passengers']],
      [{ passengers: null }, ['invalid_type passengers']],
      [{ passengers: [{ userId: mira.id }, { userId: 'nobody' }] }, ['custom passengers.1.userId']],
    ] as [object, string[]][]) {
      const answer = await put(body)
      expect([answer.status, ...faultsOf(answer)]).toEqual([422, ...faults])
    }
    expect((await as(mira).get(`/flights/${stored.id}`)).body.data).toEqual(stored)
  })

  test('returns 422 for an invalid body before 404 for a missing flight', async () => {
    const { as, mira, plain } = await flightLog()
    expect((await as(mira).put('/flights/999', {})).status).toBe(422)
    expect((await as(mira).put('/flights/999', plain)).status).toBe(404)
    expect((await as(mira).put('/flights/0', plain)).status).toBe(400)
  })
})

describe('the passengers of a PUT', () => {
  test('stay unchanged when the member is absent, even if the date changes', async () => {
    const { stored, replace, as, noor } = await fullFlight()
    const moved = await replace({ date: '2020-01-01' })
    expect(moved.passengers).toEqual(stored.passengers)
    expect((await as(noor).get('/flights')).body.data).toMatchObject([{ id: stored.id, date: '2020-01-01' }])
  })

  test('move in the log of every passenger when the date changes', async () => {
    const { stored, replace, as, mira, noor, flight } = await fullFlight()
    const other = await flight({ date: '2025-01-01', passengers: [{ userId: mira.id }, { userId: noor.id }] })
    const log = async (who: typeof mira) =>
      (await as(who).get('/flights')).body.data.map(({ id }: { id: number }) => id)
    expect(await log(noor)).toEqual([stored.id, other.id])
    await replace({ date: '2020-01-01' })
    expect([await log(mira), await log(noor)]).toEqual([
      [other.id, stored.id],
      [other.id, stored.id],
    ])
  })

  test('are matched by user and guest name in any order, and keep their ids', async () => {
    const { replace, ids, mira, noor } = await fullFlight()
    const flight = await replace({
      passengers: [
        { guestName: ' Bo ' },
        { userId: noor.id },
        { guestName: 'Ann' },
        { userId: mira.id, seat: 'aisle' },
      ],
    })
    expect(names(flight)).toEqual([`${ids[0]} ${mira.id}`, `${ids[1]} ${noor.id}`, `${ids[2]} Ann`, `${ids[3]} Bo`])
    expect(flight.passengers[0]).toMatchObject({ seat: 'aisle', seatNumber: null })
    expect(flight.passengers[1].seatClass).toBeNull()
  })

  test('are matched by id first, so two users can exchange their records', async () => {
    const { replace, ids, mira, noor } = await fullFlight()
    const flight = await replace({
      passengers: [
        { id: ids[0], userId: noor.id },
        { id: ids[1], userId: mira.id },
        { id: ids[2], guestName: 'Bo' },
        { id: ids[3], guestName: 'Ann' },
      ],
    })
    expect(names(flight)).toEqual([`${ids[0]} ${noor.id}`, `${ids[1]} ${mira.id}`, `${ids[2]} Bo`, `${ids[3]} Ann`])
  })

  test('are added with a new id when another item takes their record', async () => {
    const { replace, ids, mira, noor, flight } = await fullFlight()
    const later = await flight()
    const changed = await replace({
      passengers: [{ userId: mira.id }, { id: ids[0], userId: noor.id }, { id: ids[3], guestName: 'Cy' }],
    })
    expect(names(changed).slice(0, 2)).toEqual([`${ids[0]} ${noor.id}`, `${ids[3]} Cy`])
    const added = changed.passengers[2]
    expect(added.user.id).toBe(mira.id)
    expect(added.id).toBeGreaterThan(later.passengers[0].id)
    await replace({ passengers: [{ userId: noor.id }] }, noor)
    const again = await replace({ passengers: [{ userId: noor.id }, { userId: mira.id }] }, noor)
    expect(again.passengers[1].id).toBeGreaterThan(added.id)
  })

  test('can change from guest to user and from user to guest', async () => {
    const { replace, ids, mira, noor } = await fullFlight()
    const flight = await replace({
      passengers: [{ userId: mira.id }, { id: ids[1], guestName: 'Nora' }, { id: ids[2], userId: noor.id }],
    })
    expect(names(flight)).toEqual([`${ids[0]} ${mira.id}`, `${ids[1]} Nora`, `${ids[2]} ${noor.id}`])
  })

  test('can have any guest name, even one like a temporary placeholder', async () => {
    const { replace, ids, mira, noor } = await fullFlight()
    for (const name of ids.flatMap((id) => [`~${id}`, `${id}`, `-${id}`, `_${id}`])) {
      const flight = await replace({
        passengers: [
          { userId: mira.id },
          { userId: noor.id },
          { id: ids[2], guestName: name },
          { id: ids[3], guestName: 'Bo' },
        ],
      })
      expect(flight.passengers[2].guestName).toBe(name)
    }
  })

  test('are rejected with a foreign, repeated or invalid id', async () => {
    const { put, ids, mira, flight } = await fullFlight()
    const other = (await flight()).passengers[0].id
    const me = { userId: mira.id }
    for (const [passengers, faults] of [
      [[{ id: other, userId: mira.id }], ['custom passengers.0.id']],
      [[me, { id: 99_999, guestName: 'Ann' }], ['custom passengers.1.id']],
      [
        [
          { id: ids[0], ...me },
          { id: ids[0], guestName: 'Ann' },
        ],
        ['custom passengers.1.id'],
      ],
      [[me, { id: ids[2], guestName: 'Ann' }, { id: ids[3], guestName: 'Ann' }], ['custom passengers.2.guestName']],
      [[{ id: ids[0], ...me }, me], ['custom passengers.1.userId']],
      [[{ id: null, ...me }], ['invalid_type passengers.0.id']],
      [[{ id: '1', ...me }], ['invalid_type passengers.0.id']],
      [[{ id: 0, ...me }], ['too_small passengers.0.id']],
    ] as [object[], string[]][]) {
      const answer = await put({ passengers })
      expect([answer.status, ...faultsOf(answer)], JSON.stringify(passengers)).toEqual([422, ...faults])
    }
  })

  test('are removed with their custom values when they are not sent', async () => {
    const { replace, field, mira, noor, db } = await fullFlight()
    await field({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text' })
    await replace({
      passengers: [
        { userId: mira.id, customFields: { meal: 'fish' } },
        { userId: noor.id, customFields: { meal: 'rice' } },
      ],
    })
    const flight = await replace({ passengers: [{ userId: mira.id }] })
    expect(flight.passengers).toMatchObject([{ customFields: { meal: 'fish' } }])
    expect(db.$client.prepare('select value from passenger_values').pluck().all()).toEqual(['"fish"'])
    const back = await replace({ passengers: [{ userId: mira.id }, { userId: noor.id }] })
    expect(back.passengers).toMatchObject([{ customFields: { meal: 'fish' } }, { customFields: {} }])
  })

  test('can exclude the caller, who still receives the flight', async () => {
    const { replace, put, stored, noor, as, mira } = await fullFlight()
    const flight = await replace({ passengers: [{ userId: noor.id }] })
    expect(flight.id).toBe(stored.id)
    expect((await put({})).status).toBe(404)
    expect((await as(mira).get('/flights')).body.data).toEqual([])
    expect((await as(noor).get('/flights')).body.data).toHaveLength(1)
  })

  test('can be guests only, so that no user owns the flight', async () => {
    const { replace, put, admin } = await fullFlight()
    await replace({ passengers: [{ guestName: 'Ann' }] })
    expect((await put({})).status).toBe(404)
    expect((await put({}, admin)).status).toBe(200)
  })
})

describe('a change of passengers', () => {
  const UPDATE_SCOPES = ['flight.read.own', 'flight.update.own']

  /** The fields exist before the flight, so that Ann's default is stored. */
  async function flightWithValues() {
    const log = await fullFlight()
    const { field, replace, mira, noor, key, as, stored, plain, ids } = log
    await field({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text' })
    await field({ entityType: 'flight_passenger', key: 'bags', fieldType: 'number', defaultValue: 1 })
    await field({ entityType: 'flight_passenger', key: 'tags', fieldType: 'multi-select', options: ['a', 'b'] })
    const [first, second, third, fourth] = ids
    const base = [
      {
        id: first,
        userId: mira.id,
        seat: 'window',
        seatNumber: '7A',
        customFields: { meal: 'fish', tags: ['a', 'b'] },
      },
      { id: second, userId: noor.id, seatClass: 'business' },
      { id: third, guestName: 'Ann', flightReason: 'crew' },
      { id: fourth, guestName: 'Bo' },
    ]
    await replace({ passengers: base })
    const limited = key(mira.id, UPDATE_SCOPES)
    const put = (passengers: object[]) => as(limited).put(`/flights/${stored.id}`, { ...plain, passengers })
    return { ...log, base, put }
  }

  test('does not include items that are equal after matching, which need no passenger scope', async () => {
    const { base, put, stored, as, mira, plain } = await flightWithValues()
    const without = base.map(({ id: _, ...item }) => item)
    for (const passengers of [
      base,
      base.toReversed(),
      without,
      without.toReversed(),
      base.map((item) => ({ ...item, customFields: {} })),
      base.map((item) => ({ ...item, customFields: { unknown: 5 } })),
      base.map(({ customFields: _, ...item }) => item),
      base.map((item) => ({ ...item, guestName: item.guestName === undefined ? null : ` ${item.guestName} ` })),
      base.map((item, index) => ({
        ...item,
        customFields: index ? { meal: null } : { meal: 'fish', tags: ['a', 'b'] },
      })),
      writeBack((await as(mira).get(`/flights/${stored.id}`)).body.data).passengers,
    ]) {
      const answer = await put(passengers)
      expect([answer.status, answer.text], JSON.stringify(passengers)).toEqual([200, answer.text])
    }
    expect(plain.date).toBe(stored.date)
  })

  test('includes everything else and requires the passenger scope', async () => {
    const { base, put, as, mira, stored, flight } = await flightWithValues()
    const before = (await as(mira).get(`/flights/${stored.id}`)).body.data
    const foreign = (await flight()).passengers[0].id
    const [me, noor, ann, bo] = base as [object, object, object, object]
    const changes: object[][] = [
      [me, noor, ann],
      [...base, { guestName: 'Cy' }],
      [{ ...me, seat: 'aisle' }, noor, ann, bo],
      [{ ...me, seat: null }, noor, ann, bo],
      [{ ...me, seatNumber: '7B' }, noor, ann, bo],
      [me, { ...noor, seatClass: 'first' }, ann, bo],
      [me, noor, { ...ann, flightReason: null }, bo],
      [me, noor, { ...ann, guestName: 'Anna' }, bo],
      [{ ...me, customFields: { meal: 'rice' } }, noor, ann, bo],
      [{ ...me, customFields: { meal: '' } }, noor, ann, bo],
      [{ ...me, customFields: { tags: ['b', 'a'] } }, noor, ann, bo],
      [{ ...me, customFields: { tags: [] } }, noor, ann, bo],
      [me, { ...noor, customFields: { meal: 'rice' } }, ann, bo],
      [me, { ...noor, customFields: { bags: 2 } }, ann, bo],
      [{ ...me, id: foreign }, noor, ann, bo],
    ]
    for (const passengers of changes) {
      const answer = await put(passengers)
      expect(answer.status, JSON.stringify(passengers)).toBe(403)
      expect(answer.body.error.code).toBe('insufficient_scope')
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer resource_metadata="http://localhost:3000/.well-known/oauth-protected-resource/api/v1", scope="flight.update.own flight.passengers.manage.own", error="insufficient_scope", error_description="This call also needs the scope flight.passengers.manage.own."',
      )
    }
    expect((await as(mira).get(`/flights/${stored.id}`)).body.data).toEqual(before)
  })

  test('does not include filled-in defaults', async () => {
    const { field, base, put } = await flightWithValues()
    await field({ entityType: 'flight_passenger', key: 'new', fieldType: 'text', defaultValue: 'filled' })
    const { status, body } = await put(base)
    expect(status).toBe(200)
    expect(body.data.passengers.map((each: { customFields: object }) => each.customFields)).toEqual([
      { meal: 'fish', bags: 1, tags: ['a', 'b'], new: 'filled' },
      { bags: 1, new: 'filled' },
      { bags: 1, new: 'filled' },
      { bags: 1, new: 'filled' },
    ])
  })

  test('returns 403 forbidden without the permission, even with the scope', async () => {
    const { user, as, plain, flight } = await flightLog()
    const pilot = user({ role: ['flight.read.own', 'flight.create.own', 'flight.update.own'] })
    const { id, passengers } = await flight({ passengers: [{ userId: pilot.id }] }, pilot)
    expect((await as(pilot).put(`/flights/${id}`, { ...plain, passengers: [{ userId: pilot.id }] })).status).toBe(200)
    const answer = await as(pilot).put(`/flights/${id}`, {
      ...plain,
      passengers: [{ userId: pilot.id, seat: 'pilot' }],
    })
    expect([answer.status, answer.body.error.code]).toEqual([403, 'forbidden'])
    expect(answer.headers['www-authenticate']).toBeUndefined()
    expect((await as(pilot).get(`/flights/${id}`)).body.data.passengers).toEqual(passengers)
  })
})

describe('the track of a PUT', () => {
  const track = {
    coordinates: [
      [1, 2],
      [3, 4],
    ],
    sourceFormat: 'gpx',
  }

  test('is kept when absent, removed by null and replaced by an object', async () => {
    const { flight, as, mira, plain } = await flightLog()
    const { id, track: summary } = await flight({ track })
    expect(summary).toEqual({ pointCount: 2, updatedAt: expect.any(String), sourceFormat: 'gpx', sourceName: null })
    const put = async (body: object) => (await as(mira).put(`/flights/${id}`, { ...plain, ...body })).body.data.track
    expect(await put({})).toEqual(summary)
    const replaced = await put({
      track: {
        ...track,
        coordinates: [
          [1, 2],
          [3, 4],
          [5, 6, 7],
        ],
        sourceName: 'a.gpx',
      },
    })
    expect(replaced).toMatchObject({ pointCount: 3, sourceName: 'a.gpx' })
    expect(replaced.updatedAt > summary.updatedAt).toBe(true)
    expect(await put({ track: null })).toBeNull()
    expect((await as(mira).get(`/flights/${id}/track`)).body).toEqual({ data: null })
  })

  test('is not stored when the flight is rejected', async () => {
    const { flight, as, mira, plain } = await flightLog()
    const { id } = await flight()
    expect((await as(mira).put(`/flights/${id}`, { ...plain, fromId: 99_999, track })).status).toBe(422)
    expect((await as(mira).get(`/flights/${id}`)).body.data.track).toBeNull()
  })

  test('reports track errors below its member', async () => {
    const { as, mira, plain } = await flightLog()
    const answer = await as(mira).post('/flights', {
      ...plain,
      track: {
        coordinates: [
          [1, 2],
          [1, 91],
        ],
        sourceFormat: 'gpx',
        times: [1],
        sourceName: 5,
      },
    })
    expect(faultsOf(answer).toSorted()).toEqual([
      'custom track.times',
      'invalid_type track.sourceName',
      'too_big track.coordinates.1.1',
    ])
  })
})

describe('DELETE /api/v1/flights/{id}', () => {
  test('removes passengers, values and the track, and returns 404 the second time', async () => {
    const { db, as, mira, field, flight } = await flightLog()
    await field({ key: 'ref', fieldType: 'text', defaultValue: 'x' })
    await field({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text', defaultValue: 'x' })
    const { id } = await flight({
      track: {
        coordinates: [
          [1, 2],
          [3, 4],
        ],
        sourceFormat: 'gpx',
      },
    })
    const answer = await as(mira).delete(`/flights/${id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const table of ['flights', 'passengers', 'flight_values', 'passenger_values', 'flight_tracks']) {
      expect(db.$client.prepare(`select count(*) from ${table}`).pluck().get(), table).toBe(0)
    }
    expect((await as(mira).delete(`/flights/${id}`)).status).toBe(404)
    expect((await as(mira).get(`/flights/${id}`)).status).toBe(404)
    expect((await flight()).id).toBeGreaterThan(id)
  })
})
