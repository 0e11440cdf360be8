import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Clock } from '../../../lib/clock.ts'
import { isCompleted } from '../times.ts'
import type { FlightFilter } from './filter-contract.ts'
import type { FigureRow, flightScan } from './scan.ts'

interface SelectedYear {
  year: string
  flights: number
  distanceKm: number
}

/** The ids of the user's flights that match a filter. */
export interface SelectedLog {
  /** Not flown yet, the next one first. */
  planned: readonly number[]
  /** Flown, the newest first. */
  flown: readonly number[]
  /** Of flown flights, the newest first. */
  years: readonly SelectedYear[]
}

interface Dependencies {
  clock: Clock
  scan: ReturnType<typeof flightScan>
}

const READ = ['id', 'date', 'meters', 'completedFrom'] as const

/** Page numbers need the whole order of a log. */
export function selectedLog({ clock, scan }: Dependencies) {
  return async function selected(caller: Caller, filter: FlightFilter): Promise<SelectedLog> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { userId } = caller
    const now = clock()
    const [planned, flown]: [number[], number[]] = [[], []]
    const years = new Map<string, { flights: number; metres: number }>()

    function count({ id, date, meters, completedFrom }: Pick<FigureRow, (typeof READ)[number]>): void {
      if (!isCompleted(completedFrom, now)) {
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
    }
  }
}
