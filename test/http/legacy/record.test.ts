import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { legacyServer, type Server } from './support.ts'

const MEMBERS = [
  'id', 'date', 'departure', 'arrival', 'duration', 'flightNumber', 'aircraftReg', 'note', 'aircraftId', 'airlineId',
  'fromId', 'toId', 'departureScheduled', 'arrivalScheduled', 'takeoffScheduled', 'takeoffActual', 'landingScheduled',
  'landingActual', 'arrivalGate', 'arrivalTerminal', 'departureGate', 'departureTerminal', 'datePrecision', 'from', 'to',
  'aircraft', 'airline', 'passengers', 'customFields', 'distanceKm', 'createdAt', 'updatedAt',
] // biome-ignore format: the list of contract 6.3

const AIRPORT = [
  'id',
  'icao',
  'iata',
  'lat',
  'lon',
  'tz',
  'name',
  'municipality',
  'type',
  'continent',
  'country',
  'custom',
]
const PASSENGER = [
  'id', 'flightId', 'userId', 'guestName', 'seat', 'seatNumber', 'seatClass', 'flightReason', 'user', 'customFields',
] // biome-ignore format: the list of contract 6.3

const NOW = Date.parse('2025-06-01T08:00:00.000Z')

const fullFlight = {
  from: 'zrh',
  to: 'LPPT',
  departure: '2025-05-03',
  departureTime: '12:20',
  arrival: '2025-05-03',
  arrivalTime: '2:15 pm',
  departureScheduled: '2025-05-03',
  departureScheduledTime: '12.10',
  arrivalScheduled: '2025-05-03',
  arrivalScheduledTime: '1405',
  takeoffScheduled: '2025-05-03',
  takeoffScheduledTime: '12:25',
  takeoffActual: '2025-05-03T23:59:59Z',
  takeoffActualTime: '12:35',
  landingScheduled: '2025-05-03',
  landingScheduledTime: '13:55',
  landingActual: '2025-05-03',
  landingActualTime: '1:58PM',
  airline: 'swr',
  aircraft: 'a320',
  flightNumber: 'LX2084',
  aircraftReg: 'HB-IJB',
  departureTerminal: '1',
  departureGate: 'A52',
  arrivalTerminal: 'T1',
  arrivalGate: '17',
  note: 'Grüße, "Lissabon"\n☀',
  flightReason: 'leisure',
  passengers: [
    { userId: '<USER_ID>', seat: 'window', seatNumber: '7A', seatClass: 'economy+', flightReason: 'business' },
    { userId: null, guestName: ' Noor ' },
  ],
}

