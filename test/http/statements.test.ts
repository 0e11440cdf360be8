import type { InjectOptions } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OperationId } from '../../src/access/policy.ts'
import { allOperations } from '../../src/app/operations.ts'
import type { Db } from '../../src/db/open.ts'
import { table } from '../contract/authorization/table.ts'
import { type FullLog, fullLog } from '../support/full-log.ts'
import { pageRoutes } from '../support/page-routes.ts'
import { sharedSignedIn } from '../support/pages.ts'
import type { Answer } from '../support/paxlog.ts'
import { copyLoaded } from '../support/process.ts'
import { recordStatements } from '../support/recorded-statements.ts'
import { mcpClient } from './mcp/support.ts'

/** What one request may take of a database that is a network away. Over PostgreSQL one more: processes share rate limits and notices. */
const MAX_STATEMENTS: number = process.env.TEST_ENGINE === 'postgres' ? 13 : 12

/** Rows are written one by one, in one transaction. */
const writing = (rows: number) => () => MAX_STATEMENTS + rows

/** An answer without pages is read in batches of 250 flights, which bounds its memory. */
const batches = () => Math.ceil(countOf('flights') / 250)

/** A track can be a megabyte: each is read alone. */
const tracks = () => countOf('flight_tracks')

const IMPORTED = 500

/** Rows are inserted 50 at a time: flights, passengers and 2 changes of the feed; each airport is looked up by 2 codes and read. */
const importing = () => MAX_STATEMENTS + (4 * IMPORTED) / 50 + 3 * log.airportIds.length

/** A list, a map, figures and the choices of the filter, all of which a write of reference data drops. */
const COMPOSED_PAGE = MAX_STATEMENTS + 10

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

/** One request in its parts, which REST and tools take in different forms. */
interface Parts {
  id?: number | string
  query?: Record<string, string | number | boolean | number[]>
  body?: Record<string, unknown>
  content?: string
  /** Of another caller than the owner of the log. */
  key?: string
}

interface Example {
  /** Called for each request: a delete needs another target every time. */
  parts: () => Parts | Promise<Parts>
  most?: () => number
}

const plain: Example = { parts: () => ({}) }
const queried = (query: Parts['query'] = {}): Example => ({ parts: () => ({ query }) })
const sent = (body: () => Parts['body'] & object, most?: () => number): Example => ({
  parts: () => ({ body: body() }),
  ...(most && { most }),
})
const on = (
  make: () => Promise<{ id: number }> | Promise<number | string>,
  body?: () => object,
  most?: () => number,
): Example => ({
  async parts() {
    const made = await make()
    return { id: typeof made === 'object' ? made.id : made, ...(body && { body: body() as Record<string, unknown> }) }
  },
  ...(most && { most }),
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
  'by track': { hasTrack: true, completed: true },
  'by words': { text: 'air international note' },
})

