import type { Db } from '../../db/open.ts'
import type { flightTracks } from '../../db/tables/index.ts'
import { openEnded, type Period } from './target.ts'

export type TrackRow = typeof flightTracks.$inferSelect

export function trackStore(db: Db) {
  const client = db.$client
  const find = client.prepare(
    `select flight_id as flightId, point_count as pointCount, source_format as sourceFormat,
       source_name as sourceName, points, created_at as createdAt, updated_at as updatedAt
     from flight_tracks where flight_id = ?`,
  )
  const save = client.prepare(
    `insert into flight_tracks (flight_id, point_count, source_format, source_name, points, created_at, updated_at)
     values (@flightId, @pointCount, @sourceFormat, @sourceName, @points, @now, @now)
     on conflict (flight_id) do update set point_count = excluded.point_count, source_format = excluded.source_format,
       source_name = excluded.source_name, points = excluded.points, updated_at = excluded.updated_at`,
  )
  const ofUser = client
    .prepare(
      `select t.flight_id from passengers p join flight_tracks t on t.flight_id = p.flight_id
         join flights f on f.id = p.flight_id join airports o on o.id = f.from_id join airports d on d.id = f.to_id
       where p.user_id = ? and p.date >= ? and p.date <= ?
       order by coalesce(o.iata, o.icao), coalesce(d.iata, d.icao), f.id`,
    )
    .pluck()
  const remove = client.prepare('delete from flight_tracks where flight_id = ?')
  return {
    find: (flightId: number) => find.get(flightId) as TrackRow | undefined,
    /** Flights with a track, in an order that tells nothing of dates. */
    idsOf: (userId: string, period: Period) => {
      const { from, to } = openEnded(period)
      return ofUser.all(userId, from, to) as number[]
    },
    save: (row: Omit<TrackRow, 'createdAt' | 'updatedAt'> & { now: string }) => save.run(row),
    delete: (flightId: number) => remove.run(flightId).changes > 0,
  }
}
