import { and, asc, eq, inArray, ne, notExists, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'
import { statements } from '../../db/statements.ts'
import {
  flights,
  flightTracks,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  passengers,
  passkeys,
  roles,
  sessions,
  users,
} from '../../db/tables/index.ts'
import { isoInstant } from '../../lib/dates.ts'

export function userStore(db: Db) {
  const { placeholder } = sql
  const select = () =>
    db
      .select({
        id: users.id,
        username: users.username,
        displayName: users.displayName,
        roleId: users.roleId,
        roleName: roles.name,
        isOwner: users.isOwner,
        permissions: roles.permissions,
      })
      .from(users)
      .leftJoin(roles, eq(roles.id, users.roleId))
  const isNamed = (username: string) => sql`${users.username} = ${username} collate nocase`

  const { write } = statements(db)
  const id = placeholder('id')
  const others = alias(passengers, 'others')
  const withUser = inArray(
    flights.id,
    db.select({ id: passengers.flightId }).from(passengers).where(eq(passengers.userId, id)),
  )
  const withOthers = db
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.flightId, flights.id), ne(others.userId, id)))
  const deleteFlightsAlone = write<{ id: string }>(db.delete(flights).where(and(withUser, notExists(withOthers))))
  // Removing a passenger changes the flight (contract 4.1).
  const touchFlights = write<{ id: string; now: string }>(
    db
      .update(flights)
      .set({ updatedAt: sql`${placeholder('now')}` })
      .where(withUser),
  )

  const fellowPassengers = alias(passengers, 'aboard_with')
  const rowsOfLog = db
    .select({ id: fellowPassengers.id, track: flightTracks.flightId })
    .from(passengers)
    .innerJoin(fellowPassengers, eq(fellowPassengers.flightId, passengers.flightId))
    .leftJoin(flightTracks, eq(flightTracks.flightId, passengers.flightId))
    .where(eq(passengers.userId, id))
    .limit(placeholder('limit'))
    .prepare()

  return {
    hasShortLog: (id: string, limit: number) => {
      const rows = rowsOfLog.all({ id, limit })
      return rows.length < limit && rows.every(({ track }) => track === null)
    },
    all: () =>
      select()
        .orderBy(asc(sql`${users.username} collate nocase`))
        .all(),
    find: (id: string) => select().where(eq(users.id, id)).get(),
    findByName: (username: string) => select().where(isNamed(username)).get(),
    owner: () => select().where(eq(users.isOwner, true)).get(),
    passwordOf: (username: string) => db.select().from(users).where(isNamed(username)).get(),
    passwordOfId: (id: string) =>
      db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, id)).get()?.hash,
    insert: (row: typeof users.$inferInsert) => db.insert(users).values(row).run(),
    update: (id: string, row: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(row).where(eq(users.id, id)).run(),
    /** Ends sessions and OAuth tokens; API keys stay valid. */
    endSignIns: (id: string, now: number) => {
      db.delete(sessions).where(eq(sessions.userId, id)).run()
      const grants = db.select({ id: oauthGrants.id }).from(oauthGrants).where(eq(oauthGrants.userId, id))
      db.update(oauthFamilies).set({ revokedAt: now }).where(sql`${oauthFamilies.grantId} in ${grants}`).run()
      db.update(oauthCodes).set({ spentAt: now }).where(sql`${oauthCodes.grantId} in ${grants}`).run()
    },
    deletePasskeys: (id: string) => db.delete(passkeys).where(eq(passkeys.userId, id)).run().changes,
    /** Foreign keys delete the rest. Returns the number of deleted flights. */
    delete: (id: string, now: number) => {
      const { changes } = deleteFlightsAlone.run({ id })
      touchFlights.run({ id, now: isoInstant(now) })
      db.delete(users).where(eq(users.id, id)).run()
      return changes
    },
  }
}
