import { and, eq, sql } from 'drizzle-orm'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Db } from '../../../db/open.ts'
import { named, statements } from '../../../db/statements.ts'
import { flights, passengers } from '../../../db/tables/index.ts'
import type { Clock } from '../../../lib/clock.ts'
import { daysBetween, isoInstant, localTime } from '../../../lib/dates.ts'
import { idsInFlights } from '../../reference/kinds.ts'
import type { ReferenceService } from '../../reference/service.ts'
import type { Flight, Passenger, TimeName } from '../contract.ts'
import { completedFrom, isCompleted } from '../times.ts'
import { filterChoices } from './filter-choices.ts'
import type { FlightFilter } from './filter-contract.ts'
import type { flightScan } from './scan.ts'
import { type SelectedLog, selectedLog } from './selected.ts'

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  scan: ReturnType<typeof flightScan>
}

/** A page of a log: planned flights first, then completed ones. */
export interface LogPage extends SelectedLog {
  page: number
  pages: number
  comingUp: readonly (LogFlight & { days: number })[]
  lines: readonly LogFlight[]
}

const PAGE_SIZE = 50

/** A line of a log, with the seat of the user. */
export interface LogFlight
  extends Pick<Flight, 'id' | 'date' | 'datePrecision' | 'duration' | 'flightNumber' | 'aircraftReg' | TimeName>,
    Pick<Flight, 'from' | 'to' | 'airline' | 'aircraft' | 'distanceKm'>,
    Pick<Passenger, 'seat' | 'seatNumber' | 'seatClass'> {}

/** Reads lines in the order of their ids, without notes and other passengers, which can be long. */
function logReader(db: Db, { batch }: ReferenceService['records']) {
  const { placeholder } = sql
  const { id, date, datePrecision, duration, flightNumber, aircraftReg, fromId, toId, airlineId, aircraftId } = flights
  const { departure, departureScheduled, takeoffScheduled, takeoffActual } = flights
  const { arrival, arrivalScheduled, landingScheduled, landingActual } = flights
  const { seat, seatNumber, seatClass } = passengers
  const ofFlight = { id, date, datePrecision, duration, flightNumber, aircraftReg, meters: flights.distanceMeters }
  const departures = { departure, departureScheduled, takeoffScheduled, takeoffActual }
  const arrivals = { arrival, arrivalScheduled, landingScheduled, landingActual }
  const records = { fromId, toId, airlineId, aircraftId }
  const rows = statements(db).rows(
    db
      .select(named({ ...ofFlight, ...departures, ...arrivals, ...records, seat, seatNumber, seatClass }))
      // A cross join makes SQLite start with the ids.
      .from(sql`json_each(${placeholder('ids')}) wanted`)
      .crossJoin(flights)
      // The plus keeps SQLite from scanning the log of the user.
      .leftJoin(passengers, and(eq(passengers.flightId, id), sql`+${passengers.userId} = ${placeholder('userId')}`))
      .where(sql`${id} = wanted.value`)
      .orderBy(sql`wanted.key`),
  )

  return (ids: readonly number[], userId: string): LogFlight[] => {
    const found = rows.all({ ids: JSON.stringify(ids), userId })
    const { airport, airline, aircraft } = batch(idsInFlights(found))
    return found.map(({ fromId, toId, airlineId, aircraftId, meters, ...row }) => ({
      ...row,
      seat: row.seat as LogFlight['seat'],
      seatClass: row.seatClass as LogFlight['seatClass'],
      from: airport(fromId)!,
      to: airport(toId)!,
      airline: (airlineId !== null && airline(airlineId)) || null,
      aircraft: (aircraftId !== null && aircraft(aircraftId)) || null,
      distanceKm: meters === null ? null : meters / 1000,
    }))
  }
}

/** A user's own log, for pages. */
export function userLog({ db, clock, reference, scan }: Dependencies) {
  const selected = selectedLog({ clock, scan })
  const rowsOf = logReader(db, reference.records)

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
  async function logPage(caller: Caller, filter: FlightFilter, requested: number): Promise<LogPage> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const log = await selected(caller, filter)
    const pages = Math.max(1, Math.ceil((log.planned.length + log.flown.length) / PAGE_SIZE))
    const page = Number.isSafeInteger(requested) ? Math.min(Math.max(requested, 1), pages) : 1
    const start = (page - 1) * PAGE_SIZE
    const planned = log.planned.slice(start, start + PAGE_SIZE)
    const flownFrom = Math.max(0, start - log.planned.length)
    const flown = log.flown.slice(flownFrom, flownFrom + PAGE_SIZE - planned.length)
    const rows = rowsOf([...planned, ...flown], caller.userId)
    const isPlanned = new Set(planned)
    return {
      ...log,
      page,
      pages,
      comingUp: rows.filter(({ id }) => isPlanned.has(id)).map((row) => ({ ...row, days: daysUntil(row) })),
      lines: rows.filter(({ id }) => !isPlanned.has(id)),
    }
  }

  /** The first page of each year. */
  function pagesOfYears({ planned, years }: SelectedLog): { year: string; page: number }[] {
    let before = planned.length
    return years.map(({ year, flights }) => {
      const page = Math.floor(before / PAGE_SIZE) + 1
      before += flights
      return { year, page }
    })
  }

  return {
    selected,
    logPage,
    pagesOfYears,
    lines: rowsOf,
    filterChoices: filterChoices({ db, clock, scan }),
    outlook,
  }
}
