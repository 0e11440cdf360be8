import { eq, inArray, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonList, statements } from '../../db/statements.ts'
import { flights } from '../../db/tables/index.ts'
import { distanceMeters } from '../../lib/geo.ts'
import type { ChangedRows } from '../reference/load.ts'
import type { ReferenceService } from '../reference/service.ts'
import { completedFrom } from './times.ts'

/** Flights tell their followers when a record in them has changed: any update of this column does. One pass over all. */
function announce(db: Db, column: typeof flights.airlineId | typeof flights.aircraftId, ids: readonly number[]): void {
  const name = sql.identifier(column.name)
  db.run(sql`update ${flights} set ${name} = ${name} where ${inArray(column, jsonList(JSON.stringify(ids)))}`)
}

/**
 * Distance and completion are stored with a flight, but depend on where its airports lie and on their zones.
 * When airports change, their flights follow.
 */
function recompute(db: Db, reference: ReferenceService, airportIds: readonly number[]): void {
  const { placeholder } = sql
  const update = statements(db).write(
    db
      .update(flights)
      .set({ distanceMeters: sql`${placeholder('meters')}`, completedFrom: sql`${placeholder('completed')}` })
      .where(eq(flights.id, placeholder('id'))),
  )
  // One pass over all flights, however many airports changed.
  const changed = jsonList(JSON.stringify(airportIds))
  const affected = db
    .select()
    .from(flights)
    .where(or(inArray(flights.fromId, changed), inArray(flights.toId, changed)))
    .all()
  for (const flight of affected) {
    const from = reference.records.airport(flight.fromId)!
    const to = reference.records.airport(flight.toId)!
    update.run({ id: flight.id, meters: distanceMeters(from, to), completed: completedFrom(flight, from.timezone) })
  }
}

/** What the rows of reference data that changed mean for flights, inside the same transaction. */
export function followReference(
  db: Db,
  reference: ReferenceService,
  { airports = [], airlines = [], aircraft = [] }: ChangedRows,
): void {
  if (airports.length > 0) recompute(db, reference, airports)
  if (airlines.length > 0) announce(db, flights.airlineId, airlines)
  if (aircraft.length > 0) announce(db, flights.aircraftId, aircraft)
}
