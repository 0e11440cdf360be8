import type { Request } from 'autocannon'
import { readShippedAirports } from '../../src/domain/reference/shipped.ts'
import type { Lane, Step } from './load.ts'
import { PASSWORD, type World } from './world.ts'

interface Common {
  name: string
  /** Flights in the log. */
  flights: number
}

/** Independent requests, driven at full speed and compared with a bare server or with raw commits. */
export interface RequestWork extends Common {
  requests: (world: World) => Request[]
  expect?: number
  connections?: number
  /** Where a limit forbids full speed; then there is no share. */
  mostPerSecond?: number
  /** What the share is taken of: bare Fastify that sends ready bytes or serializes the record, or raw durable commits. */
  against: 'ready' | 'serialized' | 'commits'
}

/** Requests that build upon each other. */
export interface LaneWork extends Common {
  lanes: (world: World) => Lane[]
}

/** One large answer at a time: how long it takes, and what memory it needs. */
export interface DocumentWork extends Common {
  document: string
}

/** An import, and what others feel of it. */
interface ImportWork extends Common {
  beside: 'reads'
}

export type Work = RequestWork | LaneWork | DocumentWork | ImportWork

/** One request to logs of several sizes, or to several places of one: none may cost much more than the first. */
export interface Comparison {
  name: string
  sides: readonly { name: string; flights: number; requests: (world: World) => Request[] }[]
  /** Where a limit forbids full speed for one of them. */
  mostPerSecond?: number
}

/** A thousand keys, each with 600 calls of tools a minute. */
const MOST_CALLS = 9000

const PAGE = '/api/v1/flights?limit=50'

const get = ({ key }: World, path: string): Request => ({
  method: 'GET',
  path,
  headers: { authorization: `Bearer ${key}` },
})

const send = ({ key }: World, method: string, path: string, body: unknown): Request => ({
  method,
  path,
  headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const reading = (name: string, flights: number, path: (world: World) => string): RequestWork => ({
  name,
  flights,
  requests: (world) => [get(world, path(world))],
  against: 'serialized',
})

const flightBody = ({ fromId, toId }: World) => ({
  date: '2026-03-04',
  fromId,
  toId,
  departure: '2026-03-04T10:20:00Z',
  arrival: '2026-03-04T13:15:00Z',
  flightNumber: 'LX2084',
  aircraftReg: 'HB-JCA',
  note: 'Over the Alps',
})

const lists = (flights: number): RequestWork[] => {
  const name = flights === 1_000_000 ? '1M' : `${flights / 1000}k`
  return [
    reading(`list-${name}`, flights, () => PAGE),
    reading(`list-last-${name}`, flights, ({ lastPage }) => `${PAGE}&cursor=${lastPage}`),
    reading(`list-all-${name}`, flights, () => `${PAGE}&scope=all`),
  ]
}

const page = (name: string, flights: number, path: (world: World) => string): RequestWork => ({
  name,
  flights,
  requests: (world) => [{ method: 'GET', path: path(world), headers: { cookie: `paxlog=${world.session}` } }],
  against: 'ready',
})

let address = 0
/** A client that was not seen before, as limits count. */
const newAddress = () => `10.${(address >> 16) & 255}.${(address >> 8) & 255}.${address++ & 255}`

function refreshLanes({ baseUrl, application }: World): Lane[] {
  const { clientId, resource, tokens } = application
  return tokens.map((first, lane) => {
    let token = first
    const step: Step = async () => {
      const form = { grant_type: 'refresh_token', client_id: clientId, refresh_token: token, resource }
      const answer = await fetch(`${baseUrl}/oauth/token`, {
        method: 'POST',
        headers: { 'x-bench-address': newAddress() },
        body: new URLSearchParams(form),
      })
      const body = (await answer.json()) as { refresh_token?: string }
      if (body.refresh_token === undefined) throw new Error(`The refresh of lane ${lane} failed: ${answer.status}`)
      token = body.refresh_token
      // The next round goes on from here.
      tokens[lane] = token
    }
    return { step }
  })
}

function signInLanes({ baseUrl, names }: World): Lane[] {
  let turn = 0
  const step: Step = async () => {
    const login = `${baseUrl}/login`
    const form = await fetch(login)
    const csrf = /name="csrf" value="([\w-]+)"/.exec(await form.text())![1]!
    const cookie = form.headers.getSetCookie()[0]!.split(';')[0]!
    // Each name may be tried five times a minute.
    const username = names[turn++ % names.length]!
    const answer = await fetch(login, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie, origin: baseUrl, 'x-bench-address': newAddress() },
      body: new URLSearchParams({ username, password: PASSWORD, csrf }),
    })
    if (answer.status !== 303) throw new Error(`A sign-in answered ${answer.status}.`)
  }
  return [{ step }, { step }]
}

