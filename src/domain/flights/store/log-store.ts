import { and, asc, count, desc, eq, gt, gte, inArray, isNotNull, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import { type Db, perConnection } from '../../../db/connection.ts'
import { jsonList, prepared } from '../../../db/statements.ts'
import { airports, flights, flightTracks, passengers, trips, users } from '../../../db/tables/index.ts'
import type { Position } from '../../../lib/cursor.ts'
import { openEnded, type Period, type Target } from '../query/target.ts'

const FLIGHTS_PER_RANGE = 2_000
/** Flights of a few days at two airports. */
const MAX_LEGS = 100

/** The same query for a whole log, and for one of the user's trips. */
function ofAllOrTrip<Query extends Parameters<typeof prepared>[0]>(queryOf: (inTrip: SQL | undefined) => Query) {
  const whole = prepared(queryOf(undefined))
  const trip = prepared(queryOf(eq(passengers.tripId, sql.placeholder('tripId'))))
  const all = (values: Readonly<Record<string, unknown>> & { tripId: number | null }) =>
    (values.tripId === null ? whole : trip).all(values)
  return { all: all as typeof whole.all }
}

/** Sorts after every day. */
const START: Position = ['~', 0]

const { placeholder } = sql
const ofUser = eq(passengers.userId, placeholder('userId'))
const ofUserWithin = and(ofUser, gte(passengers.date, placeholder('from')), lte(passengers.date, placeholder('to')))
// The query builder has no row values, which an index can compare.
const position = sql`(${passengers.date}, ${passengers.flightId})`
const behind = sql`${position} > (${placeholder('afterDate')}, ${placeholder('afterId')})`
const inRange = and(ofUser, behind, sql`${position} <= (${placeholder('untilDate')}, ${placeholder('untilId')})`)

/** A page of ids and dates, newest first: text, because Drizzle would take as long as the rest of a cached page. */
const pageOf = (table: string, id: string, condition = '') =>
  `select ${id} as id, date from ${table} where ${condition} (date, ${id}) < (@date, @id)
   order by date desc, ${id} desc limit @limit`

type Ends = [SQL<string>, SQL<string>]

interface RelatedQuery {
  userId: string
  registration: string
  now: number
  period: Period
  originId: number
  destinationId: number
}

/** Reads the logs of users, without authorization. */
export const logStore = perConnection((db: Db) => {
  // Covered by the indexes flights_by_date and passengers_log.
  const pageOfAll = db.$client.prepare(pageOf('flights', 'id'))
  const pageOfUser = db.$client.prepare(pageOf('passengers', 'flight_id', 'user_id = @userId and'))
  const idsOfAll = prepared(
    db
      .select({ id: flights.id })
      .from(flights)
      .where(and(gte(flights.date, placeholder('from')), lte(flights.date, placeholder('to'))))
      .orderBy(asc(flights.id)),
  )
  const selectIds = () => db.select({ id: passengers.flightId }).from(passengers)
  const idsOfUser = prepared(selectIds().where(ofUserWithin).orderBy(asc(passengers.flightId)))
  const newestOfUser = ofAllOrTrip((inTrip) =>
    selectIds()
      .where(and(ofUserWithin, inTrip))
      .orderBy(desc(passengers.date), desc(passengers.flightId))
      .limit(placeholder('limit'))
      .offset(placeholder('offset')),
  )
  const someOfUser = prepared(selectIds().where(ofUser).limit(placeholder('limit')))

  const inTrips = prepared(
    selectIds()
      // SQLite needs the second condition to use the partial index.
      .where(and(inArray(passengers.tripId, jsonList(placeholder('tripIds'))), isNotNull(passengers.tripId)))
      .limit(placeholder('limit')),
  )

  const rangeEnd = prepared(
    db
      .select({ date: passengers.date, id: passengers.flightId })
      .from(passengers)
      .where(and(ofUser, behind, lte(passengers.date, placeholder('to'))))
      .orderBy(asc(passengers.date), asc(passengers.flightId))
      .limit(1)
      .offset(FLIGHTS_PER_RANGE - 1),
  )
  const [origin, destination] = [alias(airports, 'origin'), alias(airports, 'destination')]
  const [from, to] = [origin, destination].map(({ iata, icao }) => sql<string>`coalesce(${iata}, ${icao})`) as Ends
  const selectCodes = () =>
    db
      .select({ id: flights.id, from, to })
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .innerJoin(origin, eq(origin.id, flights.fromId))
      .innerJoin(destination, eq(destination.id, flights.toId))
  const codes = {
    all: ofAllOrTrip((inTrip) => selectCodes().where(and(inRange, inTrip))),
    tracked: ofAllOrTrip((inTrip) =>
      selectCodes().innerJoin(flightTracks, eq(flightTracks.flightId, flights.id)).where(and(inRange, inTrip)),
    ),
  }
  const routes = ofAllOrTrip((inTrip) =>
    db
      .select({ fromId: flights.fromId, toId: flights.toId, count: count() })
      .from(passengers)
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .where(and(inRange, inTrip))
      .groupBy(flights.fromId, flights.toId),
  )

  const { id, date, datePrecision, duration, flightNumber, aircraftReg, fromId, toId, airlineId, aircraftId } = flights
  const { departure, departureScheduled, takeoffScheduled, takeoffActual } = flights
  const { arrival, arrivalScheduled, landingScheduled, landingActual } = flights
  const { seat, seatNumber, seatClass, flightReason } = passengers
  const ofFlight = { id, date, datePrecision, duration, flightNumber, aircraftReg, meters: flights.distanceMeters }
  const departures = { departure, departureScheduled, takeoffScheduled, takeoffActual }
  const arrivals = { arrival, arrivalScheduled, landingScheduled, landingActual }
  const records = { fromId, toId, airlineId, aircraftId }
  const inTrip = alias(passengers, 'in_trip')
  const ofTrip = <Figure>(figure: SQL<Figure>) =>
    sql<Figure>`(${db.select({ figure }).from(inTrip).where(eq(inTrip.tripId, trips.id))})`
  const trip = {
    id: trips.id,
    name: trips.name,
    flights: ofTrip(sql<number>`count(*)`),
    dateFrom: ofTrip(sql<string>`min(${inTrip.date})`),
    dateTo: ofTrip(sql<string>`max(${inTrip.date})`),
  }
  const lines = prepared(
    db
      .select({ ...ofFlight, ...departures, ...arrivals, ...records, seat, seatNumber, seatClass, flightReason, trip })
      // A cross join makes SQLite start with the ids.
      .from(sql`json_each(${placeholder('ids')}) wanted`)
      .crossJoin(flights)
      // The plus keeps SQLite from scanning the log of the user.
      .leftJoin(passengers, and(eq(passengers.flightId, id), sql`+${passengers.userId} = ${placeholder('userId')}`))
      .leftJoin(trips, eq(trips.id, passengers.tripId))
      .where(sql`${id} = wanted.value`)
      .orderBy(sql`wanted.key`),
  )
  const flown = db
    .select({ count: count().as('count') })
    .from(flights)
    .crossJoin(passengers)
    .where(
      and(
        sql`replace(replace(upper(${aircraftReg}), ' ', ''), '-', '') = ${placeholder('registration')}`,
        isNotNull(aircraftReg),
        lt(flights.completedFrom, placeholder('now')),
        eq(passengers.flightId, id),
        // The plus keeps SQLite from scanning the log of the user.
        sql`+${passengers.userId} = ${placeholder('userId')}`,
      ),
    )
    .as('flown')
  const legs = db
    .select({ id, datePrecision, ...departures, ...arrivals, fromId, toId, from: from.as('from'), to: to.as('to') })
    .from(passengers)
    // A cross join makes SQLite start with the days.
    .crossJoin(flights)
    .innerJoin(origin, eq(origin.id, fromId))
    .innerJoin(destination, eq(destination.id, toId))
    .where(
      and(
        ofUserWithin,
        eq(id, passengers.flightId),
        or(eq(toId, placeholder('originId')), eq(fromId, placeholder('destinationId'))),
      ),
    )
    .limit(MAX_LEGS)
    .as('legs')
  // One statement, because the page of a flight needs many others.
  const related = prepared(db.select().from(flown).leftJoin(legs, sql`true`))
  const usersAboard = prepared(
    db
      .selectDistinct({ id: users.id, displayName: users.displayName })
      .from(passengers)
      .innerJoin(users, eq(users.id, passengers.userId))
      .where(inArray(passengers.flightId, jsonList(placeholder('ids')))),
  )
  const usersAfter = prepared(
    db
      .select({ id: users.id, name: users.displayName })
      .from(users)
      .where(gt(users.id, placeholder('after')))
      .orderBy(asc(users.id))
      .limit(placeholder('limit')),
  )

  /** Splits a log into ranges, for callers that yield after each one. Writes in between are visible. */
  function* rangesOf(userId: string, period: Period) {
    const { from, to } = openEnded(period)
    const { tripId = null } = period
    let [afterDate, afterId] = [from, 0]
    for (;;) {
      // A trip is short.
      const last = tripId === null ? rangeEnd.get({ userId, afterDate, afterId, to }) : undefined
      const [untilDate, untilId] = [last?.date ?? to, last?.id ?? Number.MAX_SAFE_INTEGER]
      yield { userId, tripId, afterDate, afterId, untilDate, untilId }
      if (!last) return
      ;[afterDate, afterId] = [last.date, last.id]
    }
  }

  return {
    page: (target: Target, [date, id]: Position = START, limit: number) => {
      const found =
        target === 'all' ? pageOfAll.all({ date, id, limit }) : pageOfUser.all({ ...target, date, id, limit })
      return found as { id: number; date: string }[]
    },
    ids: (target: Target, period: Period = { from: null, to: null }): number[] => {
      const ends = openEnded(period)
      const found = target === 'all' ? idsOfAll.all(ends) : idsOfUser.all({ ...target, ...ends })
      return found.map(({ id }) => id)
    },
    newest: (userId: string, period: Period, part: { limit: number; offset: number }): number[] =>
      newestOfUser.all({ userId, tripId: period.tripId ?? null, ...openEnded(period), ...part }).map(({ id }) => id),
    inTrips: (tripIds: readonly number[], limit: number): number[] =>
      inTrips.all({ tripIds: JSON.stringify(tripIds), limit }).map(({ id }) => id),
    some: (userId: string, limit: number): number[] => someOfUser.all({ userId, limit }).map(({ id }) => id),
    *codes(userId: string, period: Period, which: keyof typeof codes) {
      for (const range of rangesOf(userId, period)) yield codes[which].all(range)
    },
    *routes(userId: string, period: Period) {
      for (const range of rangesOf(userId, period)) yield routes.all(range)
    },
    /** In the order of the ids, without notes and other passengers, which can be long. */
    lines: (ids: readonly number[], userId: string) => lines.all({ ids: JSON.stringify(ids), userId }),
    /** Flights to the origin and from the destination of a route, and the number of completed flights on an aircraft. */
    related(values: RelatedQuery) {
      const rows = related.all({ ...values, ...openEnded(values.period) })
      return { flownOn: rows[0]!.flown.count, legs: rows.flatMap((row) => row.legs ?? []) }
    },
    usersAboard: (flightIds: readonly number[]) => usersAboard.all({ ids: JSON.stringify(flightIds) }),
    usersAfter: (after: string, limit: number) => usersAfter.all({ after, limit }),
  }
})
