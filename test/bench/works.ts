import type { Request } from 'autocannon'
import type { Lane } from './load.ts'
import {
  atRandom,
  beginnings,
  feedPages,
  filters,
  flightBody,
  get,
  ofOneLog,
  PAGE,
  refreshLanes,
  send,
  signInLanes,
  statsLanes,
  tagged,
  toolCall,
  words,
} from './requests.ts'
import type { Person, World } from './world.ts'

interface Common {
  name: string
  /** Flights in the log. */
  flights: number
  /** Of many people, each of whom is seen rarely, instead of one who is seen all the time. */
  crowd?: boolean
  /** A name that stands for several works. */
  group?: string
  /** What is wanted, as the issue that wants it says it. */
  aim?: string
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

/** Paths that one client asks for, one after the other: what is asked again may be kept, so each round goes on from the last. */
export interface AskedWork extends Common {
  asks: (world: World) => readonly string[]
}

/** One large answer at a time: how long it takes, and what memory it needs. */
export interface DocumentWork extends Common {
  document: string
}

/** An import, and what others feel of it. */
interface ImportWork extends Common {
  beside: 'reads'
}

export type Work = RequestWork | LaneWork | AskedWork | DocumentWork | ImportWork

interface Side {
  name: string
  flights: number
  requests: (world: World) => Request[] | Promise<Request[]>
  expect?: number
  aim?: string
}

/** One request to logs of several sizes, or to several places of one: none may cost much more than the first. */
export interface Comparison {
  name: string
  sides: readonly Side[]
  /** Where a limit forbids full speed for one of them. */
  mostPerSecond?: number
}

/** A thousand keys, each with 600 calls of tools a minute. */
const MOST_CALLS = 9000

const reading = (name: string, flights: number, path: (world: World) => string, aim?: string): RequestWork => ({
  name,
  flights,
  requests: (world) => [get(world, path(world))],
  against: 'serialized',
  ...(aim !== undefined && { aim }),
})

/** Somebody else of the crowd each time. */
const cold = (name: string, aim: string, path: (person: Person) => string, who = (_: Person) => true): RequestWork => ({
  name,
  group: 'cold',
  flights: 1_000_000,
  crowd: true,
  requests: ({ people }) => {
    const asked = people.filter(who)
    return atRandom(6000, () => {
      const person = asked[Math.floor(Math.random() * asked.length)]!
      return get(person, path(person))
    })
  },
  against: 'ready',
  aim,
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
        requests: tagged(oneFlight),
        expect: 304,
        aim: 'half of the 200',
      },
      { name: 'list', flights: 10_000, requests: firstPage },
      { name: 'list, 304', flights: 10_000, requests: tagged(firstPage), expect: 304, aim: 'half of the 200' },
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
  { name: 'flight', flights: 100_000, requests: oneFlight, against: 'ready', aim: '50 % of bare' },
  {
    name: 'flight-random',
    flights: 10_000,
    requests: (world) =>
      atRandom(10_000, () => get(world, `/api/v1/flights/${1 + Math.floor(Math.random() * world.flights)}`)),
    against: 'ready',
    aim: '35 % of bare',
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
    aim: 'p99 10 ms',
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
    aim: 'p99 2 ms',
    flights: 1000,
    // Of the airlines with most routes and of others; most numbers are known.
    asks: () =>
      Array.from({ length: 3000 }, (_, index) => {
        const code = ['WN', 'AA', 'UA', 'DL', 'LH', 'LX', 'U2', '3U'][index % 8]
        return `/api/v1/flight-numbers/${code}${1 + ((index * 37) % 4000)}?date=2025-05-03`
      }),
  },
  {
    name: 'search-new',
    aim: 'p99 5 ms',
    flights: 1000,
    asks: () => beginnings().map((text) => `/api/v1/airports?query=${text}`),
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
  { name: 'stats-written', aim: 'p99 40 ms', flights: 20_000, lanes: statsLanes },
  {
    name: 'filter',
    aim: 'p99 10 ms',
    flights: 10_000,
    asks: (world) => [...filters(world), ...ofOneLog].map((query) => `${PAGE}&${query}`),
  },
  {
    name: 'filter-text',
    aim: 'p99 30 ms',
    flights: 10_000,
    asks: () => words.map((text) => `${PAGE}&text=${encodeURIComponent(text)}`),
  },
  {
    name: 'filter-all',
    aim: 'p99 20 ms',
    flights: 1_000_000,
    asks: (world) => filters(world).map((query) => `${PAGE}&scope=all&${query}`),
  },
  {
    name: 'breakdown',
    flights: 10_000,
    // Another day each time, since figures are kept.
    asks: () =>
      Array.from({ length: 5000 }, (_, day) => {
        const from = new Date(Date.UTC(1990, 0, 1 + day)).toISOString().slice(0, 10)
        return `/api/v1/stats/breakdown?by=${['year', 'airport', 'companion'][day % 3]}&dateFrom=${from}`
      }),
  },
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
  { name: 'export', flights: 20_000, document: '/api/v1/flights/export', aim: '0.5 s of CPU' },
  { ...reading('legacy-list', 1000, () => '/api/flight/list', '138/s'), against: 'ready' },
  { name: 'legacy-list-20k', flights: 20_000, document: '/api/flight/list' },
  { name: 'import-beside-reads', flights: 1000, beside: 'reads' },
]
