import { and, eq, inArray, isNotNull, sql } from 'drizzle-orm'
import { type Db, perConnection } from '../../../db/connection.ts'
import { jsonList, prepared } from '../../../db/statements.ts'
import { flights, passengers } from '../../../db/tables/index.ts'
import type { Passenger } from '../contract.ts'

/** The values of a flight before a bulk change, for its undo. */
export type FormerSeat = Pick<Passenger, 'seatClass' | 'flightReason'> & { id: number }

const { placeholder } = sql

/** Reads and writes several flights with one statement each. */
export const bulkStore = perConnection((db: Db) => {
  const { flightId, userId, seatClass, flightReason } = passengers
  const ofFlights = inArray(flightId, jsonList(placeholder('ids')))
  const ofUser = and(ofFlights, eq(userId, placeholder('userId')))
  const seats = prepared(db.select({ id: flightId, seatClass, flightReason }).from(passengers).where(ofUser))
  const aboard = prepared(
    db
      .select({ flightId, userId: sql<string>`${userId}` })
      .from(passengers)
      .where(and(ofFlights, isNotNull(userId))),
  )
  const value = sql`${placeholder('value')}`
  const setters = {
    seatClass: prepared(db.update(passengers).set({ seatClass: value }).where(ofUser)),
    flightReason: prepared(db.update(passengers).set({ flightReason: value }).where(ofUser)),
  }
  const touch = prepared(
    db
      .update(flights)
      .set({ updatedAt: sql`${placeholder('now')}` })
      .where(inArray(flights.id, jsonList(placeholder('ids')))),
  )

  return {
    /** The user's own seats on these flights. */
    seatsOf: (ids: readonly number[], userId: string) =>
      seats.all({ ids: JSON.stringify(ids), userId }) as FormerSeat[],
    usersAboard: (ids: readonly number[]) => aboard.all({ ids: JSON.stringify(ids) }),
    setSeats: (column: keyof typeof setters, value: string | null, ids: readonly number[], userId: string) =>
      setters[column].run({ value, ids: JSON.stringify(ids), userId }),
    /** Also adds the flights to the change feed. */
    touch: (ids: readonly number[], now: string) => touch.run({ ids: JSON.stringify(ids), now }),
  }
})
