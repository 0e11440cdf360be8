import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { flights, passengers } from '../../db/tables/index.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight, Passenger, TimeName } from './contract.ts'

/** What one line of a log tells of a flight, and the place of whose log it is. */
export interface LogFlight
  extends Pick<Flight, 'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | 'aircraftReg' | TimeName>,
    Pick<Flight, 'from' | 'to' | 'airline' | 'aircraft' | 'distanceKm'>,
    Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass'> {}

/** Lines of a log by their ids, in that order: without notes and travellers, which may be long. */
export function logRows(db: Db, { batch }: ReferenceService['records']) {
  const { placeholder } = sql
  const { id, date, datePrecision, duration, flightNumber, aircraftReg, fromId, toId, airlineId, aircraftId } = flights
  const { departure, departureScheduled, takeoffScheduled, takeoffActual } = flights
  const { arrival, arrivalScheduled, landingScheduled, landingActual } = flights
  const { seat, seatNumber, seatClass } = passengers
  const ofFlight = { id, date, datePrecision, duration, flightNumber, aircraftReg, meters: flights.distanceMeters }
  const departures = { departure, departureScheduled, takeoffScheduled, takeoffActual }
  const arrivals = { arrival, arrivalScheduled, landingScheduled, landingActual }
  const records = { fromId, toId, airlineId, aircraftId }
  const rows = statements(db).rows(
    db
      .select(named({ ...ofFlight, ...departures, ...arrivals, ...records, seat, seatNumber, seatClass }))
      // A cross join keeps the order in which SQLite walks: from the ids to their flights.
      .from(sql`json_each(${placeholder('ids')}) wanted`)
      .crossJoin(flights)
      // A plus keeps SQLite from going through the whole log of the user.
      .leftJoin(passengers, and(eq(passengers.flightId, id), sql`+${passengers.userId} = ${placeholder('userId')}`))
      .where(sql`${id} = wanted.value`)
      .orderBy(sql`wanted.key`),
  )

  return (ids: readonly number[], userId: string): LogFlight[] => {
    const found = rows.all({ ids: JSON.stringify(ids), userId })
    const { airport, airline, aircraft } = batch(idsInFlights(found))
    return found.map(({ fromId, toId, airlineId, aircraftId, meters, ...row }) => ({
      ...row,
      seat: row.seat as LogFlight['seat'],
      seatClass: row.seatClass as LogFlight['seatClass'],
      from: airport(fromId)!,
      to: airport(toId)!,
      airline: (airlineId !== null && airline(airlineId)) || null,
      aircraft: (aircraftId !== null && aircraft(aircraftId)) || null,
      distanceKm: meters === null ? null : meters / 1000,
    }))
  }
}
