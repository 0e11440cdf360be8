import { blob, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Deleted flights that can be restored (contract 17.4). The change feed already lists them by user, in order: `seq` is the
 * position of the removal, so a deletion writes no index. Nothing here has foreign keys, because a deleted flight does not
 * keep users, reference rows and custom fields from being deleted.
 */
export const deletedFlights = sqliteTable('deleted_flights', {
  seq: integer().primaryKey(),
  flightId: integer('flight_id').notNull(),
  deletedAt: integer('deleted_at').notNull(),
  /** Null for the operator. */
  deletedBy: text('deleted_by'),
  fromId: integer('from_id').notNull(),
  toId: integer('to_id').notNull(),
  airlineId: integer('airline_id'),
  aircraftId: integer('aircraft_id'),
  /** The other columns of the flight, its passengers and custom values, as JSON. */
  content: text().notNull(),
})

export const deletedFlightTracks = sqliteTable('deleted_flight_tracks', {
  flightId: integer('flight_id').primaryKey(),
  pointCount: integer('point_count').notNull(),
  sourceFormat: text('source_format').notNull(),
  sourceName: text('source_name'),
  points: blob({ mode: 'buffer' }).notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
  line: blob({ mode: 'buffer' }),
})

/** Airports, airlines and aircraft types that were deleted after the flights that refer to them. */
export const deletedFlightRecords = sqliteTable(
  'deleted_flight_records',
  {
    kind: text({ enum: ['airports', 'airlines', 'aircraft'] }).notNull(),
    id: integer().notNull(),
    record: text({ mode: 'json' }).$type<object>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.kind, t.id] })],
)
