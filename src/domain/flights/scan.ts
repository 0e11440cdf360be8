import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Db } from '../../db/open.ts'
import type { ListOrder, Position } from '../../lib/cursor.ts'
import { lru } from '../../lib/lru.ts'
import type { FlightFilter } from './filter-contract.ts'
import { conditionsOf, PERSON } from './filter-sql.ts'
import { filterWords } from './filter-words.ts'
import type { Target } from './target.ts'
import { flightWays, type Way } from './ways.ts'

/** Which flights, in which order, after which position. */
export interface Selection {
  target: Target
  filter: FlightFilter
  order?: ListOrder
  after?: Position | undefined
}

/** A flight that was found, and as many of its columns as are wanted. */
type Found = [id: number, date: string]
export type FoundFigures = [
  ...Found,
  precision: 'day' | 'month' | 'year',
  fromId: number,
  toId: number,
  airlineId: number | null,
  aircraftId: number | null,
  registration: string | null,
  meters: number | null,
  seconds: number | null,
  completedFrom: number,
]
const FIGURES = `f.date_precision, f.from_id, f.to_id, f.airline_id, f.aircraft_id, f.aircraft_reg, f.distance_meters,
  f.duration, f.completed_from`

/** Flights looked at in one turn: few at first, since most pages end there, and never so many that others wait. */
const [FIRST_SLICE, SLICE] = [200, 2_000]
const MAX_STATEMENTS = 200
const NO_LIMIT = -1

const LAST_ID = Number.MAX_SAFE_INTEGER

/** Both ends are exclusive and move towards each other. As two pairs they are one stretch of the index. */
interface Stretch {
  low: Position
  high: Position
}

function stretchOf({ filter: { dateFrom = '', dateTo = '~' }, order, after }: Selection): Stretch {
  const stretch: Stretch = { low: [dateFrom, 0], high: [dateTo, LAST_ID] }
  if (!after) return stretch
  if (order === 'oldest') return after[0] < dateFrom ? stretch : { ...stretch, low: after }
  return after[0] > dateTo ? stretch : { ...stretch, high: after }
}

/** One slice in the order of the list: of few flights that are known already, of those on a way, or of the whole log. */
function sliceOf(target: Target, order: ListOrder, way: Way | undefined): string {
  const sql = order === 'oldest' ? 'asc' : 'desc'
  const part = (columns: string, table: string, [id, date]: readonly [string, string], condition: string) =>
    `select ${columns} from ${table} where ${condition} (${date}, ${id}) > (@lowDate, @lowId)
       and (${date}, ${id}) < (@highDate, @highId) order by ${date} ${sql}, ${id} ${sql} limit @slice`
  const place = 'p.id as place, p.flight_id as id, p.date as date'
  const [ofPlace, ofFlight] = [['p.flight_id', 'p.date'] as const, ['id', 'date'] as const]
  if (way?.few && target !== 'all') {
    // A plus keeps SQLite from going through the whole log of the user.
    const table = 'json_each(@few) c cross join passengers p on p.flight_id = c.value'
    return part(place, table, ofPlace, '+p.user_id = @userId and')
  }
  if (way?.few)
    return part(
      'f.id as id, f.date as date',
      'json_each(@few) c cross join flights f on f.id = c.value',
      ['f.id', 'f.date'],
      '',
    )
  // Answered by passengers_log alone: user, date and flight, in this order.
  if (target !== 'all') return part(place, 'passengers p', ofPlace, 'p.user_id = @userId and')
  if (!way) return part('id, date', 'flights', ofFlight, '')
  const parts = way.conditions.map(
    (condition) => `select * from (${part('id, date', 'flights', ofFlight, `${condition} and`)})`,
  )
  return `${parts.join(' union ')} order by date ${sql}, id ${sql} limit @slice`
}

/** Walks a log slice by slice and finds what the filter lets through. */
export function flightScan(db: Db, records: Parameters<typeof filterWords>[1]) {
  const { meantBy, peopleJudge } = filterWords(db, records)
  const { wayOf } = flightWays(db)
  const statements = lru<Statement>(MAX_STATEMENTS, () => 1)

  function prepared(sql: string): Statement {
    const known = statements.get(sql) ?? db.$client.prepare(sql).raw()
    statements.set(sql, known)
    return known
  }

  /** The flights of each slice that the filter lets through, so many in all; ends with the log. */
  function* walk(selection: Selection, now: number, columns: string, most: number): Generator<unknown[]> {
    const { target, filter, order = 'newest' } = selection
    const meaning = meantBy(filter)
    let meant = meaning.next()
    for (; !meant.done; meant = meaning.next()) yield []
    const { sql, values, needsPlace } = conditionsOf(filter, meant.value, target, now)
    const way = wayOf(filter, target)
    const source = sliceOf(target, order, way)
    const sorted = order === 'oldest' ? 'order by s.date, s.id' : 'order by s.date desc, s.id desc'
    const find = prepared(
      `select s.id, s.date${columns && `, ${columns}`} from (${source}) s
         ${sql === '1' && columns === '' ? '' : 'cross join flights f on f.id = s.id'}
         ${needsPlace ? 'cross join passengers p on p.id = s.place' : ''}
       where ${sql} ${sorted} limit @most`,
    )
    const end = prepared(`select date, id from (${source}) limit 1 offset @slice - 1`)
    const people = prepared(
      `select distinct ${PERSON} from (${source}) s cross join passengers x on x.flight_id = s.id`,
    ).pluck()
    const bound = {
      ...values,
      ...(target !== 'all' && target),
      ...way?.values,
    }
    const judge = peopleJudge(filter)
    const stretch = stretchOf(selection)
    let left = most
    for (let slice = FIRST_SLICE; ; slice = SLICE) {
      const [[lowDate, lowId], [highDate, highId]] = [stretch.low, stretch.high]
      const here = { ...bound, lowDate, lowId, highDate, highId, slice }
      const rows = find.all({ ...here, ...(filter.text && judge(people.all(here) as string[])), most: left }) as Found[]
      yield rows
      if (most !== NO_LIMIT) left -= rows.length
      const last = left === 0 ? undefined : (end.get(here) as Position | undefined)
      if (!last) return
      stretch[order === 'oldest' ? 'low' : 'high'] = last
    }
  }

  const slices = (selection: Selection, now: number, most = NO_LIMIT) =>
    walk(selection, now, '', most) as Generator<Found[]>
  const figures = (selection: Selection, now: number) =>
    walk(selection, now, FIGURES, NO_LIMIT) as Generator<FoundFigures[]>

  /** The first flights that the filter lets through; others have their turn between slices. */
  async function first(selection: Selection, now: number, limit: number): Promise<{ id: number; date: string }[]> {
    const found: Found[] = []
    for (const slice of slices(selection, now, limit)) {
      found.push(...slice)
      if (found.length >= limit) break
      await nextTurn()
    }
    return found.map(([id, date]) => ({ id, date }))
  }

  return { slices, figures, first }
}
