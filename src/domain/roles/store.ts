import { asc, count, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { roleMappings, roles, users } from '../../db/tables/index.ts'

export type RoleRow = typeof roles.$inferSelect

export function roleStore(db: Db) {
  const { placeholder } = sql
  const userCount = db.select({ n: count() }).from(users).where(eq(users.roleId, roles.id))
  const mappingCount = db.select({ n: count() }).from(roleMappings).where(eq(roleMappings.roleId, roles.id))
  const columns = {
    id: roles.id,
    name: roles.name,
    description: roles.description,
    permissions: roles.permissions,
    isDefault: roles.isDefault,
    createdAt: roles.createdAt,
    updatedAt: roles.updatedAt,
    userCount: sql<number>`(${userCount})`,
    mappingCount: sql<number>`(${mappingCount})`,
  }
  const select = () => db.select(columns).from(roles)
  const all = select().orderBy(asc(roles.nameKey), asc(roles.id)).prepare()
  const byId = select()
    .where(eq(roles.id, placeholder('id')))
    .prepare()
  const byName = select()
    .where(eq(roles.nameKey, placeholder('nameKey')))
    .prepare()
  const defaultRole = select().where(eq(roles.isDefault, true)).prepare()
  const mappings = db
    .select({ value: roleMappings.value })
    .from(roleMappings)
    .where(eq(roleMappings.roleId, placeholder('id')))
    .orderBy(asc(roleMappings.value))
    .prepare()

  return {
    all: () => all.all(),
    find: (id: string) => byId.get({ id }),
    findByName: (nameKey: string) => byName.get({ nameKey }),
    default: () => defaultRole.get(),
    insert: (row: typeof roles.$inferInsert) => db.insert(roles).values(row).run(),
    update: (id: string, row: Partial<RoleRow>) => db.update(roles).set(row).where(eq(roles.id, id)).run(),
    /** Unset first: the default is unique. */
    makeDefault: (id: string) => {
      db.update(roles).set({ isDefault: false }).where(eq(roles.isDefault, true)).run()
      db.update(roles).set({ isDefault: true }).where(eq(roles.id, id)).run()
    },
    mappings: (id: string) => mappings.all({ id }).map(({ value }) => value),
    mappedTo: (values: string[]) =>
      db
        .select({ value: roleMappings.value, id: roles.id, name: roles.name })
        .from(roleMappings)
        .innerJoin(roles, eq(roles.id, roleMappings.roleId))
        .where(inArray(roleMappings.value, values))
        .orderBy(asc(roles.nameKey), asc(roles.id))
        .all(),
    setMappings: (roleId: string, values: readonly string[]) => {
      db.delete(roleMappings).where(eq(roleMappings.roleId, roleId)).run()
      if (values.length > 0)
        db.insert(roleMappings)
          .values(values.map((value) => ({ value, roleId })))
          .run()
    },
    delete: (id: string) => db.delete(roles).where(eq(roles.id, id)).run(),
  }
}
