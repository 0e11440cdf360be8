import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operator } from '../../src/access/caller.ts'
import type { OperationId } from '../../src/access/policy.ts'
import { allOperations } from '../../src/app/operations.ts'
import type { Db } from '../../src/db/open.ts'
import { table } from '../contract/authorization/table.ts'
import { useOneProcess } from '../support/engine.ts'
import { type FullLog, fullLog } from '../support/full-log.ts'
import { pageAddresses } from '../support/page-addresses.ts'
import { pageRoutes } from '../support/page-routes.ts'
import { sharedSignedIn } from '../support/pages.ts'
import type { Answer } from '../support/paxlog.ts'
import { copyLoaded } from '../support/process.ts'
import { recordStatements } from '../support/recorded-statements.ts'
import { mcpClient } from './mcp/support.ts'

/**
 * The limit for one request, because the database may be across a network. PostgreSQL needs one more for shared rate
 * limits and notices.
 */
const MAX_STATEMENTS: number = process.env.TEST_ENGINE === 'postgres' ? 13 : 12

/** Rows are written one by one, in one transaction. */
const writing = (rows: number) => () => MAX_STATEMENTS + rows

/** A response without pagination is read in batches of 250 flights to limit memory. */
const batches = () => Math.ceil(countOf('flights') / 250)

/** Tracks are read one by one because each can be a megabyte. */
const tracks = () => countOf('flight_tracks')

const IMPORTED_ROWS = 500

/** 50 rows per insert for flights, passengers and 2 feed changes. Each airport is looked up by 2 codes and read. */
const importing = () => MAX_STATEMENTS + (4 * IMPORTED_ROWS) / 50 + 3 * log.airportIds.length

const LEGS = 4

/** Each airport and airline is looked up by its code, also among former codes, and read. */
const reading = () => MAX_STATEMENTS + 3 * 3 * LEGS

/**
 * A list or a flight, a map, statistics, trips and filter options. A write of reference data evicts them all from the cache.
 * On PostgreSQL each list with a text filter reads its candidates first.
 */
const COMPOSED_PAGE = MAX_STATEMENTS + (process.env.TEST_ENGINE === 'postgres' ? 15 : 11)

let app: Awaited<ReturnType<typeof sharedSignedIn>>
let log: FullLog
let executed: string[]

beforeAll(async () => {
  const recorded: string[][] = []
  const onOpen = ({ $client }: Db) => void recorded.push(recordStatements($client))
  app = await sharedSignedIn({ onOpen }, copyLoaded)
  executed = recorded[0]!
  log = await fullLog(app, app.owner)
})
afterAll(() => app?.close())

/** The parts of a request, which REST and MCP tools send in different forms. */
interface Parts {
  id?: number | string
  query?: Record<string, string | number | boolean | number[]>
  body?: Record<string, unknown>
  content?: string
  /** Set for a caller other than the owner of the log. */
  key?: string
}

interface Example {
  /** Called for each request, because every delete needs a new target. */
  parts: () => Parts | Promise<Parts>
  maxStatements?: () => number
}

const plain: Example = { parts: () => ({}) }
const withQuery = (query: Parts['query'] = {}): Example => ({ parts: () => ({ query }) })
const withBody = (body: () => Parts['body'] & object, maxStatements?: () => number): Example => ({
  parts: () => ({ body: body() }),
  ...(maxStatements && { maxStatements }),
})
const withId = (
  make: () => Promise<{ id: number }> | Promise<number | string>,
  body?: () => object,
  maxStatements?: () => number,
): Example => ({
  async parts() {
    const target = await make()
    return {
      id: typeof target === 'object' ? target.id : target,
      ...(body && { body: body() as Record<string, unknown> }),
    }
  },
  ...(maxStatements && { maxStatements }),
})

const countOf = (name: 'flights' | 'flight_tracks') =>
  app.db.$client.prepare(`select count(*) from ${name}`).pluck().get() as number

