import type { OperationId } from '../../../src/access/policy.ts'
import type { PassengerRelation } from './data.ts'
import type { Case, Prepared, Requests } from './requests.ts'
import type { Condition } from './table.ts'
import type { Account, World } from './world.ts'

const NO_SUCH_ID = '9007199254740991'
const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx' } // biome-ignore format: two points
const relations: PassengerRelation[] = ['alone', 'with others', 'other user', 'guests only']
const isOnFlight = (relation: PassengerRelation) => relation === 'alone' || relation === 'with others'

/** The passengers of a stored flight. */
function passengers(relation: PassengerRelation, caller: Account, world: World): object[] {
  return [
    ...(isOnFlight(relation) ? [{ userId: caller.id }] : []),
    ...(relation === 'with others' || relation === 'other user' ? [{ userId: world.other.id }] : []),
    ...(relation === 'guests only' ? [{ guestName: 'Guest' }] : []),
  ]
}

interface Body {
  name: string
  body?: (stored: object[]) => unknown
  conditions?: (isPassenger: boolean) => Condition[]
}

/** A flight of each relation and a missing one, each with every body. */
const onFlights =
  (...bodies: Body[]): Requests =>
  (world, caller) =>
    [...relations, undefined].flatMap((relation) =>
      bodies.map(
        ({ name, body, conditions }): Case => ({
          name: `${relation ?? 'missing'}${name && `, ${name}`}`,
          prepare: (): Prepared => ({
            id: relation ? world.flight(relation, caller.id, world.other.id) : NO_SUCH_ID,
            target: relation ? { kind: 'flight', isPassenger: isOnFlight(relation) } : { kind: 'missing' },
            ...(conditions && { conditions: conditions(relation !== undefined && isOnFlight(relation)) }),
            ...(body && { body: body(relation ? passengers(relation, caller, world) : [{ guestName: 'Guest' }]) }),
          }),
        }),
      ),
    )

/** A deleted flight of each relation and a missing one. */
const onDeletedFlights: Requests = (world, caller) =>
  onFlights({ name: '' })(world, caller).map(({ name, prepare }) => ({
    name,
    prepare: () => {
      const { id, ...rest } = prepare()
      return { ...rest, id: id === NO_SUCH_ID ? id : world.deleted(id!) }
    },
  }))

/** The possible changes of an update, by the scopes they need. */
const updates = (world: World): Body[] => {
  const route = { date: '2024-05-04', ...world.route }
  const change = (isPassenger: boolean): Condition[] => [isPassenger ? 'ownPassengersChange' : 'otherPassengersChange']
  return [
    { name: 'plain members', body: () => route },
    { name: 'the same passengers', body: (stored) => ({ ...route, passengers: [...stored].reverse() }) },
    {
      name: 'one more passenger',
      body: (stored) => ({ ...route, passengers: [...stored, { guestName: 'New' }] }),
      conditions: change,
    },
    {
      name: 'another seat',
      body: ([first, ...rest]) => ({ ...route, passengers: [{ ...first, seat: 'aisle' }, ...rest] }),
      conditions: change,
    },
    { name: 'no track', body: () => ({ ...route, track: null }), conditions: () => ['trackGiven'] },
    {
      name: 'passengers and track',
      body: () => ({ ...route, passengers: [{ guestName: 'New' }], track }),
      conditions: (isPassenger) => [...change(isPassenger), 'trackGiven'],
    },
  ]
}

const creations: Requests = (world, caller) => {
  const [me, other, guest] = [{ userId: caller.id }, { userId: world.other.id }, { guestName: 'Guest' }]
  const creation = (name: string, more: object, ...conditions: Condition[]): Case => ({
    name,
    prepare: () => ({ body: { date: '2024-05-03', ...world.route, ...more }, conditions }),
  })
  return [
    creation('for the caller', {}),
    creation('for the caller, explicitly', { passengers: [me] }),
    creation('with a guest', { passengers: [me, guest] }, 'severalWithCaller'),
    creation('for another user', { passengers: [other] }, 'withoutCaller'),
    creation('for a guest', { passengers: [guest] }, 'withoutCaller'),
    creation('for several others', { passengers: [other, guest] }, 'withoutCaller', 'severalWithoutCaller'),
    creation('with a track', { track }, 'trackGiven'),
    creation('with no track', { passengers: [me, other], track: null }, 'severalWithCaller', 'trackGiven'),
    creation(
      'with everything',
      { passengers: [other, guest], track },
      'withoutCaller',
      'severalWithoutCaller',
      'trackGiven',
    ),
  ]
}

/** The same queries with the required grouping. */
const groupedTargets: Requests = (world, caller) =>
  targets(world, caller).map(({ name, prepare }) => ({
    name,
    prepare: () => {
      const { query = '', ...rest } = prepare()
      return { ...rest, query: query ? `${query}&by=year` : '?by=year' }
    },
  }))

const targets: Requests = (world, caller) => {
  const withQuery = (query: string, ...conditions: Condition[]): Case => ({
    name: query || 'plain',
    prepare: () => ({ query, conditions }),
  })
  return [
    withQuery(''),
    withQuery('?scope=mine'),
    withQuery(`?scope=user&userId=${caller.id}`),
    withQuery(`?scope=user&userId=${world.other.id}`, 'otherUsers'),
    withQuery('?scope=user&userId=nobody', 'otherUsers'),
    withQuery('?scope=all', 'otherUsers'),
  ]
}

const imports: Requests = () => {
  const file = { users: [{ id: 'x', username: 'xx' }], flights: [] }
  return [
    { name: 'personal', prepare: () => ({ body: file }) },
    { name: 'restore', prepare: () => ({ query: '?mode=restore', body: file, conditions: ['restore'] }) },
    {
      name: 'dry restore',
      prepare: () => ({ query: '?mode=restore&dryRun=true', body: file, conditions: ['restore'] }),
    },
  ]
}

/** Without a day of issue, and with codes that are not known. */
const BOARDING_PASS = `M1${'SAMPLE/MIRA'.padEnd(20)}EQX7B2M XQQXQWLX 2084 123Y007A0042 100`

const documents: Requests = () => [{ name: 'boarding pass', prepare: () => ({ body: BOARDING_PASS }) }]

export const flightRequests = {
  listFlights: targets,
  createFlight: creations,
  getFlight: onFlights({ name: '' }),
  updateFlight: (world, caller) => onFlights(...updates(world))(world, caller),
  deleteFlight: onFlights({ name: '' }),
  getFlightTrack: onFlights({ name: '' }),
  putFlightTrack: onFlights({ name: '', body: () => track }),
  deleteFlightTrack: onFlights({ name: '' }),
  listDeletedFlights: (world, caller) => targets(world, caller).filter(({ name }) => !name.includes('scope=user')),
  restoreFlight: onDeletedFlights,
  listFlightChanges: targets,
  exportFlights: targets,
  importFlights: imports,
  readTravelDocument: documents,
  getStats: targets,
  getStatsBreakdown: groupedTargets,
  getStatsRecords: targets,
  getStatsPunctuality: targets,
} satisfies Partial<Record<OperationId, Requests>>
