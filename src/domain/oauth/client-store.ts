import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { oauthClients, oauthRequests } from '../../db/tables/index.ts'

export type ClientRow = typeof oauthClients.$inferSelect
export type PendingRow = typeof oauthRequests.$inferSelect

/** Clients and the authorization requests that wait for their user. */
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

  const excess = db.$client.prepare(
    `delete from oauth_clients where id in (
       select id from oauth_clients c where not exists (select 1 from oauth_grants g where g.client_id = c.id)
       order by idle_since desc, rowid desc limit -1 offset ?)`,
  )

  return {
    find: (id: string) => byId.get({ id }),
    insert: (row: typeof oauthClients.$inferInsert) => db.insert(oauthClients).values(row).run(),
    /** The newest of those that nobody has approved stay. */
    keepUnapproved: (most: number) => excess.run(most),
    findPending: (id: string) => pending.get({ id }),
    insertPending: (row: PendingRow) => db.insert(oauthRequests).values(row).run(),
    claimPending: (id: string, userId: string | null) =>
      db.update(oauthRequests).set({ userId }).where(eq(oauthRequests.id, id)).run(),
    deletePending: (id: string) => db.delete(oauthRequests).where(eq(oauthRequests.id, id)).run(),
  }
}
