import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { preferences } from '../../db/tables/index.ts'
import type { Preferences } from './contract.ts'

export function preferenceStore(db: Db) {
  const { userId: _, ...columns } = preferences
  const { placeholder } = sql
  const byUser = db
    .select({
      distanceUnit: columns.distanceUnit,
      windSpeedUnit: columns.windSpeedUnit,
      temperatureUnit: columns.temperatureUnit,
      pressureUnit: columns.pressureUnit,
      timeFormat: columns.timeFormat,
      dateFormat: columns.dateFormat,
      weekStartsOn: columns.weekStartsOn,
      flightTimeDisplay: columns.flightTimeDisplay,
    })
    .from(preferences)
    .where(eq(preferences.userId, placeholder('userId')))
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
