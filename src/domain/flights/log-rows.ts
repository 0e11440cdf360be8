import type { Db } from '../../db/open.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight, Passenger, TimeName } from './contract.ts'

/** What one line of a log tells of a flight, and the place of whose log it is. */
export interface LogFlight
  extends Pick<Flight, 'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | TimeName>,
    Pick<Flight, 'from' | 'to' | 'airline' | 'aircraft' | 'distanceKm'>,
    Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass'> {}

type Row = Omit<LogFlight, 'from' | 'to' | 'airline' | 'aircraft' | 'distanceKm'> & {
  fromId: number
  toId: number
  airlineId: number | null
  aircraftId: number | null
  meters: number | null
}

/** Lines of a log by their ids, in that order: without notes and travellers, which may be long. */
export function logRows(db: Db, { airport, airline, aircraft }: ReferenceService['records']) {
  const rows = db.$client.prepare(
    `select f.id, f.date, f.date_precision as datePrecision, f.departure, f.arrival,
       f.departure_scheduled as departureScheduled, f.arrival_scheduled as arrivalScheduled,
       f.takeoff_scheduled as takeoffScheduled, f.takeoff_actual as takeoffActual,
       f.landing_scheduled as landingScheduled, f.landing_actual as landingActual,
       f.duration, f.flight_number as flightNumber, f.distance_meters as meters,
       f.from_id as fromId, f.to_id as toId, f.airline_id as airlineId, f.aircraft_id as aircraftId,
       p.seat, p.seat_number as seatNumber, p.seat_class as seatClass
     from json_each(?) wanted cross join flights f on f.id = wanted.value
       left join passengers p on p.flight_id = f.id and +p.user_id = ?
     order by wanted.key`,
  )

  return (ids: readonly number[], userId: string): LogFlight[] =>
    (rows.all(JSON.stringify(ids), userId) as Row[]).map(({ fromId, toId, airlineId, aircraftId, meters, ...row }) => ({
      ...row,
      from: airport(fromId)!,
      to: airport(toId)!,
      airline: (airlineId !== null && airline(airlineId)) || null,
      aircraft: (aircraftId !== null && aircraft(aircraftId)) || null,
      distanceKm: meters === null ? null : meters / 1000,
    }))
}
