import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { calendars, roles, users } from '../../db/tables/index.ts'

export type CalendarRow = typeof calendars.$inferSelect

export function calendarStore(db: Db) {
  const { placeholder } = sql
  const ofUser = db
    .select({ withNotes: calendars.withNotes, createdAt: calendars.createdAt })
    .from(calendars)
    .where(eq(calendars.userId, placeholder('userId')))
    .prepare()
  const byHash = db
    .select({
      userId: calendars.userId,
      withNotes: calendars.withNotes,
      displayName: users.displayName,
      isOwner: users.isOwner,
      permissions: roles.permissions,
    })
    .from(calendars)
    .innerJoin(users, eq(users.id, calendars.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(calendars.hash, placeholder('hash')))
    .prepare()

  return {
    ofUser: (userId: string) => ofUser.get({ userId }),
    /** The calendar behind a secret, and what its user is allowed now. */
    findPublic: (hash: Buffer) => byHash.get({ hash }),
    save: (row: CalendarRow) =>
      db.insert(calendars).values(row).onConflictDoUpdate({ target: calendars.userId, set: row }).run(),
    setNotes: (userId: string, withNotes: boolean) =>
      db.update(calendars).set({ withNotes }).where(eq(calendars.userId, userId)).run().changes > 0,
    delete: (userId: string) => db.delete(calendars).where(eq(calendars.userId, userId)).run(),
  }
}
