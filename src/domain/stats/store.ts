import type { Db } from '../../db/open.ts'
import { openEnded, type Period, type Target } from '../flights/target.ts'

/** Flights that agree in airports, airline and aircraft type; all but the last member are of the completed ones. */
export type Group = [
  fromId: number,
  toId: number,
  airlineId: number | null,
  aircraftId: number | null,
  flights: number,
  meters: number | null,
  seconds: number | null,
  firstId: number | null,
  /** When the next of the others counts as completed. */
  nextAt: number | null,
]

export function statsStore(db: Db) {
  const completed = 'filter (where f.completed_from < @now)'
  const groups = (source: string, date: string) =>
    db.$client
      .prepare(
        `select f.from_id, f.to_id, f.airline_id, f.aircraft_id, count(*) ${completed},
           sum(f.distance_meters) ${completed}, sum(f.duration) ${completed}, min(f.id) ${completed},
           min(f.completed_from) filter (where f.completed_from >= @now)
         from ${source} ${date} >= @from and ${date} <= @to
         group by 1, 2, 3, 4`,
      )
      .raw()
  const ofAll = groups('flights f where', 'f.date')
  // Served by passengers_log.
  const ofUser = groups('passengers p join flights f on f.id = p.flight_id where p.user_id = @userId and', 'p.date')

  return {
    /** One pass over the flights; everything else is computed from these few groups. */
    groups(target: Target, now: number, period: Period = { from: null, to: null }): Group[] {
      const values = { now, ...openEnded(period) }
      const rows = target === 'all' ? ofAll.all(values) : ofUser.all({ ...values, userId: target.userId })
      return rows as Group[]
    },
  }
}
