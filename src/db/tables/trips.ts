import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownerId } from './users.ts'

/** The passenger rows of its user name the flights of a trip. */
export const trips = sqliteTable(
  'trips',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    userId: ownerId(),
    name: text().notNull(),
    note: text(),
    createdAt: integer('created_at').notNull(),
    updatedAt: integer('updated_at').notNull(),
  },
  (t) => [index('trips_user').on(t.userId)],
)
