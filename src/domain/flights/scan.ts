import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import { type DataVersion, dataVersion } from '../../db/data-version.ts'
import type { Statement } from '../../db/engine.ts'
import type { Db } from '../../db/open.ts'
import type { ListOrder, Position } from '../../lib/cursor.ts'
import type { FlightFilter } from './filter-contract.ts'
import { conditionsOf, isUser } from './filter-sql.ts'
import { filterWords, type Meant } from './filter-words.ts'
import type { Target } from './target.ts'
import { textMatches } from './text-matches.ts'
import { flightWays, type Way } from './ways.ts'

/** Which flights, in which order, after which position. */
export interface Selection {
  target: Target
  filter: FlightFilter
  order?: ListOrder
  after?: Position | undefined
}

type Found = { id: number; date: string }

/** What figures are made of. */
export interface FigureRow extends Found {
  precision: 'day' | 'month' | 'year'
  fromId: number
  toId: number
  airlineId: number | null
  aircraftId: number | null
  registration: string | null
  meters: number | null
  seconds: number | null
  completedFrom: number
  /** SQLite has no booleans. */
  hasTrack: boolean | 0 | 1
  /** These three are of the place of whose log it is, and are not known of everybody's flights. */
  seat: string | null
  seatClass: string | null
  flightReason: string | null
}
export type FigureName = keyof FigureRow

/** Each as a column of a flight `f` or of a place `p`. Only what is wanted is read: every cell costs about as much as finding the flight. */
const FIGURES: Record<Exclude<FigureName, keyof Found>, string> = {
  precision: 'f.date_precision',
  fromId: 'f.from_id',
  toId: 'f.to_id',
  airlineId: 'f.airline_id',
  aircraftId: 'f.aircraft_id',
  registration: 'f.aircraft_reg',
  meters: 'f.distance_meters',
  seconds: 'f.duration',
  completedFrom: 'f.completed_from',
  hasTrack: 'exists (select 1 from flight_tracks t where t.flight_id = f.id)',
  seat: 'p.seat',
  seatClass: 'p.seat_class',
  flightReason: 'p.flight_reason',
}

/** Flights looked at in one turn: few at first, since most pages of a list end there, and never so many that others wait. */
const [FEWEST, FIRST_SLICE, SLICE] = [50, 200, 2_000]
/** A slice that took less is followed by a longer one, one that took more by a shorter one: notes may be long. */
const [SHORT_MICROS, LONG_MICROS] = [5_000, 20_000]
/** Notes and names that a filter reads between yields: about 20 ms of work. */
const MAX_TEXT_BYTES = 256 * 1024
/** The cost of a flight without texts and of one name, in bytes of a note. */
const [BYTES_OF_FLIGHT, BYTES_OF_NAME] = [200, 50]
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

/** Where flights are found: the tables that are gone through, and their columns for the position in a list. */
interface Source {
  tables: string
  /** Those of them that suffice for positions. */
  positions: string
  id: string
  date: string
  condition: string
}

const within = ({ id, date, condition }: Source) =>
  `${condition} (${date}, ${id}) > (@lowDate, @lowId) and (${date}, ${id}) < (@highDate, @highId)`

const inOrder = ({ id, date }: Pick<Source, 'id' | 'date'>, order: ListOrder) =>
  order === 'oldest' ? `order by ${date}, ${id}` : `order by ${date} desc, ${id} desc`

const LOG: Source = {
  // Answered by passengers_log alone: user, date and flight, in this order.
  tables: 'passengers p',
  positions: 'passengers p',
  id: 'p.flight_id',
  date: 'p.date',
  condition: 'p.user_id = @userId and',
}
const EVERYBODY: Source = { tables: 'flights f', positions: 'flights f', id: 'f.id', date: 'f.date', condition: '' }

