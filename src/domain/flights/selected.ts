import { setImmediate as nextTurn } from 'node:timers/promises'
import { authorize } from '../../access/authorize.ts'
import type { Caller } from '../../access/caller.ts'
import { dataCache } from '../../db/data-cache.ts'
import type { Db } from '../../db/open.ts'
import type { Clock } from '../../lib/clock.ts'
import type { ReferenceService } from '../reference/service.ts'
import type { FlightFilter } from './filter-contract.ts'
import { byCodes, type FlownRoute } from './routes.ts'
import type { flightScan } from './scan.ts'
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
  /** Of both, in an order that tells nothing of dates. */
  routes: readonly FlownRoute[]
}

interface Kept extends SelectedLog {
  from: number
  /** From then on one flight more is flown. */
  until: number
}

interface Dependencies {
  db: Db
  clock: Clock
  reference: ReferenceService
  scan: ReturnType<typeof flightScan>
}

type Row = [id: number, year: string, fromId: number, toId: number, metres: number | null, completedFrom: number]

const MAX_CACHE_BYTES = 16 * 1024 * 1024
const BYTES_OF_ID = 8
const BYTES_OF_ROUTE = 512
/** Whoever draws routes keeps the drawing with them. */
const BYTES_OF_DRAWING = 256 * 1024

/** Pages by number need the whole order of a log: it is read once, in turns, and kept until a flight is written. */
export function selectedLog({ db, clock, reference, scan }: Dependencies) {
  const rowsOf = db.$client
    .prepare(
      `select f.id, substr(f.date, 1, 4), f.from_id, f.to_id, f.distance_meters, f.completed_from
       from json_each(?) wanted cross join flights f on f.id = wanted.value order by wanted.key`,
    )
    .raw()
  const cache = dataCache<Kept>(db, {
    part: 'flights',
    maxBytes: MAX_CACHE_BYTES,
    sizeOf: ({ planned, flown, routes }) =>
      BYTES_OF_DRAWING + (planned.length + flown.length) * BYTES_OF_ID + routes.length * BYTES_OF_ROUTE,
  })

  // Which flights are flown is judged here, so that it is known when the next one will be.
  async function read(userId: string, { completed, ...filter }: FlightFilter): Promise<Kept> {
    const now = clock()
    const [planned, flown]: [number[], number[]] = [[], []]
    const years = new Map<string, { flights: number; metres: number }>()
    const routes = new Map<string, { fromId: number; toId: number; count: number }>()
    let until = Number.POSITIVE_INFINITY

    function count([id, year, fromId, toId, metres, completedFrom]: Row): void {
      const isFlown = isCompleted(completedFrom, now)
      if (!isFlown) until = Math.min(until, completedFrom)
      if (completed !== undefined && completed !== isFlown) return
      const key = `${fromId}-${toId}`
      const route = routes.get(key) ?? { fromId, toId, count: 0 }
      route.count++
      routes.set(key, route)
      if (!isFlown) {
        planned.push(id)
        return
      }
      flown.push(id)
      const sum = years.get(year) ?? { flights: 0, metres: 0 }
      years.set(year, { flights: sum.flights + 1, metres: sum.metres + (metres ?? 0) })
    }

    for (const slice of scan.slices({ target: { userId }, filter }, now)) {
      for (const row of rowsOf.all(JSON.stringify(slice.map(([id]) => id))) as Row[]) count(row)
      await nextTurn()
    }
    const { airport } = reference.records
    return {
      planned: planned.reverse(),
      flown,
      years: [...years].map(([year, { flights, metres }]) => ({ year, flights, distanceKm: metres / 1000 })),
      routes: [...routes.values()]
        .map(({ fromId, toId, count }) => ({ from: airport(fromId)!, to: airport(toId)!, count }))
        .sort(byCodes),
      from: now,
      until,
    }
  }

  /** The same object until something changes, so that whoever draws from it can keep the drawing with it. */
  return async function selected(caller: Caller, filter: FlightFilter): Promise<SelectedLog> {
    authorize(caller, 'listFlights', { otherUsers: false })
    const key = JSON.stringify([caller.userId, filter])
    const kept = cache.get(key)
    if (kept && (clock() < kept.from || clock() > kept.until)) cache.delete(key)
    return cache.load(key, () => read(caller.userId, filter))
  }
}
