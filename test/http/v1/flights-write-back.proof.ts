import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shippedVersion } from '../../../src/domain/reference/shipped.ts'
import { writeBack } from '../../support/factory.ts'
import { type FlightLog, flightLog } from '../../support/flight-log.ts'
import { listening } from '../../support/listening.ts'
import { temporaryFolder } from '../../support/paxlog.ts'

const ZONES = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Australia/Lord_Howe', 'Europe/Berlin']

/** Bodies for every type of flight. */
async function allBodies({ mira, noor, airports, airlines, aircraft, plain, field }: FlightLog) {
  const forFlights = (key: string, fieldType: string, more: object = {}) => field({ key, fieldType, ...more })
  await forFlights('ref', 'text', { defaultValue: 'none' })
  await forFlights('story', 'textarea')
  await forFlights('price', 'number')
  await forFlights('paid', 'boolean')
  await forFlights('booked', 'date')
  await forFlights('mood', 'select', { options: ['good', 'bad'] })
  await forFlights('tags', 'multi-select', { options: ['a', 'b', 'c'] })
  await forFlights('via', 'airport')
  await forFlights('partner', 'airline')
  await forFlights('planned', 'aircraft')
  await field({ entityType: 'flight_passenger', key: 'meal', fieldType: 'text' })
  await field({ entityType: 'flight_passenger', key: 'bags', fieldType: 'number', defaultValue: 1 })
  const times = {
    departure: '2025-03-30T02:30:00.123+01:00',
    arrival: '2025-03-30T06:15-09:30',
    departureScheduled: '2025-03-30T00:00Z',
    arrivalScheduled: '2025-03-31T23:59:59.999+14:00',
    takeoffScheduled: '2025-03-30T00:00Z',
    takeoffActual: '2025-03-30T00:00Z',
    landingScheduled: '2025-03-30T00:00Z',
    landingActual: '2025-04-01T00:00-11:00',
  }
  return [
    plain,
    { ...plain, date: '2025-02-10', fromId: airports.KUL, toId: airports.BKI },
    { ...plain, date: '2025-10-05', fromId: airports.LDH, toId: airports.SYD },
    { ...plain, date: '2011-12-30', fromId: airports.APW, toId: airports.AKL },
    { ...plain, date: '2025-12-31', fromId: airports.CXI, toId: airports.HNL },
    { ...plain, date: '2024-02-29' },
    { ...plain, date: '0001-01-01' },
    { ...plain, date: '9999-12-31' },
    { ...plain, date: '2019-07-01', datePrecision: 'month' },
    { ...plain, date: '1999-01-01', datePrecision: 'year' },
    {
      ...plain,
      date: '1999-06-17',
      datePrecision: 'year',
      departure: '1999-06-17T12:00Z',
      arrival: '1999-06-17T13:00Z',
    },
    { ...plain, ...times },
    { ...plain, ...times, duration: 5 },
    { ...plain, departure: '0001-01-01T00:00Z', arrival: '9999-12-31T23:59:59.999Z' },
    { ...plain, departure: '2025-05-03T10:00:00.999Z', arrival: '2025-05-03T10:00:01Z' },
    { ...plain, duration: 0 },
    {
      ...plain,
      toId: plain.fromId,
      note: '',
      flightNumber: ' LX 1 ',
      aircraftReg: 'HB-JCA 🛫',
      departureGate: '\u202eA',
    },
    { ...plain, airlineId: airlines.SWR, aircraftId: aircraft.BCS3, note: 'a\r\nb\u2028c e\u0301' },
    {
      ...plain,
      track: {
        coordinates: [
          [8.5, 47.4, 430],
          [-9.1, 38.7],
        ],
        sourceFormat: 'readsb',
        times: [1, 2],
      },
    },
    {
      ...plain,
      passengers: [{ userId: mira.id, seat: 'pilot', seatNumber: '', seatClass: 'economy+', flightReason: 'crew' }],
    },
    {
      ...plain,
      passengers: [
        { guestName: 'Zoë', customFields: { meal: 'rice', bags: 0 } },
        { userId: noor.id, customFields: { meal: null } },
        { userId: mira.id, seatClass: 'first' },
      ],
      customFields: {
        ref: 'é',
        story: 'line\nline',
        price: -0.1,
        paid: false,
        booked: '2024-02-29',
        mood: 'bad',
        tags: ['c', 'a'],
        via: airports.FRA,
        partner: airlines.SAS,
        planned: aircraft.A359,
      },
    },
    { ...plain, customFields: { story: null, price: 0 } },
  ]
}

describe('a flight that is read and written back', () => {
  test.each(ZONES)('is unchanged except for updatedAt, on a server in %s', async (zone) => {
    const log = await flightLog()
    const bodies = await allBodies(log)
    const stored: Awaited<ReturnType<FlightLog['flight']>>[] = []
    for (const body of bodies) stored.push(await log.flight(body))
    log.db.$client.prepare("insert into settings (key, value) values ('reference_version', ?)").run(shippedVersion())
    const folder = temporaryFolder()
    log.db.$client.prepare('vacuum into ?').run(join(folder, 'paxlog.db'))
    const { url } = await listening(folder, { TZ: zone })
    async function call(method: string, path: string, body?: object) {
      const headers = { authorization: `Bearer ${log.mira.key}` }
      const answer = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const { data, error } = (await answer.json()) as { data: (typeof stored)[number]; error: unknown }
      expect(error).toBeUndefined()
      return data
    }
    for (const [index, flight] of stored.entries()) {
      const path = `/flights/${flight.id}`
      const read = await call('GET', path)
      expect(read).toEqual(flight)
      const written = await call('PUT', path, writeBack(read))
      expect(written).toEqual({ ...flight, updatedAt: written.updatedAt })
      // The duration is now stored as sent and the passengers have ids. A second update changes nothing either.
      const again = await call('PUT', path, writeBack(written))
      expect(again).toEqual({ ...flight, updatedAt: again.updatedAt })
      // A flight created in this time zone equals the one created in the time zone of the test.
      const { id: _, passengers: __, createdAt: ___, updatedAt: ____, track, ...same } = flight
      const created = await call('POST', '/flights', bodies[index]!)
      expect(created).toMatchObject(same)
      expect(created.track).toEqual(track && { ...track, updatedAt: created.updatedAt })
    }
  })
})
