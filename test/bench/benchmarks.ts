import type { Request } from 'autocannon'
import type { Loop } from './load.ts'
import {
  feedPages,
  filters,
  flightBody,
  get,
  PAGE,
  refreshLoops,
  repeat,
  searchPrefixes,
  send,
  signInLoops,
  statsLoops,
  toolCall,
  userFilters,
  withEtags,
  words,
} from './requests.ts'
import type { Named } from './table.ts'
import type { Person, World } from './world.ts'

interface Common extends Named {
  /** Flights in the log. */
  flights: number
  /** Uses a log of many users, each with few requests, instead of one user. */
  crowd?: boolean
  /** A name that selects several benchmarks. */
  group?: string
  /** The expected result. */
  target?: string
}

/** Independent requests at full speed, compared with a bare server or with raw commits. */
export interface RequestBenchmark extends Common {
  requests: (world: World) => Request[]
  expect?: number
  connections?: number
  /** For requests with a rate limit. Disables the comparison. */
  maxPerSecond?: number
  /** The baseline: bare Fastify that sends ready bytes or serializes the record, or raw durable commits. */
  against: 'ready' | 'serialized' | 'commits'
}

/** Requests that depend on the previous response. */
export interface LoopBenchmark extends Common {
  loops: (world: World) => Loop[]
}

/** Paths that one client requests in sequence. Each round continues after the last, because repeated paths may be cached. */
export interface PathBenchmark extends Common {
  paths: (world: World) => readonly string[]
}

/** One large response: its time and memory. */
export interface DocumentBenchmark extends Common {
  document: string
}

/** An import, and the response times of other clients during it. */
interface ImportBenchmark extends Common {
  during: 'reads'
}

export type Benchmark = RequestBenchmark | LoopBenchmark | PathBenchmark | DocumentBenchmark | ImportBenchmark

interface Side extends Named {
  flights: number
  requests: (world: World) => Request[] | Promise<Request[]>
  expect?: number
  target?: string
}

/** One request on logs of several sizes, or several positions of one. None may cost much more than the first. */
export interface Comparison {
  name: string
  sides: readonly Side[]
  /** For sides with a rate limit. */
  maxPerSecond?: number
}

/** A thousand keys with 600 tool calls per minute each. */
const MAX_CALLS_PER_SECOND = 9000

const reading = (
  { name, title }: Named,
  flights: number,
  path: (world: World) => string,
  target?: string,
): RequestBenchmark => ({
  name,
  title,
  flights,
  requests: (world) => [get(world, path(world))],
  against: 'serialized',
  ...(target !== undefined && { target }),
})

/** Each request is from another random user. */
const cold = (
  { name, title }: Named,
  target: string,
  path: (person: Person) => string,
  filter = (_: Person) => true,
): RequestBenchmark => ({
  name,
  title,
  group: 'cold',
  flights: 1_000_000,
  crowd: true,
  requests: ({ people }) => {
    const users = people.filter(filter)
    return repeat(6000, () => {
      const person = users[Math.floor(Math.random() * users.length)]!
      return get(person, path(person))
    })
  },
  against: 'ready',
  target,
})

const lists = (flights: number): RequestBenchmark[] => {
  const name = flights === 1_000_000 ? '1M' : `${flights / 1000}k`
  return [
    reading({ name: `list-${name}`, title: 'list of 50' }, flights, () => PAGE),
    reading(
      { name: `list-last-${name}`, title: 'its last page' },
      flights,
      ({ lastPage }) => `${PAGE}&cursor=${lastPage}`,
    ),
    reading({ name: `list-all-${name}`, title: 'list of 50 of all users' }, flights, () => `${PAGE}&scope=all`),
  ]
}

const page = ({ name, title }: Named, flights: number, path: (world: World) => string): RequestBenchmark => ({
  name,
  title,
  flights,
  requests: (world) => [{ method: 'GET', path: path(world), headers: { cookie: `paxlog=${world.session}` } }],
  against: 'ready',
})

