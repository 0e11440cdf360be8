import { inArray, or } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { flights } from '../../db/tables/index.ts'
import { distanceMeters } from '../../lib/geo.ts'
import type { ReferenceService } from '../reference/service.ts'
import { completedFrom } from './times.ts'

const AT_ONCE = 500

/**
 * Distance and completion are stored with a flight, but depend on where its airports lie and on their zones.
 * When airports change, their flights follow, inside the same transaction.
 */
export function recomputeFlights(db: Db, reference: ReferenceService, airportIds: readonly number[]): void {
  const update = db.$client.prepare('update flights set distance_meters = ?, completed_from = ? where id = ?')
  for (let start = 0; start < airportIds.length; start += AT_ONCE) {
    const ids = airportIds.slice(start, start + AT_ONCE)
    const affected = db
      .select()
      .from(flights)
      .where(or(inArray(flights.fromId, ids), inArray(flights.toId, ids)))
      .all()
    for (const flight of affected) {
      const from = reference.records.airport(flight.fromId)!
      const to = reference.records.airport(flight.toId)!
      update.run(distanceMeters(from, to), completedFrom(flight, from.timezone), flight.id)
    }
  }
}
