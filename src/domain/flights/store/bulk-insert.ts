import { insertRows } from '../../../db/insert-rows.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import { flights, passengers } from '../../../db/tables/index.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isoInstant } from '../../../lib/dates.ts'
import { matchWithin } from '../../custom-fields/pattern.ts'
import type { CustomFieldService } from '../../custom-fields/service.ts'
import { mergeValues } from '../../custom-fields/values.ts'
import type { Airport } from '../../reference/contract.ts'
import type { ReferenceService } from '../../reference/service.ts'
import { flightRow } from '../checks.ts'
import type { FlightWrite } from '../contract.ts'
import { columnsOf } from '../passengers.ts'
import { recompute } from '../touch-referencing-flights.ts'
import type { PackedTrack } from '../tracks/packing.ts'
import { trackStore } from '../tracks/store.ts'
import { feedEntries } from './feed-entries.ts'
import { type FlightColumns, flightStore, type PassengerColumns } from './store.ts'
import { flightValueStore, passengerValueStore } from './value-store.ts'

export interface NewFlight {
  columns: FlightColumns
  passengers: readonly PassengerColumns[]
}

/** In a file no other connection inserts until the transaction ends; in PostgreSQL others may take ids in between. */
const NEXT_IDS = {
  file: `select coalesce((select seq from sqlite_sequence where name = 'flights'), 0) + 1 + key from json_each(@places)`,
  postgres: `select nextval(pg_get_serial_sequence('flights', 'id')) from json_each(@places)`,
}

type Values = Map<number, unknown>

/** What a file has of a flight beside its body. */
export interface FlightDetails {
  track: PackedTrack | undefined
  /** Custom values by definition; undefined fills in the defaults. */
  values: Values | undefined
  /** The same for each passenger. */
  passengerValues: Values[] | undefined
}

export interface BulkFlight extends NewFlight {
  /** Called after the insert, since it may create reference rows. */
  details: (() => FlightDetails) | undefined
}

const BATCH_SIZE = 500

const NO_DETAILS: FlightDetails = { track: undefined, values: undefined, passengerValues: undefined }

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  customFields: CustomFieldService
}

/** Inserts flights inside a transaction and returns their ids, in the given order. */
function flightBatches(db: Db) {
  const nextIds = db.$client.prepare(postgresOf(db) ? NEXT_IDS.postgres : NEXT_IDS.file).pluck()
  const insertFlights = insertRows(db, flights)
  const insertPassengers = insertRows(db, passengers, ['id'])
  const feed = feedEntries(db)

  return (batch: readonly NewFlight[], now: string): number[] => {
    const ids = nextIds.all({ places: JSON.stringify([...batch.keys()]) }) as number[]
    const positions = feed.nextPositions(batch.length)
    const created = batch.map((flight, index) => ({ ...flight, id: ids[index]!, lastChange: positions[index]! }))
    const times = { createdAt: now, updatedAt: now }
    insertFlights(created.map(({ columns, id, lastChange }) => ({ ...columns, ...times, id, lastChange })))
    insertPassengers(
      created.flatMap(({ columns: { date }, passengers, id }) =>
        passengers.map((passenger) => ({ ...passenger, date, flightId: id })),
      ),
    )
    feed.flightsCreated(
      created.map(({ id, lastChange, passengers }) => ({
        flightId: id,
        seq: lastChange,
        userIds: passengers.flatMap(({ userId }) => userId ?? []),
      })),
    )
    return ids
  }
}

export function newFlight(body: FlightWrite, from: Airport, to: Airport): NewFlight {
  return { columns: flightRow(body, from, to), passengers: (body.passengers ?? []).map(columnsOf) }
}

export type BulkInsert = ReturnType<typeof bulkInsert>

/** Inserts checked flights without reading them back, inside the caller's transaction. */
export function bulkInsert({ db, clock, reference, customFields }: Dependencies) {
  const insertBatch = flightBatches(db)
  const store = flightStore(db)
  const tracks = trackStore(db)
  const valuesOfFlight = flightValueStore(db)
  const valuesOfPassenger = passengerValueStore(db)

  function defaults(entity: 'flight' | 'flight_passenger'): Values {
    const merged = mergeValues({
      definitions: customFields.activeFor(entity),
      stored: new Map(),
      request: undefined,
      references: reference.records,
      match: matchWithin(),
      path: [],
      enforceRequired: false,
    })
    return merged.set
  }

  /** `isOutdated`: airports may have changed since the columns were computed. */
  return (flights: Iterable<BulkFlight>, { isOutdated }: { isOutdated: boolean }): void => {
    const [flightDefaults, passengerDefaults] = [defaults('flight'), defaults('flight_passenger')]
    const now = isoInstant(clock())
    for (const batch of inChunks(flights, BATCH_SIZE)) {
      const ids = insertBatch(batch, now)
      for (const [index, { details }] of batch.entries()) {
        const id = ids[index]!
        const { track, values = flightDefaults, passengerValues } = details?.() ?? NO_DETAILS
        valuesOfFlight.apply(id, { set: values, remove: [] })
        if (track) tracks.save({ flightId: id, ...track, now })
        if (!passengerValues && passengerDefaults.size === 0) continue
        for (const [place, passenger] of store.passengers(id).entries()) {
          valuesOfPassenger.apply(passenger.id, { set: passengerValues?.[place] ?? passengerDefaults, remove: [] })
        }
      }
      if (isOutdated) recompute(store, reference, ids)
    }
  }
}
