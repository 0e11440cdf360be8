import { eq, inArray, or, sql } from 'drizzle-orm'
import type { CurrentCaller } from '../../access/caller.ts'
import type { LongWrites } from '../../db/long-writes.ts'
import type { Db } from '../../db/open.ts'
import { jsonList, statements } from '../../db/statements.ts'
import { flights } from '../../db/tables/index.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { idsInFlights } from '../reference/kinds.ts'
import type { ChangedRows } from '../reference/load.ts'
import { type ReferenceService, referenceService } from '../reference/service.ts'
import { completedFrom } from './times.ts'

/** A very long log is never in memory as a whole. */
const AT_A_TIME = 500

/** Flights tell their followers when a record in them has changed: any update of this column does. One pass over all. */
function announce(db: Db, column: typeof flights.airlineId | typeof flights.aircraftId, ids: readonly number[]): void {
  const name = sql.identifier(column.name)
  db.run(sql`update ${flights} set ${name} = ${name} where ${inArray(column, jsonList(JSON.stringify(ids)))}`)
}

/**
 * Distance and completion are stored with a flight, but depend on where its airports lie and on their zones: whatever
 * changes those brings the flight up to date. Writing the distance also puts it into the feed.
 */
export function recompute(db: Db, reference: ReferenceService, affected: readonly number[]): void {
  const { placeholder } = sql
  const update = statements(db).write(
    db
      .update(flights)
      .set({ distanceMeters: sql`${placeholder('meters')}`, completedFrom: sql`${placeholder('completed')}` })
      .where(eq(flights.id, placeholder('id'))),
  )
  const few = db
    .select()
    .from(flights)
    .where(inArray(flights.id, jsonList(placeholder('ids'))))
    .prepare()
  for (let start = 0; start < affected.length; start += AT_A_TIME) {
    const some = few.all({ ids: JSON.stringify(affected.slice(start, start + AT_A_TIME)) })
    const { airport } = reference.records.batch(idsInFlights(some))
    for (const flight of some) {
      const [from, to] = [airport(flight.fromId)!, airport(flight.toId)!]
      update.run({ id: flight.id, meters: distanceMeters(from, to), completed: completedFrom(flight, from.timezone) })
    }
  }
}

/** One pass over all flights, however many airports changed. */
function ofAirports(db: Db, airportIds: readonly number[]): number[] {
  const changed = jsonList(JSON.stringify(airportIds))
  return statements(db)
    .values(
      db
        .select({ id: flights.id })
        .from(flights)
        .where(or(inArray(flights.fromId, changed), inArray(flights.toId, changed))),
    )
    .all()
}

/** What the rows of reference data that changed, and flights that point at others now, mean for flights. */
function followReference(
  db: Db,
  reference: ReferenceService,
  { airports = [], airlines = [], aircraft = [], flights: moved = [] }: ChangedRows & { flights?: readonly number[] },
): void {
  if (airports.length > 0) recompute(db, reference, ofAirports(db, airports))
  if (airlines.length > 0) announce(db, flights.airlineId, airlines)
  if (aircraft.length > 0) announce(db, flights.aircraftId, aircraft)
  if (moved.length > 0) recompute(db, reference, moved)
}

/** Reference data whose changes flights follow. Flights know reference data and not the other way round, so the way back is tied here. */
export function followedReference(db: Db, longWrites: LongWrites, currentCaller: CurrentCaller): ReferenceService {
  const reference: ReferenceService = referenceService({
    db,
    longWrites,
    currentCaller,
    rowsChanged: (rows) => followReference(db, reference, rows),
  })
  return reference
}
