import { eq } from 'drizzle-orm'
import type { Db } from './connection.ts'
import { settings } from './tables/index.ts'

export const readSetting = (db: Db, key: string): string | undefined =>
  db.select().from(settings).where(eq(settings.key, key)).get()?.value

export function writeSetting(db: Db, key: string, value: string): void {
  db.insert(settings).values({ key, value }).onConflictDoUpdate({ target: settings.key, set: { value } }).run()
}
