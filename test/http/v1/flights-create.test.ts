import { describe, expect, test } from 'vitest'
import { Flight } from '../../../src/domain/flights/contract.ts'
import { faultsOf, flightLog } from '../../support/flight-log.ts'

const members = Object.keys(Flight.shape)
const times = [
  'departure',
  'arrival',
  'departureScheduled',
  'arrivalScheduled',
  'takeoffScheduled',
  'takeoffActual',
  'landingScheduled',
  'landingActual',
]
const shortTexts = [
  'departureTerminal',
  'departureGate',
  'arrivalTerminal',
  'arrivalGate',
  'flightNumber',
  'aircraftReg',
]
const EMOJI = '🛫'

describe('POST /api/v1/flights', () => {
  test('creates the flight of the contract example', async () => {
    const { as, mira, airports, airlines } = await flightLog({ now: () => Date.parse('2025-05-04T08:00Z') })
    const answer = await as(mira).post('/flights', {
      date: '2025-05-03',
      fromId: airports.ZRH,
      toId: airports.LIS,
      departure: '2025-05-03T12:20:00+02:00',
      arrival: '2025-05-03T14:15:00+01:00',
      flightNumber: 'LX2084',
      airlineId: airlines.SWR,
      passengers: [{ userId: mira.id, seat: 'window', seatNumber: '7A' }, { guestName: 'Noor' }],
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/api/v1/flights/${answer.body.data.id}`)
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    const { id, passengers } = answer.body.data
    // Compared as text because the order of members is part of the contract.
    expect(answer.text).toBe(
      `{"data":{"id":${id},"date":"2025-05-03","datePrecision":"day","departure":"2025-05-03T10:20:00.000Z","arrival":"2025-05-03T13:15:00.000Z","departureScheduled":null,"arrivalScheduled":null,"takeoffScheduled":null,"takeoffActual":null,"landingScheduled":null,"landingActual":null,"duration":10500,"departureTerminal":null,"departureGate":null,"arrivalTerminal":null,"arrivalGate":null,"flightNumber":"LX2084","aircraftReg":null,"note":null,"from":{"id":${airports.ZRH},"icao":"LSZH","iata":"ZRH","name":"Zürich Airport","municipality":"Zurich","latitude":47.458056,"longitude":8.548056,"timezone":"Europe/Zurich","type":"large_airport","continent":"EU","country":"CH","custom":false},"to":{"id":${airports.LIS},"icao":"LPPT","iata":"LIS","name":"Humberto Delgado Airport","municipality":"Lisbon","latitude":38.7813,"longitude":-9.13592,"timezone":"Europe/Lisbon","type":"large_airport","continent":"EU","country":"PT","custom":false},"airline":{"id":${airlines.SWR},"name":"Swiss","icao":"SWR","iata":"LX","iconPath":null,"custom":false},"aircraft":null,"passengers":[{"id":${passengers[0].id},"user":{"id":"${mira.id}","username":"mira","displayName":"Mira"},"guestName":null,"seat":"window","seatNumber":"7A","seatClass":null,"flightReason":null,"customFields":{}},{"id":${passengers[1].id},"user":null,"guestName":"Noor","seat":null,"seatNumber":null,"seatClass":null,"flightReason":null,"customFields":{}}],"track":null,"customFields":{},"distanceKm":1723.1,"createdAt":"2025-05-04T08:00:00.000Z","updatedAt":"2025-05-04T08:00:00.000Z"}}`,
    )
    expect((await as(mira).get(answer.headers.location!.toString().slice('/api/v1'.length))).text).toBe(answer.text)
  })

  test('applies defaults to absent members and adds only the caller as a passenger', async () => {
    const { as, mira, plain } = await flightLog()
    const { body, status } = await as(mira).post('/flights', plain)
    expect(status).toBe(201)
    expect(Object.keys(body.data)).toEqual(members)
    const known = [
      'id',
      'date',
      'datePrecision',
      'from',
      'to',
      'passengers',
      'customFields',
      'distanceKm',
      'createdAt',
      'updatedAt',
    ]
    for (const member of members) if (!known.includes(member)) expect(body.data[member], member).toBeNull()
    expect(body.data.datePrecision).toBe('day')
    expect(body.data.customFields).toEqual({})
    expect(body.data.passengers).toEqual([
      {
        id: body.data.passengers[0].id,
        user: { id: mira.id, username: 'mira', displayName: 'Mira' },
        guestName: null,
        seat: null,
        seatNumber: null,
        seatClass: null,
        flightReason: null,
        customFields: {},
      },
    ])
  })

  test('stores every member as sent', async () => {
    const { as, mira, plain, airlines, aircraft } = await flightLog()
    const sent = {
      ...plain,
      datePrecision: 'month',
      ...Object.fromEntries(times.map((name) => [name, '2025-05-03T10:20:30.456Z'])),
      duration: 1,
      ...Object.fromEntries(shortTexts.map((name) => [name, ` ${name} é🛫\u202e `])),
      note: 'First line\nsecond\tline\r\n“quoted” \\ " \u2028 e\u0301',
    }
    const { status, body } = await as(mira).post('/flights', {
      ...sent,
      airlineId: airlines.SAS,
      aircraftId: aircraft.A359,
    })
    expect(status).toBe(201)
    const { fromId, toId, ...expected } = sent
    expect(body.data).toMatchObject({
      ...expected,
      from: { id: fromId },
      to: { id: toId },
      airline: { id: airlines.SAS, iconPath: null, custom: false },
      aircraft: { id: aircraft.A359, name: 'Airbus A350-900', icao: 'A359', custom: false },
    })
  })

  test('returns the same response as a read, with and without custom values and a track', async () => {
    const { as, admin, mira, noor, plain, airlines, aircraft, field } = await flightLog()
    const expectSameAsRead = async (body: object) => {
      const created = await as(admin).post('/flights', { ...plain, ...body })
      expect([created.status, ...faultsOf(created)]).toEqual([201])
      expect((await as(admin).get(`/flights/${created.body.data.id}`)).text).toBe(created.text)
    }
    const passengers = [
      { userId: noor.id, seat: 'pilot', seatClass: 'private', flightReason: 'crew' },
      { guestName: ' Noor ', seatNumber: ' 7A' },
      { userId: mira.id },
    ]
    const bodies = [
      {},
      { datePrecision: 'year', departure: '2025-05-03T10:20+02:00', note: ' a\n"é🛫', duration: 0 },
      { airlineId: airlines.SAS, aircraftId: aircraft.A359, toId: plain.fromId },
      { passengers },
      { track: { coordinates: [8, 9].map((place) => [place, 47.4]), sourceFormat: 'gpx' } },
    ]
    for (const body of bodies) await expectSameAsRead(body)
    await field({ key: 'meal', fieldType: 'text' })
    await field({ key: 'rating', entityType: 'flight_passenger', fieldType: 'number', defaultValue: 3 })
    for (const body of [...bodies, { customFields: { meal: 'soup' } }]) await expectSameAsRead(body)
    await expectSameAsRead({ passengers: passengers.map((each) => ({ ...each, customFields: { rating: null } })) })
  })

  test('ignores unknown members at any depth and passenger ids', async () => {
    const { as, mira, plain } = await flightLog()
    const { status, body } = await as(mira).post('/flights', {
      ...plain,
      id: 5,
      createdAt: 'never',
      constructor: { prototype: { polluted: true } },
      toString: 1,
      passengers: [{ id: 999, userId: mira.id, user: 5, nested: { more: [{}] } }],
    })
    expect(status).toBe(201)
    expect(body.data.passengers[0].id).not.toBe(999)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('requires an object with date, fromId and toId', async () => {
    const { as, mira } = await flightLog()
    const answer = await as(mira).post('/flights', {})
    expect(answer.status).toBe(422)
    expect(answer.body.error.code).toBe('validation_failed')
    expect(faultsOf(answer)).toEqual(['invalid_type date', 'invalid_type fromId', 'invalid_type toId'])
    for (const payload of ['[]', '5', 'null', '"x"', 'true']) {
      const rejected = await as(mira).post('/flights', payload)
      expect(rejected.status, payload).toBe(422)
      expect(faultsOf(rejected)).toEqual(['invalid_type '])
    }
    for (const payload of ['', '{', '{"date":"2025-05-03",}', '{"__proto__":1}', '{"passengers":[{"__proto__":{}}]}']) {
      const rejected = await as(mira).post('/flights', payload)
      expect(rejected.status, payload).toBe(400)
      expect(rejected.body.error.code).toBe('invalid_json')
    }
  })

  const emojiText = (length: number) => EMOJI.repeat(length)
  const invalidValues: [member: string, value: unknown, fault: string][] = [
    ['date', null, 'invalid_type'],
    ['date', 20250503, 'invalid_type'],
    ['date', '2025-02-30', 'invalid_format'],
    ['date', '0000-01-01', 'invalid_format'],
    ['date', '2025-05-03T00:00Z', 'invalid_format'],
    ['date', '', 'invalid_format'],
    ['datePrecision', null, 'invalid_type'],
    ['datePrecision', 'week', 'invalid_value'],
    ['datePrecision', 'constructor', 'invalid_value'],
    ...times.flatMap((name): [string, unknown, string][] => [
      [name, '2025-05-03T10:20:00', 'invalid_format'],
      [name, '2025-05-03', 'invalid_format'],
      [name, '', 'invalid_format'],
      [name, '9999-12-31T23:30-01:00', 'invalid_format'],
      [name, 1746267600, 'invalid_type'],
      [name, {}, 'invalid_type'],
    ]),
    ['duration', -1, 'too_small'],
    ['duration', 1.5, 'invalid_type'],
    ['duration', '60', 'invalid_type'],
    ['duration', 2 ** 53, 'too_big'],
    ...shortTexts.flatMap((name): [string, unknown, string][] => [
      [name, emojiText(501), 'too_big'],
      [name, 5, 'invalid_type'],
      [name, ['A'], 'invalid_type'],
      [name, 'a\0b', 'custom'],
      [name, 'a\ud83d', 'custom'],
      [name, '\ude00a', 'custom'],
    ]),
    ['note', emojiText(10_001), 'too_big'],
    ['note', 'a\0', 'custom'],
    ['note', '\ud83d\ud83d', 'custom'],
    ['note', false, 'invalid_type'],
    ...['fromId', 'toId'].flatMap((name): [string, unknown, string][] => [
      [name, null, 'invalid_type'],
      [name, '1', 'invalid_type'],
      [name, 1.5, 'invalid_type'],
      [name, 0, 'too_small'],
      [name, -1, 'too_small'],
      [name, 2 ** 53, 'too_big'],
      [name, 999_999, 'custom'],
    ]),
    ...['airlineId', 'aircraftId'].flatMap((name): [string, unknown, string][] => [
      [name, '1', 'invalid_type'],
      [name, 0, 'too_small'],
      [name, 999_999, 'custom'],
      [name, Number.MAX_SAFE_INTEGER, 'custom'],
    ]),
    ['passengers', null, 'invalid_type'],
    ['passengers', {}, 'invalid_type'],
    ['passengers', [], 'too_small'],
    ['passengers', Array.from({ length: 501 }, (_, index) => ({ guestName: `Guest ${index}` })), 'too_big'],
    ['customFields', null, 'invalid_type'],
    ['customFields', [], 'invalid_type'],
    ['customFields', 'x', 'invalid_type'],
    ['track', 'x', 'invalid_type'],
    ['track', [], 'invalid_type'],
  ]

  test('rejects invalid members with code and path', async () => {
    const { as, mira, plain } = await flightLog()
    for (const [member, value, code] of invalidValues) {
      const answer = await as(mira).post('/flights', { ...plain, [member]: value })
      expect([answer.status, ...faultsOf(answer)], `${member}: ${JSON.stringify(value)?.slice(0, 60)}`).toEqual([
        422,
        `${code} ${member}`,
      ])
      for (const { message } of answer.body.error.details) expect(message).toMatch(/^[A-Z].*\.$/)
    }
  })

  test('accepts null and the longest texts where allowed', async () => {
    const { as, mira, plain } = await flightLog()
    const accepted: [member: string, value: unknown][] = [
      ...[...times, ...shortTexts, 'duration', 'note', 'airlineId', 'aircraftId', 'track'].map(
        (name) => [name, null] as [string, null],
      ),
      ...shortTexts.map((name) => [name, emojiText(500)] as [string, string]),
      ...shortTexts.map((name) => [name, ''] as [string, string]),
      ['note', emojiText(10_000)],
      ['duration', 0],
      ['duration', Number.MAX_SAFE_INTEGER],
      ['toId', plain.fromId],
    ]
    for (const [member, value] of accepted) {
      const { status, body } = await as(mira).post('/flights', { ...plain, [member]: value })
      expect(status, `${member}: ${JSON.stringify(value)?.slice(0, 60)}`).toBe(201)
      if (member in body.data) expect(body.data[member]).toEqual(value)
    }
  })

  test('stores the largest duration with a departure, and a distance of 0 for a return to the origin', async () => {
    const { flight, plain } = await flightLog()
    const departure = '9999-12-31T23:59:59.999Z'
    expect(await flight({ duration: Number.MAX_SAFE_INTEGER, departure })).toMatchObject({
      duration: Number.MAX_SAFE_INTEGER,
      departure,
    })
    expect((await flight({ toId: plain.fromId })).distanceKm).toBe(0)
  })

  test.each([
    ['departure', 'arrival'],
    ['departureScheduled', 'arrivalScheduled'],
    ['takeoffScheduled', 'landingScheduled'],
    ['takeoffActual', 'landingActual'],
  ])('rejects %s after %s, compared as instants', async (first, second) => {
    const { as, mira, plain } = await flightLog()
    const post = (from: unknown, to: unknown) => as(mira).post('/flights', { ...plain, [first]: from, [second]: to })
    const rejected = await post('2025-02-10T10:00Z', '2025-02-10T09:59:59.999Z')
    expect(rejected.status).toBe(422)
    expect(faultsOf(rejected)).toEqual([`custom ${second}`])
    expect(faultsOf(await post('2025-02-10T10:00-01:00', '2025-02-10T10:59Z'))).toEqual([`custom ${second}`])
    for (const [from, to] of [
      ['2025-02-10T10:00Z', '2025-02-10T10:00Z'],
      ['2025-02-10T12:00+02:00', '2025-02-10T10:00Z'],
      ['2025-02-10T19:53+09:00', '2025-02-10T18:59-05:00'],
      ['2025-02-10T10:00Z', null],
      [null, '2025-02-10T10:00Z'],
    ]) {
      expect((await post(from, to)).status, `${from} ${to}`).toBe(201)
    }
  })

  test('compares only within a pair, not with the date or the current time', async () => {
    const { flight } = await flightLog()
    const crossed = {
      date: '1999-01-01',
      departure: '2999-02-10T10:00:00.000Z',
      arrival: '2999-02-10T12:00:00.000Z',
      departureScheduled: '2025-02-10T10:00:00.000Z',
      arrivalScheduled: '2025-02-10T10:30:00.000Z',
      takeoffActual: '1990-02-10T10:00:00.000Z',
      landingActual: '1990-02-10T10:00:00.000Z',
    }
    expect(await flight(crossed)).toMatchObject(crossed)
  })

  test.each([
    [{ departure: '2025-05-03T10:00Z', arrival: '2025-05-03T12:30Z' }, 9000],
    [{ departure: '2025-05-03T10:00:00.900Z', arrival: '2025-05-03T10:00:02.800Z' }, 1],
    [{ departure: '2025-05-03T10:00Z', arrival: '2025-05-03T10:00Z' }, 0],
    [{ departure: '2025-05-03T10:00Z', arrival: '2025-05-03T12:30Z', duration: 60 }, 60],
    [{ departure: '2025-05-03T10:00Z', arrival: '2025-05-03T12:30Z', duration: 0 }, 0],
    [{ departure: '2025-05-03T10:00Z', arrival: '2025-05-03T12:30Z', duration: null }, 9000],
    [{ departure: '2025-05-03T10:00Z' }, null],
    [{ departureScheduled: '2025-05-03T10:00Z', arrivalScheduled: '2025-05-03T12:30Z' }, null],
    [{ takeoffActual: '2025-05-03T10:00Z', landingActual: '2025-05-03T12:30Z' }, null],
    [{}, null],
  ])('computes the duration of %o as %s', async (body, duration) => {
    const { flight } = await flightLog()
    expect((await flight(body)).duration).toBe(duration)
  })

  test('reports all errors of the shape together, including the order of times', async () => {
    const { as, mira, plain } = await flightLog()
    const answer = await as(mira).post('/flights', {
      ...plain,
      date: 'soon',
      note: 5,
      departure: '2025-05-03T10:00Z',
      arrival: '2025-05-03T09:00Z',
      takeoffActual: 'never',
      landingActual: '2025-05-03T09:00Z',
      passengers: [{ seat: 'roof', seatNumber: 'x'.repeat(21) }, 5],
      track: { coordinates: 1, sourceFormat: 'doc' },
    })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer).toSorted()).toEqual([
      'custom arrival',
      'custom passengers.0',
      'invalid_format date',
      'invalid_format takeoffActual',
      'invalid_type note',
      'invalid_type passengers.1',
      'invalid_type track.coordinates',
      'invalid_value passengers.0.seat',
      'invalid_value track.sourceFormat',
      'too_big passengers.0.seatNumber',
    ])
  })

  test('reports all errors against stored data together', async () => {
    const { as, mira, plain, field } = await flightLog()
    await field({ key: 'ref', fieldType: 'text', required: true })
    await field({ key: 'meal', fieldType: 'number', entityType: 'flight_passenger' })
    const answer = await as(mira).post('/flights', {
      ...plain,
      fromId: 99_001,
      toId: 99_002,
      airlineId: 99_003,
      aircraftId: 99_004,
      passengers: [
        { userId: mira.id, customFields: { meal: 'fish' } },
        { userId: 'nobody' },
        { guestName: 'Ann' },
        { guestName: ' Ann ' },
        { userId: mira.id },
      ],
    })
    expect(answer.status).toBe(422)
    expect(faultsOf(answer)).toEqual([
      'custom fromId',
      'custom toId',
      'custom airlineId',
      'custom aircraftId',
      'custom passengers.1.userId',
      'custom passengers.3.guestName',
      'custom passengers.4.userId',
      'custom customFields.ref',
      'invalid_type passengers.0.customFields.meal',
    ])
    expect((await as(mira).get('/flights')).body.data).toEqual([])
  })

  test('lists at most 50 errors', async () => {
    const { as, mira, admin, plain } = await flightLog()
    const bad = await as(mira).post('/flights', { ...plain, passengers: Array(500).fill({ seat: 'roof' }) })
    expect(bad.body.error.details).toHaveLength(50)
    const unknown = Array.from({ length: 200 }, (_, index) => ({ userId: `nobody${index}` }))
    const rejected = await as(admin).post('/flights', { ...plain, passengers: unknown })
    expect(rejected.body.error.details).toHaveLength(50)
  })
})

describe('passengers of a new flight', () => {
  const cases: [item: unknown, faults: string[]][] = [
    [{}, ['custom passengers.0']],
    [{ userId: null, guestName: null }, ['custom passengers.0']],
    [{ userId: 'me', guestName: 'Ann' }, ['custom passengers.0']],
    [{ guestName: '' }, ['too_small passengers.0.guestName']],
    [{ guestName: ' \t\n ' }, ['too_small passengers.0.guestName']],
    [{ guestName: EMOJI.repeat(101) }, ['too_big passengers.0.guestName']],
    [{ guestName: 'a\0' }, ['custom passengers.0.guestName']],
    [{ guestName: '\udfff' }, ['custom passengers.0.guestName']],
    [{ guestName: 5 }, ['invalid_type passengers.0.guestName']],
    [{ userId: 5 }, ['invalid_type passengers.0.userId']],
    [{ userId: 'nobody' }, ['custom passengers.0.userId']],
    [{ userId: '' }, ['custom passengers.0.userId']],
    [{ userId: 'a\0b\ud800' }, ['custom passengers.0.userId']],
    [{ guestName: 'Ann', seat: 'roof' }, ['invalid_value passengers.0.seat']],
    [{ guestName: 'Ann', seatNumber: EMOJI.repeat(21) }, ['too_big passengers.0.seatNumber']],
    [{ guestName: 'Ann', seatNumber: 7 }, ['invalid_type passengers.0.seatNumber']],
    [{ guestName: 'Ann', seatNumber: '\ud800' }, ['custom passengers.0.seatNumber']],
    [{ guestName: 'Ann', seatClass: 'Economy' }, ['invalid_value passengers.0.seatClass']],
    [{ guestName: 'Ann', flightReason: 'fun' }, ['invalid_value passengers.0.flightReason']],
    [{ guestName: 'Ann', customFields: null }, ['invalid_type passengers.0.customFields']],
    [{ guestName: 'Ann', customFields: [] }, ['invalid_type passengers.0.customFields']],
    [null, ['invalid_type passengers.0']],
    [[], ['invalid_type passengers.0']],
    ['Ann', ['invalid_type passengers.0']],
  ]

  test('are rejected with the code and path of the error', async () => {
    const { as, admin, plain } = await flightLog()
    for (const [item, faults] of cases) {
      const answer = await as(admin).post('/flights', { ...plain, passengers: [item] })
      expect([answer.status, ...faultsOf(answer)], JSON.stringify(item)).toEqual([422, ...faults])
    }
  })

  test('are stored with all values and trimmed guest names', async () => {
    const { flight, admin } = await flightLog()
    const seats = ['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other', null]
    const classes = ['economy', 'economy+', 'business', 'first', 'private', null]
    const reasons = ['leisure', 'business', 'crew', 'other', null]
    const passengers = seats.map((seat, index) => ({
      guestName: `Guest ${index}`,
      seat,
      seatNumber: EMOJI.repeat(20),
      seatClass: classes[index % classes.length],
      flightReason: reasons[index % reasons.length],
    }))
    const stored = await flight({ passengers: [...passengers, { guestName: `  ${EMOJI.repeat(100)} ` }] }, admin)
    expect(stored.passengers.slice(0, -1)).toMatchObject(passengers)
    expect(stored.passengers.at(-1).guestName).toBe(EMOJI.repeat(100))
    const ids = stored.passengers.map(({ id }: { id: number }) => id)
    expect(ids.toSorted((a: number, b: number) => a - b)).toEqual(ids)
  })

  test('can be 500 guests with names that differ only in case', async () => {
    const { flight, admin } = await flightLog()
    const passengers = Array.from({ length: 500 }, (_, index) => ({ guestName: index ? `Guest ${index}` : 'GUEST 1' }))
    expect((await flight({ passengers }, admin)).passengers).toHaveLength(500)
  })
})
