import { and, eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import { calendars, flights, passengers, roles, users } from '../../db/tables/index.ts'

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

  // Without other passengers and custom values, which take most of the time.
  const { lastChange, completedFrom, distanceMeters, airlineId, aircraftId, ...columns } = getTableColumns(flights)
  const { seat, seatNumber, seatClass } = passengers
  const events = statements(db).rows(
    db
      .select(named({ ...columns, seat, seatNumber, seatClass }))
      // A cross join makes SQLite go from the ids to their flights.
      .from(sql`json_each(${placeholder('ids')}) wanted`)
      .crossJoin(flights)
      // The plus prevents a scan of the user's whole log.
      .leftJoin(
        passengers,
        and(eq(passengers.flightId, flights.id), sql`+${passengers.userId} = ${placeholder('userId')}`),
      )
      .where(sql`${flights.id} = wanted.value`)
      .orderBy(sql`wanted.key`),
  )

  return {
    flights: (ids: readonly number[], userId: string) => events.all({ ids: JSON.stringify(ids), userId }),
    ofUser: (userId: string) => ofUser.get({ userId }),
    findPublic: (hash: Buffer) => byHash.get({ hash }),
    save: (row: CalendarRow) =>
      db.insert(calendars).values(row).onConflictDoUpdate({ target: calendars.userId, set: row }).run(),
    setNotes: (userId: string, withNotes: boolean) =>
      db.update(calendars).set({ withNotes }).where(eq(calendars.userId, userId)).run().changes > 0,
    delete: (userId: string) => db.delete(calendars).where(eq(calendars.userId, userId)).run(),
  }
}
