import type { Db } from '../../db/open.ts'
import { insertStatement, updateStatement } from '../../db/statements.ts'
import { flights, passengers } from '../../db/tables/index.ts'
import type { Position } from '../../lib/cursor.ts'
import type { Account } from './checks.ts'
import type { StoredPassenger } from './passengers.ts'
import { type FlightRow, selectFlights } from './rows.ts'
import { openEnded, type Period, type Target } from './target.ts'

/** Before the newest flight that can exist: no day sorts after it. */
const START: Position = ['~', 0]

/** By date, or by the codes of origin and destination. */
type LogOrder = 'newest' | 'codes'

type FlightColumns = Omit<typeof flights.$inferSelect, 'id' | 'createdAt' | 'updatedAt'>
type PassengerColumns = Omit<StoredPassenger, 'id' | 'values'>

export function flightStore(db: Db) {
  const client = db.$client
  const one = client.prepare(selectFlights('where f.id = ?')).raw()
  // Answered by flights_by_date alone, which ends in the id.
  const pageOfAll = client
    .prepare('select id, date from flights where (date, id) < (?, ?) order by date desc, id desc limit ?')
    .raw()
  // Answered by passengers_log alone: user, date and flight, in this order.
  const pageOfUser = client
    .prepare(
      `select flight_id, date from passengers where user_id = ? and (date, flight_id) < (?, ?)
       order by date desc, flight_id desc limit ?`,
    )
    .raw()
  // The same index, walked towards the newer flights.
  const aheadOfUser = client
    .prepare(
      `select flight_id, date from passengers where user_id = ? and (date, flight_id) >= (?, ?)
       order by date, flight_id limit 1 offset ?`,
    )
    .raw()
  const many = client.prepare(selectFlights('where f.id in (select value from json_each(?)) order by f.id')).raw()
  const idsOfAll = client.prepare('select id from flights where date >= ? and date <= ? order by id').pluck()
  const idsOfUser = client
    .prepare('select flight_id from passengers where user_id = ? and date >= ? and date <= ? order by flight_id')
    .pluck()
  // Answered by passengers_log alone.
  const newestOfUser = client
    .prepare(
      `select flight_id from passengers where user_id = ? and date >= ? and date <= ?
       order by date desc, flight_id desc limit ? offset ?`,
    )
    .pluck()
  const byCodesOfUser = client
    .prepare(
      `select f.id from passengers p join flights f on f.id = p.flight_id
         join airports o on o.id = f.from_id join airports d on d.id = f.to_id
       where p.user_id = ? and p.date >= ? and p.date <= ?
       order by coalesce(o.iata, o.icao), coalesce(d.iata, d.icao), f.id limit ? offset ?`,
    )
    .pluck()
  // A plus keeps SQLite from going through the whole log of the user.
  const aboard = client.prepare('select 1 from passengers where flight_id = ? and +user_id = ?').pluck()
  const ofFlight = client.prepare(
    `select id, user_id as userId, guest_name as guestName, seat, seat_number as seatNumber, seat_class as seatClass,
       flight_reason as flightReason from passengers where flight_id = ? order by id`,
  )
  const account = client.prepare('select id, username, display_name as displayName from users where id = ?')
  const insertFlight = insertStatement(db, flights)
  const updateFlight = updateStatement(db, flights, ['createdAt'])
  const touch = client.prepare('update flights set updated_at = ? where id = ?')
  const remove = client.prepare('delete from flights where id = ?')
  const insertPassenger = insertStatement(db, passengers)
  const updatePassenger = updateStatement(db, passengers)
  const removePassenger = client.prepare('delete from passengers where id = ?')
  const redate = client.prepare('update passengers set date = ? where flight_id = ?')
  // Names are trimmed, so no guest has one that begins with a space.
  const stepAside = client.prepare("update passengers set user_id = null, guest_name = ' ' || id where id = ?")

  return {
    row: (id: number) => one.get(id) as FlightRow | undefined,
    /** Ids and dates, newest first. */
    page: (target: Target, [date, id]: Position = START, limit: number) =>
      (target === 'all' ? pageOfAll.all(date, id, limit) : pageOfUser.all(target.userId, date, id, limit)) as [
        id: number,
        date: string,
      ][],
    /** The flight that stands so many places before a position in a user's list. */
    ahead: (userId: string, [date, id]: Position, places: number) =>
      aheadOfUser.get(userId, date, id, places) as [id: number, date: string] | undefined,
    /** Every flight of the target by id, for those who read a whole log. */
    ids: (target: Target, period: Period = { from: null, to: null }) => {
      const { from, to } = openEnded(period)
      return (target === 'all' ? idsOfAll.all(from, to) : idsOfUser.all(target.userId, from, to)) as number[]
    },
    /** A part of a user's log: newest first, or in an order that tells nothing of dates. */
    idsInOrder: (
      userId: string,
      period: Period,
      order: LogOrder,
      { limit, offset }: { limit: number; offset: number },
    ) => {
      const { from, to } = openEnded(period)
      const statement = order === 'newest' ? newestOfUser : byCodesOfUser
      return statement.all(userId, from, to, limit, offset) as number[]
    },
    rows: (ids: readonly number[]) => many.all(JSON.stringify(ids)) as FlightRow[],
    isAboard: (flightId: number, userId: string) => aboard.get(flightId, userId) !== undefined,
    passengers: (flightId: number) => ofFlight.all(flightId) as Omit<StoredPassenger, 'values'>[],
    account: (id: string) => account.get(id) as Account | undefined,
    insert: (row: FlightColumns, now: string) =>
      Number(insertFlight.run({ ...row, createdAt: now, updatedAt: now }).lastInsertRowid),
    update: (id: number, row: FlightColumns, now: string) => {
      updateFlight.run({ ...row, id, updatedAt: now })
      redate.run(row.date, id)
    },
    touch: (id: number, now: string) => touch.run(now, id),
    delete: (id: number) => remove.run(id),
    insertPassenger: (flightId: number, date: string, row: PassengerColumns) =>
      Number(insertPassenger.run({ ...row, flightId, date }).lastInsertRowid),
    /** Two passengers may exchange their names; for a moment both step aside. */
    updatePassengers: (flightId: number, date: string, rows: readonly (PassengerColumns & { id: number })[]) => {
      for (const { id } of rows) stepAside.run(id)
      for (const row of rows) updatePassenger.run({ ...row, flightId, date })
    },
    removePassenger: (id: number) => removePassenger.run(id),
  }
}
