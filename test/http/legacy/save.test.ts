import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestUser } from '../../support/paxlog.ts'
import { legacyServer, type Server, zurichToLisbon } from './support.ts'

let server: Server
let mira: TestUser
let bob: TestUser
let me: ReturnType<Server['legacyAs']>
beforeAll(async () => {
  server = await legacyServer()
  mira = server.user({ username: 'mira' })
  bob = server.user({ username: 'bob' })
  me = server.legacyAs(mira)
})
afterAll(() => server.close())

const bodyWith = (more: object) => ({ ...zurichToLisbon, ...more })
const bodyWithout = (member: string) =>
  Object.fromEntries(Object.entries(zurichToLisbon).filter(([name]) => name !== member))
const self = { userId: '<USER_ID>' }
const countRows = (table: string) => server.db.$client.prepare(`select count(*) from ${table}`).pluck().get()

describe('POST /api/flight/save', () => {
  test('creates a flight without an id or with null, and returns the new id', async () => {
    const [first, second] = [await me.save(zurichToLisbon), await me.save(bodyWith({ id: null }))]
    expect([first.status, first.text]).toEqual([200, `{"success":true,"id":${first.body.id}}`])
    expect(second.body.id).toBe(first.body.id + 1)
  })

  test('replaces a flight by id and returns only success', async () => {
    const { id } = (await me.save(bodyWith({ note: 'before', airline: 'SWR', flightNumber: 'LX1' }))).body
    const answer = await me.save(bodyWith({ id, from: 'LIS', to: 'ZRH', departure: '2025-05-04' }))
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(answer.headers.link).toContain(`/api/v1/flights/${id}>`)
    const { flight } = (await me.get(`/flight/get/${id}`)).body
    expect(flight).toMatchObject({ id, date: '2025-05-04', note: null, airline: null, flightNumber: null })
    expect([flight.from.iata, flight.to.iata]).toEqual(['LIS', 'ZRH'])
  })

  test('finds the airport and the airline that had a code on the day', async () => {
    const save = async (departure: string) => {
      const { to, airline } = await me.saveAndGet(bodyWith({ departure, to: 'HKG', airline: 'LX' }))
      return [to.icao, airline]
    }
    expect(await save('1998-07-05')).toEqual(['VHHX', 'CRX'])
    expect(await save('2010-01-01')).toEqual(['VHHH', 'SWR'])
  })

  test('treats a guest without userId like one with userId null', async () => {
    const savedNames = async (guest: object) => {
      const { passengers } = await me.saveAndGet(bodyWith({ passengers: [self, guest] }))
      return passengers.map(({ userId, guestName }: Record<string, unknown>) => ({ userId, guestName }))
    }
    const withoutUserId = await savedNames({ guestName: 'Noor' })
    expect(withoutUserId[1]).toEqual({ userId: null, guestName: 'Noor' })
    expect(withoutUserId).toEqual(await savedNames({ userId: null, guestName: 'Noor' }))
  })

  test('keeps a guest when an update omits userId', async () => {
    const before = await me.saveAndGet(bodyWith({ passengers: [self, { userId: null, guestName: 'Noor' }] }))
    const guest = before.passengers.find(({ guestName }: { guestName: string | null }) => guestName === 'Noor')
    const update = bodyWith({ id: before.id, passengers: [self, { id: guest.id, guestName: 'Noor', seat: 'window' }] })
    expect((await me.save(update)).status).toBe(200)
    const { passengers } = (await me.get(`/flight/get/${before.id}`)).body.flight
    expect(passengers[1]).toMatchObject({ id: guest.id, userId: null, guestName: 'Noor', seat: 'window' })
  })

  test('checks a flight again if a concurrent request has changed it', async () => {
    const { id } = (await me.save(zurichToLisbon)).body
    const [gone, late] = await Promise.all([
      me.post('/flight/delete', { id }),
      me.save(bodyWith({ id, passengers: [self, { userId: null, guestName: 'Noor' }] })),
    ])
    expect([gone.status, late.status]).toEqual([200, 404])
  })

  test('accepts a full flight with codes for its places and ignores read-only members', async () => {
    const before = await me.saveAndGet(bodyWith({ note: 'kept', aircraft: 'A320', airline: 'LX' }))
    const body = {
      ...before,
      from: before.from.icao,
      to: before.to.iata.toLowerCase(),
      departure: before.date,
      duration: 1,
      distanceKm: 1,
      createdAt: 'x',
      fromId: 1,
      whatever: { deep: [1] },
    }
    expect((await me.save(body)).status).toBe(200)
    const after = (await me.get(`/flight/get/${before.id}`)).body.flight
    expect({ ...after, updatedAt: '' }).toEqual({ ...before, updatedAt: '' })
  })

  const nulls = [
    'id', 'arrival', 'departureScheduled', 'arrivalScheduled', 'takeoffScheduled', 'takeoffActual', 'landingScheduled',
    'landingActual', 'departureTime', 'arrivalTime', 'departureScheduledTime', 'arrivalScheduledTime',
    'takeoffScheduledTime', 'takeoffActualTime', 'landingScheduledTime', 'landingActualTime', 'airline', 'aircraft',
    'flightNumber', 'aircraftReg', 'departureTerminal', 'departureGate', 'arrivalTerminal', 'arrivalGate', 'note',
    'flightReason', 'seats',
  ] // biome-ignore format: a list of names
  test.each(nulls)('treats null for %s like a missing member', async (member) => {
    const [sent, absent] = [await me.saveAndGet(bodyWith({ [member]: null })), await me.saveAndGet(zurichToLisbon)]
    const comparable = ({ id: _, createdAt: __, updatedAt: ___, passengers, ...flight }: Record<string, unknown>) => [
      flight,
      (passengers as object[]).length,
    ]
    expect(comparable(sent)).toEqual(comparable(absent))
  })

  test('finds airports by ICAO before IATA, and airlines and aircraft by code before name, ignoring case', async () => {
    const flight = await me.saveAndGet(bodyWith({ from: 'lszh', to: 'lis', airline: 'lx', aircraft: 'a320' }))
    expect([flight.from.icao, flight.to.iata, flight.airline, flight.aircraft]).toEqual(['LSZH', 'LIS', 'SWR', 'A320'])
    const { name } = (await server.as(server.key(mira.id)).get(`/airlines/${flight.airlineId}`)).body.data
    expect((await me.saveAndGet(bodyWith({ airline: name.toUpperCase() }))).airlineId).toBe(flight.airlineId)
  })
})

