import { and, eq, isNull, lte, notExists, type SQL, sql } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/open.ts'
import { statements } from '../../db/statements.ts'
import {
  oauthAccessTokens,
  oauthClients,
  oauthCodes,
  oauthFamilies,
  oauthGrants,
  oauthRefreshTokens,
  oauthRequests,
} from '../../db/tables/index.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { lifetimes } from './contract.ts'

export function createPurge({ db, clock }: { db: Db; clock: Clock }) {
  const { write: prepared } = statements(db)
  const [now, longAgo, dayAgo] = [sql.placeholder('now'), sql.placeholder('longAgo'), sql.placeholder('dayAgo')]
  const isUnreferenced = (table: SQLiteTable, condition: SQL) =>
    notExists(db.select({ one: sql`1` }).from(table).where(condition))
  const purges = [
    db.delete(oauthRequests).where(lte(oauthRequests.expiresAt, now)),
    db.delete(oauthAccessTokens).where(lte(oauthAccessTokens.expiresAt, now)),
    // A used token is kept until it expires, because its reuse means theft.
    db.delete(oauthRefreshTokens).where(lte(oauthRefreshTokens.expiresAt, now)),
    db
      .delete(oauthFamilies)
      .where(
        and(
          lte(oauthFamilies.createdAt, longAgo),
          isUnreferenced(oauthRefreshTokens, eq(oauthRefreshTokens.familyId, oauthFamilies.id)),
          isUnreferenced(oauthAccessTokens, eq(oauthAccessTokens.familyId, oauthFamilies.id)),
        ),
      ),
    db.delete(oauthCodes).where(and(lte(oauthCodes.expiresAt, now), isNull(oauthCodes.familyId))),
    db
      .delete(oauthClients)
      .where(
        and(
          lte(oauthClients.idleSince, dayAgo),
          isUnreferenced(oauthGrants, eq(oauthGrants.clientId, oauthClients.id)),
          isUnreferenced(oauthRequests, eq(oauthRequests.clientId, oauthClients.id)),
        ),
      ),
  ].map((query) => prepared(query))

  return function purge(): Promise<void> {
    const now = clock()
    const moments = {
      now,
      longAgo: now - lifetimes.refreshToken * 1000,
      dayAgo: now - lifetimes.unusedClient * 1000,
    }
    return write(db, 'credentials', () => {
      for (const each of purges) each.run(moments)
    })
  }
}
