import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { preferences } from '../../db/tables/index.ts'
import type { Preferences } from './contract.ts'

export function preferenceStore(db: Db) {
  const { userId: _, ...columns } = getTableColumns(preferences)
  const byUser = db
    .select(columns)
    .from(preferences)
    .where(eq(preferences.userId, sql.placeholder('userId')))
    .prepare()

  return {
    find: (userId: string) => byUser.get({ userId }) as Preferences | undefined,
    save: (userId: string, values: Preferences) =>
      db
        .insert(preferences)
        .values({ userId, ...values })
        .onConflictDoUpdate({ target: preferences.userId, set: values })
        .run(),
  }
}