describe.each([false, true])('with LEGACY_OBJECTS=%s', (legacyObjects) => {
  let server: Server
  let id: number
  let me: ReturnType<Server['legacyAs']>
  let userId: string
  beforeAll(async () => {
    server = await legacyServer({ legacyObjects, now: () => NOW })
    const user = server.user({ owner: true, username: 'mira', displayName: 'Mira' })
    userId = user.id
    me = server.legacyAs(user)
    const custom = { entityType: 'flight', key: 'pnr', label: 'PNR', fieldType: 'text' }
    expect((await server.as(user).post('/custom-fields', custom)).status).toBe(201)
    id = (await me.save({ ...fullFlight, customFields: { pnr: 'ABC123' } })).body.id
  })
  afterAll(() => server.close())

  test('a flight has exactly the members of the contract, in order', async () => {
    const { text } = await me.get(`/flight/get/${id}`)
    // The keys are not numeric, so a parsed object keeps the order of the text.
    const { success, flight } = JSON.parse(text)
    expect(success).toBe(true)
    expect(Object.keys(JSON.parse(text))).toEqual(['success', 'flight'])
    expect(Object.keys(flight)).toEqual(legacyObjects ? [...MEMBERS, 'seats'] : MEMBERS)
    expect(Object.keys(flight.from)).toEqual(AIRPORT)
    expect(Object.keys(flight.to)).toEqual(AIRPORT)
    for (const passenger of flight.passengers) expect(Object.keys(passenger)).toEqual(PASSENGER)
    expect(Object.keys(flight.passengers[0].user)).toEqual(['id', 'displayName', 'username'])
  })

  test('a flight returns what was saved, with legacy instants', async () => {
    const { flight } = (await me.get(`/flight/get/${id}`)).body
    const airline = { id: flight.airlineId, icao: 'SWR', iata: 'LX', iconPath: null, sourceId: expect.any(String) }
    const aircraft = { id: flight.aircraftId, icao: 'A320', sourceId: expect.any(String) }
    const passengers = [
      {
        id: expect.any(Number),
        flightId: id,
        userId,
        guestName: null,
        seat: 'window',
        seatNumber: '7A',
        seatClass: 'economy+',
        flightReason: 'business',
        user: { id: userId, displayName: 'Mira', username: 'mira' },
        customFields: {},
      },
      {
        id: expect.any(Number),
        flightId: id,
        userId: null,
        guestName: 'Noor',
        seat: null,
        seatNumber: null,
        seatClass: null,
        flightReason: 'leisure',
        user: null,
        customFields: {},
      },
    ]
    expect(flight).toEqual({
      id,
      date: '2025-05-03',
      departure: '2025-05-03T10:20:00.000+00:00',
      arrival: '2025-05-03T13:15:00.000+00:00',
      duration: 10500,
      flightNumber: 'LX2084',
      aircraftReg: 'HB-IJB',
      note: 'Grüße, "Lissabon"\n☀',
      aircraftId: expect.any(Number),
      airlineId: expect.any(Number),
      fromId: expect.any(Number),
      toId: expect.any(Number),
      departureScheduled: '2025-05-03T10:10:00.000+00:00',
      arrivalScheduled: '2025-05-03T13:05:00.000+00:00',
      takeoffScheduled: '2025-05-03T10:25:00.000+00:00',
      takeoffActual: '2025-05-03T10:35:00.000+00:00',
      landingScheduled: '2025-05-03T12:55:00.000+00:00',
      landingActual: '2025-05-03T12:58:00.000+00:00',
      arrivalGate: '17',
      arrivalTerminal: 'T1',
      departureGate: 'A52',
      departureTerminal: '1',
      datePrecision: 'day',
      from: expect.objectContaining({ id: flight.fromId, icao: 'LSZH', lat: 47.458056, tz: 'Europe/Zurich' }),
      to: expect.objectContaining({ id: flight.toId, iata: 'LIS', lon: -9.13592, country: 'PT', custom: false }),
      aircraft: legacyObjects ? expect.objectContaining(aircraft) : 'A320',
      airline: legacyObjects ? expect.objectContaining(airline) : 'SWR',
      passengers,
      customFields: { pnr: 'ABC123' },
      distanceKm: 1723.1,
      createdAt: '2025-06-01T08:00:00.000+00:00',
      updatedAt: '2025-06-01T08:00:00.000+00:00',
      ...(legacyObjects && { seats: passengers }),
    })
    if (legacyObjects) {
      expect(Object.keys(flight.airline)).toEqual(['id', 'name', 'icao', 'iata', 'iconPath', 'sourceId'])
      expect(Object.keys(flight.aircraft)).toEqual(['id', 'icao', 'name', 'sourceId'])
    }
  })

  test('the list contains the same flights by ascending id, and every read returns the same bytes', async () => {
    // The older day has the later id, so a list by date has another order.
    const { id: second } = (await me.save({ ...fullFlight, departure: '1999-12-31', arrival: '1999-12-31' })).body
    const { id: third } = (await me.save({ ...fullFlight, airline: null, aircraft: null })).body
    const list = await me.get('/flight/list')
    const singleReads = await Promise.all([id, second, third].map(async (each) => me.get(`/flight/get/${each}`)))
    const texts = singleReads.map(({ text }) => text.slice('{"success":true,"flight":'.length, -1))
    expect(list.text).toBe(`{"success":true,"flights":[${texts.join(',')}]}`)
    expect((await me.get('/flight/list')).text).toBe(list.text)
    expect((await me.get(`/flight/list?scope=user&userId=${userId}`)).text).toBe(list.text)
    expect((await me.get('/flight/list?scope=all')).text).toBe(list.text)
  })

  test('an airline without an ICAO code is shown by its IATA code, or else by its name', async () => {
    const owner = server.as(server.key(userId))
    const make = async (kind: string, body: object) => (await owner.post(`/${kind}`, body)).body.data.id
    await make('airlines', { name: 'Só Iata', iata: '9Z' })
    await make('airlines', { name: 'Ńo Codes' })
    await make('aircraft', { name: 'Gläser Kite' })
    const byName = await me.saveAndGet({ ...fullFlight, airline: 'ńO CODES', aircraft: 'GLÄSER kite' })
    const byIata = await me.saveAndGet({ ...fullFlight, airline: '9z' })
    if (legacyObjects) {
      expect(byName.airline).toMatchObject({ name: 'Ńo Codes', icao: null, iata: null, sourceId: null })
      expect(byName.aircraft).toMatchObject({ name: 'Gläser Kite', icao: null, sourceId: null })
      expect(byIata.airline).toMatchObject({ name: 'Só Iata', iata: '9Z' })
    } else {
      expect([byName.airline, byName.aircraft, byIata.airline]).toEqual(['Ńo Codes', 'Gläser Kite', '9Z'])
    }
  })

  test('a flight without airline and aircraft has null for them', async () => {
    const { airline, airlineId, aircraft, aircraftId } = await me.saveAndGet({
      ...fullFlight,
      airline: null,
      aircraft: null,
    })
    expect([airline, airlineId, aircraft, aircraftId]).toEqual([null, null, null, null])
  })

  test('the export is the v1 document with legacy instants, in both formats and with the same file name', async () => {
    const headers = { authorization: `Bearer ${server.key(userId)}` }
    for (const query of ['', '?format=json', '?format=', '?format=yaml', '?format=yml&scope=all']) {
      const legacy = await me.get(`/flight/export${query}`)
      const v1 = await server.app.inject({ url: `/api/v1/flights/export${query}`, headers })
      expect(legacy.text).toBe(v1.body.replace(/(\d\d:\d\d:\d\d\.\d{3})Z/g, '$1+00:00'))
      expect(legacy.text).toContain('2025-05-03T10:20:00.000+00:00')
      expect(legacy.headers['content-disposition']).toBe(v1.headers['content-disposition'])
      expect(legacy.headers['content-type']).toBe(v1.headers['content-type'])
    }
  })

  test('the statistics match v1', async () => {
    const { body } = await me.get('/stats?scope=all')
    expect(body.success).toBe(true)
    expect(body.stats.flights).toBeGreaterThan(2)
    expect(body.stats).toEqual((await server.as(server.key(userId)).get('/stats?scope=all')).body.data)
  })

  test('a user without flights gets empty results', async () => {
    const newUser = server.legacyAs(server.user())
    expect((await newUser.get('/flight/list')).text).toBe('{"success":true,"flights":[]}')
    expect((await newUser.get('/flight/export')).body).toEqual({ users: [], flights: [] })
    expect((await newUser.get('/stats')).body.stats).toMatchObject({ flights: 0, topRoute: null })
    expect((await me.get('/flight/list?scope=user&userId=nosuchuser')).body.flights).toEqual([])
  })
})

