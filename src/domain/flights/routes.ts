import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { changeMarks } from '../../db/changes.ts'
import type { Db } from '../../db/open.ts'
import { lru } from '../../lib/lru.ts'
import type { Airport } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import { openEnded, type Period } from './target.ts'

/** From one airport to another, and how many flights did so; the way back is a route of its own. */
export interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

const MOST_KEPT = 50

const codeOf = ({ iata, icao }: Airport) => iata ?? icao
const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** An order that tells nothing of dates. */
const byCodes = (a: FlownRoute, b: FlownRoute) =>
  text(codeOf(a.from), codeOf(b.from)) || text(codeOf(a.to), codeOf(b.to)) || a.from.id - b.from.id || a.to.id - b.to.id

/**
 * The routes of a log without its flights, kept until anything at all is written. As long as a log has not changed the
 * answer is the same list, so that whoever draws it can keep the drawing with it.
 */
export function flownRoutes({ db, reference }: { db: Db; reference: ReferenceService }) {
  const marks = changeMarks(db)
  // Served by passengers_log.
  const ofUser = db.$client
    .prepare(
      `select f.from_id, f.to_id, count(*) from passengers p join flights f on f.id = p.flight_id
       where p.user_id = ? and p.date >= ? and p.date <= ? group by 1, 2`,
    )
    .raw()
  const kept = lru<readonly FlownRoute[]>(MOST_KEPT)
  let mark = ''

  function read(userId: string, { from, to }: ReturnType<typeof openEnded>): FlownRoute[] {
    reference.records.refresh()
    const { airport } = reference.records
    const rows = ofUser.all(userId, from, to) as [number, number, number][]
    return rows.map(([a, b, count]) => ({ from: airport(a)!, to: airport(b)!, count })).sort(byCodes)
  }

  /** For those who have decided already: shares. */
  function of(userId: string, period: Period = { from: null, to: null }): readonly FlownRoute[] {
    const now = marks.any()
    if (now !== mark) kept.clear()
    mark = now
    const ends = openEnded(period)
    const key = `${userId} ${ends.from} ${ends.to}`
    const routes = kept.get(key) ?? read(userId, ends)
    kept.set(key, routes)
    return routes
  }

  function mine(caller: Caller): readonly FlownRoute[] {
    authorize(caller, 'listFlights', { otherUsers: false })
    return of(caller.userId)
  }

  return { of, mine }
}
