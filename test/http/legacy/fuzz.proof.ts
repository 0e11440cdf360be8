import { expect, test } from 'vitest'
import { legacyServer } from './support.ts'

const SEED = 20260101
const BODY_COUNT = 4000

/** mulberry32, so that every run uses the same bodies. */
function randomNumbers(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

const seedBody = (id: number) => ({
  id,
  from: 'ZRH',
  to: 'LIS',
  departure: '2025-05-03',
  departureTime: '12:20',
  arrival: '2025-05-03',
  arrivalTime: '2:15 pm',
  departureScheduled: '2025-05-03',
  departureScheduledTime: '12.10',
  takeoffActual: '2025-05-03T10:35:00Z',
  takeoffActualTime: '1235',
  landingActual: null,
  landingActualTime: null,
  datePrecision: 'day',
  airline: 'SWR',
  aircraft: 'A320',
  flightNumber: 'LX2084',
  departureGate: 'A52',
  note: 'a note',
  flightReason: 'leisure',
  customFields: { trip: 7 },
  track: { coordinates: [[8, 47], [9, 48]], sourceFormat: 'gpx', times: [1, 2] },
  passengers: [
    { id: 1, userId: '<USER_ID>', seat: 'window', seatNumber: '7A', seatClass: 'economy', customFields: {} },
    { userId: null, guestName: 'Noor' },
  ],
}) // biome-ignore format: two points on a line

const junk: unknown[] = [
  null, true, false, 0, -0, -1, 1.5, 1e21, 1e308, 2 ** 53, '', ' ', 'x', '\0', '\ud800', '😀'.repeat(600),
  'x'.repeat(20000), [], {}, [[]], [null], { id: 1 }, { length: 3 }, { toString: 1 }, { constructor: {} }, '1970-01-01',
  '9999-12-31', '9999-12-31T23:59:59.999999999-23:59', '0000-01-01', '2025-02-30', '2025-05-03T24:00:00Z', '00:00',
  '12:60', '11:59 PM', '2400', "'; drop table flights; --", '%', '_', 'month', 'year', '<USER_ID>', 'KTM', 'LDH', 'APW',
  'HNL', 'egll', 'ß', 'İ', '__proto__', 'constructor', 500, Array.from({ length: 501 }, () => ({ userId: '<USER_ID>' })),
] // biome-ignore format: a bag of values

type Place = [holder: Record<string, unknown>, key: string]

function places(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return []
  const holder = value as Record<string, unknown>
  return Object.keys(holder).flatMap((key) => [[holder, key] as Place, ...places(holder[key])])
}

test(`${BODY_COUNT} mutated bodies never return 5xx, and every error has the legacy format`, {
  timeout: 600_000,
}, async () => {
  const server = await legacyServer()
  try {
    const random = randomNumbers(SEED)
    const pick = <Item>(list: readonly Item[]): Item => list[Math.floor(random() * list.length)]!
    const owner = server.user({ owner: true, username: 'theowner' })
    const field = { entityType: 'flight', key: 'trip', label: 'Trip', fieldType: 'number' }
    await server.as(owner).post('/custom-fields', field)
    const { body } = await server.legacyAs(owner).save({ ...seedBody(1), id: null })
    const headers = { authorization: `Bearer ${owner.key}` }
    const statusCounts: Record<number, number> = {}

    function mutated(): string {
      const target = seedBody(pick([body.id, body.id, 999])) as Record<string, unknown>
      if (random() < 0.4) target.id = null
      for (let times = 1 + Math.floor(random() * 3); times > 0; times--) {
        const [holder, key] = pick(places(target))
        if (random() < 0.25) delete holder[key]
        else holder[key] = structuredClone(pick(junk))
      }
      if (random() < 0.1) target[pick(['seats', 'departureTime', 'arrivalScheduledTime', 'whatever'])] = pick(junk)
      const text = JSON.stringify(target)
      if (random() < 0.85) return text
      const at = Math.floor(random() * text.length)
      return text.slice(0, at) + pick(['', '"', '\\', '\u0001', '}', ',,', '1e999', '\ud800']) + text.slice(at + 1)
    }

    for (let count = 0; count < BODY_COUNT; count++) {
      const payload = mutated()
      const url = random() < 0.97 ? '/api/flight/save' : '/api/flight/delete'
      const answer = await server.request({ method: 'POST', url, headers, payload: Buffer.from(payload) })
      const { status, body: result } = answer
      statusCounts[status] = (statusCounts[status] ?? 0) + 1
      expect([200, 400, 404, 422], `${status} for ${payload.slice(0, 2000)}`).toContain(status)
      if (status === 200) {
        expect(result.success).toBe(true)
        continue
      }
      const { success, message, errors, ...unexpected } = result
      expect([success, typeof message, unexpected]).toEqual([false, 'string', {}])
      if (status !== 400) expect(errors).toBeUndefined()
      for (const each of errors ?? []) {
        expect(Object.keys(each)).toEqual(['code', 'path', 'message'])
        expect(each.path.every((part: unknown) => typeof part === 'string')).toBe(true)
      }
    }
    // Every status must occur, otherwise the mutations no longer reach their targets.
    for (const status of [200, 400, 404, 422])
      expect([status, (statusCounts[status] ?? 0) > 20]).toEqual([status, true])

    const list = await server.legacyAs(owner).get('/flight/list?scope=all')
    expect([list.status, list.body.flights.length > 100]).toEqual([200, true])
    expect((await server.legacyAs(owner).get('/stats?scope=all')).status).toBe(200)
    expect((await server.legacyAs(owner).get('/flight/export?scope=all')).status).toBe(200)
  } finally {
    await server.close()
  }
})
