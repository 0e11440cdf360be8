import { asc, count, eq, getTableColumns, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { roleMappings, roles, users } from '../../db/tables/index.ts'

export type RoleRow = typeof roles.$inferSelect

export function roleStore(db: Db) {
  const userCount = db.select({ n: count() }).from(users).where(eq(users.roleId, roles.id))
  const mappingCount = db.select({ n: count() }).from(roleMappings).where(eq(roleMappings.roleId, roles.id))
  const { nameKey: _, ...stored } = getTableColumns(roles)
  const columns = {
    ...stored,
    userCount: sql<number>`(${userCount})`,
    mappingCount: sql<number>`(${mappingCount})`,
  }
  const select = () => db.select(columns).from(roles)

  return {
    all: () => select().orderBy(asc(roles.nameKey), asc(roles.id)).all(),
    find: (id: string) => select().where(eq(roles.id, id)).get(),
    findByName: (nameKey: string) => select().where(eq(roles.nameKey, nameKey)).get(),
    default: () => select().where(eq(roles.isDefault, true)).get(),
    insert: (row: typeof roles.$inferInsert) => db.insert(roles).values(row).run(),
    update: (id: string, row: Partial<RoleRow>) => db.update(roles).set(row).where(eq(roles.id, id)).run(),
    /** Unset first: the default is unique. */
    makeDefault: (id: string) => {
      db.update(roles).set({ isDefault: false }).where(eq(roles.isDefault, true)).run()
      db.update(roles).set({ isDefault: true }).where(eq(roles.id, id)).run()
    },
    mappings: (id: string) => {
      const { value, roleId } = roleMappings
      const rows = db.select({ value }).from(roleMappings).where(eq(roleId, id)).orderBy(asc(value)).all()
      return rows.map((row) => row.value)
    },
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
      const rows = values.map((value) => ({ value, roleId }))
      if (rows.length > 0) db.insert(roleMappings).values(rows).run()
    },
    delete: (id: string) => db.delete(roles).where(eq(roles.id, id)).run(),
  }
}
