import type { Db } from '../../../db/open.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isoInstant } from '../../../lib/dates.ts'
import { matchWithin } from '../../custom-fields/pattern.ts'
import type { CustomFieldService } from '../../custom-fields/service.ts'
import { mergeValues } from '../../custom-fields/values.ts'
import type { Airport } from '../../reference/contract.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { FlightWrite } from '../contract.ts'
import { flightRow } from '../derived.ts'
import { recompute } from '../touch-referencing-flights.ts'
import type { PackedTrack } from '../tracks/packing.ts'
import { trackStore } from '../tracks/store.ts'
import { flightBatches, type NewFlight } from './batch-store.ts'
import { flightStore } from './store.ts'
import { flightValueStore, passengerValueStore } from './value-store.ts'

export type { NewFlight }

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

interface Options {
  /** Airports may have changed since the columns were computed. */
  isOutdated: boolean
}

export function newFlight(body: FlightWrite, from: Airport, to: Airport): NewFlight {
  const passengers = (body.passengers ?? []).map(({ id: _, customFields: __, ...passenger }) => passenger)
  return { columns: flightRow(body, from, to), passengers }
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

  return (flights: Iterable<BulkFlight>, { isOutdated }: Options): void => {
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
      if (isOutdated) recompute(db, reference, ids)
    }
  }
}
