import { and, asc, eq, inArray, or, type SQL, sql } from 'drizzle-orm'
import { type Db, perConnection } from '../../../db/connection.ts'
import { insertRows } from '../../../db/insert-rows.ts'
import { jsonList, jsonTexts, named, placeholders, prepared, statements } from '../../../db/statements.ts'
import { flights, passengers, users } from '../../../db/tables/index.ts'
import type { Account } from '../checks.ts'
import type { StoredPassenger } from '../passengers.ts'
import { feedEntries } from './feed-entries.ts'

type FlightRow = typeof flights.$inferSelect
export type FlightColumns = Omit<FlightRow, 'id' | 'createdAt' | 'updatedAt' | 'lastChange'>
export type PassengerColumns = Omit<StoredPassenger, 'id' | 'values' | 'tripId'>
type WithTrip = Pick<StoredPassenger, 'tripId'>

const { placeholder } = sql

function passengerStatements(db: Db) {
  const { id, userId, guestName, seat, seatNumber, seatClass, flightReason, tripId } = passengers
  const byId = eq(id, placeholder('id'))
  const ofFlight = eq(passengers.flightId, placeholder('flightId'))
  return {
    ofFlight: prepared(
      db
        .select({ id, userId, guestName, seat, seatNumber, seatClass, flightReason, tripId })
        .from(passengers)
        .where(ofFlight)
        .orderBy(asc(id)),
    ),
    insert: statements(db).insert(passengers),
    update: prepared(db.update(passengers).set(placeholders(passengers, 'id')).where(byId)),
    remove: prepared(db.delete(passengers).where(byId)),
    redate: prepared(
      db
        .update(passengers)
        .set({ date: sql`${placeholder('date')}` })
        .where(ofFlight),
    ),
    // Guest names are trimmed, so a leading space makes the name unique.
    clearIdentity: prepared(
      db
        .update(passengers)
        .set({ userId: null, guestName: sql`' ' || ${id}` })
        .where(byId),
    ),
  }
}

