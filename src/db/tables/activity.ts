import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Has no foreign keys because users and records may be deleted. Ids only grow, since the oldest entries are deleted
 * first.
 */
export const activity = sqliteTable(
  'activity',
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    kind: text().notNull(),
    /** Null for the operator and unknown visitors. */
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    surface: text().notNull(),
    credential: text(),
    address: text(),
    flightId: integer('flight_id'),
    subjectId: text('subject_id'),
    /** The name of the subject at that time, or the name that was typed. */
    name: text(),
    count: integer(),
  },
  (t) => [
    index('activity_actor').on(t.actorId),
    index('activity_flight').on(t.flightId).where(sql`flight_id is not null`),
    // Excludes the most frequent kind to keep writes cheap.
    index('activity_kind').on(t.kind).where(sql`kind <> 'flight.created'`),
    index('activity_typed').on(sql`name collate nocase`).where(sql`kind = 'sign_in.failed'`),
  ],
)

/** Users that an entry concerns, except its actor. */
export const activityPeople = sqliteTable(
  'activity_people',
  {
    entryId: integer('entry_id')
      .notNull()
      .references(() => activity.id, { onDelete: 'cascade' }),
    userId: text('user_id').notNull(),
  },
  (t) => [index('activity_people_entry').on(t.entryId), index('activity_people_user').on(t.userId, t.entryId)],
)
