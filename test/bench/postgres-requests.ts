import { setInterval as every, setTimeout as wait } from 'node:timers/promises'
import type { Request } from 'autocannon'
import type { LargeUser } from '../support/large-database.ts'
import { ask, median, quantile } from './load.ts'
import type { DelayProxy, Site } from './postgres-servers.ts'
import type { PostgresWorld } from './postgres-world.ts'
import { type BenchServer, cpuOf } from './processes.ts'
import { flightBody, get, PAGE, send } from './requests.ts'

/** Slow requests are measured for this long only. */
const MAX_ROW_MS = 20_000
const WARM_UP_REQUESTS = 3
const HEALTH_INTERVAL_MS = 20
/** While PostgreSQL reads a new database from disk, a statement can exceed its time limit. */
const [MAX_WRITE_TRIES, WRITE_RETRY_MS] = [10, 500]

interface Measurement {
  name: string
  request: (index: number) => Request
}

/** Values alternate, as PostgreSQL plans a prepared statement for all of them. */
const at = <Item>(items: readonly Item[], index: number): Item => items[index % items.length]!

const bodyOf = ({ filterValues: { airports } }: PostgresWorld, index: number) =>
  flightBody({ fromId: Number(at(airports, index)), toId: Number(at(airports, index + 1)) })

export const createRequest = (world: PostgresWorld, user: LargeUser, index: number): Request =>
  send(user, 'POST', '/api/v1/flights', bodyOf(world, index))

/** A filter of each shape of contract 16.1. */
const filtersOf = ({
  filterValues,
  others,
  frequentTrips,
}: PostgresWorld): Record<string, (index: number) => string> => ({
  'no filter': () => '',
  'a year': (index) => `&dateFrom=${2000 + (index % 25)}-01-01&dateTo=${2000 + (index % 25)}-12-31`,
  airport: (index) => `&airportId=${at(filterValues.airports, index)}`,
  country: (index) => `&country=${at(filterValues.countries, index)}`,
  airline: (index) => `&airlineId=${at(filterValues.airlines, index)}`,
  'text, common word': () => `&text=${COMMON_WORD}`,
  'text, rare word': () => `&text=${RARE_WORD}`,
  route: (index) => `&fromId=${at(filterValues.airports, index)}&toId=${at(filterValues.airports, index + 1)}`,
  aircraft: (index) => `&aircraftId=${at(filterValues.types, index)}`,
  'flight number': (index) => `&flightNumber=${encodeURIComponent(at(filterValues.numbers, index))}`,
  registration: (index) => `&aircraftReg=${at(filterValues.registrations, index)}`,
  seat: (index) => `&seat=${at(['window', 'aisle', 'none'], index)}`,
  companion: (index) => `&companion=${at(others, index).id}`,
  trip: (index) => `&tripId=${at(frequentTrips, index)}`,
  'has track': () => '&hasTrack=true',
  'not completed': () => '&completed=false',
})

/** Number of the filters that are also measured on the flights of all users. */
const FILTERS_OF_ALL = 7
/** In the notes of `fillLarge`. */
const [COMMON_WORD, RARE_WORD] = ['booking', 'kingfisher']

function measurements(world: PostgresWorld): Measurement[] {
  const { owner, frequent } = world
  const filters = Object.entries(filtersOf(world))
  const read = (name: string, makePath: (index: number) => string, user = frequent) => ({
    name,
    request: (index: number) => get(user, makePath(index)),
  })
  return [
    ...filters.map(([name, filter]) => read(`list of 50: ${name}`, (index) => `${PAGE}${filter(index)}`)),
    ...filters
      .slice(0, FILTERS_OF_ALL)
      .map(([name, filter]) =>
        read(`list of 50 of all users: ${name}`, (index) => `${PAGE}&scope=all${filter(index)}`, owner),
      ),
    read('statistics', () => '/api/v1/stats'),
    read('read a flight', (index) => `/api/v1/flights/${at(world.frequentFlights, index)}`),
    { name: 'create a flight', request: (index) => createRequest(world, frequent, index) },
  ]
}

interface Result {
  times: number[]
  cpuMs: number
  roundTrips: number | undefined
  failures: number
}

let writes = 0

/** Changes a flight of the same user on another server, so that the caches of the measured server are stale. */
async function writeElsewhere(world: PostgresWorld, { origin }: BenchServer): Promise<void> {
  const { frequent, frequentFlights } = world
  const body = { ...bodyOf(world, writes), note: `Change ${writes} of the ${COMMON_WORD}.` }
  const request = send(frequent, 'PUT', `/api/v1/flights/${at(frequentFlights, writes++)}`, body)
  for (let tries = 1; ; tries++) {
    const answer = await ask(origin, request)
    await answer.arrayBuffer()
    if (answer.ok) return
    if (answer.status !== 503 || tries === MAX_WRITE_TRIES) throw new Error(`A write returned ${answer.status}.`)
    await wait(WRITE_RETRY_MS)
  }
}

