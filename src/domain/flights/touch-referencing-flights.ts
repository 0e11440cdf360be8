import type { CurrentCaller } from '../../access/caller.ts'
import type { LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { inChunks } from '../../lib/chunks.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ChangedRows } from '../reference/load.ts'
import { type ReferenceService, referenceService } from '../reference/service.ts'
import { flightStore } from './store/store.ts'
import { completedFrom } from './times.ts'

const CHUNK_SIZE = 500

type FlightStore = ReturnType<typeof flightStore>

/** Distance and completion depend on the airports. */
export function recompute(store: FlightStore, reference: ReferenceService, affected: readonly number[]): void {
  for (const ids of inChunks(affected, CHUNK_SIZE)) {
    const some = store.stored(ids)
    const { airport } = reference.records.batch(idsInFlights(some))
    for (const flight of some) {
      const [from, to] = [airport(flight.fromId)!, airport(flight.toId)!]
      store.setDerived(flight.id, distanceMeters(from, to), completedFrom(flight, from.timezone))
    }
  }
}

/** A reference service that updates flights when its rows change. */
export function createReferenceService(db: Db, longWrites: LongWrites, currentCaller: CurrentCaller): ReferenceService {
  const store = flightStore(db)

  function rowsChanged(rows: ChangedRows & { flights?: readonly number[] }): void {
    const { airports = [], airlines = [], aircraft = [], flights = [] } = rows
    if (airports.length > 0) recompute(store, reference, store.idsOfAirports(airports))
    if (airlines.length > 0) store.touchReferencing('airlineId', airlines)
    if (aircraft.length > 0) store.touchReferencing('aircraftId', aircraft)
    if (flights.length > 0) recompute(store, reference, flights)
  }

  const reference: ReferenceService = referenceService({ db, longWrites, currentCaller, rowsChanged })
  return reference
}
