import { dataVersion } from '../../db/data-version.ts'
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
import { recompute } from './follow-reference.ts'
import { stagedStore } from './staged-store.ts'
import { flightStore } from './store.ts'
import type { PackedTrack } from './track-packing.ts'
import { trackStore } from './track-store.ts'
import { flightValueStore, passengerValueStore } from './value-store.ts'

type Values = Map<number, unknown>

/** What a file knows of a flight beyond its body. */
export interface BeyondBody {
  track: PackedTrack | undefined
  /** Custom values by definition; undefined fills in the defaults. */
  values: Values | undefined
  /** The same for each passenger. */
  passengerValues: Values[] | undefined
}

const NOTHING_MORE: BeyondBody = { track: undefined, values: undefined, passengerValues: undefined }

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  customFields: CustomFieldService
}

export type BeginFlights = ReturnType<typeof importedFlights>

/** Adds checked flights without reading them back: staged one by one before a transaction, and moved inside it. */
export function importedFlights({ db, clock, reference, customFields }: Dependencies) {
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

  const { pollNow, referenceState } = dataVersion(db)

  return function begin() {
    const staged = stagedStore(db)
    // Whatever is looked up from here on is at least as new as this.
    pollNow()
    const begunUnder = referenceState()

    return {
      /** Inside the transaction, before it makes rows of its own: whether airports may lie elsewhere now than on the stage. */
      isOutdated: (): boolean => referenceState() !== begunUnder,
      /** Gives the number of the flight on the stage. */
      stage(body: FlightWrite, from: Airport, to: Airport): number {
        const aboard = (body.passengers ?? []).map(({ id: _, customFields: __, ...passenger }) => passenger)
        return staged.add(flightRow(body, from, to), aboard)
      },
      /** After the last one and before the transaction. */
      ready: staged.flush,
      /** Inside the one transaction, after which nothing is left on the stage: by their numbers on it, in this order. */
      move(numbers: readonly number[], beyond: ReadonlyMap<number, BeyondBody>, isOutdated = false): void {
        // Definitions are read anew by every look inside a transaction, but cannot change while it lasts.
        const [ofFlight, ofPassenger] = [defaults('flight'), defaults('flight_passenger')]
        const now = isoInstant(clock())
        const ids = staged.move(numbers, now)
        for (const [index, number] of numbers.entries()) {
          const id = ids[index]!
          const { track, values = ofFlight, passengerValues } = beyond.get(number) ?? NOTHING_MORE
          valuesOfFlight.apply(id, { set: values, remove: [] })
          if (track) tracks.save({ flightId: id, ...track, now })
          if (!passengerValues && ofPassenger.size === 0) continue
          for (const [place, passenger] of store.passengers(id).entries()) {
            valuesOfPassenger.apply(passenger.id, { set: passengerValues?.[place] ?? ofPassenger, remove: [] })
          }
        }
        staged.clear()
        // Who moved an airport meanwhile brought only those flights up to date that were in the log.
        if (isOutdated) recompute(db, reference, ids)
      },
    }
  }
}
