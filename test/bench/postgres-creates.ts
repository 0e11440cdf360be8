import { availableParallelism, loadavg } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ask, type Loop, runLoops } from './load.ts'
import { createRequest, digits } from './postgres-requests.ts'
import type { Site } from './postgres-servers.ts'
import type { PostgresWorld } from './postgres-world.ts'
import type { BenchServer } from './processes.ts'
import { get, PAGE } from './requests.ts'

const MIN_FREE_CORES = 4
const WARM_UP_SECONDS = 2
const READERS = 4
const READER_PAUSE_MS = 100

/** Call it before the benchmark starts programs. */
export function coreWarning(): string | undefined {
  const freeCores = availableParallelism() - loadavg()[0]!
  if (freeCores >= MIN_FREE_CORES) return
  return `Only ${Math.max(0, freeCores).toFixed(1)} cores are free. Two servers, PostgreSQL and the load share them, so the ratio of two servers to one is too low.`
}

interface Case {
  name: string
  /** Clients of one server and of each of two servers. */
  clients: [one: number, two: number]
  readers: number
}

const CASES: Case[] = [
  { name: '16 clients per server', clients: [16, 16], readers: 0 },
  { name: '8 clients in total', clients: [8, 4], readers: 0 },
  { name: `16 clients per server, ${READERS} readers in total`, clients: [16, 16], readers: READERS },
]

interface Count {
  created: number
  /** Responses such as 503, after a long wait for the write lock. */
  failed: number
  reads: number
}

function createLoop(world: PostgresWorld, { origin }: BenchServer, client: number, count: Count): Loop {
  const user = world.others[client % world.others.length]!
  let index = client
  const step = async () => {
    const answer = await ask(origin, createRequest(world, user, index++))
    await answer.arrayBuffer()
    if (answer.status === 201) count.created++
    else count.failed++
  }
  return { step }
}

/** Reads lists of users who do not write, until the returned function is called. */
function startReaders(world: PostgresWorld, servers: readonly BenchServer[], readers: number, count: Count) {
  let isOver = false
  const read = async (reader: number) => {
    const user = world.others.at(-1 - reader)!
    const { origin } = servers[reader % servers.length]!
    while (!isOver) {
      await (await ask(origin, get(user, PAGE))).arrayBuffer()
      count.reads++
      await pause(READER_PAUSE_MS)
    }
  }
  const all = Promise.all(Array.from({ length: readers }, (_, reader) => read(reader)))
  return async () => {
    isOver = true
    await all
  }
}

/** Creates flights on all servers at once. Returns the numbers per second. */
async function measureCreates(
  world: PostgresWorld,
  servers: readonly BenchServer[],
  { clients: [one, two], readers }: Case,
  seconds: number,
): Promise<Count> {
  const clients = servers.length === 1 ? one : two
  const count: Count = { created: 0, failed: 0, reads: 0 }
  const endReaders = startReaders(world, servers, readers, count)
  const start = performance.now()
  await Promise.all(
    servers.map((server, number) => {
      const loops = Array.from({ length: clients }, (_, client) =>
        createLoop(world, server, number * clients + client, count),
      )
      return runLoops(server, loops, seconds)
    }),
  )
  const elapsed = (performance.now() - start) / 1000
  await endReaders()
  return { created: count.created / elapsed, failed: count.failed / elapsed, reads: count.reads / elapsed }
}

const formatCount = ({ created, failed, reads }: Count) =>
  [
    digits(created),
    ...(failed > 0 ? [`${digits(failed)} failed`] : []),
    ...(reads > 0 ? [`${digits(reads)} reads`] : []),
  ].join(', ')

/** The lines of a table that compares two servers with one. */
export async function* createRows(
  world: PostgresWorld,
  sites: readonly Site[],
  seconds: number,
): AsyncGenerator<string> {
  const columns = sites.flatMap(({ name }) => [`${name}: 1 server`, '2 servers', 'ratio'])
  yield `| Flights created per second | ${columns.join(' | ')} |`
  yield `|---${'|---'.repeat(columns.length)}|`
  for (const { servers } of sites) await measureCreates(world, servers, CASES[0]!, WARM_UP_SECONDS)
  for (const each of CASES) {
    const cells: string[] = []
    for (const { servers } of sites) {
      const one = await measureCreates(world, servers.slice(0, 1), each, seconds)
      const two = await measureCreates(world, servers, each, seconds)
      cells.push(formatCount(one), formatCount(two), (two.created / one.created).toFixed(2))
    }
    yield `| ${each.name} | ${cells.join(' | ')} |`
  }
}