/** Invalid bodies: 400 with the path of each error. */
const invalidBodies: [what: string, body: () => object, paths: string[]][] = [
  ['no departure airport', () => bodyWithout('from'), ['from']],
  ['null for an airport', () => bodyWith({ to: null }), ['to']],
  ['an airport as an object', () => bodyWith({ from: { icao: 'LSZH' } }), ['from']],
  ['an airline as an object', () => bodyWith({ airline: { icao: 'SWR' } }), ['airline']],
  ['no departure', () => bodyWithout('departure'), ['departure']],
  ['null for departure', () => bodyWith({ departure: null }), ['departure']],
  ['an empty departure', () => bodyWith({ departure: '' }), ['departure']],
  ['a day that does not exist', () => bodyWith({ departure: '2025-02-29' }), ['departure']],
  ['a date-time without an offset', () => bodyWith({ departure: '2025-05-03T10:00:00' }), ['departure']],
  ['a year alone', () => bodyWith({ departure: '2025' }), ['departure']],
  ['a day before 1970', () => bodyWith({ departure: '1969-12-31' }), ['departure']],
  ['another day before 1970', () => bodyWith({ landingActual: '1969-12-31T23:00:00Z' }), ['landingActual']],
  ['a month before 1970', () => bodyWith({ datePrecision: 'month', departure: '1969-12-01' }), ['departure']],
  ['an instant that is a number', () => bodyWith({ takeoffActual: 1746267600 }), ['takeoffActual']],
  ['a clock with seconds', () => bodyWith({ departureTime: '10:00:00' }), ['departureTime']],
  ['a 24-hour clock with pm', () => bodyWith({ departureTime: '13:00 pm' }), ['departureTime']],
  ['arrival without arrivalTime', () => bodyWith({ arrival: '2025-05-03' }), ['arrivalTime']],
  ['arrival with an empty arrivalTime', () => bodyWith({ arrival: '2025-05-03', arrivalTime: '' }), ['arrivalTime']],
  ['an unknown precision', () => bodyWith({ datePrecision: 'hour' }), ['datePrecision']],
  ['null for the precision', () => bodyWith({ datePrecision: null }), ['datePrecision']],
  ['a month without departure', () => ({ ...bodyWithout('departure'), datePrecision: 'month', departureScheduled: '2025-05-03' }), ['departure']],
  ['a flight number of 11 characters', () => bodyWith({ flightNumber: 'x'.repeat(11) }), ['flightNumber']],
  ['a gate of 11 characters', () => bodyWith({ arrivalGate: 'x'.repeat(11) }), ['arrivalGate']],
  ['a note of 1001 characters', () => bodyWith({ note: '☀'.repeat(1001) }), ['note']],
  ['U+0000 in a note', () => bodyWith({ note: 'a\0b' }), ['note']],
  ['half a surrogate pair', () => bodyWith({ airline: 'a\ud800' }), ['airline']],
  ['no passengers', () => bodyWithout('passengers'), ['passengers']],
  ['null for passengers and seats', () => bodyWith({ passengers: null, seats: null }), ['passengers']],
  ['an empty list of passengers', () => bodyWith({ passengers: [] }), ['passengers']],
  ['501 passengers', () => bodyWith({ passengers: Array.from({ length: 501 }, () => self) }), ['passengers']],
  ['guests alone', () => bodyWith({ passengers: [{ userId: null, guestName: 'Noor' }] }), ['passengers']],
  ['guests alone, without userId', () => bodyWith({ passengers: [{ guestName: 'Noor' }] }), ['passengers']],
  ['a passenger without userId and name', () => bodyWith({ passengers: [self, {}] }), ['passengers.1']],
  ['a userId that is a number', () => bodyWith({ passengers: [self, { userId: 7, guestName: 'Noor' }] }), ['passengers.1.userId']],
  ['a nameless passenger', () => bodyWith({ passengers: [self, { userId: null }] }), ['passengers.1']],
  ['a blank guest', () => bodyWith({ passengers: [self, { userId: null, guestName: '  ' }] }), ['passengers.1']],
  ['a guest name of 51 characters', () => bodyWith({ passengers: [self, { userId: null, guestName: 'x'.repeat(51) }] }), ['passengers.1.guestName']],
  ['a seat number of 6 characters', () => bodyWith({ passengers: [{ ...self, seatNumber: '123456' }] }), ['passengers.0.seatNumber']],
  ['an unknown seat', () => bodyWith({ passengers: [{ ...self, seat: 'wing' }] }), ['passengers.0.seat']],
  ['an unknown class', () => bodyWith({ passengers: [{ ...self, seatClass: 'Economy' }] }), ['passengers.0.seatClass']],
  ['an unknown reason', () => bodyWith({ flightReason: 'fun' }), ['flightReason']],
  ['a passenger id as text', () => bodyWith({ passengers: [{ ...self, id: '7' }] }), ['passengers.0.id']],
  ['an id as text', () => bodyWith({ id: '7' }), ['id']],
  ['an id with a fraction', () => bodyWith({ id: 1.5 }), ['id']],
  ['custom fields as a list', () => bodyWith({ customFields: [] }), ['customFields']],
  ['a track without points', () => bodyWith({ track: { coordinates: [], sourceFormat: 'gpx' } }), ['track.coordinates']],
  ['several errors', () => bodyWith({ from: 7, departureTime: 'noon', passengers: [{}], arrival: '2025-05-04' }), ['from', 'departureTime', 'passengers', 'passengers.0', 'arrivalTime']],
] // biome-ignore format: one line a case

