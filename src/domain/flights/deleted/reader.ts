import type { CustomValues } from '../../custom-fields/contract.ts'
import type { CustomFieldService } from '../../custom-fields/service.ts'
import type { Aircraft, Airline, Airport } from '../../reference/contract.ts'
import { idsInFlights, type ReferenceKind, referenceKinds } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { Flight } from '../contract.ts'
import { toFlight } from '../store/rows.ts'
import type { flightStore } from '../store/store.ts'
import type { Content, DeletedFlight, deletedFlightStore } from './store.ts'

interface Dependencies {
  store: Pick<ReturnType<typeof deletedFlightStore>, 'records'>
  flights: Pick<ReturnType<typeof flightStore>, 'accounts'>
  reference: Pick<ReferenceService, 'records'>
  customFields: Pick<CustomFieldService, 'activeFor'>
}

/** Builds the records of deleted flights. */
export function deletedFlightReader({ store, flights, reference, customFields }: Dependencies) {
  /** Falls back to the copies of reference rows that were deleted after the flights. */
  function recordsOf(deleted: readonly DeletedFlight[]) {
    const ids = idsInFlights(deleted.map(({ references }) => references))
    const known = reference.records.batch(ids)
    const find = { airports: known.airport, airlines: known.airline, aircraft: known.aircraft }
    const missing = referenceKinds.flatMap((kind) => [...ids[kind]].filter((id) => !find[kind](id)))
    const copies = missing.length > 0 ? store.records(missing) : []
    const copyOf = (kind: ReferenceKind, id: number) =>
      copies.find((copy) => copy.kind === kind && copy.id === id)?.record as unknown
    return {
      airport: (id: number) => known.airport(id) ?? (copyOf('airports', id) as Airport | undefined),
      airline: (id: number) => known.airline(id) ?? (copyOf('airlines', id) as Airline | undefined),
      aircraft: (id: number) => known.aircraft(id) ?? (copyOf('aircraft', id) as Aircraft | undefined),
    }
  }

  return function toFlights(deleted: readonly DeletedFlight[]): Flight[] {
    const known = recordsOf(deleted)
    const userIds = deleted.flatMap(({ content }) => content.passengers.flatMap(({ userId }) => userId ?? []))
    const accounts = flights.accounts([...new Set(userIds)])
    const keysOf = (entity: 'flight' | 'flight_passenger') =>
      new Map(customFields.activeFor(entity).map(({ id, key }) => [id, key]))
    const keys = { flight: keysOf('flight'), passenger: keysOf('flight_passenger') }

    const shown = (values: Content['values'], names: ReadonlyMap<number, string>): CustomValues => {
      // A field may be called __proto__.
      const record: CustomValues = Object.create(null)
      for (const [id, value] of values) if (names.has(id)) record[names.get(id)!] = value as CustomValues[string]
      return record
    }

    return deleted.map(({ id, references, content: { flight, passengers, values, track } }) =>
      toFlight({ ...flight, ...references, id }, known, {
        passengers: passengers.map(({ userId, tripId: _, values: ofPassenger, ...seat }) => ({
          ...(seat as Flight['passengers'][number]),
          user: userId === null ? null : accounts.get(userId)!,
          customFields: shown(ofPassenger, keys.passenger),
        })),
        track,
        customFields: shown(values, keys.flight),
      }),
    )
  }
}
