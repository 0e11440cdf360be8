import { and, desc, eq, ne, notExists, notInArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { oauthClients, oauthGrants, oauthRequests } from '../../db/tables/index.ts'

export type ClientRow = typeof oauthClients.$inferSelect
export type PendingRow = typeof oauthRequests.$inferSelect

export function clientStore(db: Db) {
  const { placeholder } = sql
  const byId = db
    .select()
    .from(oauthClients)
    .where(eq(oauthClients.id, placeholder('id')))
    .prepare()
  const pending = db
    .select()
    .from(oauthRequests)
    .where(eq(oauthRequests.id, placeholder('id')))
    .prepare()

  const unapproved = notExists(db.select().from(oauthGrants).where(eq(oauthGrants.clientId, oauthClients.id)))
  const isOther = ne(oauthClients.id, placeholder('id'))
  const newest = db
    .select({ id: oauthClients.id })
    .from(oauthClients)
    .where(and(unapproved, isOther))
    .orderBy(desc(oauthClients.idleSince), desc(oauthClients.createdAt))
    .limit(placeholder('others'))
  const removeOlder = db
    .delete(oauthClients)
    .where(and(unapproved, isOther, notInArray(oauthClients.id, newest)))
    .prepare()

  return {
    find: (id: string) => byId.get({ id }),
    insert: (row: typeof oauthClients.$inferInsert) => db.insert(oauthClients).values(row).run(),
    /** Deletes the oldest unapproved clients, except this one. */
    limitUnapproved: (id: string, max: number) => removeOlder.run({ id, others: max - 1 }),
    findPending: (id: string) => pending.get({ id }),
    insertPending: (row: PendingRow) => db.insert(oauthRequests).values(row).run(),
    claimPending: (id: string, userId: string | null) =>
      db.update(oauthRequests).set({ userId }).where(eq(oauthRequests.id, id)).run(),
    deletePending: (id: string) => db.delete(oauthRequests).where(eq(oauthRequests.id, id)).run(),
  }
}