const filters = (): Record<string, Parts['query'] & object> => ({
  'by day': { dateFrom: '2012-01-01', dateTo: '2020-01-01' },
  'by airports': { airportId: log.airportIds.slice(0, 50) },
  'by country': { country: 'DE,FR,US' },
  'by airlines': { airlineId: log.airlineIds.slice(0, 50) },
  'by aircraft types': { aircraftId: log.aircraftIds.slice(0, 50) },
  'by flight number': { flightNumber: 'LX84' },
  'by registration': { aircraftReg: 'HB-1' },
  'by seat': { seat: 'window' },
  'by companion': { companion: log.users[0]! },
  'by trip': { tripId: log.trip.id },
  'by track': { hasTrack: true, completed: true },
  'by words': { text: 'air international note' },
})

async function deletedFlight() {
  const id = await log.make.flight()
  await app.services.flights.remove(operator, id)
  return id
}

/** A query alone and with each filter. */
const withFilters = (query: Parts['query'] & object = {}): Record<string, Example> => ({
  plain: withQuery(query),
  all: withQuery({ ...query, scope: 'all' }),
  ...Object.fromEntries(
    Object.entries(filters()).flatMap(([name, filter]) => [[name, withQuery({ ...query, ...filter })]]),
  ),
})

const groupings = [
  ...['year', 'month', 'weekday', 'airport', 'route', 'connection', 'airline', 'aircraft', 'aircraftReg', 'country'],
  ...['continent', 'seat', 'seatClass', 'flightReason', 'companion'],
]

const csv = (rows: number) => {
  const codes = app.db.$client
    .prepare(`select icao from airports where id in (${log.airportIds.join()})`)
    .pluck()
    .all() as string[]
  const lines = Array.from({ length: rows }, () => {
    const index = Number(log.unique(''))
    const day = new Date(Date.UTC(1970, 0, 1 + index)).toISOString().slice(0, 10)
    return [day, codes[index % codes.length], codes[(index * 7 + 3) % codes.length], `XX${index}`, '', ''].join()
  })
  return ['Date,From,To,Flight_Number,Plane,From_OID', ...lines].join('\n')
}

function boardingPass(): string {
  const codes = app.db.$client
    .prepare(`select iata from airports where iata is not null and type = 'large_airport' limit ${LEGS + 1}`)
    .pluck()
    .all() as string[]
  const legs = Array.from(
    { length: LEGS },
    (_, index) => `QX7B2M ${codes[index]}${codes[index + 1]}LX 2084 123Y007A0042 100`,
  )
  return `M${LEGS}${'SAMPLE/MIRA'.padEnd(20)}E${legs.join('')}`
}