const firstPage = (world: World) => [get(world, PAGE)]
const oneFlight = (world: World) => [get(world, `/api/v1/flights/${world.someFlight}`)]
const lastPage = (world: World) => [get(world, `${PAGE}&cursor=${world.lastPage}`)]

export const comparisons: Comparison[] = [
  {
    name: 'sizes',
    sides: [
      { name: 'first-1k', title: 'first page of 1 000 flights', flights: 1000, requests: firstPage },
      { name: 'last-1k', title: 'last page of 1 000 flights', flights: 1000, requests: lastPage },
      { name: 'first-1M', title: 'first page of 1 000 000 flights', flights: 1_000_000, requests: firstPage },
      { name: 'last-1M', title: 'last page of 1 000 000 flights', flights: 1_000_000, requests: lastPage },
    ],
  },
  {
    name: 'not-modified',
    sides: [
      { name: 'flight', title: 'one flight', flights: 10_000, requests: oneFlight },
      {
        name: 'flight-304',
        title: 'one flight, unchanged',
        flights: 10_000,
        requests: withEtags(oneFlight),
        expect: 304,
        target: 'half of the 200',
      },
      { name: 'list', title: 'list of 50', flights: 10_000, requests: firstPage },
      {
        name: 'list-304',
        title: 'list of 50, unchanged',
        flights: 10_000,
        requests: withEtags(firstPage),
        expect: 304,
        target: 'half of the 200',
      },
    ],
  },
  {
    name: 'rest-mcp',
    sides: [
      {
        name: 'getFlight',
        title: 'one flight by REST',
        flights: 100_000,
        requests: (world) => world.keys.map((key) => get({ ...world, key }, `/api/v1/flights/${world.someFlight}`)),
      },
      {
        name: 'get_flight',
        title: 'one flight by MCP',
        flights: 100_000,
        requests: (world) => world.keys.map((key) => toolCall('get_flight', { id: world.someFlight }, key)),
      },
    ],
    maxPerSecond: MAX_CALLS_PER_SECOND,
  },
]

