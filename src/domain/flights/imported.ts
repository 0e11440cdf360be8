import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import { mergeValues } from '../custom-fields/values.ts'
import type { Airport } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightWrite } from './contract.ts'
import { flightRow } from './derived.ts'
import { flightStore } from './store.ts'
import type { PackedTrack } from './track-packing.ts'
import { trackStore } from './track-store.ts'
import { flightValueStore, passengerValueStore } from './value-store.ts'

type Values = Map<number, unknown>

/** A flight that an import has checked already, and what its file knows beyond the body. */
export interface ImportedFlight {
  body: FlightWrite
  from: Airport
  to: Airport
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

export type AddFlights = ReturnType<typeof importedFlights>

/** Adds checked flights without reading them back. To be begun once in each transaction, which it then belongs to. */
export function importedFlights({ db, clock, reference, customFields }: Dependencies) {
  const store = flightStore(db)
  const tracks = trackStore(db)
  const flightValues = flightValueStore(db)
  const passengerValues = passengerValueStore(db)

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

  return function begin() {
    // Definitions are read anew by every look inside a transaction, but cannot change while it lasts.
    const ofFlight = defaults('flight')
    const ofPassenger = defaults('flight_passenger')
    const now = isoInstant(clock())

    return function addFlight({ body, from, to, track, ...values }: ImportedFlight): number {
      const id = store.insert(flightRow(body, from, to), now)
      flightValues.apply(id, { set: values.values ?? ofFlight, remove: [] })
      for (const [index, { id: _, customFields: __, ...passenger }] of (body.passengers ?? []).entries()) {
        const passengerId = store.insertPassenger(id, body.date, passenger)
        passengerValues.apply(passengerId, { set: values.passengerValues?.[index] ?? ofPassenger, remove: [] })
      }
      if (track) tracks.save({ flightId: id, ...track, now })
      return id
    }
  }
}
