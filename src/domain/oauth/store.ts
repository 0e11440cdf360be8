import { and, asc, desc, eq, isNotNull, isNull, lt, lte, ne, notExists, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'
import { prepared, statements } from '../../db/statements.ts'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
  oauthRequests,
  signingKeys,
} from '../../db/tables/index.ts'

export type GrantRow = typeof oauthGrants.$inferSelect
export type ClientRow = typeof oauthClients.$inferSelect
export type PendingRow = typeof oauthRequests.$inferSelect
export type RefreshRow = typeof oauthRefreshTokens.$inferSelect

export function oauthStore(db: Db) {
  const { placeholder } = sql
  const code = db
    .select({ code: oauthCodes, grant: oauthGrants })
    .from(oauthCodes)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthCodes.grantId))
    .where(eq(oauthCodes.hash, placeholder('hash')))
    .prepare()
  const refresh = db
    .select({ token: oauthRefreshTokens, grant: oauthGrants, revokedAt: oauthFamilies.revokedAt })
    .from(oauthRefreshTokens)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthRefreshTokens.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .where(eq(oauthRefreshTokens.hash, placeholder('hash')))
    .prepare()
  const access = db
    .select({ familyId: oauthAccessTokens.familyId, clientId: oauthGrants.clientId })
    .from(oauthAccessTokens)
    .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthAccessTokens.familyId))
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .where(eq(oauthAccessTokens.jti, placeholder('jti')))
    .prepare()
  const grantedTo = (clientId: string, userId: string) =>
    and(eq(oauthGrants.clientId, clientId), eq(oauthGrants.userId, userId))
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
  const [now, longAgo, dayAgo] = [placeholder('now'), placeholder('longAgo'), placeholder('dayAgo')]
  const isUnreferenced = (table: SQLiteTable, condition: SQL) =>
    notExists(db.select({ one: sql`1` }).from(table).where(condition))
  const purges = [
    db.delete(oauthRequests).where(lte(oauthRequests.expiresAt, now)),
    db.delete(oauthAccessTokens).where(lte(oauthAccessTokens.expiresAt, now)),
    // A used token is kept until it expires, because its reuse means theft.
    db.delete(oauthRefreshTokens).where(lte(oauthRefreshTokens.expiresAt, now)),
    db
      .delete(oauthFamilies)
      .where(
        and(
          lte(oauthFamilies.createdAt, longAgo),
          isUnreferenced(oauthRefreshTokens, eq(oauthRefreshTokens.familyId, oauthFamilies.id)),
          isUnreferenced(oauthAccessTokens, eq(oauthAccessTokens.familyId, oauthFamilies.id)),
        ),
      ),
    db.delete(oauthCodes).where(and(lte(oauthCodes.expiresAt, now), isNull(oauthCodes.familyId))),
    db
      .delete(oauthClients)
      .where(
        and(
          lte(oauthClients.idleSince, dayAgo),
          isUnreferenced(oauthGrants, eq(oauthGrants.clientId, oauthClients.id)),
          isUnreferenced(oauthRequests, eq(oauthRequests.clientId, oauthClients.id)),
        ),
      ),
  ].map((query) => statements(db).write(query))
  const clearSuccessors = prepared(
    db
      .update(oauthRefreshTokens)
      .set({ successor: null, successorHash: null })
      .where(and(isNotNull(oauthRefreshTokens.successor), lt(oauthRefreshTokens.usedAt, placeholder('usedBefore')))),
  )

  return {
    findClient: (id: string) => db.select().from(oauthClients).where(eq(oauthClients.id, id)).get(),
    insertClient: (row: typeof oauthClients.$inferInsert) => db.insert(oauthClients).values(row).run(),
    saveClient: ({ id, name, website, redirectUris, idleSince, ...first }: typeof oauthClients.$inferInsert) => {
      const changes = { name, website, redirectUris, idleSince }
      db.insert(oauthClients)
        .values({ id, ...first, ...changes })
        .onConflictDoUpdate({ target: oauthClients.id, set: changes })
        .run()
    },
    limitUnapproved: (id: string, max: number) => removeOlder.run({ id, others: max - 1 }),
    findPending: (id: string) => db.select().from(oauthRequests).where(eq(oauthRequests.id, id)).get(),
    insertPending: (row: PendingRow) => db.insert(oauthRequests).values(row).run(),
    claimPending: (id: string, userId: string | null) =>
      db.update(oauthRequests).set({ userId }).where(eq(oauthRequests.id, id)).run(),
    deletePending: (id: string) => db.delete(oauthRequests).where(eq(oauthRequests.id, id)).run(),

    findCode: (hash: Buffer) => code.get({ hash }),
    insertCode: (row: typeof oauthCodes.$inferInsert) => db.insert(oauthCodes).values(row).run(),
    spendCode: (hash: Buffer, now: number) =>
      db.update(oauthCodes).set({ spentAt: now }).where(eq(oauthCodes.hash, hash)).run(),
    bindCode: (hash: Buffer, familyId: number) =>
      db.update(oauthCodes).set({ familyId }).where(eq(oauthCodes.hash, hash)).run(),

    findGrant: (clientId: string, userId: string, resource: string) =>
      db
        .select()
        .from(oauthGrants)
        .where(and(grantedTo(clientId, userId), eq(oauthGrants.resource, resource)))
        .get(),
    hasGrant: (clientId: string, userId: string) =>
      db.select().from(oauthGrants).where(grantedTo(clientId, userId)).get() !== undefined,
    saveGrant: (row: typeof oauthGrants.$inferInsert) =>
      db
        .insert(oauthGrants)
        .values(row)
        .onConflictDoUpdate({
          target: [oauthGrants.clientId, oauthGrants.userId, oauthGrants.resource],
          set: { scopes: row.scopes, approvedAt: row.approvedAt, redirectHost: row.redirectHost },
        })
        .returning({ id: oauthGrants.id })
        .get().id,
    grantsOf: (userId: string) =>
      db
        .select({ grant: oauthGrants, name: oauthClients.name })
        .from(oauthGrants)
        .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.clientId))
        .where(eq(oauthGrants.userId, userId))
        .orderBy(desc(oauthGrants.approvedAt), desc(oauthGrants.id))
        .all(),
    /** Foreign keys delete codes, families and tokens. */
    deleteGrant: (userId: string, id: number) =>
      db
        .delete(oauthGrants)
        .where(and(eq(oauthGrants.id, id), eq(oauthGrants.userId, userId)))
        .returning({ clientId: oauthGrants.clientId })
        .get(),
    markIdle: (clientId: string, now: number) =>
      db.update(oauthClients).set({ idleSince: now }).where(eq(oauthClients.id, clientId)).run(),

    insertFamily: (grantId: number, now: number) =>
      db.insert(oauthFamilies).values({ grantId, createdAt: now }).returning({ id: oauthFamilies.id }).get().id,
    revokeFamily: (id: number, now: number) =>
      db.update(oauthFamilies).set({ revokedAt: now }).where(eq(oauthFamilies.id, id)).run(),

    findRefresh: (hash: Buffer) => refresh.get({ hash }),
    insertRefresh: (row: typeof oauthRefreshTokens.$inferInsert) => db.insert(oauthRefreshTokens).values(row).run(),
    spendRefresh: (hash: Buffer, row: Pick<RefreshRow, 'usedAt' | 'successor' | 'successorHash'>) =>
      db.update(oauthRefreshTokens).set(row).where(eq(oauthRefreshTokens.hash, hash)).run(),
    clearSuccessors: (usedBefore: number) => clearSuccessors.run({ usedBefore }),

    insertAccess: (row: typeof oauthAccessTokens.$inferInsert) => db.insert(oauthAccessTokens).values(row).run(),
    findAccess: (jti: string) => access.get({ jti }),
    revokeAccess: (jti: string, now: number) =>
      db.update(oauthAccessTokens).set({ revokedAt: now }).where(eq(oauthAccessTokens.jti, jti)).run(),

    signingKeys: () => db.select().from(signingKeys).orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid)).all(),
    insertSigningKey: (row: typeof signingKeys.$inferInsert) => db.insert(signingKeys).values(row).run(),

    purge: (moments: { now: number; longAgo: number; dayAgo: number }) => {
      for (const each of purges) each.run(moments)
    },
  }
}

export type OAuthStore = ReturnType<typeof oauthStore>
