import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import type { Airport } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import { openEnded, type Period } from './target.ts'

/** From one airport to another, and how many flights did so; the way back is a route of its own. */
export interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Whoever draws routes keeps the drawing with them. */
const BYTES_OF_DRAWING = 256 * 1024
const BYTES_OF_ROUTE = 512

const codeOf = ({ iata, icao }: Airport) => iata ?? icao
const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** An order that tells nothing of dates. */
const byCodes = (a: FlownRoute, b: FlownRoute) =>
  text(codeOf(a.from), codeOf(b.from)) || text(codeOf(a.to), codeOf(b.to)) || a.from.id - b.from.id || a.to.id - b.to.id

/**
 * The routes of a log without its flights, kept until a flight is written. As long as a log has not changed the
 * answer is the same list, so that whoever draws it can keep the drawing with it.
 */
export function flownRoutes({ db, reference }: { db: Db; reference: ReferenceService }) {
  // Served by passengers_log.
  const ofUser = db.$client
    .prepare(
      `select f.from_id, f.to_id, count(*) from passengers p join flights f on f.id = p.flight_id
       where p.user_id = ? and p.date >= ? and p.date <= ? group by 1, 2`,
    )
    .raw()
  const cache = dataCache<readonly FlownRoute[]>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (routes) => BYTES_OF_DRAWING + routes.length * BYTES_OF_ROUTE,
  })

  function read(userId: string, { from, to }: ReturnType<typeof openEnded>): FlownRoute[] {
    const { airport } = reference.records
    const rows = ofUser.all(userId, from, to) as [number, number, number][]
    return rows.map(([a, b, count]) => ({ from: airport(a)!, to: airport(b)!, count })).sort(byCodes)
  }

  /** For those who have decided already: shares. */
  function of(userId: string, period: Period = { from: null, to: null }): readonly FlownRoute[] {
    const ends = openEnded(period)
    return cache.read(`${userId} ${ends.from} ${ends.to}`, () => read(userId, ends))
  }

  function mine(caller: Caller): readonly FlownRoute[] {
    authorize(caller, 'listFlights', { otherUsers: false })
    return of(caller.userId)
  }

  return { of, mine }
}
