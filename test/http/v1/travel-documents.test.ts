import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  boardingPasses,
  calendars,
  type ExpectedFlight,
  mails,
  REFERENCE,
  samples,
} from '../../domain/documents/samples.ts'
import { passText } from '../../support/boarding-pass.ts'
import { type Paxlog, sharedPaxlog, type TestUser } from '../../support/paxlog.ts'
import { copyLoaded } from '../../support/process.ts'
import { mcpClient, toolError } from '../mcp/support.ts'

let app: Paxlog
let mira: TestUser

beforeAll(async () => {
  app = await sharedPaxlog({}, copyLoaded)
  mira = app.user({ username: 'mira' })
})
afterAll(() => app?.close())

const read = (content: Buffer | string, type: string, { who = mira, query = `?date=${REFERENCE}` } = {}) =>
  app.as(who).post(`/flights/read${query}`, content, { 'content-type': type })

function codeOf(kind: 'airports' | 'airlines', id: number | undefined): string | undefined {
  const find = app.db.$client.prepare(`select icao from ${kind} where id = ?`).pluck()
  return id === undefined ? undefined : (find.get(id) as string)
}

/** An item in the form of the expectations. */
// biome-ignore lint/suspicious/noExplicitAny: compared as a whole
function shown({ kind, passengerName, bookingReference, flight, unresolved, duplicateOf }: any) {
  const { date, fromId, toId, airlineId, flightNumber, departureScheduled, arrivalScheduled, passengers } = flight
  const { departureTerminal, departureGate, arrivalTerminal, arrivalGate, ...rest } = flight
  const known = 'date fromId toId airlineId flightNumber departureScheduled arrivalScheduled passengers'.split(' ')
  expect(Object.keys(rest).filter((name) => !known.includes(name))).toEqual([])
  expect([unresolved, duplicateOf]).toEqual([[], null])
  if (passengers) expect(passengers).toEqual([{ ...passengers[0], userId: mira.id }])
  const found = {
    ...{ kind, name: passengerName ?? undefined, booking: bookingReference ?? undefined, date },
    ...{ from: codeOf('airports', fromId), to: codeOf('airports', toId), airline: codeOf('airlines', airlineId) },
    ...{ number: flightNumber, departure: departureScheduled, arrival: arrivalScheduled },
    ...{ departureTerminal, departureGate, arrivalTerminal, arrivalGate },
    ...{ seat: passengers?.[0].seatNumber, seatClass: passengers?.[0].seatClass },
  }
  return Object.fromEntries(
    Object.entries(found).filter(([, value]) => value !== undefined),
  ) as unknown as ExpectedFlight
}

