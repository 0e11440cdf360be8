import { and, eq, lt, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { identities, usedSignIns } from '../../db/tables/index.ts'

export function identityStore(db: Db) {
  const { placeholder } = sql
  const bySubject = db
    .select({ userId: identities.userId })
    .from(identities)
    .where(and(eq(identities.issuer, placeholder('issuer')), eq(identities.subject, placeholder('subject'))))
    .prepare()
  const ofUser = db
    .select({ createdAt: identities.createdAt, lastUsedAt: identities.lastUsedAt })
    .from(identities)
    .where(and(eq(identities.userId, placeholder('userId')), eq(identities.issuer, placeholder('issuer'))))
    .prepare()

  return {
    find: (issuer: string, subject: string) => bySubject.get({ issuer, subject }),
    ofUser: (userId: string, issuer: string) => ofUser.get({ userId, issuer }),
    insert: (row: typeof identities.$inferInsert) => db.insert(identities).values(row).run(),
    touch: (issuer: string, subject: string, at: number) =>
      db
        .update(identities)
        .set({ lastUsedAt: at })
        .where(and(eq(identities.issuer, issuer), eq(identities.subject, subject)))
        .run(),
    delete: (userId: string, issuer: string) =>
      db
        .delete(identities)
        .where(and(eq(identities.userId, userId), eq(identities.issuer, issuer)))
        .run().changes,
    deleteAll: (userId: string) => db.delete(identities).where(eq(identities.userId, userId)).run().changes,
    /** Returns true the first time. Deletes expired entries. */
    use: (hash: Buffer, now: number, oldest: number): boolean => {
      db.delete(usedSignIns).where(lt(usedSignIns.usedAt, oldest)).run()
      return db.insert(usedSignIns).values({ hash, usedAt: now }).onConflictDoNothing().run().changes > 0
    },
  }
}
