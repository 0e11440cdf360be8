import { asc, eq, getTableColumns, inArray, type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonList, named, statements } from '../../db/statements.ts'
import { flights, flightTracks, flightValues, passengers, passengerValues, users } from '../../db/tables/index.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight, Passenger } from './contract.ts'
import type { flightRow } from './derived.ts'

/**
 * The hot path of reading: rows as arrays, reference records from the cache, and one query each for the
 * passengers and the custom values of a whole page.
 */

const { completedFrom: _, lastChange: __, ...shown } = getTableColumns(flights)

/** Complete rows of flights, each with what is shown of its track. */
export const selectFlights = (db: Db) =>
  db
    .select(
      named({
        ...shown,
        pointCount: flightTracks.pointCount,
        trackUpdatedAt: flightTracks.updatedAt,
        sourceFormat: flightTracks.sourceFormat,
        sourceName: flightTracks.sourceName,
      }),
    )
    .from(flights)
    .leftJoin(flightTracks, eq(flightTracks.flightId, flights.id))

export type FlightRow = ReturnType<typeof selectFlights>['_']['result'][number]

type FlightColumns = ReturnType<typeof flightRow>

type TrackColumns = Pick<FlightRow, 'pointCount' | 'trackUpdatedAt' | 'sourceFormat' | 'sourceName'>

function trackOf({ pointCount, trackUpdatedAt, sourceFormat, sourceName }: TrackColumns): Flight['track'] {
  if (pointCount === null) return null
  return { pointCount, updatedAt: trackUpdatedAt!, sourceFormat, sourceName } as Flight['track']
}

/** Rounded to a hundred meters. */
const inKilometers = (meters: number | null) => (meters === null ? null : Math.round(meters / 100) / 10)

interface Dependencies {
  db: Db
  reference: ReferenceService
  customFields: CustomFieldService
}

