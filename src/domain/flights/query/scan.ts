import { setImmediate as nextTurn } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Statement } from '../../../db/engine.ts'
import type { Db } from '../../../db/open.ts'
import { postgresOf } from '../../../db/postgres/open.ts'
import { type DataVersion, dataVersion } from '../../../db/version.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { ListOrder, Position } from '../../../lib/cursor.ts'
import { type AccessPath, accessPaths } from './access-paths.ts'
import type { FlightFilter } from './filter-contract.ts'
import { conditionsOf, isUser, matchTexts } from './filter-sql.ts'
import { type ResolvedTerms, termResolver } from './filter-terms.ts'
import type { Target } from './target.ts'

export interface Selection {
  target: Target
  filter: FlightFilter
  order?: ListOrder
  after?: Position | undefined
}

type Found = { id: number; date: string }

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
  departure: string | null
  departureScheduled: string | null
  arrival: string | null
  arrivalScheduled: string | null
  /** A number in SQLite. */
  hasTrack: boolean | 0 | 1
  /** Of the user whose log it is; only with a user as target. */
  seat: string | null
  seatClass: string | null
  flightReason: string | null
}
export type FigureName = keyof FigureRow

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
  departure: 'f.departure',
  departureScheduled: 'f.departure_scheduled',
  arrival: 'f.arrival',
  arrivalScheduled: 'f.arrival_scheduled',
  hasTrack: 'exists (select 1 from flight_tracks t where t.flight_id = f.id)',
  seat: 'p.seat',
  seatClass: 'p.seat_class',
  flightReason: 'p.flight_reason',
}

/** Flights that are read between yields. Most pages of a list end within the first slice. */
const [FIRST_SLICE, SLICE] = [200, 2_000]
/** Notes and names that a filter reads between yields: about 20 ms of work. */
const MAX_TEXT_BYTES = 256 * 1024
/** The cost of a flight without texts and of one name, in bytes of a note. */
const [BYTES_OF_FLIGHT, BYTES_OF_NAME] = [200, 50]
const MAX_STATEMENTS = 200
const NO_LIMIT = -1

interface Range {
  low: Position
  high: Position
}

function rangeOf({ filter: { dateFrom = '', dateTo = '~' }, order, after }: Selection): Range {
  const range: Range = { low: [dateFrom, 0], high: [dateTo, Number.MAX_SAFE_INTEGER] }
  if (!after) return range
  if (order === 'oldest') return after[0] < dateFrom ? range : { ...range, low: after }
  return after[0] > dateTo ? range : { ...range, high: after }
}

const isBehind = ([date, id]: Position, [otherDate, otherId]: Position) =>
  date === otherDate ? id > otherId : date > otherDate

interface Source {
  tables: string
  positions: string
  id: string
  date: string
  condition: string
}

const within = ({ id, date, condition }: Source) =>
  `${condition} (${date}, ${id}) > (@lowDate, @lowId) and (${date}, ${id}) < (@highDate, @highId)`

const inOrder = ({ id, date }: Pick<Source, 'id' | 'date'>, order: ListOrder) =>
  order === 'oldest' ? `order by ${date}, ${id}` : `order by ${date} desc, ${id} desc`

const USER_LOG: Source = {
  tables: 'passengers p',
  positions: 'passengers p',
  id: 'p.flight_id',
  date: 'p.date',
  condition: 'p.user_id = @userId and',
}
const ALL_FLIGHTS: Source = { tables: 'flights f', positions: 'flights f', id: 'f.id', date: 'f.date', condition: '' }

