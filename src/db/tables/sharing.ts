import { sql } from 'drizzle-orm'
import { blob, check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { trips } from './trips.ts'
import { ownerId, users } from './users.ts'

export const visitedCountries = sqliteTable(
  'visited_countries',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    code: text().notNull(),
    status: text({ enum: ['lived', 'visited', 'layover', 'wishlist'] }).notNull(),
    note: text(),
  },
  (t) => [
    uniqueIndex('visited_countries_one').on(t.userId, t.code),
    check('visited_countries_status', sql`status in ('lived', 'visited', 'layover', 'wishlist')`),
  ],
)

export const shares = sqliteTable(
  'shares',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    slug: text().notNull(),
    expiresAt: integer('expires_at'),
    dateFrom: text('date_from'),
    dateTo: text('date_to'),
    showMap: integer('show_map', { mode: 'boolean' }).notNull(),
    showStats: integer('show_stats', { mode: 'boolean' }).notNull(),
    showFlightList: integer('show_flight_list', { mode: 'boolean' }).notNull(),
    showFlightNumbers: integer('show_flight_numbers', { mode: 'boolean' }).notNull(),
    showAirlines: integer('show_airlines', { mode: 'boolean' }).notNull(),
    showAircraft: integer('show_aircraft', { mode: 'boolean' }).notNull(),
    showTimes: integer('show_times', { mode: 'boolean' }).notNull(),
    showTracks: integer('show_tracks', { mode: 'boolean' }).notNull(),
    showDates: integer('show_dates', { mode: 'boolean' }).notNull(),
    showSeat: integer('show_seat', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
    tripId: integer('trip_id').references(() => trips.id, { onDelete: 'cascade' }),
  },
  (t) => [
    uniqueIndex('shares_slug').on(sql`slug collate nocase`),
    index('shares_user').on(t.userId),
    index('shares_trip').on(t.tripId),
  ],
)

export const calendars = sqliteTable(
  'calendars',
  {
    userId: text('user_id')
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: blob({ mode: 'buffer' }).notNull(),
    withNotes: integer('with_notes', { mode: 'boolean' }).notNull(),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [uniqueIndex('calendars_hash').on(t.hash)],
)
