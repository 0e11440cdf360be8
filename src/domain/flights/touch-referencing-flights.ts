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

const CHUNK_SIZE = 500

/** Any update of this column adds the flight to the change feed. */
function touchFlights(
  db: Db,
  column: typeof flights.airlineId | typeof flights.aircraftId,
  ids: readonly number[],
): void {
  const name = sql.identifier(column.name)
  db.run(sql`update ${flights} set ${name} = ${name} where ${inArray(column, jsonList(JSON.stringify(ids)))}`)
}

/** Distance and completion depend on the airports. Writing them also adds the flight to the change feed. */
export function recompute(db: Db, reference: ReferenceService, affected: readonly number[]): void {
  const { placeholder } = sql
  const update = statements(db).write(
    db
      .update(flights)
      .set({ distanceMeters: sql`${placeholder('meters')}`, completedFrom: sql`${placeholder('completed')}` })
      .where(eq(flights.id, placeholder('id'))),
  )
  const find = db
    .select()
    .from(flights)
    .where(inArray(flights.id, jsonList(placeholder('ids'))))
    .prepare()
  for (let start = 0; start < affected.length; start += CHUNK_SIZE) {
    const some = find.all({ ids: JSON.stringify(affected.slice(start, start + CHUNK_SIZE)) })
    const { airport } = reference.records.batch(idsInFlights(some))
    for (const flight of some) {
      const [from, to] = [airport(flight.fromId)!, airport(flight.toId)!]
      update.run({ id: flight.id, meters: distanceMeters(from, to), completed: completedFrom(flight, from.timezone) })
    }
  }
}

function flightsOfAirports(db: Db, airportIds: readonly number[]): number[] {
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

function touchReferencingFlights(
  db: Db,
  reference: ReferenceService,
  { airports = [], airlines = [], aircraft = [], flights: moved = [] }: ChangedRows & { flights?: readonly number[] },
): void {
  if (airports.length > 0) recompute(db, reference, flightsOfAirports(db, airports))
  if (airlines.length > 0) touchFlights(db, flights.airlineId, airlines)
  if (aircraft.length > 0) touchFlights(db, flights.aircraftId, aircraft)
  if (moved.length > 0) recompute(db, reference, moved)
}

/** A reference service that updates flights when its rows change. */
export function createReferenceService(db: Db, longWrites: LongWrites, currentCaller: CurrentCaller): ReferenceService {
  const reference: ReferenceService = referenceService({
    db,
    longWrites,
    currentCaller,
    rowsChanged: (rows) => touchReferencingFlights(db, reference, rows),
  })
  return reference
}