function sourceOf(target: Target, order: ListOrder, path: AccessPath | undefined): Source {
  const known = 'json_each(@ids) c cross join'
  if (path?.byId && target === 'all') return { ...ALL_FLIGHTS, tables: `${known} flights f on f.id = c.value` }
  if (path?.byId) {
    const own = isUser('p', 'userId')
    return { ...USER_LOG, tables: `${known} passengers p on p.flight_id = c.value and ${own}`, condition: '' }
  }
  if (target !== 'all') return USER_LOG
  if (!path) return ALL_FLIGHTS
  // Each part is in the order of the list, so that SQLite can merge them up to the limit.
  const parts = path.conditions.map((condition) => {
    const part = { ...ALL_FLIGHTS, condition: `${condition} and` }
    const rows = `select f.id as id, f.date as date from flights f where ${within(part)} ${inOrder(part, order)}`
    return `select * from (${rows} limit @slice) part`
  })
  const positions = `(${parts.join(' union ')} ${inOrder({ id: 'id', date: 'date' }, order)} limit @slice) s`
  const tables = `${positions} cross join flights f on f.id = s.id`
  return { tables, positions, id: 's.id', date: 's.date', condition: '' }
}

/** Splits the candidates of a selection, in the order of the list. */
function* partsOf(candidates: readonly Position[], selection: Selection): Generator<AccessPath> {
  const { low, high } = rangeOf(selection)
  const within = candidates.filter((each) => isBehind(each, low) && isBehind(high, each))
  const ordered = selection.order === 'oldest' ? within.toReversed() : within
  for (const part of inChunks(ordered, SLICE))
    yield { conditions: [], values: { ids: JSON.stringify(part.map(([, id]) => id)) }, byId: true }
}

/** The bytes that a text filter may read of a flight. */
const textBytesOf = (id: string) =>
  `${BYTES_OF_FLIGHT} + coalesce((select octet_length(note) from flights w where w.id = ${id}), 0)
     + ${BYTES_OF_NAME} * (select count(*) from passengers w where w.flight_id = ${id})`

interface Plan {
  terms: ResolvedTerms
  path: AccessPath | undefined
  /** All flights that can match, newest first; undefined if reading the log takes less time. */
  candidates: () => readonly Position[] | undefined
}

