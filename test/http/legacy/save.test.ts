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

const withSave = (more: object) => ({ ...zurichToLisbon, ...more })
const without = (member: string) =>
  Object.fromEntries(Object.entries(zurichToLisbon).filter(([name]) => name !== member))
const own = { userId: '<USER_ID>' }
const rows = (table: string) => server.db.$client.prepare(`select count(*) from ${table}`).pluck().get()

describe('POST /api/flight/save', () => {
  test('creates without an id, or with null for it, and answers with the new id', async () => {
    const [first, second] = [await me.save(zurichToLisbon), await me.save(withSave({ id: null }))]
    expect([first.status, first.text]).toEqual([200, `{"success":true,"id":${first.body.id}}`])
    expect(second.body.id).toBe(first.body.id + 1)
  })

  test('replaces with an id and answers with success alone', async () => {
    const { id } = (await me.save(withSave({ note: 'before', airline: 'SWR', flightNumber: 'LX1' }))).body
    const answer = await me.save(withSave({ id, from: 'LIS', to: 'ZRH', departure: '2025-05-04' }))
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    expect(answer.headers.link).toContain(`/api/v1/flights/${id}>`)
    const { flight } = (await me.get(`/flight/get/${id}`)).body
    expect(flight).toMatchObject({ id, date: '2025-05-04', note: null, airline: null, flightNumber: null })
    expect([flight.from.iata, flight.to.iata]).toEqual(['LIS', 'ZRH'])
  })

  test('saves a guest without userId like one with userId null', async () => {
    const peopleOn = async (guest: object) => {
      const { passengers } = await me.saved(withSave({ passengers: [own, guest] }))
      return passengers.map(({ userId, guestName }: Record<string, unknown>) => ({ userId, guestName }))
    }
    const withoutUserId = await peopleOn({ guestName: 'Noor' })
    expect(withoutUserId[1]).toEqual({ userId: null, guestName: 'Noor' })
    expect(withoutUserId).toEqual(await peopleOn({ userId: null, guestName: 'Noor' }))
  })

  test('keeps a guest on an update that names them without userId', async () => {
    const before = await me.saved(withSave({ passengers: [own, { userId: null, guestName: 'Noor' }] }))
    const guest = before.passengers.find(({ guestName }: { guestName: string | null }) => guestName === 'Noor')
    const update = withSave({ id: before.id, passengers: [own, { id: guest.id, guestName: 'Noor', seat: 'window' }] })
    expect((await me.save(update)).status).toBe(200)
    const { passengers } = (await me.get(`/flight/get/${before.id}`)).body.flight
    expect(passengers[1]).toMatchObject({ id: guest.id, userId: null, guestName: 'Noor', seat: 'window' })
  })

  test('what was decided about a flight is decided anew when somebody else was first', async () => {
    const { id } = (await me.save(zurichToLisbon)).body
    const [gone, late] = await Promise.all([
      me.post('/flight/delete', { id }),
      me.save(withSave({ id, passengers: [own, { userId: null, guestName: 'Noor' }] })),
    ])
    expect([gone.status, late.status]).toEqual([200, 404])
  })

  test('takes a whole flight back once its places are codes again, and ignores what is read-only', async () => {
    const before = await me.saved(withSave({ note: 'kept', aircraft: 'A320', airline: 'LX' }))
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
  test.each(nulls)('accepts null for %s, which means the same as leaving it out', async (member) => {
    const [sent, absent] = [await me.saved(withSave({ [member]: null })), await me.saved(zurichToLisbon)]
    const alike = ({ id: _, createdAt: __, updatedAt: ___, passengers, ...flight }: Record<string, unknown>) => [
      flight,
      (passengers as object[]).length,
    ]
    expect(alike(sent)).toEqual(alike(absent))
  })

  test('finds airports by ICAO before IATA, airlines and aircraft by code and then by name, in any case', async () => {
    const flight = await me.saved(withSave({ from: 'lszh', to: 'lis', airline: 'lx', aircraft: 'a320' }))
    expect([flight.from.icao, flight.to.iata, flight.airline, flight.aircraft]).toEqual(['LSZH', 'LIS', 'SWR', 'A320'])
    const { name } = (await server.as(server.key(mira.id)).get(`/airlines/${flight.airlineId}`)).body.data
    expect((await me.saved(withSave({ airline: name.toUpperCase() }))).airlineId).toBe(flight.airlineId)
  })
})

/** Bodies that break a rule of their own: 400, with the path of each fault. */
const misshapen: [what: string, body: () => object, paths: string[]][] = [
  ['no departure airport', () => without('from'), ['from']],
  ['null for an airport', () => withSave({ to: null }), ['to']],
  ['an airport as an object', () => withSave({ from: { icao: 'LSZH' } }), ['from']],
  ['an airline as an object', () => withSave({ airline: { icao: 'SWR' } }), ['airline']],
  ['no departure', () => without('departure'), ['departure']],
  ['null for departure', () => withSave({ departure: null }), ['departure']],
  ['a departure that is empty', () => withSave({ departure: '' }), ['departure']],
  ['a day that does not exist', () => withSave({ departure: '2025-02-29' }), ['departure']],
  ['a date-time without an offset', () => withSave({ departure: '2025-05-03T10:00:00' }), ['departure']],
  ['a year alone', () => withSave({ departure: '2025' }), ['departure']],
  ['a day before 1970', () => withSave({ departure: '1969-12-31' }), ['departure']],
  ['another day before 1970', () => withSave({ landingActual: '1969-12-31T23:00:00Z' }), ['landingActual']],
  ['a month before 1970', () => withSave({ datePrecision: 'month', departure: '1969-12-01' }), ['departure']],
  ['an instant that is a number', () => withSave({ takeoffActual: 1746267600 }), ['takeoffActual']],
  ['a clock with seconds', () => withSave({ departureTime: '10:00:00' }), ['departureTime']],
  ['a clock of 24 hours with pm', () => withSave({ departureTime: '13:00 pm' }), ['departureTime']],
  ['arrival without arrivalTime', () => withSave({ arrival: '2025-05-03' }), ['arrivalTime']],
  ['arrival with an empty arrivalTime', () => withSave({ arrival: '2025-05-03', arrivalTime: '' }), ['arrivalTime']],
  ['another precision', () => withSave({ datePrecision: 'hour' }), ['datePrecision']],
  ['null for the precision', () => withSave({ datePrecision: null }), ['datePrecision']],
  ['a month without departure', () => ({ ...without('departure'), datePrecision: 'month', departureScheduled: '2025-05-03' }), ['departure']],
  ['a flight number of 11', () => withSave({ flightNumber: 'x'.repeat(11) }), ['flightNumber']],
  ['a gate of 11', () => withSave({ arrivalGate: 'x'.repeat(11) }), ['arrivalGate']],
  ['a note of 1001', () => withSave({ note: '☀'.repeat(1001) }), ['note']],
  ['U+0000 in a note', () => withSave({ note: 'a\0b' }), ['note']],
  ['half a surrogate pair', () => withSave({ airline: 'a\ud800' }), ['airline']],
  ['no passengers', () => without('passengers'), ['passengers']],
  ['null for passengers and seats', () => withSave({ passengers: null, seats: null }), ['passengers']],
  ['an empty list of passengers', () => withSave({ passengers: [] }), ['passengers']],
  ['501 passengers', () => withSave({ passengers: Array.from({ length: 501 }, () => own) }), ['passengers']],
  ['guests alone', () => withSave({ passengers: [{ userId: null, guestName: 'Noor' }] }), ['passengers']],
  ['guests alone, without userId', () => withSave({ passengers: [{ guestName: 'Noor' }] }), ['passengers']],
  ['a passenger without userId and name', () => withSave({ passengers: [own, {}] }), ['passengers.1']],
  ['a userId that is a number', () => withSave({ passengers: [own, { userId: 7, guestName: 'Noor' }] }), ['passengers.1.userId']],
  ['a nameless passenger', () => withSave({ passengers: [own, { userId: null }] }), ['passengers.1']],
  ['a blank guest', () => withSave({ passengers: [own, { userId: null, guestName: '  ' }] }), ['passengers.1']],
  ['a guest of 51', () => withSave({ passengers: [own, { userId: null, guestName: 'x'.repeat(51) }] }), ['passengers.1.guestName']],
  ['a seat number of 6', () => withSave({ passengers: [{ ...own, seatNumber: '123456' }] }), ['passengers.0.seatNumber']],
  ['another seat', () => withSave({ passengers: [{ ...own, seat: 'wing' }] }), ['passengers.0.seat']],
  ['another class', () => withSave({ passengers: [{ ...own, seatClass: 'Economy' }] }), ['passengers.0.seatClass']],
  ['another reason', () => withSave({ flightReason: 'fun' }), ['flightReason']],
  ['a passenger id as text', () => withSave({ passengers: [{ ...own, id: '7' }] }), ['passengers.0.id']],
  ['an id as text', () => withSave({ id: '7' }), ['id']],
  ['an id with a fraction', () => withSave({ id: 1.5 }), ['id']],
  ['custom fields as a list', () => withSave({ customFields: [] }), ['customFields']],
  ['a track without points', () => withSave({ track: { coordinates: [], sourceFormat: 'gpx' } }), ['track.coordinates']],
  ['several faults', () => withSave({ from: 7, departureTime: 'noon', passengers: [{}], arrival: '2025-05-04' }), ['from', 'departureTime', 'passengers', 'passengers.0', 'arrivalTime']],
] // biome-ignore format: one line a case

describe('a body that breaks a rule of its own', () => {
  test.each(misshapen)('is 400 with the path of each fault: %s', async (_, body, paths) => {
    const before = rows('flights')
    const { status, body: answer } = await me.save(body())
    expect(status).toBe(400)
    expect(Object.keys(answer)).toEqual(['success', 'message', 'errors'])
    const found = answer.errors.map(({ path }: { path: string[] }) => path.join('.'))
    expect(found.sort()).toEqual([...paths].sort())
    expect(answer.message).toContain(answer.errors[0].path.join('.'))
    expect(rows('flights')).toBe(before)
  })

  test('is judged before the flight it names is looked for', async () => {
    expect((await me.save(withSave({ id: 999999, from: null }))).status).toBe(400)
    expect((await me.save(withSave({ id: 999999 }))).status).toBe(404)
  })
})

describe('a body at odds with what is stored', () => {
  const unknown: [member: object, message: string][] = [
    [{ from: 'XXXX' }, 'Invalid airport: XXXX is not a known departure airport.'],
    [{ to: 'q_q' }, 'Invalid airport: q_q is not a known arrival airport.'],
    [{ airline: 'No Such Airline' }, 'Invalid airline: No Such Airline is not a known airline.'],
    [{ aircraft: 'ZZZZ' }, 'Invalid aircraft: ZZZZ is not a known aircraft type.'],
    [{ airline: '' }, 'Invalid airline: (empty) is not a known airline.'],
    [{ from: '%' }, 'Invalid airport: % is not a known departure airport.'],
    [{ to: 'x'.repeat(60) }, `Invalid airport: ${'x'.repeat(50)}… is not a known arrival airport.`],
  ]
  test.each(unknown)('is 400 for the unknown code in %j', async (more, message) => {
    const { status, body } = await me.save(withSave(more))
    expect([status, body]).toEqual([400, { success: false, message }])
  })

  const strangers: [what: string, passengers: () => object[], words: string][] = [
    ['an unknown user', () => [own, { userId: 'nobody' }], 'is not known.'],
    ['an empty user id', () => [own, { userId: '' }], 'is not known.'],
    ['a user twice', () => [own, { userId: mira.id }], 'passengers.1.userId'],
    ['a guest twice', () => [own, { userId: null, guestName: 'Noor' }, { userId: null, guestName: ' Noor' }], 'passengers.2.guestName'],
  ] // biome-ignore format: one line a case
  test.each(strangers)('is 422 for %s', async (_, passengers, words) => {
    const before = rows('flights')
    const { status, body } = await me.save(withSave({ passengers: passengers() }))
    expect([status, Object.keys(body)]).toEqual([422, ['success', 'message']])
    expect(body.message).toContain(words)
    // An exporter reads this as a missing flight.
    expect(body.message).not.toContain('not found')
    expect(rows('flights')).toBe(before)
  })

  test('is 422 for the passenger of another flight, and for one that is named twice', async () => {
    const [one, other] = [await me.saved(zurichToLisbon), await me.saved(zurichToLisbon)]
    const foreign = { id: one.id, passengers: [{ ...own, id: other.passengers[0].id }] }
    expect((await me.save(withSave(foreign))).status).toBe(422)
    const { id } = one.passengers[0]
    const twice = {
      id: one.id,
      passengers: [
        { ...own, id },
        { userId: null, guestName: 'Noor', id },
      ],
    }
    expect((await me.save(withSave(twice))).status).toBe(422)
    expect((await me.save(withSave({ id: one.id, passengers: [{ ...own, id: -1 }] }))).status).toBe(422)
  })

  test('is 422 for a custom field that lacks its value', async () => {
    const owner = server.user({ owner: true, username: 'theowner' })
    const field = { entityType: 'flight', key: 'trip', label: 'Trip', fieldType: 'number', required: true }
    const { id } = (await server.as(owner).post('/custom-fields', field)).body.data
    const refused = [await me.save(zurichToLisbon), await me.save(withSave({ customFields: { trip: 'x' } }))]
    expect(refused.map(({ status }) => status)).toEqual([422, 422])
    expect((await me.saved(withSave({ customFields: { trip: 7 } }))).customFields).toEqual({ trip: 7 })
    expect((await server.as(owner).delete(`/custom-fields/${id}`)).status).toBe(204)
  })
})

describe('the passengers of a save', () => {
  test('may come as seats, unless passengers is there and not null', async () => {
    const seats = [{ ...own, seatNumber: '1A' }]
    const { passengers: _, ...bare } = zurichToLisbon
    expect((await me.saved({ ...bare, seats })).passengers[0].seatNumber).toBe('1A')
    expect((await me.saved({ ...bare, passengers: null, seats })).passengers[0].seatNumber).toBe('1A')
    expect((await me.saved({ ...bare, passengers: [own], seats })).passengers[0].seatNumber).toBeNull()
  })

  test('name the owner of the key by <USER_ID>, in any place, and others by their id', async () => {
    const { passengers } = await me.saved(withSave({ passengers: [{ userId: bob.id }, own] }))
    expect(passengers.map(({ userId }: { userId: string }) => userId)).toEqual([bob.id, mira.id])
  })

  test('count as users when they have both names', async () => {
    const { passengers } = await me.saved(withSave({ passengers: [{ ...own, guestName: 'Someone' }] }))
    expect(passengers[0]).toMatchObject({ userId: mira.id, guestName: null })
  })

  test('take the reason of the flight when they have none', async () => {
    const more = { flightReason: 'crew', passengers: [own, { userId: bob.id, flightReason: 'other' }] }
    const { passengers } = await me.saved(withSave(more))
    expect(passengers.map(({ flightReason }: { flightReason: string }) => flightReason)).toEqual(['crew', 'other'])
  })

  test('keep their records on an update: by id, else by user, else by guest name', async () => {
    const noor = { userId: null, guestName: 'Noor' }
    const flight = await me.saved(withSave({ passengers: [own, { userId: bob.id }, noor] }))
    const ids = flight.passengers.map(({ id }: { id: number }) => id)
    const passengers = [{ ...noor, seat: 'aisle' }, { id: ids[1], userId: null, guestName: 'Bobby' }, own]
    expect((await me.save(withSave({ id: flight.id, passengers }))).status).toBe(200)
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

  test('that are not sent again are removed', async () => {
    const flight = await me.saved(withSave({ passengers: [own, { userId: bob.id }] }))
    await me.save(withSave({ id: flight.id }))
    expect((await me.get(`/flight/get/${flight.id}`)).body.flight.passengers).toHaveLength(1)
  })
})

describe('the track of a save', () => {
  const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7, 100]], sourceFormat: 'gpx' } // biome-ignore format: two points

  test('is stored, kept when absent and removed by null', async () => {
    const v1 = server.as(mira)
    const { id } = (await me.save(withSave({ track }))).body
    expect((await v1.get(`/flights/${id}/track`)).body.data.pointCount).toBe(2)
    await me.save(withSave({ id }))
    expect((await v1.get(`/flights/${id}`)).body.data.track.pointCount).toBe(2)
    await me.save(withSave({ id, track: null }))
    expect((await v1.get(`/flights/${id}`)).body.data.track).toBeNull()
  })
})

describe('POST /api/flight/delete', () => {
  test('removes the flight once', async () => {
    const { id } = (await me.save(zurichToLisbon)).body
    const answer = await me.post('/flight/delete', { id, more: 1 })
    expect([answer.status, answer.text]).toEqual([200, '{"success":true}'])
    const again = await me.post('/flight/delete', { id })
    expect([again.status, again.body]).toEqual([404, { success: false, message: 'This flight was not found.' }])
    expect((await me.get(`/flight/get/${id}`)).status).toBe(404)
  })

  test('is 400 for an id that is no integer', async () => {
    for (const id of [undefined, null, '7', 1.5, 1e300, [], true]) {
      const { status, body } = await me.post('/flight/delete', { id })
      expect([id, status, body.errors?.[0]?.path]).toEqual([id, 400, ['id']])
    }
  })
})

describe('GET /api/flight/get/{id}', () => {
  test('is 400 for what is no id, and 404 for one that is not there', async () => {
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