/** How each operation is called. A new operation needs an entry. */
const examples: Record<Exclude<OperationId, 'getDiscovery' | 'getOpenApi'>, () => Record<string, Example>> = {
  getMe: () => ({ plain }),
  getPreferences: () => ({ plain }),
  updatePreferences: () => ({ plain: withBody(() => ({ distanceUnit: 'mi' })) }),
  listFlights: () => withFilters({ limit: 100 }),
  createFlight: () => ({
    plain: withBody(() => ({ date: '2024-05-03', fromId: log.airportIds[0], toId: log.airportIds[1] })),
    // The flight, 3 passengers, 6 custom values, the track with its line, and 2 activity rows.
    full: withBody(() => log.write(1), writing(14)),
  }),
  getFlight: () => ({ plain: { parts: () => ({ id: log.flights[7]! }) } }),
  updateFlight: () => ({
    // The flight, the dates of its passengers, and 2 activity rows.
    plain: withId(
      log.make.flight,
      () => ({ date: '2024-05-03', fromId: log.airportIds[0], toId: log.airportIds[1] }),
      writing(4),
    ),
    // As for a new flight, plus 2 removed passengers, 3 rows of activity and feed, and 5 reads, because the caller's
    // permissions are checked again after the track is packed.
    full: withId(log.make.flight, () => log.write(2), writing(24)),
  }),
  deleteFlight: () => ({ plain: withId(log.make.flight) }),
  getFlightTrack: () => ({ plain: { parts: () => ({ id: log.flights[2]! }) } }),
  putFlightTrack: () => ({ plain: withId(log.make.flight, () => log.track) }),
  deleteFlightTrack: () => ({ plain: withId(log.make.flight) }),
  listDeletedFlights: () => ({ plain: withQuery({ limit: 200 }), all: withQuery({ limit: 200, scope: 'all' }) }),
  // The flight, its passengers and feed entries, 6 custom values, the track, and 2 activity rows.
  restoreFlight: () => ({ plain: withId(deletedFlight, undefined, writing(17)) }),
  listFlightChanges: () => ({ plain: withQuery({ limit: 500 }), all: withQuery({ limit: 500, scope: 'all' }) }),
  exportFlights: () => ({ plain: { ...plain, maxStatements: () => MAX_STATEMENTS + 7 * batches() + tracks() } }),
  importFlights: () => ({
    csv: { parts: () => ({ content: csv(IMPORTED_ROWS), key: log.importer.key }), maxStatements: importing },
    'dry run': { parts: () => ({ content: csv(IMPORTED_ROWS), query: { dryRun: true } }), maxStatements: importing },
  }),
  readTravelDocument: () => ({
    plain: { parts: () => ({ content: boardingPass(), query: { date: '2025-05-03' } }), maxStatements: reading },
  }),
  getStats: () => withFilters(),
  getStatsBreakdown: () => ({
    ...Object.fromEntries(groupings.map((by) => [by, withQuery({ by, limit: 1000 })])),
    ...withFilters({ by: 'route', limit: 1000 }),
  }),
  getStatsRecords: () => withFilters(),
  getStatsPunctuality: () => withFilters(),
  searchAirports: () => ({ code: withQuery({ query: 'zrh' }), word: withQuery({ query: 'international' }) }),
  searchAirlines: () => ({ code: withQuery({ query: 'lx' }), word: withQuery({ query: 'air' }) }),
  searchAircraft: () => ({ code: withQuery({ query: 'bcs3' }), word: withQuery({ query: 'airbus' }) }),
  getAirport: () => ({ plain: { parts: () => ({ id: log.airportIds[0]! }) } }),
  getAirline: () => ({ plain: { parts: () => ({ id: log.airlineIds[0]! }) } }),
  getAircraft: () => ({ plain: { parts: () => ({ id: log.aircraftIds[0]! }) } }),
  lookUpFlightNumber: () => ({ plain: { parts: () => ({ id: 'LX2084', query: { date: '2025-05-03' } }) } }),
  createAirport: () => ({ plain: withBody(() => ({ ...log.place, icao: log.unique('XQ') })) }),
  createAirline: () => ({ plain: withBody(() => ({ name: log.unique('Airline ') })) }),
  createAircraft: () => ({ plain: withBody(() => ({ name: log.unique('Type ') })) }),
  updateAirport: () => ({ plain: withId(log.make.airport, () => ({ ...log.place, icao: log.unique('XQ') })) }),
  updateAirline: () => ({ plain: withId(log.make.airline, () => ({ name: log.unique('Airline ') })) }),
  updateAircraft: () => ({ plain: withId(log.make.aircraft, () => ({ name: log.unique('Type ') })) }),
  deleteAirport: () => ({ plain: withId(log.make.airport) }),
  deleteAirline: () => ({ plain: withId(log.make.airline) }),
  deleteAircraft: () => ({ plain: withId(log.make.aircraft) }),
  listCustomFields: () => ({ plain, all: withQuery({ includeInactive: true }) }),
  getCustomField: () => ({ plain: withId(log.make.field) }),
  createCustomField: () => ({
    plain: withBody(() => ({ entityType: 'flight', key: log.unique('key_'), label: 'Label', fieldType: 'text' })),
  }),
  updateCustomField: () => ({ plain: withId(log.make.field, () => ({ label: 'Another' })) }),
  deleteCustomField: () => ({ plain: withId(log.make.field) }),
  listVisitedCountries: () => ({ plain }),
  putVisitedCountry: () => ({ plain: withBody(() => ({ code: 'CH', status: 'lived' })) }),
  deleteVisitedCountry: () => ({ plain: withQuery({ code: 'CH' }) }),
  listCountries: () => ({ plain }),
  listShares: () => ({ plain }),
  getShare: () => ({ plain: withId(log.make.share) }),
  createShare: () => ({ plain: withBody(() => ({})) }),
  updateShare: () => ({ plain: withId(log.make.share, () => ({ showStats: true })) }),
  deleteShare: () => ({ plain: withId(log.make.share) }),
  listTrips: () => ({ plain }),
  getTrip: () => ({ plain: withId(log.make.trip) }),
  createTrip: () => ({ plain: withBody(() => ({ name: 'Trip', flightIds: log.flights.slice(0, 500) })) }),
  updateTrip: () => ({
    plain: withId(log.make.trip, () => ({ name: 'Other', flightIds: log.flights.slice(0, 500) })),
  }),
  deleteTrip: () => ({ plain: withId(log.make.trip) }),
  suggestTrips: () => ({ plain }),
  listUsers: () => ({ plain }),
  getUser: () => ({ plain: withId(log.make.user) }),
  createUser: () => ({ plain: withBody(() => ({ username: log.unique('new'), password: 'long enough' })) }),
  updateUser: () => ({ plain: withId(log.make.user, () => ({ displayName: 'Another name' })) }),
  deleteUser: () => ({ plain: withId(log.make.user) }),
  listRoles: () => ({ plain }),
  getRole: () => ({ plain: withId(log.make.role) }),
  createRole: () => ({ plain: withBody(() => ({ name: log.unique('Role '), permissions: ['flight.read.own'] })) }),
  updateRole: () => ({
    plain: withId(log.make.role, () => ({ name: log.unique('Role '), permissions: ['flight.read.own'] })),
  }),
  deleteRole: () => ({ plain: withId(log.make.role) }),
}