interface Slice {
  rows: Found[]
  /** The end of the slice; undefined for the last one. */
  last: Position | undefined
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
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

/** Walks a log in slices and finds the flights that match a filter. */
export function flightScan(db: Db, records: Parameters<typeof termResolver>[1]) {
  const { resolveTerms, hasWord } = termResolver(db, records)
  const versions = dataVersion(db)
  const isPostgres = postgresOf(db) !== undefined
  const statements = new LRUCache<string, Statement>({
    max: MAX_STATEMENTS,
    memoMethod: (sql) => db.$client.prepare(sql),
  })
  const prepared = (sql: string): Statement => statements.memo(sql)
  const { chooseAccessPath, candidatesOf } = accessPaths(db, prepared)
  const matchesIn = matchTexts(prepared, hasWord)

  /** A page walks the same flights several times: for its list, its map and its figures. */
  let lastPlan: { key: string; version: DataVersion; plan: Plan } | undefined

  function* planOf(filter: FlightFilter, target: Target, now: number): Generator<never[], Plan> {
    const [key, version] = [JSON.stringify([filter, target]), versions.of('everything')]
    if (version !== undefined && lastPlan?.key === key && lastPlan.version === version) return lastPlan.plan
    const terms = yield* resolveTerms(filter)
    const path = chooseAccessPath(filter, terms, target)
    const canNarrow = isPostgres && !path?.byId
    const candidates = once(() => (canNarrow ? candidatesOf(filter, terms, target, now) : undefined))
    const plan = { terms, path, candidates }
    lastPlan = { key, version, plan }
    return plan
  }

  function* walk(selection: Selection, now: number, names: readonly FigureName[], limit: number): Generator<Found[]> {
    const { terms, path, candidates } = yield* planOf(selection.filter, selection.target, now)
    let [left, rest] = [limit, selection]
    // Without a limit every flight is read. For one user, this takes less time than selecting candidates of all users.
    let narrowed = limit === NO_LIMIT && selection.target === 'all' ? candidates() : undefined
    if (!narrowed) {
      let growth = SLICE / FIRST_SLICE
      for (const { rows, last } of walkPath(selection, { terms, path }, now, names, limit)) {
        yield rows
        if (left !== NO_LIMIT) left -= rows.length
        if (!last || left === 0) return
        const nextProbablyFills = rows.length * growth >= left
        growth = 1
        narrowed = nextProbablyFills ? undefined : candidates()
        if (!narrowed) continue
        rest = { ...selection, after: last }
        break
      }
    }
    for (const part of partsOf(narrowed ?? [], rest)) {
      for (const { rows } of walkPath(rest, { terms, path: part }, now, names, left)) {
        yield rows
        if (left !== NO_LIMIT) left -= rows.length
      }
      if (left === 0) return
    }
  }

  function* walkPath(
    selection: Selection,
    { terms, path }: Pick<Plan, 'terms' | 'path'>,
    now: number,
    names: readonly FigureName[],
    limit: number,
  ): Generator<Slice> {
    const { target, filter, order = 'newest' } = selection
    const { sql, values, needsFlight, readsTexts } = conditionsOf(filter, terms, target)
    const source = sourceOf(target, order, path)
    const { tables, positions, id, date } = source
    const columns = names.flatMap((name) => (name === 'id' || name === 'date' ? [] : `${FIGURES[name]} as "${name}"`))
    const join =
      target !== 'all' && (needsFlight || names.length > 0) ? 'cross join flights f on f.id = p.flight_id' : ''
    const find = prepared(
      `select ${[`${id} as id`, `${date} as date`, ...columns].join(', ')} from ${tables} ${join}
       where ${[within(source), ...sql].join(' and ')} ${inOrder(source, order)} limit @limit`,
    )
    const places = `${path?.byId ? tables : positions} where ${within(source)}`
    const inPlace = `from ${places} ${inOrder(source, order)}`
    const endOfSlice = prepared(`select ${date}, ${id} ${inPlace} limit 1 offset @slice - 1`).raw()
    const endByText =
      readsTexts && endsByText(prepared(`select ${date}, ${id}, ${textBytesOf(id)} ${inPlace} limit @slice`).raw())
    const inProcess = terms.words.filter(({ matchInProcess }) => matchInProcess).map(({ word }) => word)
    function matches(inSlice: object): object {
      if (inProcess.length === 0) return {}
      const found = matchesIn(`select ${id} from ${places}`, inProcess, inSlice)
      return Object.fromEntries(found.map((ids, index) => [`flights${index}`, JSON.stringify(ids)]))
    }
    const bound = { now, ...values, ...(target !== 'all' && target), ...path?.values }
    const range = rangeOf(selection)
    // Without conditions the last row of a slice is its end.
    const isUnfiltered = sql.length === 0 && !path
    let left = limit
    for (let slice = limit === NO_LIMIT ? SLICE : FIRST_SLICE; left !== 0; slice = SLICE) {
      const inRange = () => {
        const [[lowDate, lowId], [highDate, highId]] = [range.low, range.high]
        return { ...bound, lowDate, lowId, highDate, highId, slice }
      }
      const size = left === NO_LIMIT ? slice : Math.min(left, slice)
      const known = () => (path?.byId || isUnfiltered ? undefined : (endOfSlice.get(inRange()) as Position | undefined))
      let last = endByText ? endByText(inRange()) : known()
      const { low, high } = range
      // The range excludes its ends, but the last flight belongs to the slice.
      if (last && order === 'oldest') range.high = [last[0], last[1] + 1]
      else if (last) range.low = [last[0], last[1] - 1]
      const rows = find.all({ ...inRange(), ...matches(inRange()), limit: isUnfiltered ? size : left }) as Found[]
      const end = isUnfiltered && rows.length === size ? rows.at(-1)! : undefined
      if (end) last = [end.date, end.id]
      yield { rows, last }
      if (!last) return
      if (limit !== NO_LIMIT) left -= rows.length
      range.low = order === 'oldest' ? last : low
      range.high = order === 'oldest' ? high : last
    }
  }

  const slices = (selection: Selection, now: number, limit = NO_LIMIT) => walk(selection, now, [], limit)
  const figures = <Name extends FigureName>(selection: Selection, now: number, names: readonly Name[]) =>
    walk(selection, now, names, NO_LIMIT) as Generator<unknown[]> as Generator<Pick<FigureRow, Name>[]>

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
