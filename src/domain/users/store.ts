import { asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { oauthCodes, oauthFamilies, oauthGrants, roles, sessions, users } from '../../db/tables/index.ts'
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
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(sql`${users.username} = ${placeholder('username')} collate nocase`)
    .prepare()
  const passwordById = db
    .select({ id: users.id, passwordHash: users.passwordHash })
    .from(users)
    .where(eq(users.id, placeholder('id')))
    .prepare()
  const owner = select().where(eq(users.isOwner, true)).prepare()

  // Flights on which nobody else has an account would belong to nobody.
  const deleteFlightsAlone = db.$client.prepare(`
    delete from flights where id in (
      select flight_id from passengers where user_id = @id
    ) and not exists (
      select 1 from passengers p where p.flight_id = flights.id and p.user_id <> @id
    )`)

  // The others lose a passenger, which is a write to them (contract 4.1).
  const touchFlights = db.$client.prepare(`
    update flights set updated_at = @now where id in (select flight_id from passengers where user_id = @id)`)

  return {
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
    /** Everything else of the account goes by the foreign keys. */
    delete: (id: string, now: number) => {
      deleteFlightsAlone.run({ id })
      touchFlights.run({ id, now: isoInstant(now) })
      db.delete(users).where(eq(users.id, id)).run()
    },
  }
}
