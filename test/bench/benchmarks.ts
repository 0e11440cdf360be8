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
import type { Person, World } from './world.ts'

interface Common {
  name: string
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

interface Side {
  name: string
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

const reading = (name: string, flights: number, path: (world: World) => string, target?: string): RequestBenchmark => ({
  name,
  flights,
  requests: (world) => [get(world, path(world))],
  against: 'serialized',
  ...(target !== undefined && { target }),
})

/** Each request is from another random user. */
const cold = (
  name: string,
  target: string,
  path: (person: Person) => string,
  filter = (_: Person) => true,
): RequestBenchmark => ({
  name,
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
    reading(`list-${name}`, flights, () => PAGE),
    reading(`list-last-${name}`, flights, ({ lastPage }) => `${PAGE}&cursor=${lastPage}`),
    reading(`list-all-${name}`, flights, () => `${PAGE}&scope=all`),
  ]
}

const page = (name: string, flights: number, path: (world: World) => string): RequestBenchmark => ({
  name,
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
      { name: 'first of 1k', flights: 1000, requests: firstPage },
      { name: 'last of 1k', flights: 1000, requests: lastPage },
      { name: 'first of 1M', flights: 1_000_000, requests: firstPage },
      { name: 'last of 1M', flights: 1_000_000, requests: lastPage },
    ],
  },
  {
    name: 'not-modified',
    sides: [
      { name: 'flight', flights: 10_000, requests: oneFlight },
      {
        name: 'flight, 304',
        flights: 10_000,
        requests: withEtags(oneFlight),
        expect: 304,
        target: 'half of the 200',
      },
      { name: 'list', flights: 10_000, requests: firstPage },
      { name: 'list, 304', flights: 10_000, requests: withEtags(firstPage), expect: 304, target: 'half of the 200' },
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
    maxPerSecond: MAX_CALLS_PER_SECOND,
  },
]

/** All other benchmarks, selected by name on the command line. */
export const benchmarks: Benchmark[] = [
  { ...reading('me', 1000, () => '/api/v1/me'), against: 'ready' },
  { name: 'flight', flights: 100_000, requests: oneFlight, against: 'ready', target: '50 % of bare' },
  {
    name: 'flight-random',
    flights: 10_000,
    requests: (world) =>
      repeat(10_000, () => get(world, `/api/v1/flights/${1 + Math.floor(Math.random() * world.flights)}`)),
    against: 'ready',
    target: '35 % of bare',
  },
  cold('cold-list', '800 µs', () => PAGE),
  cold('cold-flight', '150 µs', ({ flight }) => `/api/v1/flights/${flight}`),
  cold('cold-me', '120 µs', () => '/api/v1/me'),
  cold(
    'cold-legacy',
    '55/s of 1 000 flights',
    () => '/api/flight/list',
    ({ isFrequent }) => isFrequent,
  ),
  {
    name: 'changes',
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
    flights: 1000,
    requests: (world) =>
      Array.from('zurich', (_, index) => get(world, `/api/v1/airports?query=${'zurich'.slice(0, index + 1)}`)),
    against: 'serialized',
  },
  {
    name: 'flight-numbers',
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
    target: 'p99 5 ms',
    flights: 1000,
    paths: () => searchPrefixes().map((text) => `/api/v1/airports?query=${text}`),
  },
  reading('stats', 20_000, () => '/api/v1/stats'),
  {
    name: 'mcp',
    flights: 100_000,
    requests: (world) => world.keys.map((key) => toolCall('get_flight', { id: world.someFlight }, key)),
    maxPerSecond: MAX_CALLS_PER_SECOND,
    against: 'ready',
  },
  page('home', 1000, () => '/'),
  page('share', 1000, ({ share }) => `/share/${share}`),
  { name: 'refresh', flights: 1000, loops: refreshLoops },
  { name: 'sign-in', flights: 1000, loops: signInLoops },
  { name: 'stats-written', target: 'p99 40 ms', flights: 20_000, loops: statsLoops },
  {
    name: 'filter',
    target: 'p99 10 ms',
    flights: 10_000,
    paths: (world) => [...filters(world), ...userFilters].map((query) => `${PAGE}&${query}`),
  },
  {
    name: 'filter-text',
    target: 'p99 30 ms',
    flights: 10_000,
    paths: () => words.map((text) => `${PAGE}&text=${encodeURIComponent(text)}`),
  },
  {
    name: 'filter-all',
    target: 'p99 20 ms',
    flights: 1_000_000,
    paths: (world) => filters(world).map((query) => `${PAGE}&scope=all&${query}`),
  },
  {
    name: 'breakdown',
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
  { name: 'export', flights: 20_000, document: '/api/v1/flights/export', target: '0.5 s of CPU' },
  { ...reading('legacy-list', 1000, () => '/api/flight/list', '138/s'), against: 'ready' },
  { name: 'legacy-list-20k', flights: 20_000, document: '/api/flight/list' },
  { name: 'import-beside-reads', flights: 1000, during: 'reads' },
]
