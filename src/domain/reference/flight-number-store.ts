import type { Db } from '../../db/open.ts'

interface LoggedFlight {
  id: number
  date: string
  flightNumber: string
  fromId: number
  toId: number
  airlineId: number | null
}

const MAX_FLIGHTS_READ = 1000

export function flightNumberStore(db: Db) {
  // The expression is that of the index flights_by_number. The plus keeps SQLite from scanning the whole log of the user.
  const logged = db.$client.prepare(`
    select f.id, f.date, f.flight_number as "flightNumber", f.from_id as "fromId", f.to_id as "toId", f.airline_id as "airlineId"
    from (
      select id, date, flight_number, from_id, to_id, airline_id from flights
      where replace(replace(upper(flight_number), ' ', ''), '-', '') = ? and flight_number is not null
      order by date desc, id desc limit ${MAX_FLIGHTS_READ}
    ) f join passengers p on p.flight_id = f.id and +p.user_id = ?`)
  return {
    logged: (userId: string, spelling: string) => logged.all(spelling, userId) as LoggedFlight[],
  }
}