/** Writes that precede a request. */
const states: Record<string, () => Promise<unknown>> = {
  async 'after a write of flights'() {
    const body = { date: '1999-01-01', fromId: log.airportIds[0], toId: log.airportIds[1] }
    expect((await app.as(log.key).post('/flights', body)).status).toBe(201)
  },
  async 'after a write of reference data'() {
    const body = { ...log.place, icao: log.unique('XQ') }
    expect((await app.as(log.key).put(`/airports/${log.own.airports[0]!.id}`, body)).status).toBe(200)
  },
}

type Send = () => Promise<{ status: number; text?: string }>

/** The statements of a request in each state. `next` prepares a request that is sent once. */
async function statementsByState(next: () => Promise<Send>): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {}
  async function count(send: Send): Promise<string[]> {
    executed.length = 0
    const { status, text } = await send()
    const statements = [...executed]
    expect([status < 400, text]).toEqual([true, text])
    return statements
  }
  const [first, second] = [await next(), await next()]
  await count(first)
  found.warm = await count(second)
  for (const [name, establish] of Object.entries(states)) {
    const send = await next()
    await establish()
    found[name] = await count(send)
  }
  return found
}

/** Describes each state in which a request executes too many statements. */
async function findExcess(
  name: string,
  next: () => Promise<Send>,
  maxStatements = () => MAX_STATEMENTS,
): Promise<string[]> {
  const limit = maxStatements()
  return Object.entries(await statementsByState(next))
    .filter(([, statements]) => statements.length > limit)
    .map(([state, statements]) => `${name}, ${state}: ${statements.length} statements\n  ${statements.join('\n  ')}`)
}

