import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Flight } from './contract.ts'
import type { FlightForm, FlightJson, FlightSource } from './json-cache.ts'
import { legacyConcernsOthers, type Target, targetOf } from './target.ts'

/** Flights read at a time: few enough that other requests hardly wait and little is held in memory. */
const AT_ONCE = 250
/** Logs of this length are kept as they were sent. A longer one would drive out what is read often. */
const MAX_KEPT = 2000

/** Complete flights in the order of their ids, some at a time; fewer where together they would be too large. */
export function* batches(ids: readonly number[], { read, partsOf }: FlightSource): Generator<Flight[]> {
  for (const some of inChunks(ids, AT_ONCE)) for (const part of partsOf(some)) yield read(part)
}

interface Log {
  ids: (target: Target) => number[]
  /** The first of these flights, as many as fit. */
  json: (ids: readonly number[], wanted: { form: FlightForm; maxBytes: number; keep: boolean }) => FlightJson[]
}

/** What is read and held of a list at a time, unless a single flight is larger: some 20 ms of work. */
export const PIECE_BYTES = 1024 * 1024

/** The list of the legacy API: every flight of the target by id, in pieces. */
export function unpagedList({ ids: idsOf, json }: Log) {
  async function* pieces(target: Target, form: FlightForm): AsyncGenerator<readonly Buffer[]> {
    const ids = idsOf(target)
    const keep = ids.length <= MAX_KEPT
    for (let from = 0; from < ids.length; ) {
      const some = json(ids.slice(from, from + AT_ONCE), { form, maxBytes: PIECE_BYTES, keep })
      yield some.map((flight) => flight.json)
      // Where none is left of them, all were deleted meanwhile.
      from = some.length > 0 ? ids.indexOf(some.at(-1)!.id, from) + 1 : from + AT_ONCE
      await nextTurn()
    }
  }

  /** Refuses at once; reads only when the pieces are asked for. */
  return function unpaged(caller: Caller, query: { scope: string; userId?: string | undefined }, form: FlightForm) {
    authorize(caller, 'listFlights', { otherUsers: legacyConcernsOthers(query) })
    return pieces(targetOf(caller, query), form)
  }
}
