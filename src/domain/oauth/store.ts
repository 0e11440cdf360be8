import { and, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
} from '../../db/tables/index.ts'

export type GrantRow = typeof oauthGrants.$inferSelect
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
  const grantOf = db
    .select()
    .from(oauthGrants)
    .where(
      and(
        eq(oauthGrants.clientId, placeholder('clientId')),
        eq(oauthGrants.userId, placeholder('userId')),
        eq(oauthGrants.resource, placeholder('resource')),
      ),
    )
    .prepare()

  return {
    findCode: (hash: Buffer) => code.get({ hash }),
    insertCode: (row: typeof oauthCodes.$inferInsert) => db.insert(oauthCodes).values(row).run(),
    spendCode: (hash: Buffer, now: number) =>
      db.update(oauthCodes).set({ spentAt: now }).where(eq(oauthCodes.hash, hash)).run(),
    bindCode: (hash: Buffer, familyId: number) =>
      db.update(oauthCodes).set({ familyId }).where(eq(oauthCodes.hash, hash)).run(),

    findGrant: (clientId: string, userId: string, resource: string) => grantOf.get({ clientId, userId, resource }),
    hasGrant: (clientId: string, userId: string) =>
      db
        .select({ id: oauthGrants.id })
        .from(oauthGrants)
        .where(and(eq(oauthGrants.clientId, clientId), eq(oauthGrants.userId, userId)))
        .get() !== undefined,
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

    insertAccess: (row: typeof oauthAccessTokens.$inferInsert) => db.insert(oauthAccessTokens).values(row).run(),
    findAccess: (jti: string) => access.get({ jti }),
    revokeAccess: (jti: string, now: number) =>
      db.update(oauthAccessTokens).set({ revokedAt: now }).where(eq(oauthAccessTokens.jti, jti)).run(),
  }
}

export type OAuthStore = ReturnType<typeof oauthStore>