describe('an invalid body', () => {
  test.each(invalidBodies)('returns 400 with the path of each error: %s', async (_, body, paths) => {
    const before = countRows('flights')
    const { status, body: answer } = await me.save(body())
    expect(status).toBe(400)
    expect(Object.keys(answer)).toEqual(['success', 'message', 'errors'])
    const found = answer.errors.map(({ path }: { path: string[] }) => path.join('.'))
    expect(found.sort()).toEqual([...paths].sort())
    expect(answer.message).toContain(answer.errors[0].path.join('.'))
    expect(countRows('flights')).toBe(before)
  })

  test('is rejected before its flight is looked up', async () => {
    expect((await me.save(bodyWith({ id: 999999, from: null }))).status).toBe(400)
    expect((await me.save(bodyWith({ id: 999999 }))).status).toBe(404)
  })
})

describe('a body that conflicts with stored data', () => {
  const unknown: [member: object, message: string][] = [
    [{ from: 'XXXX' }, 'Invalid airport: XXXX is not a known departure airport.'],
    [{ to: 'q_q' }, 'Invalid airport: q_q is not a known arrival airport.'],
    [{ airline: 'No Such Airline' }, 'Invalid airline: No Such Airline is not a known airline.'],
    [{ aircraft: 'ZZZZ' }, 'Invalid aircraft: ZZZZ is not a known aircraft type.'],
    [{ airline: '' }, 'Invalid airline: (empty) is not a known airline.'],
    [{ from: '%' }, 'Invalid airport: % is not a known departure airport.'],
    [{ to: 'x'.repeat(60) }, `Invalid airport: ${'x'.repeat(50)}… is not a known arrival airport.`],
  ]
  test.each(unknown)('returns 400 for the unknown code in %j', async (more, message) => {
    const { status, body } = await me.save(bodyWith(more))
    expect([status, body]).toEqual([400, { success: false, message }])
  })

  const invalidPassengers: [what: string, passengers: () => object[], words: string][] = [
    ['an unknown user', () => [self, { userId: 'nobody' }], 'is not known.'],
    ['an empty user id', () => [self, { userId: '' }], 'is not known.'],
    ['a user twice', () => [self, { userId: mira.id }], 'passengers.1.userId'],
    ['a guest twice', () => [self, { userId: null, guestName: 'Noor' }, { userId: null, guestName: ' Noor' }], 'passengers.2.guestName'],
  ] // biome-ignore format: one line a case
  test.each(invalidPassengers)('returns 422 for %s', async (_, passengers, words) => {
    const before = countRows('flights')
    const { status, body } = await me.save(bodyWith({ passengers: passengers() }))
    expect([status, Object.keys(body)]).toEqual([422, ['success', 'message']])
    expect(body.message).toContain(words)
    // Exporters read "not found" as a missing flight.
    expect(body.message).not.toContain('not found')
    expect(countRows('flights')).toBe(before)
  })

  test('returns 422 for a passenger of another flight and for a repeated passenger', async () => {
    const [one, other] = [await me.saveAndGet(zurichToLisbon), await me.saveAndGet(zurichToLisbon)]
    const foreign = { id: one.id, passengers: [{ ...self, id: other.passengers[0].id }] }
    expect((await me.save(bodyWith(foreign))).status).toBe(422)
    const { id } = one.passengers[0]
    const twice = {
      id: one.id,
      passengers: [
        { ...self, id },
        { userId: null, guestName: 'Noor', id },
      ],
    }
    expect((await me.save(bodyWith(twice))).status).toBe(422)
    expect((await me.save(bodyWith({ id: one.id, passengers: [{ ...self, id: -1 }] }))).status).toBe(422)
  })

  test('returns 422 for a custom field without its required value', async () => {
    const owner = server.user({ owner: true, username: 'theowner' })
    const field = { entityType: 'flight', key: 'trip', label: 'Trip', fieldType: 'number', required: true }
    const { id } = (await server.as(owner).post('/custom-fields', field)).body.data
    const rejected = [await me.save(zurichToLisbon), await me.save(bodyWith({ customFields: { trip: 'x' } }))]
    expect(rejected.map(({ status }) => status)).toEqual([422, 422])
    expect((await me.saveAndGet(bodyWith({ customFields: { trip: 7 } }))).customFields).toEqual({ trip: 7 })
    expect((await server.as(owner).delete(`/custom-fields/${id}`)).status).toBe(204)
  })
})

