import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { FlightFilter } from './filter-contract.ts'
import type { FigureRow, flightScan } from './scan.ts'
import { isCompleted } from './times.ts'

interface SelectedYear {
  year: string
  flights: number
  distanceKm: number
}

/** The part of one's log that a filter lets through, without the flights themselves. */
export interface SelectedLog {
  /** Not flown yet, the next one first. */
  planned: readonly number[]
  /** Flown, the newest first. */
  flown: readonly number[]
  /** Of the flown ones, the newest first. */
  years: readonly SelectedYear[]
}

interface Kept extends SelectedLog {
  from: number
  /** From then on one flight more is flown. */
  until: number
}

interface Dependencies {
  db: Db
  clock: Clock
  scan: ReturnType<typeof flightScan>
}

const MAX_CACHE_BYTES = 16 * 1024 * 1024
/** Also where a filter lets nothing through. */
const BYTES_OF_LOG = 500
const BYTES_OF_ID = 8
const READ = ['id', 'date', 'meters', 'completedFrom'] as const

/** Pages by number need the whole order of a log: it is read once, in turns, and kept until a flight is written. */
export function selectedLog({ db, clock, scan }: Dependencies) {
  const cache = dataCache<Kept>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ planned, flown }) => BYTES_OF_LOG + (planned.length + flown.length) * BYTES_OF_ID,
  })

  // Which flights are flown is judged here, so that it is known when the next one will be.
  async function read(userId: string, { completed, ...filter }: FlightFilter): Promise<Kept> {
    const now = clock()
    const [planned, flown]: [number[], number[]] = [[], []]
    const years = new Map<string, { flights: number; metres: number }>()
    let until = Number.POSITIVE_INFINITY

    function count({ id, date, meters, completedFrom }: Pick<FigureRow, (typeof READ)[number]>): void {
      const isFlown = isCompleted(completedFrom, now)
      if (!isFlown) until = Math.min(until, completedFrom)
      if (completed !== undefined && completed !== isFlown) return
      if (!isFlown) {
        planned.push(id)
        return
      }
      flown.push(id)
      const year = date.slice(0, 4)
      const sum = years.get(year) ?? { flights: 0, metres: 0 }
      years.set(year, { flights: sum.flights + 1, metres: sum.metres + (meters ?? 0) })
    }

    for (const slice of scan.figures({ target: { userId }, filter }, now, READ)) {
      for (const row of slice) count(row)
      await nextTurn()
    }
    return {
      planned: planned.reverse(),
      flown,
      years: [...years].map(([year, { flights, metres }]) => ({ year, flights, distanceKm: metres / 1000 })),
      from: now,
      until,
    }
  }

  return async function selected(caller: Caller, filter: FlightFilter): Promise<SelectedLog> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const key = JSON.stringify([caller.userId, filter])
    const kept = cache.get(key)
    if (kept && (clock() < kept.from || clock() > kept.until)) cache.delete(key)
    return cache.load(key, () => read(caller.userId, filter))
  }
}
