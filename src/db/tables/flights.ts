import { sql } from 'drizzle-orm'
import { blob, check, index, integer, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { aircraft, airlines, airports } from './reference.ts'
import { trips } from './trips.ts'
import { users } from './users.ts'

export const flights = sqliteTable(
  'flights',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    date: text().notNull(),
    datePrecision: text('date_precision', { enum: ['day', 'month', 'year'] }).notNull(),
    // Instants are stored as they are sent, so that reading needs no conversion.
    departure: text(),
    arrival: text(),
    departureScheduled: text('departure_scheduled'),
    arrivalScheduled: text('arrival_scheduled'),
    takeoffScheduled: text('takeoff_scheduled'),
    takeoffActual: text('takeoff_actual'),
    landingScheduled: text('landing_scheduled'),
    landingActual: text('landing_actual'),
    duration: integer(),
    departureTerminal: text('departure_terminal'),
    departureGate: text('departure_gate'),
    arrivalTerminal: text('arrival_terminal'),
    arrivalGate: text('arrival_gate'),
    flightNumber: text('flight_number'),
    aircraftReg: text('aircraft_reg'),
    note: text(),
    fromId: integer('from_id')
      .notNull()
      .references(() => airports.id),
    toId: integer('to_id')
      .notNull()
      .references(() => airports.id),
    airlineId: integer('airline_id').references(() => airlines.id),
    aircraftId: integer('aircraft_id').references(() => aircraft.id),
    distanceMeters: real('distance_meters'),
    completedFrom: integer('completed_from').notNull(),
    createdAt: text('created_at').notNull(),
    updatedAt: text('updated_at').notNull(),
    /** The position in the change feed; updated by triggers. */
    lastChange: integer('last_change').notNull().default(0),
  },
  (t) => [
    index('flights_by_date').on(t.date, t.id),
    index('flights_by_origin').on(t.fromId, t.date, t.id),
    index('flights_by_destination').on(t.toId, t.date, t.id),
    index('flights_by_airline').on(t.airlineId, t.date, t.id),
    index('flights_by_aircraft').on(t.aircraftId, t.date, t.id),
    // Partial, to keep writes cheap.
    index('flights_by_number')
      .on(sql`replace(replace(upper(flight_number), ' ', ''), '-', '')`, t.date, t.id)
      .where(sql`flight_number is not null`),
    index('flights_by_registration')
      .on(sql`replace(replace(upper(aircraft_reg), ' ', ''), '-', '')`, t.date, t.id)
      .where(sql`aircraft_reg is not null`),
    check('flights_precision', sql`date_precision in ('day', 'month', 'year')`),
    check('flights_duration', sql`duration >= 0`),
  ],
)

export const passengers = sqliteTable(
  'passengers',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    flightId: integer('flight_id')
      .notNull()
      .references(() => flights.id, { onDelete: 'cascade' }),
    userId: text('user_id').references(() => users.id, { onDelete: 'cascade' }),
    guestName: text('guest_name'),
    seat: text(),
    seatNumber: text('seat_number'),
    seatClass: text('seat_class'),
    flightReason: text('flight_reason'),
    /** A copy of the flight's date, so that one index covers a user's log in order. */
    date: text().notNull(),
    /** One of the user's trips; null for guests. */
    tripId: integer('trip_id').references(() => trips.id, { onDelete: 'set null' }),
  },
  (t) => [
    index('passengers_log').on(t.userId, t.date, t.flightId),
    // Partial, to keep writes cheap.
    index('passengers_trip').on(t.tripId, t.date).where(sql`trip_id is not null`),
    // User ids never begin with a space.
    uniqueIndex('passengers_once').on(
      t.flightId,
      sql`case when user_id is null then ' ' || guest_name else user_id end`,
    ),
    check('passengers_user_or_guest', sql`(user_id is null) <> (guest_name is null)`),
  ],
)

export const flightTracks = sqliteTable('flight_tracks', {
  flightId: integer('flight_id')
    .primaryKey()
    .references(() => flights.id, { onDelete: 'cascade' }),
  pointCount: integer('point_count').notNull(),
  sourceFormat: text('source_format').notNull(),
  sourceName: text('source_name'),
  points: blob({ mode: 'buffer' }).notNull(),
  createdAt: text('created_at').notNull(),
  updatedAt: text('updated_at').notNull(),
})

/** The simplified track for maps. A separate table, because reading it must not load all points. */
export const flightTrackLines = sqliteTable('flight_track_lines', {
  flightId: integer('flight_id')
    .primaryKey()
    .references(() => flightTracks.flightId, { onDelete: 'cascade' }),
  line: blob({ mode: 'buffer' }).notNull(),
})
