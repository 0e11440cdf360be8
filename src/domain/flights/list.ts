import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { type JsonAnswer, jsonText } from '../../contract/answer.ts'
import type { Clock } from '../../lib/clock.ts'
import { decodeCursor, encodeCursor } from '../../lib/cursor.ts'
import { type FlightQuery, filterOf } from './filter-contract.ts'
import { type FlightJson, flightOf } from './json-cache.ts'
import type { flightScan } from './scan.ts'
import type { flightStore } from './store.ts'
import { concernsOthers, targetOf } from './target.ts'
import { PIECE_BYTES } from './unpaged.ts'

/** A page ends early here (contract 16.11); a single flight may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** A page may be asked for without an order. */
type ListQuery = Omit<FlightQuery, 'order'> & Partial<Pick<FlightQuery, 'order'>>

interface Page {
  flights: FlightJson[]
  nextCursor: string | null
}

interface Dependencies {
  store: ReturnType<typeof flightStore>
  scan: ReturnType<typeof flightScan>
  clock: Clock
  /** As many of these flights as fit. */
  jsonWithin: (ids: readonly number[], maxBytes: number) => FlightJson[]
}

/** Logs page by page (contract 4.5 and 16.1). */
export function flightList({ store, scan, clock, jsonWithin }: Dependencies) {
  /** As many of these flights as fit into a page: those of a large one take turns with others. */
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

  /** A page of flights as JSON, and where the next one begins; one with a filter takes its turns with others. */
  function page(caller: Caller, query: ListQuery): Page | Promise<Page> {
    const { limit, order = 'newest' } = query
    // A cursor is part of the query's form, which is judged before any scope (contract 1.4, step 5).
    const after = query.cursor === undefined ? undefined : decodeCursor(query.cursor, order)
    authorize(caller, 'listFlights', { otherUsers: concernsOthers(caller, query) })
    const target = targetOf(caller, query)
    const pageOf = (found: readonly { id: number; date: string }[]): Page | Promise<Page> => {
      const pageWith = (flights: FlightJson[]): Page => {
        // Where none is left of them, all were deleted since they were found, and the next page begins behind them.
        const last = flights.length > 0 ? found.findIndex(({ id }) => id === flights.at(-1)!.id) : limit - 1
        const end = last + 1 < found.length ? found[last] : undefined
        return { flights, nextCursor: end ? encodeCursor([end.date, end.id], order) : null }
      }
      const flights = fitting(found.slice(0, limit).map(({ id }) => id))
      // A usual page is there at once; a promise for it would cost more than it.
      return flights instanceof Promise ? flights.then(pageWith) : pageWith(flights)
    }
    const filter = filterOf(query)
    // One more than asked for tells whether another page follows.
    if (!filter && order === 'newest') return pageOf(store.page(target, after, limit + 1))
    return scan.first({ target, filter: filter ?? {}, order, after }, clock(), limit + 1).then(pageOf)
  }

  const listed = ({ flights, nextCursor }: Page) => ({ data: flights.map(flightOf), page: { nextCursor } })
  const listedJson = ({ flights, nextCursor }: Page): JsonAnswer => ({
    data: flights.map(({ json }) => jsonText(json)),
    page: { nextCursor },
  })

  const list = async (caller: Caller, query: ListQuery) => listed(await page(caller, query))

  /** The same with flights as the JSON of v1. */
  function listJson(caller: Caller, query: ListQuery): JsonAnswer | Promise<JsonAnswer> {
    const found = page(caller, query)
    return found instanceof Promise ? found.then(listedJson) : listedJson(found)
  }

  return { list, listJson }
}
