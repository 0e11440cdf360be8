import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import { type Definition, mergeValues } from '../custom-fields/values.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightWrite } from './contract.ts'
import { flightRow } from './derived.ts'
import { flightStore } from './store.ts'
import type { PackedTrack } from './track-packing.ts'
import { trackStore } from './track-store.ts'
import { flightValueStore, passengerValueStore } from './value-store.ts'

type Values = Map<number, unknown>

/** What a file knows beyond the body of a flight. */
export interface ImportedExtras {
  track: PackedTrack | undefined
  /** Custom values by definition; undefined fills in the defaults. */
  values: Values | undefined
  /** The same for each passenger. */
  passengerValues: Values[] | undefined
}

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  customFields: CustomFieldService
}

export type AddFlight = ReturnType<typeof importedFlights>

/** Adds flights that an import has checked already, inside its transaction and without reading them back. */
export function importedFlights({ db, clock, reference, customFields }: Dependencies) {
  const store = flightStore(db)
  const tracks = trackStore(db)
  const flightValues = flightValueStore(db)
  const passengerValues = passengerValueStore(db)
  const { records } = reference

  function defaults(definitions: readonly Definition[]): Values {
    const merged = mergeValues({
      definitions,
      stored: new Map(),
      request: undefined,
      references: records,
      path: [],
      enforceRequired: false,
    })
    return merged.set
  }

  return function addFlight(body: FlightWrite, extras: ImportedExtras): number {
    const now = isoInstant(clock())
    const id = store.insert(flightRow(body, records.airport(body.fromId)!, records.airport(body.toId)!), now)
    const save = (owner: number, set: Values, values: typeof flightValues) => values.apply(owner, { set, remove: [] })
    save(id, extras.values ?? defaults(customFields.activeFor('flight')), flightValues)
    for (const [index, { id: _, customFields: __, ...passenger }] of (body.passengers ?? []).entries()) {
      const passengerId = store.insertPassenger(id, body.date, passenger)
      const values = extras.passengerValues?.[index] ?? defaults(customFields.activeFor('flight_passenger'))
      save(passengerId, values, passengerValues)
    }
    if (extras.track) {
      const { lists: _, ...packed } = extras.track
      tracks.save({ flightId: id, ...packed, now })
    }
    return id
  }
}
