import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Db } from '../../../db/open.ts'
import { inChunks } from '../../../lib/chunks.ts'
import type { Clock } from '../../../lib/clock.ts'
import { daysBetween, isoInstant, localTime } from '../../../lib/dates.ts'
import { compareTexts, fold } from '../../../lib/text.ts'
import { yielder } from '../../../lib/yield.ts'
import { idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { Flight, Passenger, TimeName } from '../contract.ts'
import { logStore } from '../store/log-store.ts'
import { completedFrom, isCompleted } from '../times.ts'
import type { FlightFilter } from './filter-contract.ts'
import { DEFAULT_SORT, type LogSort, logSorter } from './log-sort.ts'
import type { FigureName, FigureRow, flightScan } from './scan.ts'

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  scan: ReturnType<typeof flightScan>
}

/** The ids of the user's flights that match a filter. Page numbers need the whole order of a log. */
export interface SelectedLog {
  planned: readonly number[]
  flown: readonly number[]
  /** Of flown flights, the newest first. */
  years: readonly { year: string; flights: number; distanceKm: number }[]
}

/** A page of a log. By date, newest first: planned flights with the next one first, then completed ones. */
export interface LogPage extends SelectedLog {
  sort: LogSort
  page: number
  pages: number
  lines: readonly LogLine[]
  /** The first page of each year; empty unless the log is sorted by date. */
  yearPages: readonly { year: string; page: number }[]
}

/** Planned flights have the number of days until they depart. */
export type LogLine = LogFlight & { days?: number }

/** With the number of its flights, and their first and last day. */
export interface TripSummary {
  id: number
  name: string
  flights: number
  dateFrom: string
  dateTo: string
}

/** A line of a log, with the seat and the trip of the user. */
export interface LogFlight
  extends Pick<Flight, 'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | 'aircraftReg' | TimeName>,
    Pick<Flight, 'from' | 'to' | 'airline' | 'aircraft' | 'distanceKm'>,
    Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass' | 'flightReason'> {
  trip: TripSummary | null
}

const PAGE_SIZE = 50
/** Longer lists are useless and slow to render; the search finds the rest. */
const MAX_CHOICES = 200
/** Flights per read; each can have 500 passengers. */
const FLIGHTS_WITH_PEOPLE = 500

function counter() {
  const counts = new Map<number, number>()
  return {
    add: (id: number | null) => {
      if (id !== null) counts.set(id, (counts.get(id) ?? 0) + 1)
    },
    most: (): number[] => {
      const ids = [...counts.keys()]
      if (ids.length <= MAX_CHOICES) return ids
      return ids.sort((a, b) => counts.get(b)! - counts.get(a)! || a - b).slice(0, MAX_CHOICES)
    },
  }
}

