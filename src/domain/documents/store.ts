import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonTexts, named, statements } from '../../db/statements.ts'
import { flights, passengers } from '../../db/tables/index.ts'

const { placeholder } = sql

export function documentStore(db: Db) {
  const { rows } = statements(db)
  const { id, date, fromId, toId, flightNumber } = flights
  const onDays = rows(
    db
      .select(named({ id, date, fromId, toId, flightNumber }))
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(
        and(
          eq(passengers.userId, placeholder('userId')),
          inArray(passengers.date, jsonTexts(placeholder('days'))),
          eq(flights.datePrecision, 'day'),
        ),
      )
      .orderBy(id),
  )
  return {
    /** The flights of a user on any of these days. */
    flightsOn: (userId: string, days: readonly string[]) => onDays.all({ userId, days: JSON.stringify(days) }),
  }
}

export type StoredFlight = ReturnType<ReturnType<typeof documentStore>['flightsOn']>[number]