/** Few flights that are known already, those on a way, or the whole log. */
function sourceOf(target: Target, order: ListOrder, way: Way | undefined): Source {
  const known = 'json_each(@few) c cross join'
  if (way?.few && target === 'all') return { ...EVERYBODY, tables: `${known} flights f on f.id = c.value` }
  if (way?.few) {
    const own = isUser('p', 'userId')
    return { ...LOG, tables: `${known} passengers p on p.flight_id = c.value and ${own}`, condition: '' }
  }
  if (target !== 'all') return LOG
  if (!way) return EVERYBODY
  // Each part is in the order of the list, so that they are merged and no more is read than is wanted.
  const parts = way.conditions.map((condition) => {
    const part = { ...EVERYBODY, condition: `${condition} and` }
    const rows = `select f.id as id, f.date as date from flights f where ${within(part)} ${inOrder(part, order)}`
    return `select * from (${rows} limit @slice) part`
  })
  const positions = `(${parts.join(' union ')} ${inOrder({ id: 'id', date: 'date' }, order)} limit @slice) s`
  const tables = `${positions} cross join flights f on f.id = s.id`
  return { tables, positions, id: 's.id', date: 's.date', condition: '' }
}

/** The bytes that a filter may have to read of a flight. Folded words are cached, so the number of words does not count. */
const textBytesOf = (id: string) =>
  `${BYTES_OF_FLIGHT} + coalesce((select octet_length(note) from flights w where w.id = ${id}), 0)
     + ${BYTES_OF_NAME} * (select count(*) from passengers w where w.flight_id = ${id})`

interface Plan {
  meant: Meant
  way: Way | undefined
}

type Weighed = [date: string, id: number, bytes: number]

/** Finds the end of the next slice by the bytes of its texts; undefined for the last slice. */
function endsByText(weigh: Statement) {
  const ends: (Position | undefined)[] = []
  return function next(values: { slice: number }): Position | undefined {
    if (ends.length > 0) return ends.shift()
    const found = weigh.all(values) as Weighed[]
    let sum = 0
    for (const [date, id, bytes] of found) {
      sum += Number(bytes)
      if (sum < MAX_TEXT_BYTES) continue
      ends.push([date, id])
      sum = 0
    }
    const last = found.at(-1)
    if (!last || found.length < values.slice) ends.push(undefined)
    else if (sum > 0) ends.push([last[0], last[1]])
    return ends.shift()
  }
}

