import { getTableColumns } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { flights, type flightTracks } from '../../../db/tables/index.ts'
import type { CustomValues } from '../../custom-fields/contract.ts'
import type { CustomFieldService } from '../../custom-fields/service.ts'
import type { Records } from '../../reference/contract.ts'
import { addFieldId, idsInFlights, type RecordIds } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { flightRow } from '../checks.ts'
import type { Flight, Passenger } from '../contract.ts'

/** Size as JSON of the flights that are read at once: about 20 ms of work. */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024
const [BYTES_OF_FLIGHT, BYTES_OF_PASSENGER] = [2 * 1024, 512]

const { completedFrom: _, lastChange: __, ...shown } = getTableColumns(flights)
const FLIGHT_COLUMNS = Object.entries(shown).map(([name, column]) => `f.${column.name} as "${name}"`)

// Flights and passengers are read with SQL text: Drizzle would take as long to decode the rows as SQLite to find them.
const SELECT_FLIGHTS = `
  select ${FLIGHT_COLUMNS.join(', ')}, t.point_count as "pointCount", t.updated_at as "trackUpdatedAt",
    t.source_format as "sourceFormat", t.source_name as "sourceName",
    ${BYTES_OF_FLIGHT} + ${BYTES_OF_PASSENGER} * (select count(*) from passengers p where p.flight_id = f.id)
      + (select coalesce(sum(length(v.value)), 0) from flight_values v where v.flight_id = f.id)
      + (select coalesce(sum(length(v.value)), 0) from passengers p
           join passenger_values v on v.passenger_id = p.id where p.flight_id = f.id) as bytes
  from flights f left join flight_tracks t on t.flight_id = f.id
  where f.id in (select value from json_each(?)) order by f.id`

const SELECT_PASSENGERS = `
  select p.flight_id as "flightId", p.id as id, p.user_id as "userId", u.username as username,
    u.display_name as "displayName", p.guest_name as "guestName", p.seat as seat, p.seat_number as "seatNumber",
    p.seat_class as "seatClass", p.flight_reason as "flightReason"
  from passengers p left join users u on u.id = p.user_id
  where p.flight_id in (select value from json_each(?)) order by p.flight_id`

type StoredTrack = typeof flightTracks.$inferSelect

interface TrackColumns {
  pointCount: StoredTrack['pointCount'] | null
  trackUpdatedAt: StoredTrack['updatedAt'] | null
  sourceFormat: StoredTrack['sourceFormat'] | null
  sourceName: StoredTrack['sourceName']
}

export interface FlightRow extends Omit<typeof flights.$inferSelect, 'completedFrom' | 'lastChange'>, TrackColumns {
  /** An estimate: a flight can have 500 passengers with long values. */
  bytes: number
}

interface PassengerRow extends Omit<Passenger, 'user' | 'customFields'> {
  flightId: number
  userId: string | null
  username: string | null
  displayName: string | null
}

/** Splits flights into parts that can be read at once, in the order of the ids. */
function splitBySize(rows: readonly FlightRow[], ids: readonly number[]): FlightRow[][] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const parts: FlightRow[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const id of ids) {
    const row = byId.get(id)
    if (!row) continue
    bytes += row.bytes
    if (bytes > MAX_BYTES_AT_ONCE) {
      parts.push([])
      bytes = row.bytes
    }
    parts.at(-1)!.push(row)
  }
  return parts
}

interface Checked {
  row: ReturnType<typeof flightRow>
  records: Records
}

function trackOf({ pointCount, trackUpdatedAt, sourceFormat, sourceName }: TrackColumns): Flight['track'] {
  if (pointCount === null) return null
  return { pointCount, updatedAt: trackUpdatedAt!, sourceFormat, sourceName } as Flight['track']
}

const inKilometers = (meters: number | null) => (meters === null ? null : Math.round(meters / 100) / 10)