describe('the passengers of a save', () => {
  test('can be sent as seats if passengers is missing or null', async () => {
    const seats = [{ ...self, seatNumber: '1A' }]
    const { passengers: _, ...bare } = zurichToLisbon
    expect((await me.saveAndGet({ ...bare, seats })).passengers[0].seatNumber).toBe('1A')
    expect((await me.saveAndGet({ ...bare, passengers: null, seats })).passengers[0].seatNumber).toBe('1A')
    expect((await me.saveAndGet({ ...bare, passengers: [self], seats })).passengers[0].seatNumber).toBeNull()
  })

  test('accept <USER_ID> for the owner of the key in any position, and ids for other users', async () => {
    const { passengers } = await me.saveAndGet(bodyWith({ passengers: [{ userId: bob.id }, self] }))
    expect(passengers.map(({ userId }: { userId: string }) => userId)).toEqual([bob.id, mira.id])
  })

  test('are users when they have both a user id and a guest name', async () => {
    const { passengers } = await me.saveAndGet(bodyWith({ passengers: [{ ...self, guestName: 'Someone' }] }))
    expect(passengers[0]).toMatchObject({ userId: mira.id, guestName: null })
  })

  test('default to the reason of the flight', async () => {
    const more = { flightReason: 'crew', passengers: [self, { userId: bob.id, flightReason: 'other' }] }
    const { passengers } = await me.saveAndGet(bodyWith(more))
    expect(passengers.map(({ flightReason }: { flightReason: string }) => flightReason)).toEqual(['crew', 'other'])
  })

  test('keep their records on update, matched by id, then user, then guest name', async () => {
    const noor = { userId: null, guestName: 'Noor' }
    const flight = await me.saveAndGet(bodyWith({ passengers: [self, { userId: bob.id }, noor] }))
    const ids = flight.passengers.map(({ id }: { id: number }) => id)
    const passengers = [{ ...noor, seat: 'aisle' }, { id: ids[1], userId: null, guestName: 'Bobby' }, self]
    expect((await me.save(bodyWith({ id: flight.id, passengers }))).status).toBe(200)
    const after = (await me.get(`/flight/get/${flight.id}`)).body.flight.passengers
    const brief = after.map(({ id, userId, guestName, seat }: Record<string, unknown>) => [
      id,
      userId ?? guestName,
      seat,
    ])
    expect(brief).toEqual([
      [ids[0], mira.id, null],
      [ids[1], 'Bobby', null],
      [ids[2], 'Noor', 'aisle'],
    ])
  })

  test('are removed when they are not sent again', async () => {
    const flight = await me.saveAndGet(bodyWith({ passengers: [self, { userId: bob.id }] }))
    await me.save(bodyWith({ id: flight.id }))
    expect((await me.get(`/flight/get/${flight.id}`)).body.flight.passengers).toHaveLength(1)
  })
})

