import type { Db } from '../../db/open.ts'

interface LoggedFlight {
  id: number
  date: string
  flightNumber: string
  fromId: number
  toId: number
  airlineId: number | null
}

/** A number that everybody flies is not gone through to its first day. */
const MOST_LOOKED_AT = 1000

export function flightNumberStore(db: Db) {
  // The words are those of the index flights_by_number. A plus keeps SQLite from going through the whole log of the user.
  const logged = db.$client.prepare(`
    select f.id, f.date, f.flight_number as "flightNumber", f.from_id as "fromId", f.to_id as "toId", f.airline_id as "airlineId"
    from (
      select id, date, flight_number, from_id, to_id, airline_id from flights
      where replace(replace(upper(flight_number), ' ', ''), '-', '') = ? and flight_number is not null
      order by date desc, id desc limit ${MOST_LOOKED_AT}
    ) f join passengers p on p.flight_id = f.id and +p.user_id = ?`)
  return {
    /** The flights of a user under a number in one spelling. */
    logged: (userId: string, spelling: string) => logged.all(spelling, userId) as LoggedFlight[],
  }
}