export function toFlight(
  columns: Omit<FlightRow, keyof TrackColumns | 'bytes'>,
  known: Pick<Records, 'airport' | 'airline' | 'aircraft'>,
  { passengers, track, customFields }: Pick<Flight, 'passengers' | 'track' | 'customFields'>,
): Flight {
  const { fromId, toId, airlineId, aircraftId } = columns
  // Rest syntax takes half as long as reading the row.
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

interface Dependencies {
  db: Db
  reference: ReferenceService
  customFields: CustomFieldService
}

export function flightReader({ db, reference, customFields }: Dependencies) {
  const selectFlights = db.$client.prepare(SELECT_FLIGHTS)
  const selectPassengers = db.$client.prepare(SELECT_PASSENGERS)
  const { records } = reference
  // The query builder does not decode the columns of a union.
  const customValues = db.$client
    .prepare(
      `select v.field_id, v.flight_id, v.value from flight_values v
       where v.flight_id in (select value from json_each(@ids))
       union all
       select v.field_id, v.passenger_id, v.value from passengers p join passenger_values v on v.passenger_id = p.id
       where p.flight_id in (select value from json_each(@ids))`,
    )
    .raw()

  /** Values of active definitions by owner. Adds their records to `named`. */
  function valuesOf(ids: string, named: RecordIds) {
    const found = { flight: new Map<number, CustomValues>(), flight_passenger: new Map<number, CustomValues>() }
    const fields = [...customFields.activeFor('flight'), ...customFields.activeFor('flight_passenger')]
    if (fields.length === 0) return found
    const definitions = new Map(fields.map((field) => [field.id, field]))
    for (const [fieldId, ownerId, text] of customValues.all({ ids }) as [number, number, string][]) {
      const definition = definitions.get(fieldId)
      if (definition === undefined) continue
      const value: unknown = JSON.parse(text)
      addFieldId(named, definition.fieldType, value)
      const owners = found[definition.entityType]
      // A field may be called __proto__.
      const record: CustomValues = owners.get(ownerId) ?? Object.create(null)
      record[definition.key] = value
      owners.set(ownerId, record)
    }
    return found
  }

  function passengersOf(ids: string, values: ReadonlyMap<number, CustomValues>): Map<number, Passenger[]> {
    const byFlight = new Map<number, Passenger[]>()
    for (const row of selectPassengers.all(ids) as PassengerRow[]) {
      const { flightId, id, userId, username, displayName } = row
      const passenger = {
        id,
        user: userId === null ? null : { id: userId, username: username!, displayName: displayName! },
        guestName: row.guestName,
        seat: row.seat,
        seatNumber: row.seatNumber,
        seatClass: row.seatClass,
        flightReason: row.flightReason,
        customFields: values.get(id) ?? {},
      }
      const others = byFlight.get(flightId)
      if (others) others.push(passenger)
      else byFlight.set(flightId, [passenger])
    }
    // Sorting in SQLite would need a temporary table.
    for (const aboard of byFlight.values()) if (aboard.length > 1) aboard.sort((left, right) => left.id - right.id)
    return byFlight
  }

  const rowsOf = (ids: readonly number[]) => selectFlights.all(JSON.stringify(ids)) as FlightRow[]

  function read(rows: readonly FlightRow[]): Flight[] {
    if (rows.length === 0) return []
    const ids = JSON.stringify(rows.map(({ id }) => id))
    const named = idsInFlights(rows)
    const values = valuesOf(ids, named)
    const passengers = passengersOf(ids, values.flight_passenger)
    const known = records.batch(named)
    return rows.map((row) =>
      toFlight(row, known, {
        passengers: passengers.get(row.id) ?? [],
        track: trackOf(row),
        customFields: values.flight.get(row.id) ?? {},
      }),
    )
  }

  /** A flight that was just inserted, without custom values and track. */
  function justInserted(id: number, { row, records }: Checked, passengers: Passenger[], now: string): Flight {
    const { completedFrom: _, ...shown } = row
    const columns = { ...shown, id, createdAt: now, updatedAt: now }
    return toFlight(columns, records, { passengers, track: null, customFields: {} })
  }

  return {
    readMany: (ids: readonly number[]): Flight[] => read(rowsOf(ids)),
    source: { read, partsOf: (ids: readonly number[]) => splitBySize(rowsOf(ids), ids) },
    justInserted,
  }
}
