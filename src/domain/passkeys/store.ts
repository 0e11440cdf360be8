import { asc, count, countDistinct, eq, ne } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { passkeys } from '../../db/tables/index.ts'

export type PasskeyRow = typeof passkeys.$inferSelect

export function passkeyStore(db: Db) {
  return {
    find: (credentialId: Buffer) => db.select().from(passkeys).where(eq(passkeys.credentialId, credentialId)).get(),
    ofUser: (userId: string) =>
      db.select().from(passkeys).where(eq(passkeys.userId, userId)).orderBy(asc(passkeys.id)).all(),
    insert: (row: typeof passkeys.$inferInsert) =>
      db.insert(passkeys).values(row).returning({ id: passkeys.id }).get().id,
    update: (id: number, row: Pick<PasskeyRow, 'counter' | 'lastUsedAt'>) =>
      db.update(passkeys).set(row).where(eq(passkeys.id, id)).run(),
    delete: (id: number) => db.delete(passkeys).where(eq(passkeys.id, id)).run(),
    countBoundTo: (rpId: string) =>
      db.select({ passkeys: count() }).from(passkeys).where(eq(passkeys.rpId, rpId)).get()!.passkeys,
    /** By host, except one. */
    countByOtherHosts: (rpId: string) =>
      db
        .select({ rpId: passkeys.rpId, passkeys: count(), users: countDistinct(passkeys.userId) })
        .from(passkeys)
        .where(ne(passkeys.rpId, rpId))
        .groupBy(passkeys.rpId)
        .orderBy(asc(passkeys.rpId))
        .all(),
  }
}