async function timeRequest({ origin }: BenchServer, request: Request): Promise<{ ms: number; ok: boolean }> {
  const start = performance.now()
  const answer = await ask(origin, request)
  await answer.arrayBuffer()
  return { ms: performance.now() - start, ok: answer.ok }
}

interface Options {
  world: PostgresWorld
  /** Applies the writes before the requests. */
  writer: BenchServer
  requests: number
}

async function measureRequests(
  { world, writer, requests }: Options,
  server: BenchServer,
  { request }: Measurement,
  proxy: DelayProxy | undefined,
): Promise<Result> {
  const result: Result = { times: [], cpuMs: 0, roundTrips: undefined, failures: 0 }
  const roundTrips: number[] = []
  const cpuMs: number[] = []
  const start = performance.now()
  const isOver = () => performance.now() - start > MAX_ROW_MS
  for (let index = -WARM_UP_REQUESTS; index < requests; index++) {
    if (result.times.length > 0 && isOver()) break
    await writeElsewhere(world, writer)
    const [countBefore, cpuBefore] = [await proxy?.roundTrips(), cpuOf(server.pid)]
    const { ms, ok } = await timeRequest(server, request(index + WARM_UP_REQUESTS))
    if (index < 0 && !isOver()) continue
    result.times.push(ms)
    cpuMs.push((cpuOf(server.pid) - cpuBefore) / 1000)
    if (!ok) result.failures++
    if (proxy) roundTrips.push((await proxy.roundTrips()) - countBefore!)
  }
  result.cpuMs = cpuMs.reduce((sum, ms) => sum + ms, 0) / cpuMs.length
  if (proxy) result.roundTrips = median(roundTrips)
  return result
}

export const digits = (value: number) => (value < 10 ? value.toFixed(1) : value.toFixed(0))

function formatTimes(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b)
  return [0.5, 0.99, 1].map((share) => digits(quantile(sorted, share)))
}

const tableRow = (cells: readonly (string | number)[]) => `| ${cells.join(' | ')} |`

/** The lines of a table with the sites side by side. Each request follows a write on another server. */
export async function* requestRows(
  options: Options,
  sites: readonly { site: Site; proxy: DelayProxy | undefined }[],
): AsyncGenerator<string> {
  const columns = ['median', 'p99', 'maximum', 'CPU']
  yield tableRow([
    'Right after a write, ms',
    ...sites.flatMap(({ site }) => columns.map((column) => `${site.name}: ${column}`)),
    'statements',
  ])
  yield `|---${'|---'.repeat(columns.length * sites.length + 1)}|`
  const all = measurements(options.world)
  // Code is slow until V8 has optimized it.
  for (const { site, proxy } of sites) await measureRequests(options, site.servers[0], all[0]!, proxy)
  for (const measurement of all) {
    const results: Result[] = []
    for (const { site, proxy } of sites)
      results.push(await measureRequests(options, site.servers[0], measurement, proxy))
    const failures = results.reduce((sum, result) => sum + result.failures, 0)
    const counts = results.map(({ times }) => times.length)
    yield tableRow([
      [
        measurement.name,
        ...(Math.min(...counts) < options.requests ? [`${counts.join(' and ')} requests`] : []),
        ...(failures > 0 ? [`${failures} failed`] : []),
      ].join(', '),
      ...results.flatMap(({ times, cpuMs }) => [...formatTimes(times), digits(cpuMs)]),
      results.find(({ roundTrips }) => roundTrips !== undefined)?.roundTrips ?? '',
    ])
  }
}

/** Polls /health while one client requests lists, filters and statistics, each after a write. */
async function measureHealth({ world, writer }: Options, server: BenchServer, seconds: number): Promise<number[]> {
  const filters = Object.values(filtersOf(world))
  const paths = [
    () => PAGE,
    (index: number) => `${PAGE}${at(filters, Math.floor(index / 3))(index)}`,
    () => '/api/v1/stats',
  ]
  const polls: Promise<number>[] = []
  let isOver = false
  const sendRequests = async () => {
    for (let index = 0; !isOver; index++) {
      await writeElsewhere(world, writer)
      await timeRequest(server, get(world.frequent, at(paths, index)(index)))
    }
  }
  const done = sendRequests()
  const poll = async () => (await timeRequest(server, { method: 'GET', path: '/health', headers: {} })).ms
  const end = performance.now() + seconds * 1000
  // Polls do not wait for earlier ones, so that every delay is seen.
  for await (const _ of every(HEALTH_INTERVAL_MS)) {
    polls.push(poll())
    if (performance.now() >= end) break
  }
  isOver = true
  await done
  return Promise.all(polls)
}

export async function* healthRows(options: Options, sites: readonly Site[], seconds: number): AsyncGenerator<string> {
  yield tableRow(['`/health` beside one client', 'median, ms', 'p99', 'maximum'])
  yield '|---|---|---|---|'
  for (const { name, servers } of sites) {
    const times = await measureHealth(options, servers[0], seconds)
    yield tableRow([name, ...formatTimes(times)])
  }
}
