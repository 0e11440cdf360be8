import { count, eq } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { named, statements } from '../../../db/statements.ts'
import { flights, passengers } from '../../../db/tables/index.ts'
import { compareTexts } from '../../../lib/text.ts'
import { yielder } from '../../../lib/yield.ts'
import { type Airport, codeOf } from '../../reference/contract.ts'
import { idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import { inRange, logRanges } from './ranges.ts'
import type { Period } from './target.ts'

/** Directed: the way back is another route. */
interface FlownRoute {
  from: Airport
  to: Airport
  count: number
}

/** An order that does not reveal dates. */
const byCodes = (a: FlownRoute, b: FlownRoute) =>
  compareTexts(codeOf(a.from), codeOf(b.from)) ||
  compareTexts(codeOf(a.to), codeOf(b.to)) ||
  a.from.id - b.from.id ||
  a.to.id - b.to.id

/** The routes of a log without its flights. */
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

  /** Does not authorize. */
  return async function routesOf(userId: string, period: Period = { from: null, to: null }): Promise<FlownRoute[]> {
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
}
