import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

/**
 * Who did what. Whoever and whatever an entry names may be gone by now, so that it refers to nothing; ids only grow,
 * since the oldest entries go first.
 */
export const activity = sqliteTable(
  'activity',
  {
    id: integer().primaryKey(),
    at: integer().notNull(),
    kind: text().notNull(),
    /** Null for the operator, and for somebody unknown. */
    actorId: text('actor_id'),
    actorName: text('actor_name'),
    surface: text().notNull(),
    credential: text(),
    address: text(),
    flightId: integer('flight_id'),
    /** Of everything but flights. */
    subjectId: text('subject_id'),
    /** What the subject was called then, or the name that was typed. */
    name: text(),
    /** How many flights it was about, where it was several. */
    count: integer(),
  },
  (t) => [
    index('activity_actor').on(t.actorId),
    index('activity_flight').on(t.flightId).where(sql`flight_id is not null`),
    // Most entries are new flights, which need no help to be found and shall cost nothing more.
    index('activity_kind').on(t.kind).where(sql`kind <> 'flight.created'`),
    index('activity_typed').on(sql`name collate nocase`).where(sql`kind = 'sign_in.failed'`),
  ],
)

/** Whom an entry concerns beside its actor: most flights are logged by the one person who is on them. */
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
