import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import { type JsonAnswer, jsonText } from '../../../contract/answer.ts'
import type { Db } from '../../../db/open.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import { type FlightForm, type FlightJson, type FlightSource, flightOf, type JsonWanted } from '../cache/json-cache.ts'
import type { Flight } from '../contract.ts'
import { logStore } from '../store/log-store.ts'
import { type FlightQuery, filterOf } from './filter-contract.ts'
import type { flightScan } from './scan.ts'
import { concernsOthers, legacyConcernsOthers, requireOwnTrips, type Target, targetOf } from './target.ts'

/** Contract 16.11; a single flight may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** Read and held at a time, unless a single flight is larger: about 20 ms of work. */
const PIECE_BYTES = 1024 * 1024

type ListQuery = Omit<FlightQuery, 'order'> & Partial<Pick<FlightQuery, 'order'>>

interface Page {
  flights: FlightJson[]
  nextCursor: string | null
}

interface Dependencies {
  db: Db
  scan: ReturnType<typeof flightScan>
  clock: Clock
  jsonWithin: (ids: readonly number[], maxBytes: number) => FlightJson[]
}

export function flightList({ db, scan, clock, jsonWithin }: Dependencies) {
  const store = logStore(db)

  /** As many of these flights as fit into a page. Yields if they are large. */
  async function fitting(ids: readonly number[]): Promise<FlightJson[]> {
    const taken: FlightJson[] = []
    let bytes = 0
    for (;;) {
      const some = jsonWithin(ids.slice(ids.indexOf(taken.at(-1)?.id ?? -1) + 1), PIECE_BYTES)
      for (const flight of some) {
        bytes += flight.json.length
        if (bytes > MAX_PAGE_BYTES && taken.length > 0) return taken
        taken.push(flight)
      }
      if (some.length === 0 || taken.at(-1)?.id === ids.at(-1)) return taken
      await nextTurn()
    }
  }

  async function page(caller: Caller, query: ListQuery): Promise<Page> {
    const { limit, order = 'newest' } = query
    // The query is validated before scopes (contract 1.4, step 5).
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, order)
    requireOwnTrips(caller, query)
    authorize(caller, 'listFlights', { otherUsers: concernsOthers(caller, query) })
    const target = targetOf(caller, query)
    const filter = filterOf(query)
    const found =
      !filter && order === 'newest'
        ? store.page(target, after, limit + 1)
        : await scan.first({ target, filter: filter ?? {}, order, after }, clock(), limit + 1)
    const flights = await fitting(found.slice(0, limit).map(({ id }) => id))
    // If none is left, all were deleted meanwhile, and the next page begins after them.
    const last = flights.length > 0 ? found.findIndex(({ id }) => id === flights.at(-1)!.id) : limit - 1
    const end = last + 1 < found.length ? found[last] : undefined
    return { flights, nextCursor: end ? encodeCursor([end.date, end.id], order) : null }
  }

  async function list(caller: Caller, query: ListQuery) {
    const { flights, nextCursor } = await page(caller, query)
    return { data: flights.map(flightOf), page: { nextCursor } }
  }

  async function listJson(caller: Caller, query: ListQuery): Promise<JsonAnswer> {
    const { flights, nextCursor } = await page(caller, query)
    return { data: flights.map(({ json }) => jsonText(json)), page: { nextCursor } }
  }

  return { list, listJson }
}

const READ_SIZE = 250
/** The legacy list of a longer log is not cached, since it would evict flights that are read often. */
const MAX_CACHED = 15_000

export function* batches(ids: readonly number[], { read, partsOf }: FlightSource): Generator<Flight[]> {
  for (const chunk of inChunks(ids, READ_SIZE)) for (const part of partsOf(chunk)) yield read(part)
}

interface Log {
  ids: (target: Target) => number[]
  json: (ids: readonly number[], wanted: JsonWanted) => FlightJson[]
}

/** The list of the legacy API: every flight of the target by id, in pieces. */
export function unpagedList({ ids: idsOf, json }: Log) {
  async function* pieces(target: Target, form: FlightForm): AsyncGenerator<readonly Buffer[]> {
    const ids = idsOf(target)
    const keep = ids.length <= MAX_CACHED
    for (let from = 0; from < ids.length; ) {
      const some = json(ids.slice(from, from + READ_SIZE), { form, maxBytes: PIECE_BYTES, keep })
      yield some.map((flight) => flight.json)
      // If none is found, all were deleted meanwhile.
      from = some.length > 0 ? ids.indexOf(some.at(-1)!.id, from) + 1 : from + READ_SIZE
      await nextTurn()
    }
  }

  /** Authorizes at once, and reads when the pieces are requested. */
  return function unpaged(caller: Caller, query: { scope: string; userId?: string | undefined }, form: FlightForm) {
    authorize(caller, 'listFlights', { otherUsers: legacyConcernsOthers(query) })
    return pieces(targetOf(caller, query), form)
  }
}