export const flightStore = perConnection((db: Db) => {
  const aboard = passengerStatements(db)
  const feed = feedEntries(db)
  const byId = eq(flights.id, placeholder('id'))
  const withIds = inArray(flights.id, jsonList(placeholder('ids')))
  const accountsBy = (condition: SQL) =>
    statements(db).rows(
      db
        .select(named({ id: users.id, username: users.username, displayName: users.displayName }))
        .from(users)
        .where(condition),
    )
  const oneAccount = accountsBy(eq(users.id, placeholder('id')))
  const manyAccounts = accountsBy(inArray(users.id, jsonTexts(placeholder('ids'))))
  // The plus keeps SQLite from scanning the log of the user.
  const withPassenger = prepared(
    db
      .select({ id: flights.id, passengerId: passengers.id })
      .from(flights)
      .leftJoin(
        passengers,
        and(eq(passengers.flightId, flights.id), sql`+${passengers.userId} = ${placeholder('userId')}`),
      )
      .where(withIds),
  )
  const insertFlight = statements(db).insert(flights)
  const insertFlights = insertRows(db, flights)
  const insertPassengers = insertRows(db, passengers)
  const updateFlight = prepared(
    db
      .update(flights)
      .set(placeholders(flights, 'id', 'createdAt', 'lastChange'))
      .where(byId),
  )
  const touch = prepared(
    db
      .update(flights)
      .set({ updatedAt: sql`${placeholder('now')}` })
      .where(byId),
  )
  const stored = prepared(db.select().from(flights).where(withIds))
  const setDerived = prepared(
    db
      .update(flights)
      .set({
        distanceMeters: sql`${placeholder('distanceMeters')}`,
        completedFrom: sql`${placeholder('completedFrom')}`,
      })
      .where(byId),
  )
  const remove = prepared(db.delete(flights).where(byId))
  const existing = (ids: readonly number[], userId: string) =>
    withPassenger
      .all({ ids: JSON.stringify(ids), userId })
      .map(({ id, passengerId }) => ({ id, aboard: passengerId !== null }))
  const insertPassenger = (flightId: number, date: string, row: PassengerColumns, tripId: number | null = null) =>
    Number(aboard.insert.run({ ...row, flightId, date, tripId }).lastInsertRowid)

  return {
    /** Of some flights, those that exist, and whether the user is aboard. */
    existing,
    find: (id: number, userId: string) => existing([id], userId)[0],
    passengers: (flightId: number): Omit<StoredPassenger, 'values'>[] => aboard.ofFlight.all({ flightId }),
    accountsAboard: (flightId: number) => aboard.ofFlight.all({ flightId }).flatMap(({ userId }) => userId ?? []),
    accounts: (ids: readonly string[]): ReadonlyMap<string, Account> => {
      if (ids.length === 0) return new Map()
      const found = ids.length === 1 ? oneAccount.all({ id: ids[0] }) : manyAccounts.all({ ids: JSON.stringify(ids) })
      return new Map(found.map((account) => [account.id, account]))
    },
    /** The accounts get an entry in their change feed. Passengers are inserted separately. */
    insert: (row: FlightColumns, accounts: readonly string[], now: string) => {
      const [lastChange = 0] = feed.nextPositions(1)
      const id = Number(insertFlight.run({ ...row, createdAt: now, updatedAt: now, lastChange }).lastInsertRowid)
      feed.flightCreated(id, lastChange, accounts)
      return id
    },
    /** A restored flight and its passengers, under their old ids. */
    insertAgain: (
      id: number,
      row: FlightColumns & Pick<FlightRow, 'createdAt' | 'updatedAt'>,
      people: readonly (PassengerColumns & WithTrip & { id: number })[],
    ) => {
      const [lastChange = 0] = feed.nextPositions(1)
      insertFlights([{ ...row, id, lastChange }])
      insertPassengers(people.map((passenger) => ({ ...passenger, flightId: id, date: row.date })))
      const userIds = people.flatMap(({ userId }) => userId ?? [])
      feed.flightRestored(id, lastChange, userIds)
    },
    update: (id: number, row: FlightColumns, now: string) => {
      updateFlight.run({ ...row, id, updatedAt: now })
      aboard.redate.run({ flightId: id, date: row.date })
    },
    touch: (id: number, now: string) => touch.run({ id, now }),
    delete: (id: number) => remove.run({ id }),
    insertPassenger,
    addPassenger: (flightId: number, date: string, { tripId, ...row }: PassengerColumns & WithTrip) => {
      const id = insertPassenger(flightId, date, row, tripId)
      if (row.userId !== null) feed.passengerAdded(flightId, row.userId)
      return id
    },
    /** Clears identities first, because two passengers may swap their names. */
    updatePassengers: (
      flightId: number,
      date: string,
      rows: readonly (PassengerColumns & WithTrip & { id: number })[],
      renamed: readonly number[],
    ) => {
      for (const id of renamed) aboard.clearIdentity.run({ id })
      for (const row of rows) aboard.update.run({ ...row, flightId, date })
    },
    removePassenger: (id: number) => aboard.remove.run({ id }),
    idsOfAirports: (airportIds: readonly number[]): number[] => {
      const list = jsonList(JSON.stringify(airportIds))
      const condition = or(inArray(flights.fromId, list), inArray(flights.toId, list))
      const found = db.select({ id: flights.id }).from(flights).where(condition).all()
      return found.map(({ id }) => id)
    },
    stored: (ids: readonly number[]) => stored.all({ ids: JSON.stringify(ids) }),
    /** Also adds the flight to the change feed. */
    setDerived: (id: number, distanceMeters: number, completedFrom: number) =>
      setDerived.run({ id, distanceMeters, completedFrom }),
    /** Adds the flights of some airlines or aircraft types to the change feed, as every update of the column does. */
    touchReferencing: (name: 'airlineId' | 'aircraftId', ids: readonly number[]) => {
      const column = flights[name]
      db.update(flights)
        .set({ [name]: column })
        .where(inArray(column, jsonList(JSON.stringify(ids))))
        .run()
    },
  }
})
