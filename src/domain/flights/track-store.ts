import { and, asc, eq, getTableColumns, gt, inArray, isNull, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { excluded, jsonList, named, statements } from '../../db/statements.ts'
import { flightTrackLines, flightTracks } from '../../db/tables/index.ts'
import { tellsHeights } from './track-line.ts'

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
  const remove = write<{ flightId: number }>(db.delete(flightTracks).where(ofFlight))
  const lineOfFlight = eq(flightTrackLines.flightId, placeholder('flightId'))
  const saveLine = insert(flightTrackLines, {
    target: flightTrackLines.flightId,
    set: excluded(flightTrackLines, 'line'),
  })
  const findLine = rows(
    db
      .select(named({ line: flightTrackLines.line }))
      .from(flightTrackLines)
      .where(lineOfFlight),
  )
  const findLines = rows(
    db
      .select(named({ flightId: flightTrackLines.flightId, line: flightTrackLines.line }))
      .from(flightTrackLines)
      .where(inArray(flightTrackLines.flightId, jsonList(placeholder('ids')))),
  )
  /** As `tellsHeights` says it. */
  const isWithoutHeights = sql`length(${flightTrackLines.line}) % 2 = 0`
  const unlined = values(
    db
      .select({ id: flightTracks.flightId })
      .from(flightTracks)
      .leftJoin(flightTrackLines, eq(flightTrackLines.flightId, flightTracks.flightId))
      .where(
        and(gt(flightTracks.flightId, placeholder('after')), or(isNull(flightTrackLines.flightId), isWithoutHeights)),
      )
      .orderBy(asc(flightTracks.flightId))
      .limit(1),
  )

  return {
    find: (flightId: number): TrackRow | undefined => find.get({ flightId }),
    save: ({ line, now, ...row }: Omit<TrackRow, 'createdAt' | 'updatedAt'> & { line: Buffer; now: string }) => {
      save.run({ ...row, createdAt: now, updatedAt: now })
      saveLine.run({ flightId: row.flightId, line })
    },
    line: (flightId: number): Buffer | undefined => findLine.get({ flightId })?.line,
    lines: (flightIds: readonly number[]): ReadonlyMap<number, Buffer> =>
      new Map(findLines.all({ ids: JSON.stringify(flightIds) }).map(({ flightId, line }) => [flightId, line])),
    /** For a track of an earlier release that is still the one it was made of. */
    addLine: (flightId: number, line: Buffer, updatedAt: string) => {
      const isSame = find.get({ flightId })?.updatedAt === updatedAt
      const known = findLine.get({ flightId })?.line
      if (isSame && !(known && tellsHeights(known))) saveLine.run({ flightId, line })
    },
    /** The next flight whose track has no line, or one that tells no heights. */
    withoutLine: (after: number): number | undefined => unlined.get({ after }),
    delete: (flightId: number) => remove.run({ flightId }).changes > 0,
  }
}
