import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import { localTime } from '../../lib/dates.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { Flight } from './contract.ts'
import { filterChoices } from './filter-choices.ts'
import type { flightScan } from './scan.ts'
import { selectedLog } from './selected.ts'
import { completedFrom, isCompleted } from './times.ts'

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  scan: ReturnType<typeof flightScan>
}

const DAY = 86_400_000

/** What pages show of one's own log. */
export function ownLog({ db, clock, reference, scan }: Dependencies) {
  /** Whether a flight is still to come, and in how many days by the calendar of where it leaves from. */
  function outlook(flight: Flight) {
    const now = clock()
    const today = localTime(new Date(now).toISOString(), flight.from.timezone).slice(0, 10)
    return {
      isPlanned: !isCompleted(completedFrom(flight, flight.from.timezone), now),
      days: Math.round((Date.parse(flight.date) - Date.parse(today)) / DAY),
    }
  }

  return { selected: selectedLog({ db, clock, reference, scan }), filterChoices: filterChoices(db), outlook }
}
