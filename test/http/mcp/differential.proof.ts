import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../../src/access/caller.ts'
import type { OperationId } from '../../../src/access/policy.ts'
import { type Scope, scopeNames } from '../../../src/access/scopes.ts'
import { FlightWrite } from '../../../src/domain/flights/contract.ts'
import { ShareWrite } from '../../../src/domain/shares/contract.ts'
import { TripWrite } from '../../../src/domain/trips/contract.ts'
import { table } from '../../contract/authorization/table.ts'
import { type Account, roleKinds, type World, world } from '../../contract/authorization/world.ts'
import { passText } from '../../support/boarding-pass.ts'
import { type Answer, type Paxlog, sharedPaxlog } from '../../support/paxlog.ts'
import { runNow } from '../../support/write-now.ts'
import { mcpClient, toolError } from './support.ts'

/** The parts of a request, which REST and the tool receive in different forms. */
interface Parts {
  id?: number | string
  query?: Record<string, string | boolean | number>
  body?: Record<string, unknown>
  content?: string
}

/** Called for each of the two calls, since the first may change or delete its target. */
type Case = [name: string, make: (caller: Account) => Parts | Promise<Parts>]

let app: Paxlog
let testWorld: World
let other: Account
let airport: number
let pairs = 0
const outcomes = new Map<string, number>()

const MISSING = 987_654
const place = { latitude: 1, longitude: 2, timezone: 'UTC', continent: 'EU', country: 'CH', name: 'Test' }
const boardingPass = passText({ name: 'SAMPLE/MIRA', legs: [{ route: 'XAAXQQLX', number: '0316', day: '123' }] })
const document = JSON.stringify({ users: [], flights: [] })

beforeAll(async () => {
  app = await sharedPaxlog()
  testWorld = world(app)
  other = testWorld.account(['flight.read.own', 'flight.share.own'])
  airport = await create('/airports', { ...place, icao: 'XAAA' })
})
afterAll(() => app.close())

async function create(path: string, body: unknown, who: Account = testWorld.owner()): Promise<number> {
  const { body: answer } = await app.as(who.key(scopeNames)).post(path, body)
  return answer.data.id
}

const flightBody = () => ({ date: '2025-05-03', fromId: airport, toId: airport })

async function flightOf(passengers: object[]): Promise<number> {
  const write = FlightWrite.parse({ ...flightBody(), passengers })
  return (await app.services.flights.create(operator, write)).id
}

/** A flight with the caller, of another user, with guests only, and a missing flight. */
const flightTargets: [string, (caller: Account) => number | Promise<number>][] = [
  ['own', ({ id }) => flightOf([{ userId: id }, { guestName: 'Noor' }])],
  ['of another user', () => flightOf([{ userId: other.id }])],
  ['of guests', () => flightOf([{ guestName: 'Noor' }])],
  ['missing', () => MISSING],
]

const onFlights = (more: () => Omit<Parts, 'id'> = () => ({}), what = ''): Case[] =>
  flightTargets.map(([name, make]) => [`${name}${what}`, async (caller) => ({ id: await make(caller), ...more() })])

const track = {
  coordinates: [
    [1, 2],
    [3, 4],
  ],
  sourceFormat: 'gpx',
}
const plain: Case[] = [['plain', () => ({})]]
const scopeCases: Case[] = [
  ...plain,
  ['all', () => ({ query: { scope: 'all' } })],
  ['self', ({ id }) => ({ query: { scope: 'user', userId: id } })],
  ['another user', () => ({ query: { scope: 'user', userId: other.id } })],
  ['an unknown user', () => ({ query: { scope: 'user', userId: 'nosuchid' } })],
  ['an invalid scope', () => ({ query: { scope: 'some' } })],
]

/** Search, read and the three writes of one type of reference data. */
function referenceCases(noun: string, plural: string, path: string, body: () => Record<string, unknown>) {
  const targets = (more: () => Omit<Parts, 'id'>): Case[] => [
    ['a custom row', async () => ({ id: await create(path, body()), ...more() })],
    ['missing', () => ({ id: MISSING, ...more() })],
  ]
  return {
    [`search${plural}`]: [['a word', () => ({ query: { query: 'test' } })]],
    [`get${noun}`]: targets(() => ({})),
    [`create${noun}`]: [
      ['a good body', () => ({ body: body() })],
      ['a bad body', () => ({ body: { name: '' } })],
    ],
    [`update${noun}`]: targets(() => ({ body: body() })),
    [`delete${noun}`]: targets(() => ({})),
  } as Record<string, Case[]>
}

