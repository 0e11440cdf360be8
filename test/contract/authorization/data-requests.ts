import type { OperationId } from '../../../src/access/policy.ts'
import type { Case, Prepared, Requests } from './requests.ts'
import type { World } from './world.ts'

const NO_SUCH_ID = '9007199254740991'

const plain: Requests = () => [{ name: 'plain', prepare: () => ({}) }]
const withQuery =
  (query: string): Requests =>
  () => [{ name: query, prepare: () => ({ query }) }]
const withBody =
  (body: (world: World) => unknown): Requests =>
  (world) => [{ name: 'plain', prepare: () => ({ body: body(world) }) }]

/** An existing record and a missing one. */
const records =
  (id: (world: World) => string, body?: (world: World) => unknown): Requests =>
  (world) => {
    const more = (): Prepared => (body ? { body: body(world) } : {})
    return [
      { name: 'a record', prepare: () => ({ id: id(world), target: { kind: 'record' }, ...more() }) },
      { name: 'missing', prepare: () => ({ id: NO_SUCH_ID, target: { kind: 'missing' }, ...more() }) },
    ]
  }

type Kind = 'airport' | 'airline' | 'aircraft'

const bodies: Record<Kind, (world: World) => object> = {
  airport: (world) => ({
    icao: world.unique('A'),
    name: 'New',
    latitude: 1,
    longitude: 2,
    timezone: 'UTC',
    continent: 'EU',
    country: 'CH',
  }),
  airline: (world) => ({ name: world.unique('Airline ') }),
  aircraft: (world) => ({ name: world.unique('Type ') }),
}

/** A custom row, a bundled row and a missing one. */
const rows =
  (kind: Kind, changes: boolean, body?: (world: World) => unknown): Requests =>
  (world, caller) => {
    const bundled: Case = {
      name: 'a bundled row',
      prepare: () => ({
        id: world.shipped[kind],
        target: { kind: 'record', ...(changes && { conflict: true }) },
        ...(body && { body: body(world) }),
      }),
    }
    return [...records((each) => each.custom[kind](), body)(world, caller), bundled]
  }

/** A personal record of the caller, and one of another user, which does not exist for the caller. */
const personal =
  (kind: 'share' | 'trip', body?: object): Requests =>
  (world, caller) => {
    const record = (name: string, id: () => string, target: Prepared['target']): Case => ({
      name,
      prepare: () => ({ id: id(), ...(target && { target }), ...(body && { body }) }),
    })
    return [
      record('own', () => world[kind](caller.id), { kind: 'record' }),
      record('of another user', () => world[kind](world.other.id), { kind: 'missing' }),
      record('missing', () => NO_SUCH_ID, { kind: 'missing' }),
    ]
  }

const field = { label: 'Label' }

export const dataRequests = {
  searchAirports: withQuery('?query=zrh'),
  searchAirlines: withQuery('?query=swr'),
  searchAircraft: withQuery('?query=dc3'),
  getAirport: rows('airport', false),
  getAirline: rows('airline', false),
  getAircraft: rows('aircraft', false),
  lookUpFlightNumber: () => [{ name: 'a number', prepare: () => ({ id: 'LX2084' }) }],
  createAirport: withBody(bodies.airport),
  createAirline: withBody(bodies.airline),
  createAircraft: withBody(bodies.aircraft),
  updateAirport: rows('airport', true, bodies.airport),
  updateAirline: rows('airline', true, bodies.airline),
  updateAircraft: rows('aircraft', true, bodies.aircraft),
  deleteAirport: rows('airport', true),
  deleteAirline: rows('airline', true),
  deleteAircraft: rows('aircraft', true),
  listCustomFields: () => [
    { name: 'active fields', prepare: () => ({}) },
    { name: 'active fields, explicitly', prepare: () => ({ query: '?includeInactive=false' }) },
    { name: 'all', prepare: () => ({ query: '?includeInactive=true', conditions: ['includeInactive'] }) },
  ],
  getCustomField: records((world) => world.field()),
  createCustomField: withBody((world) => ({
    ...field,
    entityType: 'flight',
    key: world.unique('new_'),
    fieldType: 'text',
  })),
  updateCustomField: records(
    (world) => world.field(),
    () => field,
  ),
  deleteCustomField: records((world) => world.field()),
  listVisitedCountries: plain,
  putVisitedCountry: withBody(() => ({ code: 'PT', status: 'visited' })),
  deleteVisitedCountry: withQuery('?code=PT'),
  listCountries: plain,
  listShares: plain,
  getShare: personal('share'),
  createShare: withBody(() => ({})),
  updateShare: personal('share', { showStats: true }),
  deleteShare: personal('share'),
  listTrips: plain,
  getTrip: personal('trip'),
  createTrip: withBody(() => ({ name: 'Trip' })),
  updateTrip: personal('trip', { name: 'Trip' }),
  deleteTrip: personal('trip'),
  suggestTrips: plain,
} satisfies Partial<Record<OperationId, Requests>>