export function flightReader({ db, reference, customFields }: Dependencies) {
  const { rows } = statements(db)
  const { records } = reference
  const { placeholder } = sql
  const passengersBy = (flight: SQL | undefined) =>
    rows(
      db
        .select(
          named({
            flightId: passengers.flightId,
            id: passengers.id,
            userId: passengers.userId,
            username: users.username,
            displayName: users.displayName,
            guestName: passengers.guestName,
            seat: passengers.seat,
            seatNumber: passengers.seatNumber,
            seatClass: passengers.seatClass,
            flightReason: passengers.flightReason,
          }),
        )
        .from(passengers)
        .leftJoin(users, eq(users.id, passengers.userId))
        .where(flight)
        .orderBy(asc(passengers.flightId)),
    )
  const passengersOfOne = passengersBy(eq(passengers.flightId, placeholder('id')))
  const passengersOfMany = passengersBy(inArray(passengers.flightId, jsonList(placeholder('ids'))))
  const valuesOfFlights = rows(
    db
      .select(named({ ownerId: flightValues.flightId, fieldId: flightValues.fieldId, value: flightValues.value }))
      .from(flightValues)
      .where(inArray(flightValues.flightId, jsonList(placeholder('ids')))),
  )
  const valuesOfPassengers = rows(
    db
      .select(
        named({ ownerId: passengerValues.passengerId, fieldId: passengerValues.fieldId, value: passengerValues.value }),
      )
      .from(passengerValues)
      .innerJoin(passengers, eq(passengers.id, passengerValues.passengerId))
      .where(inArray(passengers.flightId, jsonList(placeholder('ids')))),
  )

  /** Values of active definitions by their owner; nothing is asked while there are no definitions. */
  function valuesOf(entity: 'flight' | 'flight_passenger', query: typeof valuesOfFlights, ids: string) {
    const keys = new Map(customFields.activeFor(entity).map(({ id, key }) => [id, key]))
    const found = new Map<number, Record<string, unknown>>()
    if (keys.size === 0) return found
    for (const { ownerId, fieldId, value } of query.all({ ids })) {
      const key = keys.get(fieldId)
      if (key === undefined) continue
      // Without a prototype a field may have any name, even __proto__.
      const record: Record<string, unknown> = found.get(ownerId) ?? Object.create(null)
      record[key] = value
      found.set(ownerId, record)
    }
    return found
  }

  function passengersOf(ids: readonly number[], list: string): Map<number, Passenger[]> {
    const values = valuesOf('flight_passenger', valuesOfPassengers, list)
    const found = ids.length === 1 ? passengersOfOne.all({ id: ids[0] }) : passengersOfMany.all({ ids: list })
    const byFlight = new Map<number, Passenger[]>()
    for (const row of found) {
      const { flightId, id, userId, username, displayName } = row
      const passenger = {
        id,
        user: userId === null ? null : { id: userId, username: username!, displayName: displayName! },
        guestName: row.guestName,
        seat: row.seat as Passenger['seat'],
        seatNumber: row.seatNumber,
        seatClass: row.seatClass as Passenger['seatClass'],
        flightReason: row.flightReason as Passenger['flightReason'],
        customFields: values.get(id) ?? {},
      }
      const others = byFlight.get(flightId)
      if (others) others.push(passenger)
      else byFlight.set(flightId, [passenger])
    }
    // Here and not in the query, whose index has them by name: SQLite would sort all of them in a table of its own.
    for (const aboard of byFlight.values()) if (aboard.length > 1) aboard.sort((left, right) => left.id - right.id)
    return byFlight
  }

  function toFlight(
    columns: Omit<FlightRow, keyof TrackColumns>,
    known: ReturnType<typeof records.atOnce>,
    { passengers, track, customFields }: Pick<Flight, 'passengers' | 'track' | 'customFields'>,
  ): Flight {
    const { fromId, toId, airlineId, aircraftId } = columns
    // Named one by one: collecting the rest of a row takes half as long as reading the row.
    return {
      id: columns.id,
      date: columns.date,
      datePrecision: columns.datePrecision,
      departure: columns.departure,
      arrival: columns.arrival,
      departureScheduled: columns.departureScheduled,
      arrivalScheduled: columns.arrivalScheduled,
      takeoffScheduled: columns.takeoffScheduled,
      takeoffActual: columns.takeoffActual,
      landingScheduled: columns.landingScheduled,
      landingActual: columns.landingActual,
      duration: columns.duration,
      departureTerminal: columns.departureTerminal,
      departureGate: columns.departureGate,
      arrivalTerminal: columns.arrivalTerminal,
      arrivalGate: columns.arrivalGate,
      flightNumber: columns.flightNumber,
      aircraftReg: columns.aircraftReg,
      note: columns.note,
      from: known.airport(fromId)!,
      to: known.airport(toId)!,
      airline: airlineId === null ? null : known.airline(airlineId)!,
      aircraft: aircraftId === null ? null : known.aircraft(aircraftId)!,
      passengers,
      track,
      customFields,
      distanceKm: inKilometers(columns.distanceMeters),
      createdAt: columns.createdAt,
      updatedAt: columns.updatedAt,
    }
  }

  /** Complete flights from their rows, in the same order. */
  function readFlights(rows: readonly FlightRow[]): Flight[] {
    if (rows.length === 0) return []
    const ids = rows.map(({ id }) => id)
    const list = JSON.stringify(ids)
    const passengers = passengersOf(ids, list)
    const values = valuesOf('flight', valuesOfFlights, list)
    const known = records.atOnce()
    return rows.map((row) =>
      toFlight(row, known, {
        passengers: passengers.get(row.id) ?? [],
        track: trackOf(row),
        customFields: values.get(row.id) ?? {},
      }),
    )
  }

  /** What reading a flight would give that was just inserted with these columns, without custom values and track. */
  function justInserted(id: number, columns: FlightColumns, passengers: Passenger[], now: string): Flight {
    const { completedFrom: _, ...shown } = columns
    const row = { ...shown, id, createdAt: now, updatedAt: now }
    return toFlight(row, records.atOnce(), { passengers, track: null, customFields: {} })
  }

  return { readFlights, justInserted }
}
