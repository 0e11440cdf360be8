import { count, eq } from 'drizzle-orm'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { flights, passengers } from '../../db/tables/index.ts'
import type { Airport } from '../reference/contract.ts'
import { codeOf } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import { ofUserWithin } from './store.ts'
import { openEnded, type Period } from './target.ts'

/** From one airport to another, and how many flights did so; the way back is a route of its own. */
interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Whoever draws routes keeps the drawing with them. */
const BYTES_OF_DRAWING = 256 * 1024
const BYTES_OF_ROUTE = 512

const text = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)
/** An order that tells nothing of dates. */
const byCodes = (a: FlownRoute, b: FlownRoute) =>
  text(codeOf(a.from), codeOf(b.from)) || text(codeOf(a.to), codeOf(b.to)) || a.from.id - b.from.id || a.to.id - b.to.id

/**
 * The routes of a log without its flights, kept until a flight is written. As long as a log has not changed the
 * answer is the same list, so that whoever draws it can keep the drawing with it.
 */
export function flownRoutes({ db, reference }: { db: Db; reference: ReferenceService }) {
  const ofUser = statements(db).rows(
    db
      .select(named({ fromId: flights.fromId, toId: flights.toId, count: count() }))
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(ofUserWithin)
      .groupBy(flights.fromId, flights.toId),
  )
  const cache = dataCache<readonly FlownRoute[]>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (routes) => BYTES_OF_DRAWING + routes.length * BYTES_OF_ROUTE,
  })

  function read(userId: string, ends: ReturnType<typeof openEnded>): FlownRoute[] {
    const { airport } = reference.records
    const routes = ofUser.all({ userId, ...ends })
    return routes
      .map(({ fromId, toId, count }) => ({ from: airport(fromId)!, to: airport(toId)!, count }))
      .sort(byCodes)
  }

  /** For those who have decided already: shares. */
  function of(userId: string, period: Period = { from: null, to: null }): readonly FlownRoute[] {
    const ends = openEnded(period)
    return cache.read(`${userId} ${ends.from} ${ends.to}`, () => read(userId, ends))
  }

  return { of }
}
