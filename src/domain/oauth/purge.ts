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

/** Removes what has run out, so that the tables stay as small as what lives. */
export function purger({ db, clock }: { db: Db; clock: Clock }) {
  const { write: prepared } = statements(db)
  const [now, longAgo, dayAgo] = [sql.placeholder('now'), sql.placeholder('longAgo'), sql.placeholder('dayAgo')]
  const none = (table: SQLiteTable, points: SQL) => notExists(db.select({ one: sql`1` }).from(table).where(points))
  const purges = [
    db.delete(oauthRequests).where(lte(oauthRequests.expiresAt, now)),
    db.delete(oauthAccessTokens).where(lte(oauthAccessTokens.expiresAt, now)),
    // A spent token is remembered until it would have expired: until then its return means theft.
    db.delete(oauthRefreshTokens).where(lte(oauthRefreshTokens.expiresAt, now)),
    db
      .delete(oauthFamilies)
      .where(
        and(
          lte(oauthFamilies.createdAt, longAgo),
          none(oauthRefreshTokens, eq(oauthRefreshTokens.familyId, oauthFamilies.id)),
          none(oauthAccessTokens, eq(oauthAccessTokens.familyId, oauthFamilies.id)),
        ),
      ),
    // A code that began a family goes with it; one that began none is forgotten when it expires.
    db.delete(oauthCodes).where(and(lte(oauthCodes.expiresAt, now), isNull(oauthCodes.familyId))),
    db
      .delete(oauthClients)
      .where(
        and(
          lte(oauthClients.idleSince, dayAgo),
          none(oauthGrants, eq(oauthGrants.clientId, oauthClients.id)),
          none(oauthRequests, eq(oauthRequests.clientId, oauthClients.id)),
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
