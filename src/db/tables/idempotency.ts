import { blob, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { ownerId } from './users.ts'

export const idempotentAnswers = sqliteTable(
  'idempotent_answers',
  {
    id: blob({ mode: 'buffer' }).primaryKey(),
    userId: ownerId(),
    request: blob({ mode: 'buffer' }).notNull(),
    status: integer().notNull(),
    /** Null for a very large record, which is read again by its id. */
    body: text(),
    createdId: integer('created_id'),
    createdAt: integer('created_at').notNull(),
  },
  (t) => [index('idempotent_answers_user').on(t.userId), index('idempotent_answers_age').on(t.createdAt)],
)
