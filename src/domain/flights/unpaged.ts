import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Flight } from './contract.ts'
import { legacyConcernsOthers, type Target, targetOf } from './target.ts'

/** Flights read at a time: few enough that other requests hardly wait and little is held in memory. */
const AT_ONCE = 50

interface Source {
  read: (ids: readonly number[]) => Flight[]
  isSmall: (ids: readonly number[]) => boolean
}

/** Complete flights in the order of their ids, some at a time; each alone where together they would be too large. */
export function* batches(ids: readonly number[], { read, isSmall }: Source): Generator<Flight[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    if (isSmall(some)) yield read(some)
    else for (const id of some) yield read([id])
  }
}

interface Log {
  ids: (target: Target) => number[]
  batches: (ids: readonly number[]) => Iterable<Flight[]>
}

/** The list of the legacy API: every flight of the target by id, in pieces. */
export function unpagedList(log: Log) {
  async function* pieces(target: Target): AsyncGenerator<Flight[]> {
    for (const flights of log.batches(log.ids(target))) {
      yield flights
      await nextTurn()
    }
  }

  /** Refuses at once; reads only when the pieces are asked for. */
  return function unpaged(caller: Caller, query: { scope: string; userId?: string | undefined }) {
    authorize(caller, 'listFlights', { otherUsers: legacyConcernsOthers(query) })
    return pieces(targetOf(caller, query))
  }
}
