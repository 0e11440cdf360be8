import { and, desc, eq, gt, lte, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { preferences, roles, sessions, users } from '../../db/tables/index.ts'

export function sessionStore(db: Db) {
  const byHash = db
    .select({
      createdAt: sessions.createdAt,
      lastUsedAt: sessions.lastUsedAt,
      userId: users.id,
      username: users.username,
      displayName: users.displayName,
      isOwner: users.isOwner,
      roleId: roles.id,
      roleName: roles.name,
      permissions: roles.permissions,
      language: preferences.language,
    })
    .from(sessions)
    .innerJoin(users, eq(users.id, sessions.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .leftJoin(preferences, eq(preferences.userId, users.id))
    .where(eq(sessions.hash, sql.placeholder('hash')))
    .prepare()

  return {
    find: (hash: Buffer) => byHash.get({ hash }),
    insert: (row: typeof sessions.$inferInsert) => db.insert(sessions).values(row).run(),
    touch: (hash: Buffer, at: number) =>
      db.update(sessions).set({ lastUsedAt: at }).where(eq(sessions.hash, hash)).run(),
    delete: (hash: Buffer) => db.delete(sessions).where(eq(sessions.hash, hash)).run(),
    ofUser: (userId: string, since: number, limit: number) =>
      db
        .select()
        .from(sessions)
        .where(and(eq(sessions.userId, userId), gt(sessions.lastUsedAt, since)))
        .orderBy(desc(sessions.lastUsedAt))
        .limit(limit)
        .all(),
    deleteOthers: (userId: string, kept: Buffer) =>
      db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), ne(sessions.hash, kept)))
        .run(),
    deleteDevice: (userId: string, device: string, kept: Buffer) =>
      db
        .delete(sessions)
        .where(and(eq(sessions.userId, userId), eq(sessions.device, device), ne(sessions.hash, kept)))
        .run(),
    deleteUnusedSince: (at: number) => db.delete(sessions).where(lte(sessions.lastUsedAt, at)).run(),
  }
}