const unique = () => testWorld.unique('X')
const field = () => ({ entityType: 'flight', key: unique().toLowerCase(), label: 'Field', fieldType: 'text' })

const fieldTargets = (more: () => Omit<Parts, 'id'> = () => ({})): Case[] => [
  ['existing', async () => ({ id: await create('/custom-fields', field()), ...more() })],
  ['missing', () => ({ id: MISSING, ...more() })],
]

/** Creates a share as the operator, since the caller's role may not permit it. */
const shareOf = async ({ id }: Account): Promise<number> => {
  // Shares are limited to a hundred per user, and earlier ones are no longer needed.
  const count = app.db.$client.prepare('select count(*) from shares where user_id = ?').pluck().get(id) as number
  if (count > 50) runNow(app.db, 'delete from shares where user_id = ?', id)
  return (await app.services.shares.create({ ...operator, userId: id }, ShareWrite.parse({}))).id
}

const shareTargets = (more: () => Omit<Parts, 'id'> = () => ({})): Case[] => [
  ['own', async (caller) => ({ id: await shareOf(caller), ...more() })],
  ['of another user', async () => ({ id: await shareOf(other), ...more() })],
  ['missing', () => ({ id: MISSING, ...more() })],
]

/** Creates a trip as the operator, since the caller's role may not permit it. */
const tripOf = async ({ id }: Account): Promise<number> =>
  (await app.services.trips.create({ ...operator, userId: id }, TripWrite.parse({ name: 'Trip' }))).id

const tripTargets = (more: () => Omit<Parts, 'id'> = () => ({})): Case[] => [
  ['own', async (caller) => ({ id: await tripOf(caller), ...more() })],
  ['of another user', async () => ({ id: await tripOf(other), ...more() })],
  ['missing', () => ({ id: MISSING, ...more() })],
]

