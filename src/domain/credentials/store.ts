import { and, asc, count, desc, eq, isNull, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { named, statements } from '../../db/statements.ts'
import {
  apiKeys,
  oauthAccessTokens,
  oauthClients,
  oauthFamilies,
  oauthGrants,
  roles,
  users,
} from '../../db/tables/index.ts'

export type Use = [id: number, at: number]

const account = {
  userId: users.id,
  username: users.username,
  displayName: users.displayName,
  isOwner: users.isOwner,
  roleId: roles.id,
  roleName: roles.name,
  permissions: roles.permissions,
}

export function credentialStore(db: Db) {
  const { rows, write } = statements(db)
  const { placeholder } = sql
  // One query, because it runs before every uncached request.
  const byHash = rows(
    db
      .select(
        named({
          id: apiKeys.id,
          name: apiKeys.name,
          scopes: apiKeys.scopes,
          legacyObjects: apiKeys.legacyObjects,
          ...account,
        }),
      )
      .from(apiKeys)
      .innerJoin(users, eq(users.id, apiKeys.userId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(eq(apiKeys.hash, placeholder('hash'))),
  )
  const byToken = rows(
    db
      .select(
        named({
          id: oauthGrants.id,
          name: oauthClients.name,
          scopes: oauthGrants.scopes,
          familyId: oauthFamilies.id,
          ...account,
        }),
      )
      .from(oauthAccessTokens)
      .innerJoin(oauthFamilies, eq(oauthFamilies.id, oauthAccessTokens.familyId))
      .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
      .innerJoin(oauthClients, eq(oauthClients.id, oauthGrants.clientId))
      .innerJoin(users, eq(users.id, oauthGrants.userId))
      .leftJoin(roles, eq(roles.id, users.roleId))
      .where(
        and(
          eq(oauthAccessTokens.jti, placeholder('jti')),
          isNull(oauthAccessTokens.revokedAt),
          isNull(oauthFamilies.revokedAt),
        ),
      ),
  )
  const lastUsedAt = sql`${placeholder('at')}`
  const touchKey = write(
    db
      .update(apiKeys)
      .set({ lastUsedAt })
      .where(eq(apiKeys.id, placeholder('id'))),
  )
  const touchGrant = write(
    db
      .update(oauthGrants)
      .set({ lastUsedAt })
      .where(eq(oauthGrants.id, placeholder('id'))),
  )
  const touchAll = (statement: typeof touchKey) => (uses: Iterable<Use>) => {
    for (const [id, at] of uses) statement.run({ id, at })
  }
  const columns = {
    id: apiKeys.id,
    username: users.username,
    name: apiKeys.name,
    scopes: apiKeys.scopes,
    legacyObjects: apiKeys.legacyObjects,
    createdAt: apiKeys.createdAt,
    lastUsedAt: apiKeys.lastUsedAt,
  }
  const select = () => db.select(columns).from(apiKeys).innerJoin(users, eq(users.id, apiKeys.userId))

  return {
    findByHash: (hash: Buffer) => byHash.get({ hash }),
    findByToken: (jti: string) => byToken.get({ jti }),
    touchKeys: touchAll(touchKey),
    touchGrants: touchAll(touchGrant),
    countOf: (userId: string) => db.select({ n: count() }).from(apiKeys).where(eq(apiKeys.userId, userId)).get()!.n,
    insert: (row: typeof apiKeys.$inferInsert) => db.insert(apiKeys).values(row).returning({ id: apiKeys.id }).get().id,
    all: () =>
      select()
        .orderBy(asc(sql`${users.username} collate nocase`), desc(apiKeys.id))
        .all(),
    ofUser: (userId: string) => select().where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id)).all(),
    delete: (id: number, userId?: string) =>
      db
        .delete(apiKeys)
        .where(and(eq(apiKeys.id, id), userId === undefined ? undefined : eq(apiKeys.userId, userId)))
        .returning({ name: apiKeys.name, userId: apiKeys.userId })
        .get(),
  }
}

/** The current rights of a caller. */
export function callerStore(db: Db) {
  const { placeholder } = sql
  const rights = { isOwner: users.isOwner, permissions: roles.permissions }
  const byUser = db
    .select(rights)
    .from(users)
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(users.id, placeholder('userId')))
    .prepare()
  const byKey = db
    .select({ ...rights, scopes: apiKeys.scopes })
    .from(apiKeys)
    .innerJoin(users, eq(users.id, apiKeys.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(eq(apiKeys.id, placeholder('id')))
    .prepare()
  const byFamily = db
    .select({ ...rights, scopes: oauthGrants.scopes })
    .from(oauthFamilies)
    .innerJoin(oauthGrants, eq(oauthGrants.id, oauthFamilies.grantId))
    .innerJoin(users, eq(users.id, oauthGrants.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(and(eq(oauthFamilies.id, placeholder('id')), isNull(oauthFamilies.revokedAt)))
    .prepare()
  return { byUser, byKey, byFamily }
}

export type CredentialRow = NonNullable<ReturnType<ReturnType<typeof credentialStore>['findByHash']>>