describe('objects for a single key', () => {
  let server: Server
  beforeAll(async () => {
    server = await legacyServer({ now: () => NOW })
  })
  afterAll(() => server.close())

  test('are returned only for the key that requests them', async () => {
    const user = server.user({ owner: true, username: 'mira' })
    const account = server.services.users.findByName('mira')!
    const request = { name: 'sync', scopes: ['flight.read.own', 'flight.update.own'], legacyObjects: true }
    const sync = server.legacyAs((await server.services.keys.create(account, request)).key)
    const { id } = (await server.legacyAs(user).save({ ...fullFlight, customFields: undefined })).body
    for (const path of [`/flight/get/${id}`, '/flight/list']) {
      const firstFlight = async (caller: ReturnType<Server['legacyAs']>) => {
        const { flight, flights } = (await caller.get(path)).body
        return flight ?? flights[0]
      }
      expect(await firstFlight(server.legacyAs(user))).toMatchObject({ airline: 'SWR', aircraft: 'A320' })
      expect(await firstFlight(sync)).toMatchObject({
        airline: { icao: 'SWR', iata: 'LX', iconPath: null },
        aircraft: { icao: 'A320' },
        seats: [{ seatNumber: '7A' }, { guestName: 'Noor' }],
      })
    }
    // A client that reads objects and writes codes back does not change the stored values.
    const { flight } = (await sync.get(`/flight/get/${id}`)).body
    const pushed = { ...fullFlight, id, airline: flight.airline?.icao ?? null, aircraft: flight.aircraft?.icao ?? null }
    expect((await sync.save({ ...pushed, passengers: flight.seats })).status).toBe(200)
    expect((await server.as(user).get(`/flights/${id}`)).body.data.airline.icao).toBe('SWR')
  })
})
