import { eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../../db/open.ts'
import { excluded, jsonList, placeholders, prepared } from '../../../db/statements.ts'
import { flightTrackLines, flightTracks } from '../../../db/tables/index.ts'

export type TrackRow = typeof flightTracks.$inferSelect

export function trackStore(db: Db) {
  const { placeholder } = sql
  const ofFlight = eq(flightTracks.flightId, placeholder('flightId'))
  const find = prepared(db.select().from(flightTracks).where(ofFlight))
  const save = prepared(
    db
      .insert(flightTracks)
      .values(placeholders(flightTracks))
      .onConflictDoUpdate({
        target: flightTracks.flightId,
        set: excluded(flightTracks, 'pointCount', 'sourceFormat', 'sourceName', 'points', 'updatedAt'),
      }),
  )
  const remove = prepared(db.delete(flightTracks).where(ofFlight))
  const saveLine = prepared(
    db
      .insert(flightTrackLines)
      .values(placeholders(flightTrackLines))
      .onConflictDoUpdate({ target: flightTrackLines.flightId, set: excluded(flightTrackLines, 'line') }),
  )
  const findLines = prepared(
    db
      .select()
      .from(flightTrackLines)
      .where(inArray(flightTrackLines.flightId, jsonList(placeholder('ids')))),
  )

  return {
    find: (flightId: number): TrackRow | undefined => find.get({ flightId }),
    save: ({ line, now, ...row }: Omit<TrackRow, 'createdAt' | 'updatedAt'> & { line: Buffer; now: string }) => {
      save.run({ ...row, createdAt: now, updatedAt: now })
      saveLine.run({ flightId: row.flightId, line })
    },
    lines: (flightIds: readonly number[]): ReadonlyMap<number, Buffer> =>
      new Map(findLines.all({ ids: JSON.stringify(flightIds) }).map(({ flightId, line }) => [flightId, line])),
    delete: (flightId: number) => remove.run({ flightId }).changes > 0,
  }
}
