import { describe, expect, test } from 'vitest'
import { ErrorBody } from '../../../src/contract/common.ts'
import { flightLog } from '../../support/flight-log.ts'
import { mutated, strange } from '../../support/mutate.ts'
import { seeded } from '../../support/random.ts'

const ROUNDS = 450

describe('hostile bodies', () => {
  test('returns a defined status for any JSON value in any member', async () => {
    const log = await flightLog()
    const { as, admin, mira, noor, airports, airlines, aircraft, flight, field } = log
    await field({ key: 'ref', fieldType: 'text', validation: { regex: '^[a-z]+$' } })
    await field({ key: 'tags', fieldType: 'multi-select', options: ['a', 'b'] })
    await field({ key: 'via', fieldType: 'airport' })
    await field({ key: 'meal', fieldType: 'text', entityType: 'flight_passenger' })
    await field({ key: 'when', fieldType: 'date', entityType: 'flight_passenger' })
    const { id, passengers } = await flight({ passengers: [{ userId: mira.id }, { userId: noor.id }] }, admin)
    const track = {
      coordinates: [
        [1, 2],
        [3, 4, 5],
      ],
      sourceFormat: 'gpx',
      sourceName: 'a',
      times: [1, 2],
      groundSpeedKt: [1, 2],
      trackDeg: [1, 2],
      ground: [true, false],
      estimated: [true, false],
    }
    const body = {
      date: '2025-05-03',
      datePrecision: 'day',
      departure: '2025-05-03T10:00Z',
      arrival: '2025-05-03T12:00Z',
      departureScheduled: null,
      takeoffActual: '2025-05-03T10:00Z',
      duration: 5,
      departureTerminal: 'A',
      flightNumber: 'LX1',
      note: 'x',
      fromId: airports.ZRH,
      toId: airports.LIS,
      airlineId: airlines.SWR,
      aircraftId: aircraft.BCS3,
      passengers: [
        {
          id: passengers[0].id,
          userId: mira.id,
          seat: 'window',
          seatNumber: '1',
          seatClass: 'first',
          flightReason: 'crew',
          customFields: { meal: 'x', when: '2025-01-01' },
        },
        { guestName: 'Ann' },
      ],
      track,
      customFields: { ref: 'abc', tags: ['a'], via: airports.ZRH },
    }
    const definition = {
      entityType: 'flight',
      key: 'key',
      label: 'Label',
      description: 'x',
      fieldType: 'select',
      required: false,
      order: 1,
      defaultValue: 'a',
      options: ['a', 'b'],
      active: true,
      validation: { regex: 'a', min: 1, max: 2, minLength: 1, maxLength: 2 },
    }
    const airport = {
      icao: 'XX-1',
      iata: 'XX1',
      name: 'Field',
      municipality: 'Town',
      latitude: 1,
      longitude: 2,
      timezone: 'UTC',
      type: 'closed',
      continent: 'EU',
      country: 'CH',
    }
    const createdIds = {
      field: (await as(admin).post('/custom-fields', definition)).body.data.id,
      airport: (await as(admin).post('/airports', airport)).body.data.id,
    }
    const targets: [method: 'post' | 'put', path: string, good: object][] = [
      ['post', '/flights', body],
      ['put', `/flights/${id}`, body],
      ['put', `/flights/${id}/track`, track],
      ['post', '/custom-fields', definition],
      ['put', `/custom-fields/${createdIds.field}`, definition],
      ['post', '/airports', airport],
      ['put', `/airports/${createdIds.airport}`, airport],
      ['post', '/airlines', { name: 'x', icao: 'ABC', iata: 'AB*' }],
      ['post', '/aircraft', { name: 'x', icao: 'ABCD' }],
    ]
    const random = seeded(20250503)
    const seen = new Map<number, number>()
    for (const [method, path, good] of targets) {
      for (let round = 0; round < ROUNDS; round++) {
        const text = mutated(good, random)
        const answer = await as(admin)[method](path, text)
        seen.set(answer.status, (seen.get(answer.status) ?? 0) + 1)
        const sent = `${method} ${path} ${text.slice(0, 500)}`
        expect([200, 201, 400, 409, 422], `${sent} ${answer.text}`).toContain(answer.status)
        if (answer.status >= 400) ErrorBody.parse(answer.body)
        if (answer.status === 422) {
          expect(answer.body.error.details.length, sent).toBeGreaterThan(0)
          expect(answer.text.length, sent).toBeLessThan(100_000)
        }
        // A mutation may leave a field required, which later rounds cannot satisfy.
        if (path.startsWith('/custom-fields') && answer.status < 300)
          await as(admin).put(`/custom-fields/${answer.body.data.id}`, {
            ...answer.body.data,
            required: false,
            active: false,
          })
      }
    }
    // Both valid and invalid bodies must have occurred.
    for (const status of [200, 201, 422]) expect(seen.get(status), JSON.stringify([...seen])).toBeGreaterThan(50)
    expect(Object.keys(Object.prototype)).toEqual([])
    const listed = await as(admin).get('/flights?scope=all&limit=100')
    expect(listed.status).toBe(200)
  })

  test('returns a defined status for any value of a parameter or path', async () => {
    const { as, admin } = await flightLog()
    const texts = strange.filter((value) => typeof value === 'string' && value.length < 1000) as string[]
    const paths = texts.flatMap((text) => {
      const value = encodeURIComponent(text.toWellFormed())
      return [
        ...['limit', 'cursor', 'scope', 'userId', '__proto__'].map((name) => `/flights?${name}=${value}`),
        `/flights?scope=user&userId=${value}`,
        `/airports?query=${value}`,
        `/airlines?query=${value}`,
        `/aircraft?query=${value}`,
        `/custom-fields?includeInactive=${value}`,
        `/flights/${value}`,
        `/flights/${value}/track`,
        `/airports/${value}`,
      ]
    })
    for (const path of paths) {
      const { status, text } = await as(admin).get(path)
      expect([200, 400, 404], `${path} ${text}`).toContain(status)
    }
  })
})
