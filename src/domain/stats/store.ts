import type { Db } from '../../db/open.ts'
import type { Position } from '../../lib/cursor.ts'
import { openEnded, type Period, type Target } from '../flights/target.ts'

/** Flights read at a time: few enough that other requests hardly wait. */
const AT_ONCE = 2_000

/** What the figures need of a flight. */
export type Row = [
  id: number,
  date: string,
  fromId: number,
  toId: number,
  airlineId: number | null,
  aircraftId: number | null,
  meters: number | null,
  seconds: number | null,
  completedFrom: number,
]

/** Which flights. */
export interface Selection {
  target: Target
  period: Period
}

const COLUMNS =
  'f.id, f.date, f.from_id, f.to_id, f.airline_id, f.aircraft_id, f.distance_meters, f.duration, f.completed_from'

export function statsStore(db: Db) {
  const rows = (source: string) => db.$client.prepare(`select ${COLUMNS} from ${source}`).raw()

  /** A log in the order of its index, which ends in date and flight. */
  const slice = (table: string, id: string, whose: string) =>
    rows(`(select ${id} as id from ${table} where ${whose} (date, ${id}) > (@date, @id) and date <= @to
             order by date, ${id} limit ${AT_ONCE}) s
          cross join flights f on f.id = s.id`)
  const sliceOfAll = slice('flights', 'id', '')
  // Served by passengers_log.
  const sliceOfUser = slice('passengers', 'flight_id', 'user_id = @userId and')

  return {
    /** The next flights of a log after a position, and where they end unless they were the last ones. */
    slice({ target, period }: Selection, after?: Position): { rows: Row[]; end: Position | undefined } {
      const { from, to } = openEnded(period)
      const [date, id] = after ?? [from, 0]
      const values = { date, id, to }
      const found = (target === 'all' ? sliceOfAll.all(values) : sliceOfUser.all({ ...values, ...target })) as Row[]
      const last = found.at(-1)
      return { rows: found, end: last && found.length === AT_ONCE ? [last[1], last[0]] : undefined }
    },
  }
}
