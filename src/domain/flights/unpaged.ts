import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Flight } from './contract.ts'
import { legacyConcernsOthers, type Target, targetOf } from './target.ts'

/** Flights read at a time: few enough that other requests hardly wait and little is held in memory. */
const AT_ONCE = 100

interface Log {
  ids: (target: Target) => number[]
  read: (ids: readonly number[]) => Flight[]
}

/** The list of the legacy API: every flight of the target by id, in pieces. */
export function unpagedList(log: Log) {
  async function* pieces(target: Target): AsyncGenerator<Flight[]> {
    const ids = log.ids(target)
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      yield log.read(ids.slice(from, from + AT_ONCE))
      await nextTurn()
    }
  }

  /** Refuses at once; reads only when the pieces are asked for. */
  return function unpaged(caller: Caller, query: { scope: string; userId?: string | undefined }) {
    authorize(caller, 'listFlights', { otherUsers: legacyConcernsOthers(query) })
    return pieces(targetOf(caller, query))
  }
}