/** A query, alone and with every filter. */
const filtered = (query: Parts['query'] & object = {}): Record<string, Example> => ({
  plain: queried(query),
  all: queried({ ...query, scope: 'all' }),
  ...Object.fromEntries(
    Object.entries(filters()).flatMap(([name, filter]) => [[name, queried({ ...query, ...filter })]]),
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

/** How each operation is called. An operation that is added needs an entry. */
const examples: Record<Exclude<OperationId, 'getDiscovery' | 'getOpenApi'>, () => Record<string, Example>> = {
  getMe: () => ({ plain }),
  getPreferences: () => ({ plain }),
  updatePreferences: () => ({ plain: sent(() => ({ distanceUnit: 'mi' })) }),
  listFlights: () => filtered({ limit: 100 }),
  createFlight: () => ({
    plain: sent(() => ({ date: '2024-05-03', fromId: log.airportIds[0], toId: log.airportIds[1] })),
    // The flight, 3 passengers, 6 custom values, the track with its line, and 2 rows of its activity.
    full: sent(() => log.write(1), writing(14)),
  }),
  getFlight: () => ({ plain: { parts: () => ({ id: log.flights[7]! }) } }),
  updateFlight: () => ({
    // The flight, the dates of its passengers, and 2 rows of its activity.
    plain: on(
      log.make.flight,
      () => ({ date: '2024-05-03', fromId: log.airportIds[0], toId: log.airportIds[1] }),
      writing(4),
    ),
    // As a new one, with 2 passengers who leave, 3 more rows of its activity and the feed, and 5 reads: the caller's
    // rights are checked again after the track was packed.
    full: on(log.make.flight, () => log.write(2), writing(24)),
  }),
  deleteFlight: () => ({ plain: on(log.make.flight) }),
  getFlightTrack: () => ({ plain: { parts: () => ({ id: log.flights[2]! }) } }),
  putFlightTrack: () => ({ plain: on(log.make.flight, () => log.track) }),
  deleteFlightTrack: () => ({ plain: on(log.make.flight) }),
  listFlightChanges: () => ({ plain: queried({ limit: 500 }), all: queried({ limit: 500, scope: 'all' }) }),
  exportFlights: () => ({ plain: { ...plain, most: () => MAX_STATEMENTS + 7 * batches() + tracks() } }),
  importFlights: () => ({
    csv: { parts: () => ({ content: csv(IMPORTED), key: log.importer.key }), most: importing },
    'dry run': { parts: () => ({ content: csv(IMPORTED), query: { dryRun: true } }), most: importing },
  }),
  getStats: () => filtered(),
  getStatsBreakdown: () => ({
    ...Object.fromEntries(groupings.map((by) => [by, queried({ by, limit: 1000 })])),
    ...filtered({ by: 'route', limit: 1000 }),
  }),
  getStatsRecords: () => filtered(),
  searchAirports: () => ({ code: queried({ query: 'zrh' }), word: queried({ query: 'international' }) }),
  searchAirlines: () => ({ code: queried({ query: 'lx' }), word: queried({ query: 'air' }) }),
  searchAircraft: () => ({ code: queried({ query: 'bcs3' }), word: queried({ query: 'airbus' }) }),
  getAirport: () => ({ plain: { parts: () => ({ id: log.airportIds[0]! }) } }),
  getAirline: () => ({ plain: { parts: () => ({ id: log.airlineIds[0]! }) } }),
  getAircraft: () => ({ plain: { parts: () => ({ id: log.aircraftIds[0]! }) } }),
  lookUpFlightNumber: () => ({ plain: { parts: () => ({ id: 'LX2084', query: { date: '2025-05-03' } }) } }),
  createAirport: () => ({ plain: sent(() => ({ ...log.place, icao: log.unique('XQ') })) }),
  createAirline: () => ({ plain: sent(() => ({ name: log.unique('Airline ') })) }),
  createAircraft: () => ({ plain: sent(() => ({ name: log.unique('Type ') })) }),
  updateAirport: () => ({ plain: on(log.make.airport, () => ({ ...log.place, icao: log.unique('XQ') })) }),
  updateAirline: () => ({ plain: on(log.make.airline, () => ({ name: log.unique('Airline ') })) }),
  updateAircraft: () => ({ plain: on(log.make.aircraft, () => ({ name: log.unique('Type ') })) }),
  deleteAirport: () => ({ plain: on(log.make.airport) }),
  deleteAirline: () => ({ plain: on(log.make.airline) }),
  deleteAircraft: () => ({ plain: on(log.make.aircraft) }),
  listCustomFields: () => ({ plain, all: queried({ includeInactive: true }) }),
  getCustomField: () => ({ plain: on(log.make.field) }),
  createCustomField: () => ({
    plain: sent(() => ({ entityType: 'flight', key: log.unique('key_'), label: 'Label', fieldType: 'text' })),
  }),
  updateCustomField: () => ({ plain: on(log.make.field, () => ({ label: 'Another' })) }),
  deleteCustomField: () => ({ plain: on(log.make.field) }),
  listVisitedCountries: () => ({ plain }),
  putVisitedCountry: () => ({ plain: sent(() => ({ code: 'CH', status: 'lived' })) }),
  deleteVisitedCountry: () => ({ plain: queried({ code: 'CH' }) }),
  listCountries: () => ({ plain }),
  listShares: () => ({ plain }),
  getShare: () => ({ plain: on(log.make.share) }),
  createShare: () => ({ plain: sent(() => ({})) }),
  updateShare: () => ({ plain: on(log.make.share, () => ({ showStats: true })) }),
  deleteShare: () => ({ plain: on(log.make.share) }),
  listUsers: () => ({ plain }),
  getUser: () => ({ plain: on(log.make.user) }),
  createUser: () => ({ plain: sent(() => ({ username: log.unique('new'), password: 'long enough' })) }),
  updateUser: () => ({ plain: on(log.make.user, () => ({ displayName: 'Another name' })) }),
  deleteUser: () => ({ plain: on(log.make.user) }),
  listRoles: () => ({ plain }),
  getRole: () => ({ plain: on(log.make.role) }),
  createRole: () => ({ plain: sent(() => ({ name: log.unique('Role '), permissions: ['flight.read.own'] })) }),
  updateRole: () => ({
    plain: on(log.make.role, () => ({ name: log.unique('Role '), permissions: ['flight.read.own'] })),
  }),
  deleteRole: () => ({ plain: on(log.make.role) }),
}

/** What came before a request. */
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

/** The number of statements of a request in each state; `next` prepares a request that is sent once. */
async function counted(next: () => Promise<Send>): Promise<Record<string, string[]>> {
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

/** Each state in which a request executes more statements than it may. */
async function exceeding(name: string, next: () => Promise<Send>, most = () => MAX_STATEMENTS): Promise<string[]> {
  const limit = most()
  return Object.entries(await counted(next))
    .filter(([, statements]) => statements.length > limit)
    .map(([state, statements]) => `${name}, ${state}: ${statements.length} statements\n  ${statements.join('\n  ')}`)
}

function byRest(operation: OperationId, { id, query = {}, body, content, key = log.key }: Parts): Promise<Answer> {
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

const toolOf = (operation: OperationId) => operation.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

async function byTool(operation: OperationId, { id, query, body, content, key = log.key }: Parts) {
  const [, parameter = 'id'] = /\{(\w+)\}/.exec(table[operation].route) ?? []
  const { status, body: answer } = await mcpClient(app.request, key).call(toolOf(operation), {
    ...(id !== undefined && { [parameter]: id }),
    ...query,
    ...body,
    ...(content !== undefined && { content }),
  })
  return { status: answer.result?.isError ? 400 : status, text: JSON.stringify(answer).slice(0, 500) }
}

describe('an operation', () => {
  test('has an example of each', () => {
    const known = allOperations(app.services).map(({ id }) => id)
    expect(Object.keys(examples).sort()).toEqual(known.sort())
  })

  test.each(Object.keys(examples) as (keyof typeof examples)[])(
    'executes at most 12 statements: %s',
    async (operation) => {
      const isTool = app.operations.find(({ id }) => id === operation)!.tool !== false
      const found: string[] = []
      for (const [name, { parts, most }] of Object.entries(examples[operation]())) {
        // Every example leads to the same work, whichever way it is called.
        const isFirst = name === Object.keys(examples[operation]())[0]
        for (const send of [byRest, ...(isTool && isFirst ? [byTool] : [])]) {
          const next = async () => {
            const request = await parts()
            return () => send(operation, request)
          }
          found.push(...(await exceeding(`${send.name} ${operation} ${name}`, next, most)))
        }
      }
      expect(found).toEqual([])
    },
  )
})

const legacy: Record<string, { request: () => Promise<InjectOptions>; most?: () => number }> = {
  'GET /api/ping': { request: async () => ({ url: '/api/ping' }) },
  'GET /api/flight/list': {
    request: async () => ({ url: '/api/flight/list' }),
    most: () => MAX_STATEMENTS + 3 * batches(),
  },
  'GET /api/flight/get/{id}': { request: async () => ({ url: `/api/flight/get/${log.flights[3]}` }) },
  'GET /api/flight/export': {
    request: async () => ({ url: '/api/flight/export' }),
    most: () => MAX_STATEMENTS + 7 * batches() + tracks(),
  },
  'POST /api/flight/save': {
    request: async () => {
      const passengers = [{ userId: '<USER_ID>' }]
      const payload = { from: 'ZRH', to: 'LIS', departure: '2025-05-03', airline: 'SWR', aircraft: 'BCS3', passengers }
      return { method: 'POST', url: '/api/flight/save', payload }
    },
    // The flight, its passenger, its activity, its place in the feed, and for whom it stands there.
    most: writing(6),
  },
  'POST /api/flight/delete': {
    request: async () => ({ method: 'POST', url: '/api/flight/delete', payload: { id: await log.make.flight() } }),
  },
  'GET /api/stats': { request: async () => ({ url: '/api/stats' }) },
}

describe('the legacy API', () => {
  test.each(Object.keys(legacy))('executes at most 12 statements: %s', async (route) => {
    const { request, most } = legacy[route]!
    const next = async () => {
      const call = await request()
      return () => app.request({ ...call, headers: { authorization: `Bearer ${log.key}` } })
    }
    expect(await exceeding(route, next, most)).toEqual([])
  })
})

const filter = '?text=air+note&country=DE&seat=window'

const composed = (address: string): [string, () => number] => [address, () => COMPOSED_PAGE]

/** The addresses of each page; none for what needs an identity provider. */
const addresses: Record<string, () => (string | [address: string, most: () => number])[]> = {
  '/': () => [composed('/'), '/?page=5', composed(`/${filter}`)],
  '/map': () => ['/map', composed(`/map${filter}`)],
  '/map/data': () => ['/map/data', `/map/data${filter}`],
  '/flights': () => ['/flights'],
  '/settings': () => ['/settings'],
  '/admin': () => ['/admin'],
  '/airports/{id}': () => [composed(`/airports/${log.airportIds[0]}`)],
  '/airlines/{id}': () => [composed(`/airlines/${log.airlineIds[0]}`)],
  '/aircraft/{id}': () => [composed(`/aircraft/${log.aircraftIds[0]}`)],
  '/registrations/{reg}': () => [composed('/registrations/HB-1')],
  '/setup': () => ['/setup'],
  '/login': () => ['/login'],
  '/login/oidc': () => [],
  '/login/oidc/callback': () => [],
  '/flights/new': () => ['/flights/new', `/flights/new?return=${log.flights[4]}`],
  '/flights/import': () => ['/flights/import'],
  '/import': () => ['/import'],
  '/import/check': () => ['/import/check'],
  '/export': () => ['/export'],
  '/export/{form}': () => [
    ...['csv', 'ics'].map((form): [string, () => number] => [`/export/${form}`, () => MAX_STATEMENTS + 3 * batches()]),
    ...['kml', 'geojson', 'json'].map((form): [string, () => number] => [
      `/export/${form}`,
      () => MAX_STATEMENTS + 7 * batches() + tracks(),
    ]),
  ],
  '/flights/{id}': () => [`/flights/${log.flights[4]}`],
  '/flights/{id}/edit': () => [`/flights/${log.flights[4]}/edit`],
  '/statistics': () => [composed('/statistics'), composed(`/statistics${filter}`)],
  '/statistics/{year}': () => [composed('/statistics/2015')],
  // Drawn from the same as the card.
  '/statistics/{year}/story.png': () => [],
  '/statistics/{year}/card.png': () => ['/statistics/2015/card.png'],
  '/countries': () => ['/countries'],
  '/flights/{id}/track': () => [`/flights/${log.flights[4]}/track`],
  '/flights/{id}/track.gpx': () => [`/flights/${log.flights[4]}/track.gpx`],
  '/flights/{id}/track.json': () => [`/flights/${log.flights[4]}/track.json`],
  '/search/airports': () => ['/search/airports?query=international'],
  '/search/airlines': () => ['/search/airlines?query=air'],
  '/search/aircraft': () => ['/search/aircraft?query=airbus'],
  '/search/flight-numbers': () => ['/search/flight-numbers?query=LX2084&date=2025-05-03'],
  '/settings/preferences': () => ['/settings/preferences'],
  '/settings/shares': () => ['/settings/shares'],
  '/settings/shares/{id}': () => [`/settings/shares/${log.share.id}`],
  '/settings/calendar': () => ['/settings/calendar'],
  '/calendar/{secret}.ics': () => [new URL(log.calendar).pathname],
  '/settings/security': () => ['/settings/security'],
  '/settings/activity': () => ['/settings/activity'],
  '/admin/activity': () => ['/admin/activity', '/admin/activity?kind=flight.created'],
  '/admin/users': () => ['/admin/users'],
  '/admin/users/{id}': () => [`/admin/users/${log.users[0]}`],
  '/admin/roles': () => ['/admin/roles'],
  '/admin/roles/{id}': () => ['/admin/roles/role-user'],
  '/admin/custom-fields': () => ['/admin/custom-fields'],
  '/admin/custom-fields/{id}': () => ['/admin/custom-fields/1'],
  '/admin/reference': () => ['/admin/reference'],
  ...Object.fromEntries(
    (['airports', 'airlines', 'aircraft'] as const).flatMap((kind) => [
      [`/admin/reference/${kind}`, () => [`/admin/reference/${kind}`]],
      [`/admin/reference/${kind}/{id}`, () => [`/admin/reference/${kind}/${log.own[kind][0]!.id}`]],
      [`/admin/reference/${kind}/new`, () => [`/admin/reference/${kind}/new`]],
    ]),
  ),
  '/oauth/authorize': () => ['/oauth/authorize'],
  '/oauth/consent': () => ['/oauth/consent'],
  '/share/{slug}': () => [composed(`/share/${log.share.slug}`), composed(`/share/${log.share.slug}?page=3`)],
  '/share/{slug}/map.png': () => [`/share/${log.share.slug}/map.png`],
  '/share/{slug}/map.json': () => [`/share/${log.share.slug}/map.json`],
  '/flights/{id}/map.json': () => [`/flights/${log.flights[4]}/map.json`],
  '/docs': () => ['/docs'],
  '/docs/{operation}': () => ['/docs/listFlights'],
  '/manifest.webmanifest': () => ['/manifest.webmanifest'],
  // Named by its contents.
  '/assets/{file}': () => [log.asset],
}

describe('a page', () => {
  const routes = pageRoutes.filter((route) => route.startsWith('GET ')).map((route) => route.slice('GET '.length))

  test.each(routes)('executes at most 12 statements: %s', async (route) => {
    const found: string[] = []
    for (const one of addresses[route]!()) {
      const [address, most] = [one].flat() as [string, (() => number) | undefined]
      const next = async () => async () => {
        const { status, html } = await app.browser.get(address)
        // Of pages that need a request of an application, the refusal counts.
        return { status: status === 400 ? 200 : status, text: html.slice(0, 200) }
      }
      found.push(...(await exceeding(address, next, most)))
    }
    expect(found).toEqual([])
  })
})