export function userLog({ db, clock, reference, scan }: Dependencies) {
  const store = logStore(db)

  /** In the order of the ids; does not authorize. */
  function lines(ids: readonly number[], userId: string): LogFlight[] {
    const found = store.lines(ids, userId)
    const { airport, airline, aircraft } = reference.records.batch(idsInFlights(found))
    return found.map(({ fromId, toId, airlineId, aircraftId, meters, ...row }) => ({
      ...row,
      seat: row.seat as LogFlight['seat'],
      seatClass: row.seatClass as LogFlight['seatClass'],
      flightReason: row.flightReason as LogFlight['flightReason'],
      from: airport(fromId)!,
      to: airport(toId)!,
      airline: (airlineId !== null && airline(airlineId)) || null,
      aircraft: (aircraftId !== null && aircraft(aircraftId)) || null,
      distanceKm: meters === null ? null : meters / 1000,
    }))
  }

  /** `visit` receives the rows of each slice, newest first. */
  async function select<Name extends FigureName>(
    caller: Caller,
    filter: FlightFilter,
    names: readonly Name[],
    visit: (rows: readonly Pick<FigureRow, Name>[]) => void,
  ): Promise<SelectedLog> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const selection = { target: { userId: caller.userId }, filter }
    const now = clock()
    const [planned, flown]: [number[], number[]] = [[], []]
    const years = new Map<string, { flights: number; metres: number }>()
    const columns = ['id', 'date', 'meters', 'completedFrom', ...names] as const
    for (const slice of scan.figures(selection, now, [...new Set(columns)])) {
      for (const { id, date, meters, completedFrom } of slice) {
        if (!isCompleted(completedFrom, now)) {
          planned.push(id)
          continue
        }
        flown.push(id)
        const year = date.slice(0, 4)
        const { flights, metres } = years.get(year) ?? { flights: 0, metres: 0 }
        years.set(year, { flights: flights + 1, metres: metres + (meters ?? 0) })
      }
      visit(slice)
      await nextTurn()
    }
    return {
      planned: planned.reverse(),
      flown,
      years: [...years].map(([year, { flights, metres }]) => ({ year, flights, distanceKm: metres / 1000 })),
    }
  }

  const selected = (caller: Caller, filter: FlightFilter): Promise<SelectedLog> => select(caller, filter, [], () => {})

  /** By the calendar of the origin. */
  function daysUntil({ date, from }: Pick<Flight, 'date' | 'from'>): number {
    const today = localTime(isoInstant(clock()), from.timezone).slice(0, 10)
    return daysBetween(today, date)!
  }

  const outlook = (flight: Flight) => ({
    isPlanned: !isCompleted(completedFrom(flight, flight.from.timezone), clock()),
    days: daysUntil(flight),
  })

  /** The requested page, or the nearest one that exists. */
  async function logPage(
    caller: Caller,
    filter: FlightFilter,
    requested: number,
    sort: LogSort = DEFAULT_SORT,
  ): Promise<LogPage> {
    const sorter = logSorter(sort, reference.records)
    const log = await select(caller, filter, sorter.needs, sorter.add)
    const ids = sorter.sorted(log)
    const pages = Math.max(1, Math.ceil(ids.length / PAGE_SIZE))
    const page = Number.isSafeInteger(requested) ? Math.min(Math.max(requested, 1), pages) : 1
    const planned = new Set(log.planned)
    const rows = lines(ids.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE), caller.userId)
    return {
      ...log,
      sort,
      page,
      pages,
      lines: rows.map((row) => (planned.has(row.id) ? { ...row, days: daysUntil(row) } : row)),
      yearPages: sort.by === 'date' ? pagesOfYears(log, sort.order) : [],
    }
  }

  function pagesOfYears({ planned, years }: SelectedLog, order: LogSort['order']): { year: string; page: number }[] {
    let before = order === 'desc' ? planned.length : 0
    return (order === 'desc' ? years : years.toReversed()).map(({ year, flights }) => {
      const page = Math.floor(before / PAGE_SIZE) + 1
      before += flights
      return { year, page }
    })
  }

  /** The values that occur in a log; years newest first. */
  async function filterChoices(caller: Caller) {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { userId } = caller
    const [from, to, airlines, types] = [counter(), counter(), counter(), counter()]
    const years = new Set<string>()
    const people = new Map<string, string>()
    const turn = yielder()
    const columns = ['id', 'date', 'fromId', 'toId', 'airlineId', 'aircraftId'] as const
    for (const slice of scan.figures({ target: { userId }, filter: {} }, clock(), columns)) {
      for (const { date, fromId, toId, airlineId, aircraftId } of slice) {
        years.add(date.slice(0, 4))
        from.add(fromId)
        to.add(toId)
        airlines.add(airlineId)
        types.add(aircraftId)
      }
      for (const some of inChunks(slice, FLIGHTS_WITH_PEOPLE)) {
        if (people.size > MAX_CHOICES) break
        for (const { id, displayName } of store.usersAboard(some.map(({ id }) => id))) people.set(id, displayName)
        if (turn.isOver()) await turn.end()
      }
      if (turn.isOver()) await turn.end()
    }
    people.delete(userId)
    const companions = [...people].slice(0, MAX_CHOICES).map(([id, displayName]) => ({ id, displayName }))
    return {
      years: [...years],
      fromIds: from.most(),
      toIds: to.most(),
      airlineIds: airlines.most(),
      aircraftIds: types.most(),
      companions: companions.sort((a, b) => compareTexts(fold(a.displayName), fold(b.displayName))),
    }
  }

  return { selected, logPage, lines, filterChoices, outlook }
}
