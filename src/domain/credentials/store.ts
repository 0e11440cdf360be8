import { and, asc, count, desc, eq, inArray, sql } from 'drizzle-orm'
import { dataVersion } from '../../db/data-version.ts'
import type { Db } from '../../db/open.ts'
import { apiKeys, users } from '../../db/tables/index.ts'

/** Credential, user and role in one row, as arrays: this query runs before every request that the cache cannot answer. */
export type CredentialRow = [
  id: number,
  scopes: string,
  userId: string,
  username: string,
  displayName: string,
  isOwner: number,
  roleId: string | null,
  roleName: string | null,
  permissions: string | null,
]

/** When a key or a grant was used last. */
export type Use = [id: number, at: number]

const ACCOUNT = 'u.id, u.username, u.display_name, u.is_owner, r.id, r.name, r.permissions'

export function credentialStore(db: Db) {
  const byHash = db.$client
    .prepare(
      `select k.id, k.scopes, ${ACCOUNT}
       from api_keys k join users u on u.id = k.user_id left join roles r on r.id = u.role_id
       where k.hash = ?`,
    )
    .raw()
  const byToken = db.$client
    .prepare(
      `select g.id, g.scopes, ${ACCOUNT}, f.id
       from oauth_access_tokens t join oauth_families f on f.id = t.family_id join oauth_grants g on g.id = f.grant_id
         join users u on u.id = g.user_id left join roles r on r.id = u.role_id
       where t.jti = ? and t.revoked_at is null and f.revoked_at is null`,
    )
    .raw()
  const touchKey = db.$client.prepare('update api_keys set last_used_at = ? where id = ?')
  const touchGrant = db.$client.prepare('update oauth_grants set last_used_at = ? where id = ?')
  const touching = (statement: typeof touchKey) => (uses: Iterable<Use>) =>
    dataVersion(db).write('accounts', () =>
      db.transaction(
        () => {
          for (const [id, at] of uses) statement.run(at, id)
        },
        { behavior: 'immediate' },
      ),
    )
  const columns = {
    id: apiKeys.id,
    username: users.username,
    name: apiKeys.name,
    scopes: apiKeys.scopes,
    createdAt: apiKeys.createdAt,
    lastUsedAt: apiKeys.lastUsedAt,
  }
  const select = () => db.select(columns).from(apiKeys).innerJoin(users, eq(users.id, apiKeys.userId))

  return {
    findByHash: (hash: Buffer) => byHash.get(hash) as CredentialRow | undefined,
    /** The grant and the user behind a token that is not revoked, and the token's family. */
    findByToken: (jti: string) => byToken.get(jti) as [...CredentialRow, familyId: number] | undefined,
    touchKeys: touching(touchKey),
    touchGrants: touching(touchGrant),
    countOf: (userId: string) => db.select({ n: count() }).from(apiKeys).where(eq(apiKeys.userId, userId)).get()!.n,
    insert: (row: typeof apiKeys.$inferInsert) => db.insert(apiKeys).values(row).returning({ id: apiKeys.id }).get().id,
    all: () =>
      select()
        .orderBy(asc(sql`${users.username} collate nocase`), desc(apiKeys.id))
        .all(),
    ofUser: (userId: string) => select().where(eq(apiKeys.userId, userId)).orderBy(desc(apiKeys.id)).all(),
    deleteOf: (userId: string, id: number) =>
      db
        .delete(apiKeys)
        .where(and(eq(apiKeys.id, id), eq(apiKeys.userId, userId)))
        .run().changes,
    delete: (ids: number[]) => db.delete(apiKeys).where(inArray(apiKeys.id, ids)).run().changes,
  }
}