const cases: Record<string, Case[]> = {
  getMe: plain,
  getPreferences: plain,
  updatePreferences: [
    ['good', () => ({ body: { distanceUnit: 'mi' } })],
    ['bad', () => ({ body: { distanceUnit: 'ell' } })],
  ],
  listFlights: [
    ...scopeCases,
    ['a limit', () => ({ query: { limit: 3 } })],
    ['bad limit', () => ({ query: { limit: 0 } })],
  ],
  listDeletedFlights: [
    ['plain', () => ({})],
    ['all', () => ({ query: { scope: 'all' } })],
    ['bad limit', () => ({ query: { limit: 201 } })],
  ],
  restoreFlight: flightTargets.map(
    ([name, target]): Case => [
      name,
      async (caller) => {
        const id = await target(caller)
        if (id !== MISSING) await app.services.flights.remove(operator, id)
        return { id }
      },
    ],
  ),
  listFlightChanges: [...scopeCases, ['bad cursor', () => ({ query: { cursor: 'x' } })]],
  // Runs before the cases below create many flights.
  exportFlights: scopeCases,
  getStats: scopeCases,
  getStatsBreakdown: [
    ...scopeCases.map(
      ([name, make]): Case => [name, async (caller) => ({ query: { ...(await make(caller)).query, by: 'year' } })],
    ),
    ['no grouping', () => ({})],
    ['several airports', () => ({ query: { by: 'airport', airportId: [1, 2], sort: 'key' } })],
  ],
  getStatsRecords: scopeCases,
  getStatsPunctuality: scopeCases,
  createFlight: [
    ['without passengers', () => ({ body: flightBody() })],
    ['with another user', () => ({ body: { ...flightBody(), passengers: [{ userId: other.id }] } })],
    [
      'with two passengers',
      ({ id }) => ({ body: { ...flightBody(), passengers: [{ userId: id }, { guestName: 'Noor' }] } }),
    ],
    [
      'with two guests',
      () => ({ body: { ...flightBody(), passengers: [{ guestName: 'Noor' }, { guestName: 'Ada' }] } }),
    ],
    ['with a track', () => ({ body: { ...flightBody(), track } })],
    ['an unknown airport', () => ({ body: { ...flightBody(), toId: MISSING } })],
    ['an empty body', () => ({ body: {} })],
  ],
  getFlight: onFlights(),
  updateFlight: [
    ...onFlights(() => ({ body: flightBody() }), ', plain'),
    ...onFlights(() => ({ body: { ...flightBody(), passengers: [{ guestName: 'Ada' }] } }), ', other passengers'),
    ...onFlights(() => ({ body: { ...flightBody(), track: null } }), ', without a track'),
    ...onFlights(() => ({ body: { date: 'today' } }), ', bad'),
  ],
  deleteFlight: onFlights(),
  getFlightTrack: onFlights(),
  putFlightTrack: onFlights(() => ({ body: track })),
  deleteFlightTrack: onFlights(),
  importFlights: [
    ['personal', () => ({ content: document, query: { format: 'backup' } })],
    ['restore', () => ({ content: document, query: { format: 'backup', mode: 'restore', dryRun: true } })],
    ['unreadable', () => ({ content: 'nonsense' })],
  ],
  readTravelDocument: [
    ['boarding pass', () => ({ content: boardingPass, query: { date: '2025-05-03' } })],
    ['unreadable', () => ({ content: 'nonsense' })],
    ['bad date', () => ({ content: boardingPass, query: { date: '2025-02-30' } })],
  ],
  ...referenceCases('Airport', 'Airports', '/airports', () => ({ ...place, icao: unique() })),
  ...referenceCases('Airline', 'Airlines', '/airlines', () => ({ name: unique() })),
  ...referenceCases('Aircraft', 'Aircraft', '/aircraft', () => ({ name: unique() })),
  lookUpFlightNumber: [
    ['good', () => ({ id: 'LX2084', query: { date: '2025-05-03' } })],
    ['bad', () => ({ id: 'LX_2084' })],
  ],
  listCustomFields: [...plain, ['inactive too', () => ({ query: { includeInactive: true } })]],
  getCustomField: fieldTargets(),
  createCustomField: [['good', () => ({ body: field() })]],
  updateCustomField: fieldTargets(() => ({ body: { label: 'Other' } })),
  deleteCustomField: fieldTargets(),
  listVisitedCountries: plain,
  putVisitedCountry: [['good', () => ({ body: { code: 'PT', status: 'visited' } })]],
  deleteVisitedCountry: [
    ['good', () => ({ query: { code: 'PT' } })],
    ['bad', () => ({ query: { code: 'QQ' } })],
  ],
  listCountries: plain,
  listShares: plain,
  getShare: shareTargets(),
  createShare: [['good', () => ({ body: {} })]],
  updateShare: shareTargets(() => ({ body: {} })),
  deleteShare: shareTargets(),
  listTrips: [...plain, ['limited', () => ({ query: { limit: 1 } })]],
  getTrip: tripTargets(),
  createTrip: [
    ['good', () => ({ body: { name: 'Trip' } })],
    ['with a missing flight', () => ({ body: { name: 'Trip', flightIds: [MISSING] } })],
  ],
  updateTrip: tripTargets(() => ({ body: { name: 'Other' } })),
  deleteTrip: tripTargets(),
  suggestTrips: plain,
}

/** The compared parts of a response: the error, the scopes of the challenge, and the data of a read. */
interface Outcome {
  error?: unknown
  scopes?: string | undefined
  data?: unknown
}

const scopesOf = ({ headers }: Answer) => /scope="([^"]*)"/.exec(String(headers['www-authenticate'] ?? ''))?.[1]

async function sendRest(
  operation: OperationId,
  key: string,
  { id, query = {}, body, content }: Parts,
): Promise<Outcome> {
  const [method, path] = table[operation].route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  const answer = await app.request({
    method,
    url: `/api/v1${path.replace(/\{\w+\}/, String(id))}?${search}`,
    headers: { authorization: `Bearer ${key}` },
    ...((body ?? content) !== undefined && { payload: (body ?? content)! }),
  })
  if (answer.status >= 400) return { error: answer.body.error, scopes: scopesOf(answer) }
  return method === 'GET' ? { data: answer.body } : {}
}

