import { and, eq, sql } from 'drizzle-orm'
import { insertRows } from '../../../db/insert-rows.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import { prepared, statements } from '../../../db/statements.ts'
import { flightChanges, flightRemovals, flights } from '../../../db/tables/index.ts'

interface FeedEntries {
  /** The positions of new flights, stored in `last_change`. */
  nextPositions: (count: number) => number[]
  flightCreated: (flightId: number, seq: number, userIds: readonly string[]) => void
  flightsCreated: (flights: readonly { flightId: number; seq: number; userIds: readonly string[] }[]) => void
  /** The user may have been on the flight before. */
  passengerAdded: (flightId: number, userId: string) => void
  /** Replaces the removal of the flight. Its passengers were inserted before. */
  flightRestored: (flightId: number, seq: number, userIds: readonly string[]) => void
}

const NOW = "cast(unixepoch('subsec') * 1000 as integer)"

/** The user id of the feed of all flights. */
export const ALL_USERS = ''

/** Triggers write the entries, but a flight that did not exist before has no removal. */
const byTriggers = (forget: (flightId: number, userIds: readonly string[]) => void): FeedEntries => ({
  nextPositions: (count) => Array(count).fill(0),
  flightCreated: () => {},
  flightsCreated: () => {},
  passengerAdded: () => {},
  flightRestored: (flightId, _seq, userIds) => forget(flightId, userIds),
})

/**
 * Entries in the feed of changes for new flights and passengers. Triggers write all other entries, and in PostgreSQL these
 * too. In SQLite an insert trigger would add a tenth to the cost of a flight: each page that the statement touches is
 * copied, so that it can be rolled back alone.
 */
export function feedEntries(db: Db): FeedEntries {
  const forgetRemovals = db.$client.prepare(
    "delete from flight_removals where flight_id = @flightId and user_id in (select value from json_each(@userIds, '$'))",
  )
  const forget = (flightId: number, userIds: readonly string[]) =>
    forgetRemovals.run({ flightId, userIds: JSON.stringify([ALL_USERS, ...userIds]) })
  if (postgresOf(db)) return byTriggers(forget)
  const { placeholder } = sql
  const [userId, flightId, seq] = [placeholder('userId'), placeholder('flightId'), placeholder('seq')]
  const position = db.$client.prepare(`insert into change_positions (at, tag) values (${NOW}, randomblob(8))`)
  const positions = db.$client.prepare(
    `insert into change_positions (at, tag)
     select ${NOW}, randomblob(8) from json_each(@places)`,
  )
  const entry = statements(db).write(db.insert(flightChanges).values({ userId, seq, flightId }))
  const currentEntry = prepared(
    db.insert(flightChanges).select(
      db
        .select({ userId: sql<string>`${userId}`.as('user_id'), seq: flights.lastChange, flightId: flights.id })
        .from(flights)
        .where(eq(flights.id, flightId)),
    ),
  )
  const forgetRemoval = prepared(
    db.delete(flightRemovals).where(and(eq(flightRemovals.userId, userId), eq(flightRemovals.flightId, flightId))),
  )
  const insertChanges = insertRows(db, flightChanges)

  const flightsCreated: FeedEntries['flightsCreated'] = (created) => {
    insertChanges(
      created.flatMap(({ flightId, seq, userIds }) =>
        [ALL_USERS, ...userIds].map((userId) => ({ userId, seq, flightId })),
      ),
    )
  }

  return {
    nextPositions(count) {
      if (count === 1) return [Number(position.run().lastInsertRowid)]
      const first = Number(positions.run({ places: JSON.stringify(Array(count).fill(0)) }).lastInsertRowid) - count + 1
      return Array.from({ length: count }, (_, index) => first + index)
    },
    flightCreated(flightId, seq, userIds) {
      entry.run({ userId: ALL_USERS, seq, flightId })
      for (const userId of userIds) entry.run({ userId, seq, flightId })
    },
    flightsCreated,
    passengerAdded(flightId, userId) {
      forgetRemoval.run({ userId, flightId })
      currentEntry.run({ userId, flightId })
    },
    flightRestored(flightId, seq, userIds) {
      forget(flightId, userIds)
      flightsCreated([{ flightId, seq, userIds }])
    },
  }
}
