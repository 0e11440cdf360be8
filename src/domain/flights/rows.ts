import type { Statement } from 'better-sqlite3'
import type { Db } from '../../db/open.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight, Passenger } from './contract.ts'
import type { flightRow } from './derived.ts'

/**
 * The hot path of reading: rows as arrays, reference records from the cache, and one query each for the
 * passengers and the custom values of a whole page.
 */

const FLIGHT_COLUMNS = `
  f.id, f.date, f.date_precision, f.departure, f.arrival, f.departure_scheduled, f.arrival_scheduled,
  f.takeoff_scheduled, f.takeoff_actual, f.landing_scheduled, f.landing_actual, f.duration,
  f.departure_terminal, f.departure_gate, f.arrival_terminal, f.arrival_gate, f.flight_number, f.aircraft_reg, f.note,
  f.from_id, f.to_id, f.airline_id, f.aircraft_id, f.distance_meters, f.created_at, f.updated_at,
  t.point_count, t.updated_at, t.source_format, t.source_name`

/** The query of complete rows; `from` names the flights as `f`. */
export const selectFlights = (rest: string, from = 'flights f') =>
  `select ${FLIGHT_COLUMNS} from ${from} left join flight_tracks t on t.flight_id = f.id ${rest}`

export type FlightRow = [
  number, string, Flight['datePrecision'], string | null, string | null, string | null, string | null,
  string | null, string | null, string | null, string | null, number | null,
  string | null, string | null, string | null, string | null, string | null, string | null, string | null,
  number, number, number | null, number | null, number | null, string, string,
  number | null, string, NonNullable<Flight['track']>['sourceFormat'], string | null,
] // biome-ignore format: one line a group of columns, as in the query

type FlightColumns = ReturnType<typeof flightRow>

type PassengerRow = [
  flightId: number,
  id: number,
  userId: string | null,
  username: string,
  displayName: string,
  guestName: string | null,
  seat: Passenger['seat'],
  seatNumber: string | null,
  seatClass: Passenger['seatClass'],
  flightReason: Passenger['flightReason'],
]

/** Rounded to a hundred meters. */
const inKilometers = (meters: number | null) => (meters === null ? null : Math.round(meters / 100) / 10)

type ValueRow = [ownerId: number, fieldId: number, value: string]

interface Dependencies {
  db: Db
  reference: ReferenceService
  customFields: CustomFieldService
}

export function flightReader({ db, reference, customFields }: Dependencies) {
  const client = db.$client
  const { records } = reference
  const ofFlights = (flights: string) =>
    client
      .prepare(
        `select p.flight_id, p.id, p.user_id, u.username, u.display_name, p.guest_name, p.seat, p.seat_number,
           p.seat_class, p.flight_reason
         from passengers p left join users u on u.id = p.user_id where p.flight_id ${flights} order by p.flight_id, p.id`,
      )
      .raw()
  const passengersOfOne = ofFlights('= ?')
  const passengersOfMany = ofFlights('in (select value from json_each(?))')
  const values = (table: string, owner: string, owners: string) =>
    client.prepare(`select ${owner}, field_id, value from ${table} where ${owner} in ${owners}`).raw()
  const flightValues = values('flight_values', 'flight_id', '(select value from json_each(?))')
  const passengerValues = values(
    'passenger_values',
    'passenger_id',
    '(select id from passengers where flight_id in (select value from json_each(?)))',
  )

  /** Values of active definitions by their owner; nothing is asked while there are no definitions. */
  function valuesOf(entity: 'flight' | 'flight_passenger', statement: Statement, ids: string) {
    const keys = new Map(customFields.activeFor(entity).map(({ id, key }) => [id, key]))
    const found = new Map<number, Record<string, unknown>>()
    if (keys.size === 0) return found
    for (const [owner, field, value] of statement.all(ids) as ValueRow[]) {
      const key = keys.get(field)
      if (key === undefined) continue
      // Without a prototype a field may have any name, even __proto__.
      const record: Record<string, unknown> = found.get(owner) ?? Object.create(null)
      record[key] = JSON.parse(value)
      found.set(owner, record)
    }
    return found
  }

  function passengersOf(rows: readonly FlightRow[], ids: string): Map<number, Passenger[]> {
    const values = valuesOf('flight_passenger', passengerValues, ids)
    const found = (rows.length === 1 ? passengersOfOne.all(rows[0]![0]) : passengersOfMany.all(ids)) as PassengerRow[]
    const byFlight = new Map<number, Passenger[]>()
    for (const [
      flightId,
      id,
      userId,
      username,
      displayName,
      guestName,
      seat,
      seatNumber,
      seatClass,
      flightReason,
    ] of found) {
      const passenger = {
        id,
        user: userId === null ? null : { id: userId, username, displayName },
        guestName,
        seat,
        seatNumber,
        seatClass,
        flightReason,
        customFields: values.get(id) ?? {},
      }
      const list = byFlight.get(flightId)
      if (list) list.push(passenger)
      else byFlight.set(flightId, [passenger])
    }
    return byFlight
  }

  function toFlight(row: FlightRow, passengers: Passenger[], values: Record<string, unknown>): Flight {
    const points = row[26]
    return {
      id: row[0],
      date: row[1],
      datePrecision: row[2],
      departure: row[3],
      arrival: row[4],
      departureScheduled: row[5],
      arrivalScheduled: row[6],
      takeoffScheduled: row[7],
      takeoffActual: row[8],
      landingScheduled: row[9],
      landingActual: row[10],
      duration: row[11],
      departureTerminal: row[12],
      departureGate: row[13],
      arrivalTerminal: row[14],
      arrivalGate: row[15],
      flightNumber: row[16],
      aircraftReg: row[17],
      note: row[18],
      from: records.airport(row[19])!,
      to: records.airport(row[20])!,
      airline: row[21] === null ? null : records.airline(row[21])!,
      aircraft: row[22] === null ? null : records.aircraft(row[22])!,
      passengers,
      track:
        points === null ? null : { pointCount: points, updatedAt: row[27], sourceFormat: row[28], sourceName: row[29] },
      customFields: values,
      distanceKm: inKilometers(row[23]),
      createdAt: row[24],
      updatedAt: row[25],
    }
  }

  /** Complete flights from their rows, in the same order. */
  function readFlights(rows: readonly FlightRow[]): Flight[] {
    if (rows.length === 0) return []
    records.refresh()
    const ids = JSON.stringify(rows.map((row) => row[0]))
    const passengers = passengersOf(rows, ids)
    const values = valuesOf('flight', flightValues, ids)
    return rows.map((row) => toFlight(row, passengers.get(row[0]) ?? [], values.get(row[0]) ?? {}))
  }

  /** What reading a flight would give that was just inserted with these columns, without custom values and track. */
  function justInserted(id: number, columns: FlightColumns, passengers: Passenger[], now: string): Flight {
    const { fromId, toId, airlineId, aircraftId, distanceMeters, completedFrom: _, ...plain } = columns
    return {
      ...plain,
      id,
      from: records.airport(fromId)!,
      to: records.airport(toId)!,
      airline: airlineId === null ? null : records.airline(airlineId)!,
      aircraft: aircraftId === null ? null : records.aircraft(aircraftId)!,
      passengers,
      track: null,
      customFields: {},
      distanceKm: inKilometers(distanceMeters),
      createdAt: now,
      updatedAt: now,
    }
  }

  return { readFlights, justInserted }
}
