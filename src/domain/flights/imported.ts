import { dataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import { inChunks } from '../../lib/chunks.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import { matchWithin } from '../custom-fields/pattern.ts'
import type { CustomFieldService } from '../custom-fields/service.ts'
import { mergeValues } from '../custom-fields/values.ts'
import type { Airport } from '../reference/contract.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightWrite } from './contract.ts'
import { flightRow } from './derived.ts'
import { stagedStore } from './staged-store.ts'
import { flightStore } from './store.ts'
import { recompute } from './touch-referencing-flights.ts'
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

const MOVED_AT_ONCE = 500

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
      /** Under a number of its own, with a label that tells whoever puts it there what it is. */
      put(number: number, body: FlightWrite, from: Airport, to: Airport, label = ''): void {
        const aboard = (body.passengers ?? []).map(({ id: _, customFields: __, ...passenger }) => passenger)
        staged.add(number, flightRow(body, from, to), aboard, label)
      },
      labels: staged.labels,
      /** After the last one and before the transaction. */
      ready: staged.flush,
      /** Inside the one transaction, after which nothing is left on the stage: by their numbers on it, in this order. */
      move(
        numbers: Iterable<number>,
        beyondBody: (number: number) => BeyondBody | undefined,
        isOutdated = false,
      ): void {
        // Definitions are read anew by every look inside a transaction, but cannot change while it lasts.
        const [ofFlight, ofPassenger] = [defaults('flight'), defaults('flight_passenger')]
        const now = isoInstant(clock())
        for (const slice of inChunks(numbers, MOVED_AT_ONCE)) {
          const ids = staged.move(slice, now)
          for (const [index, number] of slice.entries()) {
            const id = ids[index]!
            const { track, values = ofFlight, passengerValues } = beyondBody(number) ?? NOTHING_MORE
            valuesOfFlight.apply(id, { set: values, remove: [] })
            if (track) tracks.save({ flightId: id, ...track, now })
            if (!passengerValues && ofPassenger.size === 0) continue
            for (const [place, passenger] of store.passengers(id).entries()) {
              valuesOfPassenger.apply(passenger.id, { set: passengerValues?.[place] ?? ofPassenger, remove: [] })
            }
          }
          // Who moved an airport meanwhile brought only those flights up to date that were in the log.
          if (isOutdated) recompute(db, reference, ids)
        }
        staged.clear()
      },
    }
  }
}
