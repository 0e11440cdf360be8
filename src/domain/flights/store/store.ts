import { and, asc, desc, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { jsonList, jsonTexts, named, statements } from '../../../db/statements.ts'
import { flights, passengers, users } from '../../../db/tables/index.ts'
import type { Position } from '../../../lib/cursor.ts'
import type { Account } from '../checks.ts'
import type { StoredPassenger } from '../passengers.ts'
import { openEnded, type Period, type Target } from '../query/target.ts'
import { feedEntries } from './feed-entries.ts'
import { type FlightRow, selectFlights, selectSizedFlights } from './rows.ts'

/** Sorts after every day. */
const START: Position = ['~', 0]

export type FlightColumns = Omit<typeof flights.$inferSelect, 'id' | 'createdAt' | 'updatedAt' | 'lastChange'>
export type PassengerColumns = Omit<StoredPassenger, 'id' | 'values'>

const { placeholder } = sql

const ofUserWithin = and(
  eq(passengers.userId, placeholder('userId')),
  gte(passengers.date, placeholder('from')),
  lte(passengers.date, placeholder('to')),
)

function logQueries(db: Db) {
  const { rows, values } = statements(db)
  // The query builder has no row values, which an index can compare.
  const position = sql`(${placeholder('date')}, ${placeholder('id')})`
  const inLog = sql`(${passengers.date}, ${passengers.flightId})`
  const ofUser = eq(passengers.userId, placeholder('userId'))
  const place = named({ id: flights.id, date: flights.date })
  const placeOfUser = named({ id: passengers.flightId, date: passengers.date })

  return {
    // Covered by the index flights_by_date.
    pageOfAll: rows(
      db
        .select(place)
        .from(flights)
        .where(sql`(${flights.date}, ${flights.id}) < ${position}`)
        .orderBy(desc(flights.date), desc(flights.id))
        .limit(placeholder('limit')),
    ),
    // Covered by the index passengers_log.
    pageOfUser: rows(
      db
        .select(placeOfUser)
        .from(passengers)
        .where(and(ofUser, sql`${inLog} < ${position}`))
        .orderBy(desc(passengers.date), desc(passengers.flightId))
        .limit(placeholder('limit')),
    ),
    idsOfAll: values(
      db
        .select({ id: flights.id })
        .from(flights)
        .where(and(gte(flights.date, placeholder('from')), lte(flights.date, placeholder('to'))))
        .orderBy(asc(flights.id)),
    ),
    idsOfUser: values(
      db.select({ id: passengers.flightId }).from(passengers).where(ofUserWithin).orderBy(asc(passengers.flightId)),
    ),
    newestOfUser: values(
      db
        .select({ id: passengers.flightId })
        .from(passengers)
        .where(ofUserWithin)
        .orderBy(desc(passengers.date), desc(passengers.flightId))
        .limit(placeholder('limit'))
        .offset(placeholder('offset')),
    ),
  }
}

function passengerStatements(db: Db) {
  const { rows, write, insert, update } = statements(db)
  const byId = eq(passengers.id, placeholder('id'))
  return {
    ofFlight: rows(
      db
        .select(
          named({
            id: passengers.id,
            userId: passengers.userId,
            guestName: passengers.guestName,
            seat: passengers.seat,
            seatNumber: passengers.seatNumber,
            seatClass: passengers.seatClass,
            flightReason: passengers.flightReason,
          }),
        )
        .from(passengers)
        .where(eq(passengers.flightId, placeholder('flightId')))
        .orderBy(asc(passengers.id)),
    ),
    insert: insert(passengers),
    update: update(passengers),
    remove: write<{ id: number }>(db.delete(passengers).where(byId)),
    redate: write<{ flightId: number; date: string }>(
      db
        .update(passengers)
        .set({ date: sql`${placeholder('date')}` })
        .where(eq(passengers.flightId, placeholder('flightId'))),
    ),
    // Guest names are trimmed, so a leading space makes the name unique.
    clearIdentity: write<{ id: number }>(
      db
        .update(passengers)
        .set({ userId: null, guestName: sql`' ' || ${passengers.id}` })
        .where(byId),
    ),
  }
}

export function flightStore(db: Db) {
  const { rows, write, insert, update } = statements(db)
  const log = logQueries(db)
  const aboard = passengerStatements(db)
  const feed = feedEntries(db)
  const byId = eq(flights.id, placeholder('id'))
  const one = rows(selectFlights(db).where(byId))
  const many = rows(
    selectSizedFlights(db)
      .where(inArray(flights.id, jsonList(placeholder('ids'))))
      .orderBy(asc(flights.id)),
  )
  const accountsBy = (condition: SQL) =>
    rows(
      db
        .select(named({ id: users.id, username: users.username, displayName: users.displayName }))
        .from(users)
        .where(condition),
    )
  const oneAccount = accountsBy(eq(users.id, placeholder('id')))
  const manyAccounts = accountsBy(inArray(users.id, jsonTexts(placeholder('ids'))))
  // The plus keeps SQLite from scanning the log of the user.
  const withPassenger = rows(
    db
      .select(named({ id: flights.id, passengerId: passengers.id }))
      .from(flights)
      .leftJoin(
        passengers,
        and(eq(passengers.flightId, flights.id), sql`+${passengers.userId} = ${placeholder('userId')}`),
      )
      .where(inArray(flights.id, jsonList(placeholder('ids')))),
  )
  const insertFlight = insert(flights)
  const updateFlight = update(flights, 'createdAt', 'lastChange')
  const touch = write<{ id: number; now: string }>(
    db
      .update(flights)
      .set({ updatedAt: sql`${placeholder('now')}` })
      .where(byId),
  )
  const remove = write<{ id: number }>(db.delete(flights).where(byId))
  const existing = (ids: readonly number[], userId: string) =>
    withPassenger
      .all({ ids: JSON.stringify(ids), userId })
      .map(({ id, passengerId }) => ({ id, aboard: passengerId !== null }))
  const insertPassenger = (flightId: number, date: string, row: PassengerColumns) =>
    Number(aboard.insert.run({ ...row, flightId, date }).lastInsertRowid)

  return {
    row: (id: number): FlightRow | undefined => one.get({ id }),
    /** Ids and dates, newest first. */
    page: (target: Target, [date, id]: Position = START, limit: number) =>
      target === 'all' ? log.pageOfAll.all({ date, id, limit }) : log.pageOfUser.all({ ...target, date, id, limit }),
    ids: (target: Target, period: Period = { from: null, to: null }): number[] => {
      const ends = openEnded(period)
      return target === 'all' ? log.idsOfAll.all(ends) : log.idsOfUser.all({ ...target, ...ends })
    },
    newest: (userId: string, period: Period, part: { limit: number; offset: number }): number[] =>
      log.newestOfUser.all({ userId, ...openEnded(period), ...part }),
    rows: (ids: readonly number[]) => many.all({ ids: JSON.stringify(ids) }),
    /** The existing flights among the ids, and whether the user is a passenger. */
    existing,
    find: (id: number, userId: string) => existing([id], userId)[0],
    passengers: (flightId: number) => aboard.ofFlight.all({ flightId }) as Omit<StoredPassenger, 'values'>[],
    accountsAboard: (flightId: number) => aboard.ofFlight.all({ flightId }).flatMap(({ userId }) => userId ?? []),
    accounts: (ids: readonly string[]): ReadonlyMap<string, Account> => {
      if (ids.length === 0) return new Map()
      const found = ids.length === 1 ? oneAccount.all({ id: ids[0] }) : manyAccounts.all({ ids: JSON.stringify(ids) })
      return new Map(found.map((account) => [account.id, account]))
    },
    /** The accounts get an entry in their change feed. Passengers are inserted separately. */
    insert: (row: FlightColumns, accounts: readonly string[], now: string) => {
      const lastChange = feed.nextPosition()
      const id = Number(insertFlight.run({ ...row, createdAt: now, updatedAt: now, lastChange }).lastInsertRowid)
      feed.flightCreated(id, lastChange, accounts)
      return id
    },
    update: (id: number, row: FlightColumns, now: string) => {
      updateFlight.run({ ...row, id, updatedAt: now })
      aboard.redate.run({ flightId: id, date: row.date })
    },
    touch: (id: number, now: string) => touch.run({ id, now }),
    delete: (id: number) => remove.run({ id }),
    insertPassenger,
    addPassenger: (flightId: number, date: string, row: PassengerColumns) => {
      const id = insertPassenger(flightId, date, row)
      if (row.userId !== null) feed.passengerAdded(flightId, row.userId)
      return id
    },
    /** Clears identities first, because two passengers may swap their names. */
    updatePassengers: (
      flightId: number,
      date: string,
      rows: readonly (PassengerColumns & { id: number })[],
      renamed: readonly number[],
    ) => {
      for (const id of renamed) aboard.clearIdentity.run({ id })
      for (const row of rows) aboard.update.run({ ...row, flightId, date })
    },
    removePassenger: (id: number) => aboard.remove.run({ id }),
  }
}