/** Walks a log slice by slice and finds what the filter lets through, by SQL that is put together as `filter-sql.ts` says. */
export function flightScan(db: Db, records: Parameters<typeof filterWords>[1]) {
  const { meantBy, hasWord } = filterWords(db, records)
  const { wayOf } = flightWays(db)
  const versions = dataVersion(db)
  const statements = new LRUCache<string, Statement>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => db.$client.prepare(sql),
  })
  const prepared = (sql: string): Statement => statements.memo(sql)

  const matchesIn = textMatches({ prepared, hasWord: (texts, word) => hasWord(...texts, word) })

  /** A page walks the same flights several times, for its list, its map and its figures. */
  let lastPlan: { key: string; version: DataVersion; plan: Plan } | undefined

  /** What a filter means, and which index leads to its flights; stops so that others have their turn. */
  function* planOf(filter: FlightFilter, target: Target): Generator<undefined, Plan> {
    const [key, version] = [JSON.stringify([filter, target]), versions.of('everything')]
    if (version !== undefined && lastPlan?.key === key && lastPlan.version === version) return lastPlan.plan
    const meant = yield* meantBy(filter)
    const plan = { meant, way: wayOf(filter, meant, target) }
    lastPlan = { key, version, plan }
    return plan
  }

  /** The flights of each slice, so many in all; ends with the log. Without names, what the position needs is enough. */
  function* walk(selection: Selection, now: number, names: readonly FigureName[], most: number): Generator<Found[]> {
    const { target, filter, order = 'newest' } = selection
    const plan = planOf(filter, target)
    let planned = plan.next()
    for (; !planned.done; planned = plan.next()) yield []
    const { meant, way } = planned.value
    const { sql, values, needsFlight, readsTexts } = conditionsOf(filter, meant, target)
    const source = sourceOf(target, order, way)
    const { tables, positions, id, date } = source
    const columns = names.flatMap((name) => (name === 'id' || name === 'date' ? [] : `${FIGURES[name]} as "${name}"`))
    const join =
      target !== 'all' && (needsFlight || names.length > 0) ? 'cross join flights f on f.id = p.flight_id' : ''
    const find = prepared(
      `select ${[`${id} as id`, `${date} as date`, ...columns].join(', ')} from ${tables} ${join}
       where ${[within(source), ...sql].join(' and ')} ${inOrder(source, order)} limit @most`,
    )
    const places = `${way?.few ? tables : positions} where ${within(source)}`
    const inPlace = `from ${places} ${inOrder(source, order)}`
    const endOfSlice = prepared(`select ${date}, ${id} ${inPlace} limit 1 offset @slice - 1`).raw()
    const endByText =
      readsTexts && endsByText(prepared(`select ${date}, ${id}, ${textBytesOf(id)} ${inPlace} limit @slice`).raw())
    const judged = meant.words.filter(({ bySlice }) => bySlice).map(({ word }) => word)
    /** The flights of a slice that match each word, for words that SQL cannot compare. */
    function matches(inSlice: object): object {
      if (judged.length === 0) return {}
      const found = matchesIn(`select ${id} from ${places}`, judged, inSlice).values()
      return Object.fromEntries([...found].map((ids, index) => [`flights${index}`, JSON.stringify(ids)]))
    }
    const bound = { now, ...values, ...(target !== 'all' && target), ...way?.values }
    const stretch = stretchOf(selection)
    // Without conditions the last row of a slice is its end.
    const isUnfiltered = sql.length === 0 && !way
    let left = most
    for (let slice = most === NO_LIMIT ? SLICE : FIRST_SLICE; left !== 0; ) {
      const begin = process.cpuUsage()
      const here = () => {
        const [[lowDate, lowId], [highDate, highId]] = [stretch.low, stretch.high]
        return { ...bound, lowDate, lowId, highDate, highId, slice }
      }
      const size = left === NO_LIMIT ? slice : Math.min(left, slice)
      const known = () => (way?.few || isUnfiltered ? undefined : (endOfSlice.get(here()) as Position | undefined))
      let last = endByText ? endByText(here()) : known()
      const { low, high } = stretch
      // The last flight belongs to the slice.
      if (last && order === 'oldest') stretch.high = [last[0], last[1] + 1]
      else if (last) stretch.low = [last[0], last[1] - 1]
      const rows = find.all({ ...here(), ...matches(here()), most: isUnfiltered ? size : left }) as Found[]
      const end = isUnfiltered && rows.length === size ? rows.at(-1)! : undefined
      if (end) last = [end.date, end.id]
      const { user: took } = process.cpuUsage(begin)
      yield rows
      if (!last) return
      if (most !== NO_LIMIT) left -= rows.length
      stretch.low = order === 'oldest' ? last : low
      stretch.high = order === 'oldest' ? high : last
      if (readsTexts) slice = SLICE
      else if (took < SHORT_MICROS) slice = Math.min(slice * 2, SLICE)
      else if (took > LONG_MICROS) slice = Math.max(Math.floor(slice / 2), FEWEST)
    }
  }

  const slices = (selection: Selection, now: number, most = NO_LIMIT) => walk(selection, now, [], most)
  const figures = <Name extends FigureName>(selection: Selection, now: number, names: readonly Name[]) =>
    walk(selection, now, names, NO_LIMIT) as Generator<unknown[]> as Generator<Pick<FigureRow, Name>[]>

  /** The first flights that the filter lets through; others have their turn between slices. */
  async function first(selection: Selection, now: number, limit: number): Promise<Found[]> {
    const found: Found[] = []
    for (const slice of slices(selection, now, limit)) {
      found.push(...slice)
      if (found.length >= limit) break
      await nextTurn()
    }
    return found
  }

  return { slices, figures, first }
}
