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

  // Without the other passengers and custom values, which take most of the time that reading a flight takes.
  const { lastChange, completedFrom, distanceMeters, airlineId, aircraftId, ...told } = getTableColumns(flights)
  const { seat, seatNumber, seatClass } = passengers
  const events = statements(db).rows(
    db
      .select(named({ ...told, seat, seatNumber, seatClass }))
      // A cross join keeps the order in which SQLite walks: from the ids to their flights.
      .from(sql`json_each(${placeholder('ids')}) wanted`)
      .crossJoin(flights)
      // A plus keeps SQLite from going through the whole log of the user.
      .leftJoin(
        passengers,
        and(eq(passengers.flightId, flights.id), sql`+${passengers.userId} = ${placeholder('userId')}`),
      )
      .where(sql`${flights.id} = wanted.value`)
      .orderBy(sql`wanted.key`),
  )

  return {
    /** The flights that still exist, with the user's own seat. */
    flights: (ids: readonly number[], userId: string) => events.all({ ids: JSON.stringify(ids), userId }),
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
