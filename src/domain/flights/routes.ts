import { count, eq } from 'drizzle-orm'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { flights, passengers } from '../../db/tables/index.ts'
import { compareTexts } from '../../lib/text.ts'
import { yielder } from '../../lib/yield.ts'
import { type Airport, codeOf } from '../reference/contract.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import { mapBytes } from './map-bytes.ts'
import { inRange, logRanges } from './ranges.ts'
import type { Period } from './target.ts'

/** From one airport to another, and how many flights did so; the way back is a route of its own. */
interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

const MAX_CACHE_BYTES = 16 * 1024 * 1024

/** An order that tells nothing of dates. */
const byCodes = (a: FlownRoute, b: FlownRoute) =>
  compareTexts(codeOf(a.from), codeOf(b.from)) ||
  compareTexts(codeOf(a.to), codeOf(b.to)) ||
  a.from.id - b.from.id ||
  a.to.id - b.to.id

/**
 * The routes of a log without its flights, kept until a flight is written. As long as a log has not changed the
 * answer is the same list, so that whoever draws it can keep the drawing with it.
 */
export function flownRoutes({ db, reference }: { db: Db; reference: ReferenceService }) {
  const rangesOf = logRanges(db)
  const inPart = statements(db).rows(
    db
      .select(named({ fromId: flights.fromId, toId: flights.toId, count: count() }))
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(inRange)
      .groupBy(flights.fromId, flights.toId),
  )
  const cache = dataCache<readonly FlownRoute[]>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: (routes) => mapBytes(routes),
  })

  async function read(userId: string, period: Period): Promise<readonly FlownRoute[]> {
    const { add, airport } = reference.records.batch()
    const found = new Map<string, FlownRoute>()
    const turn = yielder()
    for (const range of rangesOf(userId, period)) {
      const rows = inPart.all({ ...range })
      add(idsInFlights(rows))
      for (const { fromId, toId, count } of rows) {
        const key = `${fromId} ${toId}`
        const known = found.get(key)
        if (known) known.count += count
        else found.set(key, { from: airport(fromId)!, to: airport(toId)!, count })
      }
      if (turn.isOver()) await turn.end()
    }
    return [...found.values()].sort(byCodes)
  }

  /** For those who have decided already: shares. */
  const of = (userId: string, period: Period = { from: null, to: null }): Promise<readonly FlownRoute[]> =>
    cache.load(JSON.stringify([userId, period.from, period.to]), () => read(userId, period))

  return { of }
}
