import { eq, getTableColumns, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { excluded, named, statements } from '../../db/statements.ts'
import { flights, flightTracks, passengers } from '../../db/tables/index.ts'
import { byCodes, destination, ofUserWithin, origin } from './store.ts'
import { openEnded, type Period } from './target.ts'

export type TrackRow = typeof flightTracks.$inferSelect

export function trackStore(db: Db) {
  const { rows, values, write, insert } = statements(db)
  const { placeholder } = sql
  const ofFlight = eq(flightTracks.flightId, placeholder('flightId'))
  const find = rows(
    db
      .select(named(getTableColumns(flightTracks)))
      .from(flightTracks)
      .where(ofFlight),
  )
  const save = insert(flightTracks, {
    target: flightTracks.flightId,
    set: excluded(flightTracks, 'pointCount', 'sourceFormat', 'sourceName', 'points', 'updatedAt'),
  })
  const ofUser = values(
    db
      .select({ id: flightTracks.flightId })
      .from(passengers)
      .innerJoin(flightTracks, eq(flightTracks.flightId, passengers.flightId))
      .innerJoin(flights, eq(flights.id, passengers.flightId))
      .innerJoin(origin, eq(origin.id, flights.fromId))
      .innerJoin(destination, eq(destination.id, flights.toId))
      .where(ofUserWithin)
      .orderBy(...byCodes),
  )
  const remove = write<{ flightId: number }>(db.delete(flightTracks).where(ofFlight))

  return {
    find: (flightId: number): TrackRow | undefined => find.get({ flightId }),
    /** Flights with a track, in an order that tells nothing of dates. */
    idsOf: (userId: string, period: Period): number[] => ofUser.all({ userId, ...openEnded(period) }),
    save: ({ now, ...row }: Omit<TrackRow, 'createdAt' | 'updatedAt'> & { now: string }) =>
      save.run({ ...row, createdAt: now, updatedAt: now }),
    delete: (flightId: number) => remove.run({ flightId }).changes > 0,
  }
}