/** Figures are kept until something is written, so each reading here comes after a write. */
function statsLanes(world: World): Lane[] {
  const run = async ({ method, path, headers, body }: Request) => {
    const answer = await fetch(world.baseUrl + path, { method, headers, ...(body !== undefined && { body }) })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
    await answer.arrayBuffer()
  }
  return [
    {
      prepare: () => run(send(world, 'PUT', `/api/v1/flights/${world.someFlight}`, flightBody(world))),
      step: () => run(get(world, '/api/v1/stats')),
    },
  ]
}

/** One client that asks one after the other; each answer is read anew, since filters are not kept. */
const asking =
  (paths: (world: World) => readonly string[]) =>
  (world: World): Lane[] => {
    const requests = paths(world).map((path) => get(world, path))
    let turn = 0
    const step: Step = async () => {
      const { path, headers } = requests[turn++ % requests.length]!
      const answer = await fetch(world.baseUrl + path, { headers })
      if (!answer.ok) throw new Error(`${path} answered ${answer.status}.`)
      await answer.arrayBuffer()
    }
    return [{ step }]
  }

/** Some that many flights meet, some that few do, and some that none does, so that the whole log is walked. */
const filters = ({ fromId, toId }: World) => [
  'dateFrom=2020-01-01&dateTo=2020-12-31',
  `airportId=${fromId}`,
  `fromId=${fromId}&toId=${toId}`,
  'airportId=1',
  'airlineId=1,2,3',
  'aircraftId=1',
  'flightNumber=ZZ9999',
  'aircraftReg=ZZ-ZZZ',
]
const ofOneLog = ['country=PT', 'country=NP', 'seat=jumpseat', 'hasTrack=true', 'completed=false', 'companion=nobody']
/** Beginnings of names and cities, each once: what is asked again is kept. */
function beginnings(): string[] {
  const found = new Set<string>()
  let place = 0
  for (const { name, municipality } of readShippedAirports()) {
    place++
    const text = place % 2 === 0 && municipality !== null ? municipality : name
    if (place % 3 === 0) found.add(encodeURIComponent(text.slice(0, 1 + (place % 9))))
  }
  return [...found]
}

const words = ['zurich', 'lx 20', 'alps', 'nothing like it', 'zur lis swiss']

const toolCall = (name: string, args: unknown, key: string): Request => ({
  method: 'POST',
  path: '/api/mcp',
  headers: {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2025-11-25',
  },
  body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
})

const firstPage = (world: World) => [get(world, PAGE)]
const lastPage = (world: World) => [get(world, `${PAGE}&cursor=${world.lastPage}`)]

export const comparisons: Comparison[] = [
  {
    name: 'sizes',
    sides: [
      { name: 'first of 1k', flights: 1000, requests: firstPage },
      { name: 'last of 1k', flights: 1000, requests: lastPage },
      { name: 'first of 1M', flights: 1_000_000, requests: firstPage },
      { name: 'last of 1M', flights: 1_000_000, requests: lastPage },
    ],
  },
  {
    name: 'rest-mcp',
    sides: [
      {
        name: 'getFlight',
        flights: 100_000,
        requests: (world) => world.keys.map((key) => get({ ...world, key }, `/api/v1/flights/${world.someFlight}`)),
      },
      {
        name: 'get_flight',
        flights: 100_000,
        requests: (world) => world.keys.map((key) => toolCall('get_flight', { id: world.someFlight }, key)),
      },
    ],
    mostPerSecond: MOST_CALLS,
  },
]

