import { blob, index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * The change feed. Triggers write it (see the migrations), so that no change is missed. In SQLite, new rows are
 * recorded by the code that inserts them (`domain/flights/store/feed-entries.ts`).
 */

/** Every position of the feed. Never deleted, because cursors do not expire. */
export const changePositions = sqliteTable('change_positions', {
  seq: integer().primaryKey(),
  at: integer().notNull(),
  /** Random, to detect cursors of a database that was restored from an older backup. */
  tag: blob({ mode: 'buffer' }).notNull(),
})

/** The last change of each flight, for all users (empty user id) and for each passenger. WITHOUT ROWID. */
export const flightChanges = sqliteTable(
  'flight_changes',
  {
    userId: text('user_id').notNull(),
    seq: integer().notNull(),
    flightId: integer('flight_id').notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.seq] })],
)

/** Deleted flights and removed passengers. WITHOUT ROWID. */
export const flightRemovals = sqliteTable(
  'flight_removals',
  {
    userId: text('user_id').notNull(),
    flightId: integer('flight_id').notNull(),
    seq: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.flightId] }), index('flight_removals_order').on(t.userId, t.seq)],
)
