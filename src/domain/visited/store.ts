import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { visitedCountries } from '../../db/tables/index.ts'
import type { VisitedCountryWrite } from './contract.ts'

export function visitedStore(db: Db) {
  const { placeholder } = sql
  const { userId: owner, ...columns } = visitedCountries
  const record = { id: columns.id, code: columns.code, status: columns.status, note: columns.note }
  const ofUser = db
    .select(record)
    .from(visitedCountries)
    .where(eq(owner, placeholder('userId')))
    .orderBy(asc(columns.code))
    .prepare()

  return {
    list: (userId: string) => ofUser.all({ userId }),
    save: (userId: string, { code, status, note }: VisitedCountryWrite) =>
      db
        .insert(visitedCountries)
        .values({ userId, code, status, note })
        .onConflictDoUpdate({ target: [visitedCountries.userId, visitedCountries.code], set: { status, note } })
        .returning(record)
        .get(),
    delete: (userId: string, code: string) =>
      db
        .delete(visitedCountries)
        .where(and(eq(owner, userId), eq(visitedCountries.code, code)))
        .run(),
  }
}
