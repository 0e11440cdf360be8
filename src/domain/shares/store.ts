import { and, count, desc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { roles, shares, users } from '../../db/tables/index.ts'

export type ShareRow = typeof shares.$inferSelect

export function shareStore(db: Db) {
  const { placeholder } = sql
  const ofUser = db
    .select()
    .from(shares)
    .where(eq(shares.userId, placeholder('userId')))
    .orderBy(desc(shares.createdAt), desc(shares.id))
    .limit(placeholder('limit'))
    .offset(placeholder('offset'))
    .prepare()
  const bySlug = db
    .select({ share: shares, isOwner: users.isOwner, permissions: roles.permissions })
    .from(shares)
    .innerJoin(users, eq(users.id, shares.userId))
    .leftJoin(roles, eq(roles.id, users.roleId))
    .where(sql`${shares.slug} = ${placeholder('slug')} collate nocase`)
    .prepare()

  return {
    /** A limit of -1 is none. */
    list: (userId: string, { limit, offset } = { limit: -1, offset: 0 }) => ofUser.all({ userId, limit, offset }),
    count: (userId: string) => db.select({ n: count() }).from(shares).where(eq(shares.userId, userId)).get()!.n,
    find: (userId: string, id: number) =>
      db
        .select()
        .from(shares)
        .where(and(eq(shares.userId, userId), eq(shares.id, id)))
        .get(),
    findPublic: (slug: string) => bySlug.get({ slug }),
    insert: (row: typeof shares.$inferInsert) => db.insert(shares).values(row).returning().get(),
    update: (id: number, row: Partial<ShareRow>) =>
      db.update(shares).set(row).where(eq(shares.id, id)).returning().get()!,
    delete: (id: number) => db.delete(shares).where(eq(shares.id, id)).run(),
  }
}
