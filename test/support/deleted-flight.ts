import type { Db } from '../../src/db/open.ts'
import { deletedFlightStore } from '../../src/domain/flights/deleted/store.ts'
import { flightStore } from '../../src/domain/flights/store/store.ts'

/** Inside a transaction: deletes a flight without a track as the service does, but without a caller. */
export function moveFlightAside(db: Db, id: number): void {
  const store = deletedFlightStore(db)
  const [flight] = store.live([id])
  flightStore(db).delete(id)
  store.insert(flight!, { deletedAt: Date.now(), deletedBy: null })
}
