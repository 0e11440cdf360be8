import { and, asc, eq, lte, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { named, statements } from '../../../db/statements.ts'
import { passengers } from '../../../db/tables/index.ts'
import { openEnded, type Period } from './target.ts'

/** Flights that are read between yields. */
const FLIGHTS_PER_RANGE = 2_000

const { placeholder } = sql
const inLog = sql`(${passengers.date}, ${passengers.flightId})`
const ofUser = eq(passengers.userId, placeholder('userId'))
const behind = sql`${inLog} > (${placeholder('afterDate')}, ${placeholder('afterId')})`

/** The flights of a user in one range of the log. Served by passengers_log. */
export const inRange = and(ofUser, behind, sql`${inLog} <= (${placeholder('untilDate')}, ${placeholder('untilId')})`)

interface LogRange {
  userId: string
  afterDate: string
  afterId: number
  untilDate: string
  untilId: number
}

/** Splits a log, for callers that yield after each range. Writes in between are visible. */
export function logRanges(db: Db) {
  const end = statements(db).rows(
    db
      .select(named({ date: passengers.date, id: passengers.flightId }))
      .from(passengers)
      .where(and(ofUser, behind, lte(passengers.date, placeholder('to'))))
      .orderBy(asc(passengers.date), asc(passengers.flightId))
      .limit(1)
      .offset(placeholder('flights')),
  )

  return function* rangesOf(userId: string, period: Period): Generator<LogRange> {
    const { from, to } = openEnded(period)
    let [afterDate, afterId] = [from, 0]
    for (;;) {
      const last = end.get({ userId, afterDate, afterId, to, flights: FLIGHTS_PER_RANGE - 1 })
      yield { userId, afterDate, afterId, untilDate: last?.date ?? to, untilId: last?.id ?? Number.MAX_SAFE_INTEGER }
      if (!last) return
      ;[afterDate, afterId] = [last.date, last.id]
    }
  }
}