function sendRest(operation: OperationId, { id, query = {}, body, content, key = log.key }: Parts): Promise<Answer> {
  const [method, path] = table[operation].route.split(' ') as ['GET' | 'POST' | 'PUT' | 'DELETE', string]
  const search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)]))
  return app.request({
    method,
    url: `/api/v1${path.replace(/\{\w+\}/, String(id))}?${search}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(content !== undefined && { 'content-type': 'application/octet-stream' }),
    },
    ...((body ?? content) !== undefined && { payload: (body ?? content)! }),
  })
}

const toolName = (operation: OperationId) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function callTool(operation: OperationId, { id, query, body, content, key = log.key }: Parts) {
  const [, parameter = 'id'] = /\{(\w+)\}/.exec(table[operation].route) ?? []
  const { status, body: answer } = await mcpClient(app.request, key).call(toolName(operation), {
    ...(id !== undefined && { [parameter]: id }),
    ...query,
    ...body,
    ...(content !== undefined && { [operation === 'readTravelDocument' ? 'text' : 'content']: content }),
  })
  return { status: answer.result?.isError ? 400 : status, text: JSON.stringify(answer).slice(0, 500) }
}

describe('an operation', () => {
  test('has an example', () => {
    const known = allOperations(app.services).map(({ id }) => id)
    expect(Object.keys(examples).sort()).toEqual(known.sort())
  })

  test.each(Object.keys(examples) as (keyof typeof examples)[])(
    'executes at most 12 statements: %s',
    async (operation) => {
      useOneProcess()
      const isTool = app.operations.find(({ id }) => id === operation)!.tool !== false
      const found: string[] = []
      for (const [name, { parts, maxStatements }] of Object.entries(examples[operation]())) {
        // REST and MCP run the same code, so the tool is called for the first example only.
        const isFirst = name === Object.keys(examples[operation]())[0]
        for (const send of [sendRest, ...(isTool && isFirst ? [callTool] : [])]) {
          const next = async () => {
            const request = await parts()
            return () => send(operation, request)
          }
          found.push(...(await findExcess(`${send.name} ${operation} ${name}`, next, maxStatements)))
        }
      }
      expect(found).toEqual([])
    },
  )
})

const legacy: Record<string, { request: () => Promise<InjectOptions>; maxStatements?: () => number }> = {
  'GET /api/ping': { request: async () => ({ url: '/api/ping' }) },
  'GET /api/flight/list': {
    request: async () => ({ url: '/api/flight/list' }),
    maxStatements: () => MAX_STATEMENTS + 3 * batches(),
  },
  'GET /api/flight/get/{id}': { request: async () => ({ url: `/api/flight/get/${log.flights[3]}` }) },
  'GET /api/flight/export': {
    request: async () => ({ url: '/api/flight/export' }),
    maxStatements: () => MAX_STATEMENTS + 7 * batches() + tracks(),
  },
  'POST /api/flight/save': {
    request: async () => {
      const passengers = [{ userId: '<USER_ID>' }]
      const payload = { from: 'ZRH', to: 'LIS', departure: '2025-05-03', airline: 'SWR', aircraft: 'BCS3', passengers }
      return { method: 'POST', url: '/api/flight/save', payload }
    },
    // The flight, its passenger, its activity, and its feed entries.
    maxStatements: writing(6),
  },
  'POST /api/flight/delete': {
    request: async () => ({ method: 'POST', url: '/api/flight/delete', payload: { id: await log.make.flight() } }),
  },
  'GET /api/stats': { request: async () => ({ url: '/api/stats' }) },
}

describe('the legacy API', () => {
  test.each(Object.keys(legacy))('executes at most 12 statements: %s', async (route) => {
    useOneProcess()
    const { request, maxStatements } = legacy[route]!
    const next = async () => {
      const call = await request()
      return () => app.request({ ...call, headers: { authorization: `Bearer ${log.key}` } })
    }
    expect(await findExcess(route, next, maxStatements)).toEqual([])
  })
})

/** Pages whose filter or list is composed of several parts. */
const composedPages = [
  ...[
    '/',
    '/map',
    '/airports/{id}',
    '/airlines/{id}',
    '/aircraft/{id}',
    '/registrations/{reg}',
    '/routes/{connection}',
  ],
  ...['/flights/{id}', '/statistics', '/statistics/{year}', '/trips/{id}', '/share/{slug}'],
]

function maxStatementsOf(route: string, address: string): number {
  if (/^\/export\/(csv|ics)$/.test(address)) return MAX_STATEMENTS + 3 * batches()
  if (route === '/export/{form}') return MAX_STATEMENTS + 7 * batches() + tracks()
  const isPlain = address === '/map' || address === '/?page=5'
  return composedPages.includes(route) && !isPlain ? COMPOSED_PAGE : MAX_STATEMENTS
}

describe('a page', () => {
  const routes = pageRoutes.filter((route) => route.startsWith('GET ')).map((route) => route.slice('GET '.length))

  test.each(routes)('executes at most 12 statements: %s', async (route) => {
    useOneProcess()
    const found: string[] = []
    for (const address of pageAddresses(log)[route]!) {
      const next = async () => async () => {
        const { status, html } = await app.browser.get(address)
        // Pages that need an application's request return 400 without one.
        return { status: status === 400 ? 200 : status, text: html.slice(0, 200) }
      }
      found.push(...(await findExcess(address, next, () => maxStatementsOf(route, address))))
    }
    expect(found).toEqual([])
  })
})