/** All other benchmarks, selected by name on the command line. */
export const benchmarks: Benchmark[] = [
  { ...reading({ name: 'me', title: 'the own user' }, 1000, () => '/api/v1/me'), against: 'ready' },
  {
    name: 'flight',
    title: 'one flight',
    flights: 100_000,
    requests: oneFlight,
    against: 'ready',
    target: '50 % of bare',
  },
  {
    name: 'flight-random',
    title: 'a random flight',
    flights: 10_000,
    requests: (world) =>
      repeat(10_000, () => get(world, `/api/v1/flights/${1 + Math.floor(Math.random() * world.flights)}`)),
    against: 'ready',
    target: '35 % of bare',
  },
  cold({ name: 'cold-list', title: 'list of 50 of a random user' }, '800 µs', () => PAGE),
  cold(
    { name: 'cold-flight', title: 'one flight of a random user' },
    '150 µs',
    ({ flight }) => `/api/v1/flights/${flight}`,
  ),
  cold({ name: 'cold-me', title: 'a random user' }, '120 µs', () => '/api/v1/me'),
  cold(
    { name: 'cold-legacy', title: 'legacy list of a random user' },
    '55/s of 1 000 flights',
    () => '/api/flight/list',
    ({ isFrequent }) => isFrequent,
  ),
  {
    name: 'changes',
    title: '100 changes of the feed',
    flights: 1_000_000,
    crowd: true,
    requests: feedPages,
    against: 'ready',
    target: 'p99 10 ms',
  },
  ...lists(1000),
  ...lists(100_000),
  ...lists(1_000_000),
  {
    name: 'search',
    title: 'airports while typing "zurich"',
    flights: 1000,
    requests: (world) =>
      Array.from('zurich', (_, index) => get(world, `/api/v1/airports?query=${'zurich'.slice(0, index + 1)}`)),
    against: 'serialized',
  },
  {
    name: 'flight-numbers',
    title: 'route of a flight number',
    target: 'p99 2 ms',
    flights: 1000,
    // Airlines with many and few routes. Most numbers exist.
    paths: () =>
      Array.from({ length: 3000 }, (_, index) => {
        const code = ['WN', 'AA', 'UA', 'DL', 'LH', 'LX', 'U2', '3U'][index % 8]
        return `/api/v1/flight-numbers/${code}${1 + ((index * 37) % 4000)}?date=2025-05-03`
      }),
  },
  {
    name: 'search-new',
    title: 'airports, a new search each time',
    target: 'p99 5 ms',
    flights: 1000,
    paths: () => searchPrefixes().map((text) => `/api/v1/airports?query=${text}`),
  },
  reading({ name: 'stats', title: 'statistics' }, 20_000, () => '/api/v1/stats'),
  {
    name: 'mcp',
    title: 'one flight by MCP',
    flights: 100_000,
    requests: (world) => world.keys.map((key) => toolCall('get_flight', { id: world.someFlight }, key)),
    maxPerSecond: MAX_CALLS_PER_SECOND,
    against: 'ready',
  },
  page({ name: 'home', title: 'start page' }, 1000, () => '/'),
  page({ name: 'share', title: 'shared page' }, 1000, ({ share }) => `/share/${share}`),
  { name: 'refresh', title: 'refresh an OAuth token', flights: 1000, loops: refreshLoops },
  { name: 'sign-in', title: 'sign in with a password', flights: 1000, loops: signInLoops },
  {
    name: 'stats-written',
    title: 'statistics right after a write',
    target: 'p99 40 ms',
    flights: 20_000,
    loops: statsLoops,
  },
  {
    name: 'filter',
    title: 'list of 50 with a filter',
    target: 'p99 10 ms',
    flights: 10_000,
    paths: (world) => [...filters(world), ...userFilters].map((query) => `${PAGE}&${query}`),
  },
  {
    name: 'filter-text',
    title: 'list of 50 with a text filter',
    target: 'p99 30 ms',
    flights: 10_000,
    paths: () => words.map((text) => `${PAGE}&text=${encodeURIComponent(text)}`),
  },
  {
    name: 'filter-all',
    title: 'list of 50 of all users with a filter',
    target: 'p99 20 ms',
    flights: 1_000_000,
    paths: (world) => filters(world).map((query) => `${PAGE}&scope=all&${query}`),
  },
  {
    name: 'breakdown',
    title: 'breakdown with a new filter each time',
    flights: 10_000,
    // A new date for each request, because results are cached.
    paths: () =>
      Array.from({ length: 5000 }, (_, day) => {
        const from = new Date(Date.UTC(1990, 0, 1 + day)).toISOString().slice(0, 10)
        return `/api/v1/stats/breakdown?by=${['year', 'airport', 'companion'][day % 3]}&dateFrom=${from}`
      }),
  },
  // Last, because they add flights to the log.
  ...[1, 16].map(
    (connections): RequestBenchmark => ({
      name: `create-${connections}`,
      title: connections === 1 ? 'create a flight' : `create a flight, ${connections} clients`,
      flights: 1000,
      requests: (world) => [send(world, 'POST', '/api/v1/flights', flightBody(world))],
      expect: 201,
      connections,
      against: 'commits',
    }),
  ),
  {
    name: 'update-16',
    title: 'update a flight, 16 clients',
    flights: 1000,
    requests: (world) => [send(world, 'PUT', `/api/v1/flights/${world.someFlight}`, flightBody(world))],
    connections: 16,
    against: 'commits',
  },
  { name: 'export', title: 'export', flights: 20_000, document: '/api/v1/flights/export', target: '0.5 s of CPU' },
  {
    ...reading({ name: 'legacy-list', title: 'legacy list of 1 000 flights' }, 1000, () => '/api/flight/list', '138/s'),
    against: 'ready',
  },
  { name: 'legacy-list-20k', title: 'legacy list of 20 000 flights', flights: 20_000, document: '/api/flight/list' },
  { name: 'import-beside-reads', title: 'an import and other requests', flights: 1000, during: 'reads' },
]