describe('the track of a save', () => {
  const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7, 100]], sourceFormat: 'gpx' } // biome-ignore format: two points

  test('is stored, kept when absent and removed by null', async () => {
    const v1 = server.as(mira)
    const { id } = (await me.save(bodyWith({ track }))).body
    expect((await v1.get(`/flights/${id}/track`)).body.data.pointCount).toBe(2)
    await me.save(bodyWith({ id }))
    expect((await v1.get(`/flights/${id}`)).body.data.track.pointCount).toBe(2)
    await me.save(bodyWith({ id, track: null }))
    expect((await v1.get(`/flights/${id}`)).body.data.track).toBeNull()
  })
})

describe('POST /api/flight/delete', () => {
  test('deletes the flight once', async () => {
    const { id } = (await me.save(zurichToLisbon)).body
    const answer = await me.post('/flight/delete', { id, more: 1 })
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    const again = await me.post('/flight/delete', { id })
    expect([again.status, again.body]).toEqual([404, { success: false, message: 'This flight was not found.' }])
    expect((await me.get(`/flight/get/${id}`)).status).toBe(404)
  })

  test('returns 400 for an id that is not an integer', async () => {
    for (const id of [undefined, null, '7', 1.5, 1e300, [], true]) {
      const { status, body } = await me.post('/flight/delete', { id })
      expect([id, status, body.errors?.[0]?.path]).toEqual([id, 400, ['id']])
    }
  })
})

describe('GET /api/flight/get/{id}', () => {
  test('returns 400 for an invalid id and 404 for an unknown id', async () => {
    for (const id of ['0', '-1', 'x', '1.0', '1e3', '9007199254740992', '9'.repeat(400), '%20']) {
      const { status, body } = await me.get(`/flight/get/${id}`)
      expect([id, status, Object.keys(body)]).toEqual([id, 400, ['success', 'message']])
    }
    for (const id of ['999999', '9007199254740991']) {
      const { status, body } = await me.get(`/flight/get/${id}`)
      expect([status, body.message]).toEqual([404, 'This flight was not found.'])
    }
  })
})
