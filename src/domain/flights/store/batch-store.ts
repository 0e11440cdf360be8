import { insertRows } from '../../../db/insert-rows.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import { flights, passengers } from '../../../db/tables/index.ts'
import { feedEntries } from './feed-entries.ts'
import type { FlightColumns, PassengerColumns } from './store.ts'

export interface NewFlight {
  columns: FlightColumns
  passengers: readonly PassengerColumns[]
}

/** In a file no other connection inserts until the transaction ends; in PostgreSQL others may take ids in between. */
const NEXT_IDS = {
  file: `select coalesce((select seq from sqlite_sequence where name = 'flights'), 0) + 1 + key from json_each(@places)`,
  postgres: `select nextval(pg_get_serial_sequence('flights', 'id')) from json_each(@places)`,
}

/** Inserts flights inside a transaction and returns their ids, in the given order. */
export function flightBatches(db: Db) {
  const nextIds = db.$client.prepare(postgresOf(db) ? NEXT_IDS.postgres : NEXT_IDS.file).pluck()
  const insertFlights = insertRows(db, flights)
  const insertPassengers = insertRows(db, passengers, ['id'])
  const feed = feedEntries(db)

  return (batch: readonly NewFlight[], now: string): number[] => {
    const ids = nextIds.all({ places: JSON.stringify([...batch.keys()]) }) as number[]
    const positions = feed.nextPositions(batch.length)
    const created = batch.map((flight, index) => ({ ...flight, id: ids[index]!, position: positions[index] ?? 0 }))
    insertFlights(
      created.map(({ columns, id, position }) => ({
        ...columns,
        id,
        createdAt: now,
        updatedAt: now,
        lastChange: position,
      })),
    )
    insertPassengers(
      created.flatMap(({ columns: { date }, passengers, id }) =>
        passengers.map((passenger) => ({ ...passenger, date, flightId: id })),
      ),
    )
    feed.flightsCreated(
      created.map(({ id, position, passengers }) => ({
        flightId: id,
        seq: position,
        userIds: passengers.flatMap(({ userId }) => userId ?? []),
      })),
    )
    return ids
  }
}
