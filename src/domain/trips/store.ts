import { and, asc, count, desc, eq, gte, inArray, isNull, lte, max, min, ne, not, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonList, prepared } from '../../db/statements.ts'
import { flights, passengers, trips } from '../../db/tables/index.ts'
import type { Position } from '../../lib/cursor.ts'
import { openEnded, type Period } from '../flights/query/target.ts'

export type TripRow = typeof trips.$inferSelect

/** Longer lists of choices are useless. */
const MAX_NAMES = 200
/** Sorts trips without flights before all others, the newest first. */
const NO_DATE = '9999-12-31'
/** Sorts before every trip of a list that begins with the newest. */
const START: Position = ['~', 0]

const { placeholder } = sql

const { departure, departureScheduled, takeoffScheduled, takeoffActual } = flights
const { arrival, arrivalScheduled, landingScheduled, landingActual } = flights
const times = {
  ...{ departure, departureScheduled, takeoffScheduled, takeoffActual },
  ...{ arrival, arrivalScheduled, landingScheduled, landingActual },
}
const { id, date, datePrecision, fromId, toId, distanceMeters } = flights
const leg = { id, date, datePrecision, ...times, fromId, toId, distanceMeters }

export type LegRow = ReturnType<ReturnType<typeof tripStore>['legs']>[number]
export type LooseRow = ReturnType<ReturnType<typeof tripStore>['loose']>[number]

export function tripStore(db: Db) {
  const ofUser = eq(trips.userId, placeholder('userId'))
  const last = sql<string>`coalesce(max(${passengers.date}), ${sql.raw(`'${NO_DATE}'`)})`
  const page = prepared(
    db
      .select({ id: trips.id, last, flights: count(passengers.id), dateFrom: min(passengers.date) })
      .from(trips)
      .leftJoin(passengers, eq(passengers.tripId, trips.id))
      .where(ofUser)
      .groupBy(trips.id)
      .having(sql`(${last}, ${trips.id}) < (${placeholder('date')}, ${placeholder('id')})`)
      .orderBy(desc(last), desc(trips.id))
      .limit(placeholder('limit')),
  )
  const withIds = prepared(
    db
      .select()
      .from(trips)
      .where(and(ofUser, inArray(trips.id, jsonList(placeholder('ids'))))),
  )
  const legs = prepared(
    db
      .select({ tripId: passengers.tripId, ...leg })
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      // SQLite needs the second condition to use the partial index.
      .where(and(inArray(passengers.tripId, jsonList(placeholder('tripIds'))), sql`${passengers.tripId} is not null`)),
  )
  const title = prepared(
    db
      .select({ name: trips.name, dateFrom: min(passengers.date), dateTo: max(passengers.date) })
      .from(trips)
      .leftJoin(
        passengers,
        and(
          eq(passengers.tripId, trips.id),
          gte(passengers.date, placeholder('from')),
          lte(passengers.date, placeholder('to')),
        ),
      )
      .where(and(ofUser, eq(trips.id, placeholder('id'))))
      .groupBy(trips.id),
  )
  const names = prepared(
    db.select({ id: trips.id, name: trips.name }).from(trips).where(ofUser).orderBy(desc(trips.id)).limit(MAX_NAMES),
  )
  // The plus keeps SQLite from scanning the log of the user.
  const tripOfFlight = db
    .select({ tripId: passengers.tripId })
    .from(passengers)
    .where(and(eq(passengers.flightId, placeholder('flightId')), sql`+${passengers.userId} = ${placeholder('userId')}`))
  const isOwn = sql<number>`case when ${trips.id} = ${tripOfFlight} then 1 else 0 end`
  const forFlight = prepared(
    db
      .select({ id: trips.id, name: trips.name, isOwn })
      .from(trips)
      .where(ofUser)
      .orderBy(desc(isOwn), desc(trips.id))
      .limit(MAX_NAMES),
  )
  const namesByFlight = prepared(
    db
      .select({ flightId: passengers.flightId, name: trips.name })
      .from(trips)
      .innerJoin(passengers, eq(passengers.tripId, trips.id))
      .where(ofUser),
  )
  const position = sql`(${passengers.date}, ${passengers.flightId})`
  const loose = prepared(
    db
      .select(leg)
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(
        and(
          eq(passengers.userId, placeholder('userId')),
          sql`${position} > (${placeholder('afterDate')}, ${placeholder('afterId')})`,
          isNull(passengers.tripId),
          eq(flights.datePrecision, 'day'),
        ),
      )
      .orderBy(asc(passengers.date), asc(passengers.flightId))
      .limit(placeholder('limit')),
  )
  /** The plus keeps SQLite from scanning the log of the user. */
  const aboard = (userId: string, flightIds: readonly number[]) =>
    and(inArray(passengers.flightId, jsonList(JSON.stringify(flightIds))), sql`+${passengers.userId} = ${userId}`)

  return {
    /** Newest first. */
    page: (userId: string, [date, id]: Position = START, limit: number) => page.all({ userId, date, id, limit }),
    find: (userId: string, ids: readonly number[]): TripRow[] => withIds.all({ userId, ids: JSON.stringify(ids) }),
    legs: (tripIds: readonly number[]) => legs.all({ tripIds: JSON.stringify(tripIds) }),
    /** The user's flights without a trip, whose day is known, by date and id. */
    loose: (userId: string, [afterDate, afterId]: Position, limit: number) =>
      loose.all({ userId, afterDate, afterId, limit }),
    /** The trips of these flights. Leaves out flights that the user is not on. */
    aboard: (userId: string, flightIds: readonly number[]) =>
      db
        .select({ flightId: passengers.flightId, tripId: passengers.tripId })
        .from(passengers)
        .where(aboard(userId, flightIds))
        .all(),
    insert: (row: typeof trips.$inferInsert): number => db.insert(trips).values(row).returning().get().id,
    update: (id: number, row: Partial<TripRow>) => db.update(trips).set(row).where(eq(trips.id, id)).run(),
    /** The days are those of the flights within the period. */
    title: (userId: string, id: number, period: Period) => title.get({ userId, id, ...openEnded(period) }),
    names: (userId: string) => names.all({ userId }),
    /** For trips that lose flights to another one. */
    touch: (ids: readonly number[], updatedAt: number) =>
      db
        .update(trips)
        .set({ updatedAt })
        .where(inArray(trips.id, jsonList(JSON.stringify(ids))))
        .run(),
    release: (tripId: number, keptFlightIds: readonly number[]) =>
      db
        .update(passengers)
        .set({ tripId: null })
        .where(
          and(
            eq(passengers.tripId, tripId),
            not(inArray(passengers.flightId, jsonList(JSON.stringify(keptFlightIds)))),
          ),
        )
        .run(),
    assign: (tripId: number, userId: string, flightIds: readonly number[]) =>
      db
        .update(passengers)
        .set({ tripId })
        .where(and(aboard(userId, flightIds), or(isNull(passengers.tripId), ne(passengers.tripId, tripId))))
        .run(),
    unassign: (userId: string, flightIds: readonly number[]) =>
      db.update(passengers).set({ tripId: null }).where(aboard(userId, flightIds)).run(),
    /** The trip of a flight first, then the newest ones. */
    forFlight: (userId: string, flightId: number) => forFlight.all({ userId, flightId }),
    namesByFlight: (userId: string) => namesByFlight.all({ userId }),
    delete: (id: number) => db.delete(trips).where(eq(trips.id, id)).run(),
  }
}
