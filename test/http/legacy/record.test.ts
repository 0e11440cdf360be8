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

const whole = {
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
    id = (await me.save({ ...whole, customFields: { pnr: 'ABC123' } })).body.id
  })
  afterAll(() => server.close())

  test('a flight has the members of the contract in their order, and nothing else', async () => {
    const { text } = await me.get(`/flight/get/${id}`)
    // Numbers as keys would be sorted; these are names, so a parsed object keeps the order of the text.
    const { success, flight } = JSON.parse(text)
    expect(success).toBe(true)
    expect(Object.keys(JSON.parse(text))).toEqual(['success', 'flight'])
    expect(Object.keys(flight)).toEqual(legacyObjects ? [...MEMBERS, 'seats'] : MEMBERS)
    expect(Object.keys(flight.from)).toEqual(AIRPORT)
    expect(Object.keys(flight.to)).toEqual(AIRPORT)
    for (const passenger of flight.passengers) expect(Object.keys(passenger)).toEqual(PASSENGER)
    expect(Object.keys(flight.passengers[0].user)).toEqual(['id', 'displayName', 'username'])
  })

  test('a flight says what was saved, with legacy instants', async () => {
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

  test('the list has the same flights by id ascending, and every read gives the same bytes', async () => {
    // The older day gets the later id, so that a list by date would be another one.
    const { id: second } = (await me.save({ ...whole, departure: '1999-12-31', arrival: '1999-12-31' })).body
    const { id: third } = (await me.save({ ...whole, airline: null, aircraft: null })).body
    const list = await me.get('/flight/list')
    const ones = await Promise.all([id, second, third].map(async (each) => me.get(`/flight/get/${each}`)))
    const texts = ones.map(({ text }) => text.slice('{"success":true,"flight":'.length, -1))
    expect(list.text).toBe(`{"success":true,"flights":[${texts.join(',')}]}`)
    expect((await me.get('/flight/list')).text).toBe(list.text)
    expect((await me.get(`/flight/list?scope=user&userId=${userId}`)).text).toBe(list.text)
    expect((await me.get('/flight/list?scope=all')).text).toBe(list.text)
  })

  test('an airline without an ICAO code goes by its IATA code, and without both by its name', async () => {
    const owner = server.as(server.key(userId))
    const make = async (kind: string, body: object) => (await owner.post(`/${kind}`, body)).body.data.id
    await make('airlines', { name: 'Só Iata', iata: '9Z' })
    await make('airlines', { name: 'Ńo Codes' })
    await make('aircraft', { name: 'Gläser Kite' })
    const ofName = await me.saved({ ...whole, airline: 'ńO CODES', aircraft: 'GLÄSER kite' })
    const ofIata = await me.saved({ ...whole, airline: '9z' })
    if (legacyObjects) {
      expect(ofName.airline).toMatchObject({ name: 'Ńo Codes', icao: null, iata: null, sourceId: null })
      expect(ofName.aircraft).toMatchObject({ name: 'Gläser Kite', icao: null, sourceId: null })
      expect(ofIata.airline).toMatchObject({ name: 'Só Iata', iata: '9Z' })
    } else {
      expect([ofName.airline, ofName.aircraft, ofIata.airline]).toEqual(['Ńo Codes', 'Gläser Kite', '9Z'])
    }
  })

  test('a flight without airline and aircraft has null for them', async () => {
    const { airline, airlineId, aircraft, aircraftId } = await me.saved({ ...whole, airline: null, aircraft: null })
    expect([airline, airlineId, aircraft, aircraftId]).toEqual([null, null, null, null])
  })

  test('the export is the document of v1 with legacy instants, in both formats and with the same name', async () => {
    const headers = { authorization: `Bearer ${server.key(userId)}` }
    for (const query of ['', '?format=json', '?format=', '?format=yaml', '?format=yml&scope=all']) {
      const old = await me.get(`/flight/export${query}`)
      const now = await server.app.inject({ url: `/api/v1/flights/export${query}`, headers })
      expect(old.text).toBe(now.body.replace(/(\d\d:\d\d:\d\d\.\d{3})Z/g, '$1+00:00'))
      expect(old.text).toContain('2025-05-03T10:20:00.000+00:00')
      expect(old.headers['content-disposition']).toBe(now.headers['content-disposition'])
      expect(old.headers['content-type']).toBe(now.headers['content-type'])
    }
  })

  test('the statistics are those of v1', async () => {
    const { body } = await me.get('/stats?scope=all')
    expect(body.success).toBe(true)
    expect(body.stats.flights).toBeGreaterThan(2)
    expect(body.stats).toEqual((await server.as(server.key(userId)).get('/stats?scope=all')).body.data)
  })

  test('a user without flights has empty answers', async () => {
    const nobody = server.legacyAs(server.user())
    expect((await nobody.get('/flight/list')).text).toBe('{"success":true,"flights":[]}')
    expect((await nobody.get('/flight/export')).body).toEqual({ users: [], flights: [] })
    expect((await nobody.get('/stats')).body.stats).toMatchObject({ flights: 0, topRoute: null })
    expect((await me.get('/flight/list?scope=user&userId=nosuchuser')).body.flights).toEqual([])
  })
})

describe('objects as a property of the key', () => {
  let server: Server
  beforeAll(async () => {
    server = await legacyServer({ now: () => NOW })
  })
  afterAll(() => server.close())

  test('are for the program made for AirTrail alone, whatever other keys its user has', async () => {
    const user = server.user({ owner: true, username: 'mira' })
    const account = server.services.users.findByName('mira')!
    const request = { name: 'sync', scopes: ['flight.read.own', 'flight.update.own'], legacyObjects: true }
    const sync = server.legacyAs((await server.services.keys.create(account, request)).key)
    const { id } = (await server.legacyAs(user).save({ ...whole, customFields: undefined })).body
    for (const path of [`/flight/get/${id}`, '/flight/list']) {
      const of = async (caller: ReturnType<Server['legacyAs']>) => {
        const { flight, flights } = (await caller.get(path)).body
        return flight ?? flights[0]
      }
      expect(await of(server.legacyAs(user))).toMatchObject({ airline: 'SWR', aircraft: 'A320' })
      expect(await of(sync)).toMatchObject({
        airline: { icao: 'SWR', iata: 'LX', iconPath: null },
        aircraft: { icao: 'A320' },
        seats: [{ seatNumber: '7A' }, { guestName: 'Noor' }],
      })
    }
    // A program that reads objects and writes codes back keeps what is stored.
    const { flight } = (await sync.get(`/flight/get/${id}`)).body
    const pushed = { ...whole, id, airline: flight.airline?.icao ?? null, aircraft: flight.aircraft?.icao ?? null }
    expect((await sync.save({ ...pushed, passengers: flight.seats })).status).toBe(200)
    expect((await server.as(user).get(`/flights/${id}`)).body.data.airline.icao).toBe('SWR')
  })
})