async function callTool(operation: OperationId, key: string, { id, query, body, content }: Parts): Promise<Outcome> {
  const name = operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  const { call } = mcpClient(app.request, key)
  const [, parameter = 'id'] = /\{(\w+)\}/.exec(table[operation].route) ?? []
  const answer = await call(name, {
    ...(id !== undefined && { [parameter]: id }),
    ...query,
    ...body,
    ...(content && { [operation === 'readTravelDocument' ? 'text' : 'content']: content }),
  })
  if (answer.status !== 200) return { error: answer.body.error, scopes: scopesOf(answer) }
  const { isError, structuredContent } = answer.body.result
  // Only a missing scope is an HTTP error, so a challenge anywhere else is also a difference.
  if (isError) return { error: toolError(answer), scopes: scopesOf(answer) }
  return table[operation].route.startsWith('GET') ? { data: structuredContent } : {}
}

/** No scopes, exactly the fixed ones, all, and all but each one that the operation may need. */
function scopeSets(operation: OperationId): (readonly Scope[])[] {
  const { fixed, conditional = [] } = table[operation]
  const needed = new Set([...fixed, ...conditional.map(([scope]) => scope)])
  const without = [...needed].map((left) =>
    scopeNames.filter((scope) => scope !== left && scope !== left.replace(/\.own$/, '.any')),
  )
  return [['preferences.write'], fixed, scopeNames, ...without]
}

const usualRoles = ['owner', 'administrator', 'user', 'without permissions', 'with all permissions']

/** The usual roles, and roles with only one permission of the operation. */
function rolesFor(operation: OperationId) {
  const { fixed, conditional = [] } = table[operation]
  const wanted = [...fixed, ...conditional.map(([scope]) => scope), 'flight.read.any']
  return roleKinds.filter(({ name }) => usualRoles.includes(name) || wanted.some((one) => name === `with ${one} alone`))
}

describe('a tool and its operation', () => {
  test('M30: are compared for every listed tool', async () => {
    const { tools } = (await mcpClient(app.request, testWorld.owner().key(scopeNames)).send('tools/list')).body.result
    const names = Object.keys(cases).map((id) => id.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
    expect(names.sort()).toEqual(tools.map(({ name }: { name: string }) => name).sort())
  })

  test.each(Object.keys(cases) as OperationId[])(
    'M30: %s has the same outcome for every role, scope set and target',
    async (operation) => {
      const differences: unknown[] = []
      for (const role of rolesFor(operation)) {
        const caller = testWorld.account(role.permissions)
        for (const [name, make] of cases[operation]!) {
          for (const scopes of scopeSets(operation)) {
            const key = caller.key(scopes)
            const rest = await sendRest(operation, key, await make(caller))
            const tool = await callTool(operation, key, await make(caller))
            countOutcome(tool)
            if (!sameOutcome(rest, tool)) differences.push({ role: role.name, name, scopes, rest, tool })
          }
        }
      }
      expect(differences).toEqual([])
    },
  )

  test('M30: are compared in thousands of cases, with every type of outcome', () => {
    expect(pairs).toBeGreaterThan(2000)
    const kinds = ['success', 'insufficient_scope', 'forbidden', 'not_found', 'bad_request', 'validation_failed']
    for (const kind of kinds) expect([kind, (outcomes.get(kind) ?? 0) > 20]).toEqual([kind, true])
  })
})

function countOutcome({ error }: Outcome): void {
  pairs++
  const outcome = (error as { code: string } | undefined)?.code ?? 'success'
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}

/** Ids and times of the two targets may differ, other values may not. */
function sameOutcome(a: Outcome, b: Outcome): boolean {
  const normalize = (outcome: Outcome) =>
    JSON.stringify(outcome, (key, value) =>
      ['id', 'icao', 'name', 'key', 'slug', 'url', 'createdAt', 'updatedAt', 'nextCursor'].includes(key) ? '…' : value,
    ).replace(/\bX\d+\b/gi, '…')
  return normalize(a) === normalize(b)
}
