import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * What followers of the log are told. Triggers of the database itself write it (see the migrations), so that no change
 * can miss it, whoever makes it. Only what is new in a file is noted by whoever writes it (`domain/flights/feed-entries.ts`).
 */

/** Every position that the log ever had: a row a change, never deleted, since cursors stay valid for ever. */
export const changePositions = sqliteTable('change_positions', {
  seq: integer().primaryKey(),
  at: integer().notNull(),
  /** Random, so that a position is told from the one of the same number in a copy that went its own way. */
  tag: blob({ mode: 'buffer' }).notNull(),
})

/** The last position of each flight, for everybody (an empty user id) and for each user aboard. WITHOUT ROWID. */
export const flightChanges = sqliteTable(
  'flight_changes',
  {
    userId: text('user_id').notNull(),
    seq: integer().notNull(),
    flightId: integer('flight_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.seq] })],
)

/** Flights that went, and users who are no longer on a flight: the same users, without references. WITHOUT ROWID. */
export const flightRemovals = sqliteTable(
  'flight_removals',
  {
    userId: text('user_id').notNull(),
    flightId: integer('flight_id').notNull(),
    seq: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.flightId] }), index('flight_removals_order').on(t.userId, t.seq)],
)
