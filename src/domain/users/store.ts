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
  const all = select()
    .orderBy(asc(sql`${users.username} collate nocase`))
    .prepare()
  const byId = select()
    .where(eq(users.id, placeholder('id')))
    .prepare()
  const byName = select()
    .where(sql`${users.username} = ${placeholder('username')} collate nocase`)
    .prepare()
  const password = db
    .select({ id: users.id, username: users.username, passwordHash: users.passwordHash })
    .from(users)
    .where(sql`${users.username} = ${placeholder('username')} collate nocase`)
    .prepare()
  const passwordById = db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, placeholder('id')))
    .prepare()
  const owner = select().where(eq(users.isOwner, true)).prepare()

  const { write } = statements(db)
  const id = placeholder('id')
  const others = alias(passengers, 'others')
  const aboard = inArray(
    flights.id,
    db.select({ id: passengers.flightId }).from(passengers).where(eq(passengers.userId, id)),
  )
  const othersAboard = db
    .select({ id: others.id })
    .from(others)
    .where(and(eq(others.flightId, flights.id), ne(others.userId, id)))
  // Flights on which nobody else has an account would belong to nobody.
  const deleteFlightsAlone = write<{ id: string }>(db.delete(flights).where(and(aboard, notExists(othersAboard))))
  // The others lose a passenger, which is a write to them (contract 4.1).
  const touchFlights = write<{ id: string; now: string }>(
    db
      .update(flights)
      .set({ updatedAt: sql`${placeholder('now')}` })
      .where(aboard),
  )

  const aboardWith = alias(passengers, 'aboard_with')
  const rowsOfLog = db
    .select({ id: aboardWith.id })
    .from(passengers)
    .innerJoin(aboardWith, eq(aboardWith.flightId, passengers.flightId))
    .where(eq(passengers.userId, id))
    .limit(placeholder('limit'))
    .prepare()
  const tracksOfLog = db
    .select({ id: flightTracks.flightId })
    .from(passengers)
    .innerJoin(flightTracks, eq(flightTracks.flightId, passengers.flightId))
    .where(eq(passengers.userId, id))
    .limit(1)
    .prepare()

  return {
    /** Whether the flights of an account have fewer places than this, and none has a track. */
    hasShortLog: (id: string, limit: number) =>
      rowsOfLog.all({ id, limit }).length < limit && tracksOfLog.get({ id }) === undefined,
    all: () => all.all(),
    find: (id: string) => byId.get({ id }),
    findByName: (username: string) => byName.get({ username }),
    owner: () => owner.get(),
    passwordOf: (username: string) => password.get({ username }),
    passwordOfId: (id: string) => passwordById.get({ id })?.passwordHash,
    insert: (row: typeof users.$inferInsert) => db.insert(users).values(row).run(),
    update: (id: string, row: Partial<typeof users.$inferInsert>) =>
      db.update(users).set(row).where(eq(users.id, id)).run(),
    /** Sessions and OAuth tokens end with the password they were made under; API keys stay. */
    endSignIns: (id: string, now: number) => {
      db.delete(sessions).where(eq(sessions.userId, id)).run()
      const grants = db.select({ id: oauthGrants.id }).from(oauthGrants).where(eq(oauthGrants.userId, id))
      db.update(oauthFamilies).set({ revokedAt: now }).where(sql`${oauthFamilies.grantId} in ${grants}`).run()
      db.update(oauthCodes).set({ spentAt: now }).where(sql`${oauthCodes.grantId} in ${grants}`).run()
    },
    /** Everything else of the account goes by the foreign keys; answers with how many flights went. */
    delete: (id: string, now: number) => {
      const { changes } = deleteFlightsAlone.run({ id })
      touchFlights.run({ id, now: isoInstant(now) })
      db.delete(users).where(eq(users.id, id)).run()
      return changes
    },
  }
}
