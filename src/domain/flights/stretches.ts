import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { passengers } from '../../db/tables/index.ts'
import { openEnded, type Period } from './target.ts'

/** Flights of a log that one query may go through while everybody else waits. */
const FLIGHTS = 2_000

const { placeholder } = sql
const inLog = sql`(${passengers.date}, ${passengers.flightId})`
const ofUser = eq(passengers.userId, placeholder('userId'))
const behind = sql`${inLog} > (${placeholder('afterDate')}, ${placeholder('afterId')})`

/** The places of a user in one stretch of the log. Served by passengers_log. */
export const inStretch = and(ofUser, behind, sql`${inLog} <= (${placeholder('untilDate')}, ${placeholder('untilId')})`)

/** The values that `inStretch` asks for. */
interface Stretch {
  userId: string
  afterDate: string
  afterId: number
  untilDate: string
  untilId: number
}

const LAST_ID = Number.MAX_SAFE_INTEGER

/**
 * A user's log of any length in parts: `for (const stretch of stretchesOf(userId, period)) { query.all(stretch); await
 * nextTurn() }`. Together they are no one state of the log; what is made of them is kept only while nobody writes.
 */
export function logStretches(db: Db) {
  const end = statements(db).rows(
    db
      .select(named({ date: passengers.date, id: passengers.flightId }))
      .from(passengers)
      .where(and(ofUser, behind, lte(passengers.date, placeholder('to'))))
      .orderBy(asc(passengers.date), asc(passengers.flightId))
      .limit(1)
      .offset(placeholder('flights')),
  )

  return function* stretchesOf(userId: string, period: Period, flights = FLIGHTS): Generator<Stretch> {
    const { from, to } = openEnded(period)
    let [afterDate, afterId] = [from, 0]
    for (;;) {
      const last = end.get({ userId, afterDate, afterId, to, flights: flights - 1 })
      yield { userId, afterDate, afterId, untilDate: last?.date ?? to, untilId: last?.id ?? LAST_ID }
      if (!last) return
      ;[afterDate, afterId] = [last.date, last.id]
    }
  }
}
