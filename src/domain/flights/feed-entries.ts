import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { postgresOf } from '../../db/postgres/open.ts'
import { statements } from '../../db/statements.ts'
import { changePositions, flightChanges, flightRemovals, flights } from '../../db/tables/index.ts'

/** Where triggers do all of it. */
const BY_TRIGGERS = { nextPosition: () => 0, flightCreated: () => {}, cameAboard: () => {} }

/** Everybody's changes are kept under an empty user id. */
export const EVERYBODY = ''

/**
 * What followers of the log hear of a new flight, and of who comes aboard. Triggers note every other write, and in
 * PostgreSQL these as well. In a file they would take a tenth of what a flight costs: where an insert has a trigger,
 * SQLite copies each page that it touches, so that the statement can be undone alone.
 */
export function feedEntries(db: Db) {
  if (postgresOf(db)) return BY_TRIGGERS
  const { write } = statements(db)
  const { placeholder } = sql
  const [userId, flightId, seq] = [placeholder('userId'), placeholder('flightId'), placeholder('seq')]
  const position = write(
    db
      .insert(changePositions)
      .values({ at: sql`cast(unixepoch('subsec') * 1000 as integer)`, tag: sql`randomblob(8)` }),
  )
  const entry = write(db.insert(flightChanges).values({ userId, seq, flightId }))
  const entryOfToday = write(
    db.insert(flightChanges).select(
      db
        .select({ userId: sql<string>`${userId}`.as('user_id'), seq: flights.lastChange, flightId: flights.id })
        .from(flights)
        .where(eq(flights.id, flightId)),
    ),
  )
  const forgetRemoval = write(
    db.delete(flightRemovals).where(and(eq(flightRemovals.userId, userId), eq(flightRemovals.flightId, flightId))),
  )

  return {
    /** The place of a flight that is about to be made, which its row keeps. */
    nextPosition: (): number => Number(position.run({}).lastInsertRowid),
    flightCreated(flightId: number, seq: number, accounts: readonly string[]): void {
      entry.run({ userId: EVERYBODY, seq, flightId })
      for (const userId of accounts) entry.run({ userId, seq, flightId })
    },
    /** Somebody who may have been aboard before. */
    cameAboard(flightId: number, userId: string): void {
      forgetRemoval.run({ userId, flightId })
      entryOfToday.run({ userId, flightId })
    },
  }
}