describe('POST /api/v1/flights/read', () => {
  test.each(samples.map((sample) => [sample.name, sample] as const))(
    'reads the %s, and createFlight accepts its flights',
    async (_name, { content, type, expected }) => {
      const answer = await read(content, type)
      expect([answer.status, answer.body.error]).toEqual([200, undefined])
      expect(answer.body.data.map(shown)).toEqual(expected)
      expect(answer.body.page).toEqual({ nextCursor: null })
      const traveller = app.user()
      for (const { flight } of answer.body.data) {
        const own = {
          ...flight,
          passengers: flight.passengers?.map((one: object) => ({ ...one, userId: traveller.id })),
        }
        expect((await app.as(traveller).post('/flights', own)).status).toBe(201)
      }
    },
  )

  test('reads a pass with the reference day of the query, and without it as of today', async () => {
    const dateOf = async (day: string, query: string) => {
      const text = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'ZRHLHRLX', number: '0316', day }] })
      return (await read(text, 'text/plain', { query })).body.data[0].flight.date
    }
    expect(await dateOf('137', '?date=2025-05-03')).toBe('2025-05-17')
    expect(await dateOf('138', '?date=2025-05-03')).toBe('2024-05-17')
    const today = new Date().toISOString().slice(0, 10)
    const number = Math.round((Date.parse(today) - Date.parse(`${today.slice(0, 4)}-01-01`)) / 86_400_000) + 1
    expect(await dateOf(String(number).padStart(3, '0'), '')).toBe(today)
    expect((await read('x', 'text/plain', { query: '?date=2025-02-30' })).status).toBe(400)
  })

  test('lists what it could not resolve', async () => {
    const first = async (text: string, type = 'text/plain') => (await read(text, type)).body.data[0]
    const pass = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'XQQLHRQ0', number: '0316', day: '123' }] })
    const unknown = await first(pass)
    expect(unknown.unresolved).toEqual(['Airport XQQ is not known.', 'Airline Q0 is not known.'])
    expect(unknown.flight).toMatchObject({ date: '2025-05-03', flightNumber: 'Q0316', toId: expect.any(Number) })
    expect(unknown.flight.fromId).toBeUndefined()
    const json = (flight: object) => first(JSON.stringify({ '@type': 'Flight', ...flight }), 'application/json')
    const [departureAirport, arrivalAirport] = [{ iataCode: 'ZRH' }, { name: 'Nowhere' }]
    expect((await json({ flightNumber: 'LX9999', departureAirport, arrivalAirport })).unresolved).toEqual([
      'The date of the flight is not known.',
      'Airport Nowhere is not known.',
    ])
    const times = { departureTime: '2025-05-03T12:00:00Z', arrivalTime: '2025-05-03T11:00:00Z' }
    const reversed = await json({
      flightNumber: 'LX316',
      departureAirport,
      arrivalAirport: { iataCode: 'LHR' },
      ...times,
    })
    expect(reversed.unresolved).toEqual(['The arrival is before the departure.'])
    expect(Object.keys(reversed.flight)).not.toContain('arrivalScheduled')
    const withoutAirports = await json({ departureTime: '2025-05-03T12:00:00Z', flightNumber: 'LX9999' })
    expect(withoutAirports.unresolved).toEqual(['The origin is not known.', 'The destination is not known.'])
  })

  test('leaves out an arrival before the departure that another description of the flight has', async () => {
    const flight = { '@type': 'Flight', flightNumber: 'LX316', departureAirport: 'ZRH', arrivalAirport: 'LHR' }
    const descriptions = [
      { ...flight, departureTime: '2025-05-03T12:00:00Z' },
      { ...flight, departureTime: '2025-05-03T08:00:00Z', arrivalTime: '2025-05-03T09:40:00Z' },
    ]
    const { data } = (await read(JSON.stringify(descriptions), 'application/json')).body
    expect(data).toHaveLength(1)
    expect(data[0].unresolved).toEqual(['The arrival is before the departure.'])
    expect(data[0].flight.departureScheduled).toBe('2025-05-03T12:00:00.000Z')
    expect(Object.keys(data[0].flight)).not.toContain('arrivalScheduled')
  })

  test('returns the id of the same flight of the caller, however its number is written', async () => {
    const traveller = app.user()
    const other = app.user()
    const text = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'ZRHLHRLX', number: '0316', day: '123' }] })
    const [{ flight }] = (await read(text, 'text/plain')).body.data
    const { fromId, toId } = flight
    const create = async (user: TestUser, body: object) =>
      (await app.as(user).post('/flights', { date: '2025-05-03', fromId, toId, ...body })).body.data.id
    const duplicate = async (who: TestUser) => (await read(text, 'text/plain', { who })).body.data[0].duplicateOf
    await create(other, { flightNumber: 'LX316' })
    await create(traveller, { flightNumber: 'LX317' })
    await create(traveller, { flightNumber: 'LX316', date: '2025-05-04' })
    await create(traveller, { flightNumber: 'LX316', fromId: toId, toId: fromId })
    await create(traveller, { flightNumber: 'LX316', datePrecision: 'month' })
    await create(traveller, {})
    expect(await duplicate(traveller)).toBeNull()
    for (const flightNumber of ['SWR316', 'lx 0316', 'LX316']) {
      const id = await create(traveller, { flightNumber })
      expect([flightNumber, await duplicate(traveller)]).toEqual([flightNumber, id])
      await app.as(traveller).delete(`/flights/${id}`)
    }
    const id = await create(traveller, { flightNumber: 'LX316' })
    expect(await duplicate(traveller)).toBe(id)
    const key = app.key(traveller.id, ['reference_data.read', 'flight.create.own'])
    expect(await duplicate({ ...traveller, key })).toBeNull()
  })

  test('stores nothing', async () => {
    const count = () => app.db.$client.prepare('select count(*) from flights').pluck().get()
    const before = count()
    await read(mails[0]!.content, 'message/rfc822')
    expect(count()).toBe(before)
  })

  test('returns at most 50 flights', async () => {
    const pass = (index: number) =>
      passText({
        name: 'SAMPLE/MIRA',
        legs: [{ route: 'ZRHLHRLX', number: String(index).padStart(4, '0'), day: '123' }],
      })
    const { data } = (await read(Array.from({ length: 51 }, (_, index) => pass(index + 1)).join('\n'), 'text/plain'))
      .body
    expect(data).toHaveLength(50)
    expect(data[49].flight.flightNumber).toBe('LX50')
    const flights = Array.from({ length: 60 }, (_, index) => ({
      ...{ '@type': 'Flight', flightNumber: `LX${index + 1}`, departureTime: '2025-05-03T12:00:00Z' },
      ...{ departureAirport: 'ZRH', arrivalAirport: 'LHR' },
    }))
    expect((await read(JSON.stringify(flights), 'application/json')).body.data).toHaveLength(50)
  })

  test('returns 422 that names the accepted inputs if there is no flight', async () => {
    for (const content of ['Hello', '', 'null', 'M5xxx', 'From: a@example.org\n\nHello']) {
      const { status, body } = await read(content, 'application/octet-stream')
      expect([content, status, body.error?.code]).toEqual([content, 422, 'validation_failed'])
      expect(body.error.message).toMatch(/boarding pass.*Wallet.*e-mail.*JSON.*calendar/)
    }
  })

  test('rejects forms, and documents larger than 2 MiB before they are read', async () => {
    expect((await read('--x--', 'multipart/form-data; boundary=x')).status).toBe(400)
    const large = Buffer.alloc(2 * 1024 * 1024 + 1, ' ')
    const answer = await read(large, 'text/calendar')
    expect([answer.status, answer.body.error.code]).toEqual([413, 'bad_request'])
    expect((await read(large.subarray(1), 'text/calendar')).status).toBe(422)
  })
})

describe('the tool read_travel_document', () => {
  const call = async (args: object) =>
    (await mcpClient(app.request, mira).call('read_travel_document', args)).body.result

  test('returns the same items as the operation', async () => {
    for (const { name, content } of [mails[0]!, calendars[0]!, boardingPasses[0]!]) {
      const { structuredContent } = await call({ text: content.toString(), date: REFERENCE })
      expect([name, structuredContent]).toEqual([name, (await read(content.toString(), '')).body])
    }
  })

  test('rejects text that is too large or no document', async () => {
    const error = async (args: object) => toolError({ body: { result: await call(args) } } as never).code
    expect(await error({ text: ' '.repeat(2 * 1024 * 1024 + 1) })).toBe('bad_request')
    expect(await error({ text: 'Hello' })).toBe('validation_failed')
    expect(await error({ text: '\ud800M1\udc00' })).toBe('validation_failed')
    expect(await error({})).toBe('validation_failed')
    expect(await error({ text: 'Hello', date: '2025-02-30' })).toBe('bad_request')
  })
})
