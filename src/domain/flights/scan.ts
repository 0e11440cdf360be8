import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Statement } from 'better-sqlite3'
import type { Db } from '../../db/open.ts'
import type { ListOrder, Position } from '../../lib/cursor.ts'
import { lru } from '../../lib/lru.ts'
import type { FlightFilter } from './filter-contract.ts'
import { conditionsOf, PLAIN_NUMBER, PLAIN_REGISTRATION } from './filter-sql.ts'
import { wordFilter } from './filter-words.ts'
import type { Target } from './target.ts'

/** Which flights, in which order, after which position. */
export interface Selection {
  target: Target
  filter: FlightFilter
  order?: ListOrder
  after?: Position | undefined
}

export interface Found {
  id: number
  date: string
}

/** Flights looked at in one turn: few at first, since most pages end there, and never so many that others wait. */
const [FIRST_SLICE, SLICE] = [200, 2_000]
/** Words are looked for in names and notes, which takes longer. */
const WORD_SLICE = 200
const MAX_STATEMENTS = 200

const directions = {
  newest: { sql: 'desc', after: '<', start: ['~', 0] },
  oldest: { sql: 'asc', after: '>', start: ['', 0] },
} as const satisfies Record<ListOrder, { sql: string; after: string; start: Position }>

/** An index by which everybody's flights of one value stand in the order of the list. */
interface Way {
  columns: string[]
  values: readonly (string | number)[]
}

/** The narrowest way by guess: where a filter has several, the rest is judged on the way. */
function wayOf({ flightNumber, aircraftReg, fromId, toId, airportId, aircraftId, airlineId }: FlightFilter) {
  const plain = (items: readonly (number | 'none')[] | undefined) =>
    items && !items.includes('none') ? (items as number[]) : undefined
  const ways: [string[], readonly (string | number)[] | undefined][] = [
    [[PLAIN_NUMBER], flightNumber === undefined ? undefined : [flightNumber]],
    [[PLAIN_REGISTRATION], aircraftReg === undefined ? undefined : [aircraftReg]],
    [['from_id'], fromId],
    [['to_id'], toId],
    [['from_id', 'to_id'], airportId],
    [['aircraft_id'], plain(aircraftId)],
    [['airline_id'], plain(airlineId)],
  ]
  const [columns, values] = ways.find(([, given]) => given !== undefined) ?? []
  return columns && values ? { columns, values } : undefined
}

/** SQLite does not see by itself that such an expression is known where it equals something. */
const known: Readonly<Record<string, string>> = {
  [PLAIN_NUMBER]: 'flight_number is not null and ',
  [PLAIN_REGISTRATION]: 'aircraft_reg is not null and ',
}

function sourceOf(target: Target, order: ListOrder, way: Way | undefined): string {
  const { sql, after } = directions[order]
  const part = (table: string, id: string, condition: string, more = '') =>
    `select ${more}${id} as id, date from ${table} where ${condition} date >= @first and date <= @last
       and (date, ${id}) ${after} (@date, @id) order by date ${sql}, ${id} ${sql} limit @slice`
  // Answered by passengers_log alone: user, date and flight, in this order.
  if (target !== 'all') return part('passengers', 'flight_id', 'user_id = @userId and', 'id as place, ')
  if (!way) return part('flights', 'id', '')
  const parts = way.values.flatMap((_, index) =>
    way.columns.map(
      (column) =>
        `select id, date from (${part('flights', 'id', `${known[column] ?? ''}${column} = @way${index} and`)})`,
    ),
  )
  return `${parts.join(' union ')} order by date ${sql}, id ${sql} limit @slice`
}

interface Records {
  airport: Parameters<typeof wordFilter>[1]['airport']
  airline: Parameters<typeof wordFilter>[1]['airline']
  aircraft: Parameters<typeof wordFilter>[1]['aircraft']
}

/** Walks a log slice by slice and finds what the filter lets through. */
export function flightScan(db: Db, records: Records) {
  const judgeOf = wordFilter(db, records)
  const statements = lru<Statement>(MAX_STATEMENTS, () => 1)

  function prepared(sql: string): Statement {
    const known = statements.get(sql) ?? db.$client.prepare(sql).raw()
    statements.set(sql, known)
    return known
  }

  /** The flights of each slice that the filter lets through; ends with the log. */
  function* slices({ target, filter, order = 'newest', after }: Selection, now: number): Generator<Found[]> {
    const direction = directions[order]
    const { sql, values, needsPlace } = conditionsOf(filter, target, now)
    const way = target === 'all' ? wayOf(filter) : undefined
    const judge = judgeOf(filter)
    const statement = prepared(
      `select s.id, s.date, ${sql} from (${sourceOf(target, order, way)}) s
         ${sql === '1' ? '' : 'cross join flights f on f.id = s.id'}
         ${needsPlace ? 'cross join passengers p on p.id = s.place' : ''}
       order by s.date ${direction.sql}, s.id ${direction.sql}`,
    )
    const bound = {
      ...values,
      ...(target !== 'all' && target),
      ...Object.fromEntries(way?.values.map((value, index) => [`way${index}`, value]) ?? []),
      first: filter.dateFrom ?? '',
      last: filter.dateTo ?? '~',
    }
    let [date, id] = after ?? direction.start
    for (let slice = FIRST_SLICE; ; slice = judge ? WORD_SLICE : SLICE) {
      const rows = statement.all({ ...bound, date, id, slice }) as [id: number, date: string, holds: number | null][]
      const passed = rows.filter(([, , holds]) => holds === 1).map(([each, day]) => ({ id: each, date: day }))
      yield judge ? keptBy(judge, passed) : passed
      const last = rows.at(-1)
      if (!last || rows.length < slice) return
      id = last[0]
      date = last[1]
    }
  }

  /** The first flights that the filter lets through; others have their turn between slices. */
  async function first(selection: Selection, now: number, limit: number): Promise<Found[]> {
    const found: Found[] = []
    for (const slice of slices(selection, now)) {
      found.push(...slice)
      if (found.length >= limit) break
      await nextTurn()
    }
    return found.slice(0, limit)
  }

  return { slices, first }
}

function keptBy(judge: (ids: readonly number[]) => number[], found: readonly Found[]): Found[] {
  if (found.length === 0) return []
  const kept = new Set(judge(found.map(({ id }) => id)))
  return found.filter(({ id }) => kept.has(id))
}
