import { and, eq, sql } from 'drizzle-orm'
import { insertRows } from '../../../db/insert-rows.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import { statements } from '../../../db/statements.ts'
import { changePositions, flightChanges, flightRemovals, flights } from '../../../db/tables/index.ts'

interface CreatedFlight {
  flightId: number
  seq: number
  userIds: readonly string[]
}

interface FeedEntries {
  /** The position of a new flight, stored in `last_change`. */
  nextPosition: () => number
  nextPositions: (count: number) => number[]
  flightCreated: (flightId: number, seq: number, userIds: readonly string[]) => void
  flightsCreated: (flights: readonly CreatedFlight[]) => void
  /** The user may have been on the flight before. */
  passengerAdded: (flightId: number, userId: string) => void
}

/** Triggers write the entries. */
const BY_TRIGGERS: FeedEntries = {
  nextPosition: () => 0,
  nextPositions: () => [],
  flightCreated: () => {},
  flightsCreated: () => {},
  passengerAdded: () => {},
}

/** The user id of the feed of all flights. */
export const EVERYBODY = ''

/**
 * Entries in the feed of changes for new flights and passengers. Triggers write all other entries, and in PostgreSQL these
 * too. In SQLite an insert trigger would add a tenth to the cost of a flight: each page that the statement touches is
 * copied, so that it can be rolled back alone.
 */
export function feedEntries(db: Db): FeedEntries {
  if (postgresOf(db)) return BY_TRIGGERS
  const { write } = statements(db)
  const { placeholder } = sql
  const [userId, flightId, seq] = [placeholder('userId'), placeholder('flightId'), placeholder('seq')]
  const position = write(
    db
      .insert(changePositions)
      .values({ at: sql`cast(unixepoch('subsec') * 1000 as integer)`, tag: sql`randomblob(8)` }),
  )
  const positions = db.$client.prepare(
    `insert into change_positions (at, tag)
     select cast(unixepoch('subsec') * 1000 as integer), randomblob(8) from json_each(@places)`,
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

  const insertChanges = insertRows(db, flightChanges)

  return {
    nextPosition: (): number => Number(position.run({}).lastInsertRowid),
    nextPositions(count: number): number[] {
      const first = Number(positions.run({ places: JSON.stringify(Array(count).fill(0)) }).lastInsertRowid) - count + 1
      return Array.from({ length: count }, (_, index) => first + index)
    },
    flightCreated(flightId: number, seq: number, userIds: readonly string[]): void {
      entry.run({ userId: EVERYBODY, seq, flightId })
      for (const userId of userIds) entry.run({ userId, seq, flightId })
    },
    flightsCreated(created): void {
      insertChanges(
        created.flatMap(({ flightId, seq, userIds }) =>
          [EVERYBODY, ...userIds].map((userId) => ({ userId, seq, flightId })),
        ),
      )
    },
    passengerAdded(flightId: number, userId: string): void {
      forgetRemoval.run({ userId, flightId })
      entryOfToday.run({ userId, flightId })
    },
  }
}