/** Everything else that is measured; chosen by name on the command line. */
export const works: Work[] = [
  { ...reading('me', 1000, () => '/api/v1/me'), against: 'ready' },
  reading('flight', 100_000, ({ someFlight }) => `/api/v1/flights/${someFlight}`),
  {
    name: 'flight-random',
    flights: 10_000,
    requests: (world) =>
      Array.from({ length: 5000 }, () =>
        get(world, `/api/v1/flights/${1 + Math.floor(Math.random() * world.flights)}`),
      ),
    against: 'serialized',
  },
  ...lists(1000),
  ...lists(100_000),
  ...lists(1_000_000),
  {
    name: 'search',
    flights: 1000,
    requests: (world) =>
      Array.from('zurich', (_, index) => get(world, `/api/v1/airports?query=${'zurich'.slice(0, index + 1)}`)),
    against: 'serialized',
  },
  {
    name: 'flight-numbers',
    flights: 1000,
    // Of the airlines with most routes and of others; most numbers are known.
    lanes: asking(() =>
      Array.from({ length: 3000 }, (_, index) => {
        const code = ['WN', 'AA', 'UA', 'DL', 'LH', 'LX', 'U2', '3U'][index % 8]
        return `/api/v1/flight-numbers/${code}${1 + ((index * 37) % 4000)}?date=2025-05-03`
      }),
    ),
  },
  {
    name: 'search-new',
    flights: 1000,
    lanes: asking(() => beginnings().map((text) => `/api/v1/airports?query=${text}`)),
  },
  reading('stats', 20_000, () => '/api/v1/stats'),
  {
    name: 'mcp',
    flights: 100_000,
    requests: (world) => world.keys.map((key) => toolCall('get_flight', { id: world.someFlight }, key)),
    mostPerSecond: MOST_CALLS,
    against: 'ready',
  },
  page('home', 1000, () => '/'),
  page('share', 1000, ({ share }) => `/share/${share}`),
  { name: 'refresh', flights: 1000, lanes: refreshLanes },
  { name: 'sign-in', flights: 1000, lanes: signInLanes },
  { name: 'stats-written', flights: 20_000, lanes: statsLanes },
  {
    name: 'filter',
    flights: 10_000,
    lanes: asking((world) => [...filters(world), ...ofOneLog].map((query) => `${PAGE}&${query}`)),
  },
  { name: 'filter-text', flights: 10_000, lanes: asking(() => words.map((text) => `${PAGE}&text=${text}`)) },
  {
    name: 'filter-all',
    flights: 1_000_000,
    lanes: asking((world) => filters(world).map((query) => `${PAGE}&scope=all&${query}`)),
  },
  {
    name: 'breakdown',
    flights: 10_000,
    // Another day each time, since figures are kept.
    lanes: asking(() =>
      Array.from({ length: 5000 }, (_, day) => {
        const from = new Date(Date.UTC(1990, 0, 1 + day)).toISOString().slice(0, 10)
        return `/api/v1/stats/breakdown?by=${['year', 'airport', 'companion'][day % 3]}&dateFrom=${from}`
      }),
    ),
  },
  { name: 'changes', flights: 100_000, lanes: asking(() => ['/api/v1/flights/changes?limit=100']) },
  // Last, since they make the log longer.
  ...[1, 16].map(
    (connections): RequestWork => ({
      name: `create-${connections}`,
      flights: 1000,
      requests: (world) => [send(world, 'POST', '/api/v1/flights', flightBody(world))],
      expect: 201,
      connections,
      against: 'commits',
    }),
  ),
  {
    name: 'update-16',
    flights: 1000,
    requests: (world) => [send(world, 'PUT', `/api/v1/flights/${world.someFlight}`, flightBody(world))],
    connections: 16,
    against: 'commits',
  },
  { name: 'export', flights: 20_000, document: '/api/v1/flights/export' },
  { name: 'legacy-list', flights: 20_000, document: '/api/flight/list' },
  { ...reading('legacy-list-1k', 1000, () => '/api/flight/list'), against: 'ready' },
  { name: 'import-beside-reads', flights: 1000, beside: 'reads' },
]
