import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Flight } from './contract.ts'
import type { FlightForm } from './json-cache.ts'
import { legacyConcernsOthers, type Target, targetOf } from './target.ts'

/** Flights read at a time: few enough that other requests hardly wait and little is held in memory. */
const AT_ONCE = 50
/** Logs of this length are kept as they were sent. A longer one would drive out what is read often. */
const MAX_KEPT = 2000

interface Source {
  read: (ids: readonly number[]) => Flight[]
  isSmall: (ids: readonly number[]) => boolean
}

/** Some ids at a time; each alone where together they would be too large. */
function* portions(ids: readonly number[], isSmall: Source['isSmall']): Generator<readonly number[]> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE)
    if (isSmall(some)) yield some
    else for (const id of some) yield [id]
  }
}

/** Complete flights in the order of their ids, some at a time. */
export function* batches(ids: readonly number[], { read, isSmall }: Source): Generator<Flight[]> {
  for (const some of portions(ids, isSmall)) yield read(some)
}

interface Log extends Source {
  ids: (target: Target) => number[]
  isKept: (ids: readonly number[], form: FlightForm) => boolean
  /** From the cache, or written now and kept. */
  inForm: (ids: readonly number[], form: FlightForm, read: Source['read']) => Buffer[]
}

/** The list of the legacy API: every flight of the target by id, in pieces. */
export function unpagedList({ ids: idsOf, read, isSmall, isKept, inForm }: Log) {
  async function* pieces(target: Target, form: FlightForm): AsyncGenerator<Buffer[]> {
    const ids = idsOf(target)
    const write = (some: readonly number[]) => read(some).map((flight) => Buffer.from(form.write(flight)))
    // What is kept is not too large, and asking whether it is would take longer than copying it.
    const isLight = (some: readonly number[]) => isKept(some, form) || isSmall(some)
    for (const some of portions(ids, isLight)) {
      yield ids.length <= MAX_KEPT ? inForm(some, form, read) : write(some)
      await nextTurn()
    }
  }

  /** Refuses at once; reads only when the pieces are asked for. */
  return function unpaged(caller: Caller, query: { scope: string; userId?: string | undefined }, form: FlightForm) {
    authorize(caller, 'listFlights', { otherUsers: legacyConcernsOthers(query) })
    return pieces(targetOf(caller, query), form)
  }
}
