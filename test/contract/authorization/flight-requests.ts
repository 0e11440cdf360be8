import type { OperationId } from '../../../src/access/policy.ts'
import type { Aboard } from './data.ts'
import type { Case, Prepared, Requests } from './requests.ts'
import type { Condition } from './table.ts'
import type { Account, World } from './world.ts'

const NO_SUCH_ID = '9007199254740991'
const track = { coordinates: [[8.5, 47.4], [-9.1, 38.7]], sourceFormat: 'gpx' } // biome-ignore format: two points
const kinds: Aboard[] = ['alone', 'with others', "other's", 'guests only']
const isAboard = (kind: Aboard) => kind === 'alone' || kind === 'with others'

/** Passengers as they are stored. */
function passengers(kind: Aboard, caller: Account, world: World): object[] {
  return [
    ...(isAboard(kind) ? [{ userId: caller.id }] : []),
    ...(kind === 'with others' || kind === "other's" ? [{ userId: world.other.id }] : []),
    ...(kind === 'guests only' ? [{ guestName: 'Guest' }] : []),
  ]
}

interface Body {
  name: string
  body?: (stored: object[]) => unknown
  conditions?: (aboard: boolean) => Condition[]
}

/** A flight of one's own, a shared one, somebody else's, one of guests and none at all, each with every body. */
const onFlights =
  (...bodies: Body[]): Requests =>
  (world, caller) =>
    [...kinds, undefined].flatMap((kind) =>
      bodies.map(
        ({ name, body, conditions }): Case => ({
          name: `${kind ?? 'missing'}${name && `, ${name}`}`,
          prepare: (): Prepared => ({
            id: kind ? world.flight(kind, caller.id, world.other.id) : NO_SUCH_ID,
            target: kind ? { kind: 'flight', aboard: isAboard(kind) } : { kind: 'missing' },
            ...(conditions && { conditions: conditions(kind !== undefined && isAboard(kind)) }),
            ...(body && { body: body(kind ? passengers(kind, caller, world) : [{ guestName: 'Guest' }]) }),
          }),
        }),
      ),
    )

/** The changes that an update can make, by the scopes they need. */
const updates = (world: World): Body[] => {
  const route = { date: '2024-05-04', ...world.route }
  const change = (aboard: boolean): Condition[] => [aboard ? 'passengersChangeAboard' : 'passengersChangeNotAboard']
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
    { name: 'no track', body: () => ({ ...route, track: null }), conditions: () => ['trackMember'] },
    {
      name: 'passengers and track',
      body: () => ({ ...route, passengers: [{ guestName: 'New' }], track }),
      conditions: (aboard) => [...change(aboard), 'trackMember'],
    },
  ]
}

const creations: Requests = (world, caller) => {
  const [me, other, guest] = [{ userId: caller.id }, { userId: world.other.id }, { guestName: 'Guest' }]
  const created = (name: string, more: object, ...conditions: Condition[]): Case => ({
    name,
    prepare: () => ({ body: { date: '2024-05-03', ...world.route, ...more }, conditions }),
  })
  return [
    created('for oneself', {}),
    created('for oneself by name', { passengers: [me] }),
    created('with a guest', { passengers: [me, guest] }, 'severalWithCaller'),
    created('for somebody else', { passengers: [other] }, 'withoutCaller'),
    created('for a guest', { passengers: [guest] }, 'withoutCaller'),
    created('for several others', { passengers: [other, guest] }, 'withoutCaller', 'severalWithoutCaller'),
    created('with a track', { track }, 'trackMember'),
    created('with no track', { passengers: [me, other], track: null }, 'severalWithCaller', 'trackMember'),
    created(
      'with everything',
      { passengers: [other, guest], track },
      'withoutCaller',
      'severalWithoutCaller',
      'trackMember',
    ),
  ]
}

/** Whose flights a query asks for. */
/** The same with what must be grouped by. */
const brokenDown: Requests = (world, caller) =>
  targets(world, caller).map(({ name, prepare }) => ({
    name,
    prepare: () => {
      const { query = '', ...rest } = prepare()
      return { ...rest, query: query ? `${query}&by=year` : '?by=year' }
    },
  }))

const targets: Requests = (world, caller) => {
  const asked = (query: string, ...conditions: Condition[]): Case => ({
    name: query || 'plain',
    prepare: () => ({ query, conditions }),
  })
  return [
    asked(''),
    asked('?scope=mine'),
    asked(`?scope=user&userId=${caller.id}`),
    asked(`?scope=user&userId=${world.other.id}`, 'otherUsers'),
    asked('?scope=user&userId=nobody', 'otherUsers'),
    asked('?scope=all', 'otherUsers'),
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

export const flightRequests = {
  listFlights: targets,
  createFlight: creations,
  getFlight: onFlights({ name: '' }),
  updateFlight: (world, caller) => onFlights(...updates(world))(world, caller),
  deleteFlight: onFlights({ name: '' }),
  getFlightTrack: onFlights({ name: '' }),
  putFlightTrack: onFlights({ name: '', body: () => track }),
  deleteFlightTrack: onFlights({ name: '' }),
  listFlightChanges: targets,
  exportFlights: targets,
  importFlights: imports,
  getStats: targets,
  getStatsBreakdown: brokenDown,
  getStatsRecords: targets,
} satisfies Partial<Record<OperationId, Requests>>
