import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import { type JsonAnswer, jsonText } from '../../../contract/answer.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../../lib/cursor.ts'
import { type FlightForm, type FlightJson, type FlightSource, flightOf } from '../cache/json-cache.ts'
import type { Flight } from '../contract.ts'
import type { flightStore } from '../store/store.ts'
import { type FlightQuery, filterOf } from './filter-contract.ts'
import type { flightScan } from './scan.ts'
import { concernsOthers, legacyConcernsOthers, type Target, targetOf } from './target.ts'

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
  store: ReturnType<typeof flightStore>
  scan: ReturnType<typeof flightScan>
  clock: Clock
  jsonWithin: (ids: readonly number[], maxBytes: number) => FlightJson[]
}

/** The flight list of contract 4.5 and 16.1. */
export function flightList({ store, scan, clock, jsonWithin }: Dependencies) {
  /** As many of these flights as fit into a page. Yields if they are large. */
  function fitting(ids: readonly number[]): FlightJson[] | Promise<FlightJson[]> {
    const first = jsonWithin(ids, PIECE_BYTES)
    return first.at(-1)?.id === ids.at(-1) ? first : more(ids, first)
  }

  async function more(ids: readonly number[], first: readonly FlightJson[]): Promise<FlightJson[]> {
    const taken: FlightJson[] = []
    let bytes = 0
    for (let some = first; some.length > 0; ) {
      for (const flight of some) {
        bytes += flight.json.length
        if (bytes > MAX_PAGE_BYTES && taken.length > 0) return taken
        taken.push(flight)
      }
      await nextTurn()
      some = jsonWithin(ids.slice(ids.indexOf(taken.at(-1)!.id) + 1), PIECE_BYTES)
    }
    return taken
  }

  /** Synchronous without a filter: a promise would cost more than the page. */
  function page(caller: Caller, query: ListQuery): Page | Promise<Page> {
    const { limit, order = 'newest' } = query
    // The query is validated before scopes (contract 1.4, step 5).
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, order)
    authorize(caller, 'listFlights', { otherUsers: concernsOthers(caller, query) })
    const target = targetOf(caller, query)
    const pageOf = (found: readonly { id: number; date: string }[]): Page | Promise<Page> => {
      const pageWith = (flights: FlightJson[]): Page => {
        // If none is left, all were deleted meanwhile, and the next page begins after them.
        const last = flights.length > 0 ? found.findIndex(({ id }) => id === flights.at(-1)!.id) : limit - 1
        const end = last + 1 < found.length ? found[last] : undefined
        return { flights, nextCursor: end ? encodeCursor([end.date, end.id], order) : null }
      }
      const flights = fitting(found.slice(0, limit).map(({ id }) => id))
      return flights instanceof Promise ? flights.then(pageWith) : pageWith(flights)
    }
    const filter = filterOf(query)
    if (!filter && order === 'newest') return pageOf(store.page(target, after, limit + 1))
    return scan.first({ target, filter: filter ?? {}, order, after }, clock(), limit + 1).then(pageOf)
  }

  const listed = ({ flights, nextCursor }: Page) => ({ data: flights.map(flightOf), page: { nextCursor } })
  const listedJson = ({ flights, nextCursor }: Page): JsonAnswer => ({
    data: flights.map(({ json }) => jsonText(json)),
    page: { nextCursor },
  })

  const list = async (caller: Caller, query: ListQuery) => listed(await page(caller, query))

  function listJson(caller: Caller, query: ListQuery): JsonAnswer | Promise<JsonAnswer> {
    const found = page(caller, query)
    return found instanceof Promise ? found.then(listedJson) : listedJson(found)
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
  json: (ids: readonly number[], wanted: { form: FlightForm; maxBytes: number; keep: boolean }) => FlightJson[]
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
