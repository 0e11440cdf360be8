import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { daysBetween, isoInstant, localTime } from '../../lib/dates.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight } from './contract.ts'
import { filterChoices } from './filter-choices.ts'
import type { FlightFilter } from './filter-contract.ts'
import { type LogFlight, logRows } from './log-rows.ts'
import type { flightScan } from './scan.ts'
import { type SelectedLog, selectedLog } from './selected.ts'
import { completedFrom, isCompleted } from './times.ts'

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  scan: ReturnType<typeof flightScan>
}

/** A page of one's log: first what is planned, then what was flown. */
export interface LogPage extends SelectedLog {
  page: number
  pages: number
  comingUp: readonly (LogFlight & { days: number })[]
  lines: readonly LogFlight[]
}

const LINES = 50

/** What pages show of one's own log. */
export function ownLog({ db, clock, reference, scan }: Dependencies) {
  const selected = selectedLog({ db, clock, scan })
  const rowsOf = logRows(db, reference.records)

  /** In how many days, by the calendar of where it leaves from. */
  function daysUntil({ date, from }: Pick<Flight, 'date' | 'from'>): number {
    const today = localTime(isoInstant(clock()), from.timezone).slice(0, 10)
    return daysBetween(today, date)!
  }

  /** Whether a flight is still to come, and in how many days. */
  const outlook = (flight: Flight) => ({
    isPlanned: !isCompleted(completedFrom(flight, flight.from.timezone), clock()),
    days: daysUntil(flight),
  })

  /** One page of the flights that the filter lets through: the one asked for, or the nearest that there is. */
  async function logPage(caller: Caller, filter: FlightFilter, asked: number): Promise<LogPage> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const log = await selected(caller, filter)
    const pages = Math.max(1, Math.ceil((log.planned.length + log.flown.length) / LINES))
    const page = Number.isSafeInteger(asked) ? Math.min(Math.max(asked, 1), pages) : 1
    const start = (page - 1) * LINES
    const planned = log.planned.slice(start, start + LINES)
    const flownFrom = Math.max(0, start - log.planned.length)
    const flown = log.flown.slice(flownFrom, flownFrom + LINES - planned.length)
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

  /** The page on which the flights of each year begin. */
  function pagesOfYears({ planned, years }: SelectedLog): { year: string; page: number }[] {
    let before = planned.length
    return years.map(({ year, flights }) => {
      const page = Math.floor(before / LINES) + 1
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
