import { authorize } from '../../../access/authorize.ts'
import type { Caller } from '../../../access/caller.ts'
import type { Db } from '../../../db/open.ts'
import type { Clock } from '../../../lib/clock.ts'
import { dayAfter } from '../../../lib/dates.ts'
import { normalizeCode } from '../../../lib/text.ts'
import type { Flight } from '../contract.ts'
import { logStore } from '../store/log-store.ts'
import { effectiveTimes } from '../times.ts'

export interface Connection {
  id: number
  /** Codes of the airports. */
  from: string
  to: string
  /** Between the flights, at the airport. */
  seconds: number
}

export interface RelatedFlights {
  previous: Connection | undefined
  next: Connection | undefined
  /** Completed flights on the same aircraft; 0 without a registration. */
  flownOn: number
}

const MAX_CONNECTION_SECONDS = 24 * 3600

/** Departures of connecting flights are at most this many days apart, also across the date line. */
const MAX_DAYS = 3

type Leg = ReturnType<ReturnType<typeof logStore>['related']>['legs'][number]
type Times = Parameters<typeof effectiveTimes>[0]

function secondsBetween(first: Times, second: Times): number | undefined {
  const { arrived } = effectiveTimes(first)
  const { departed } = effectiveTimes(second)
  if (arrived === undefined || departed === undefined) return undefined
  const seconds = (departed - arrived) / 1000
  return seconds >= 0 && seconds <= MAX_CONNECTION_SECONDS ? seconds : undefined
}

/** The caller's flights that belong to one of theirs: the legs around it and those on the same aircraft. */
export function relatedFlights({ db, clock }: { db: Db; clock: Clock }) {
  const store = logStore(db)

  return function related(caller: Caller, flight: Flight): RelatedFlights {
    authorize(caller, 'listFlights', { otherUsers: false })
    const { date, from, to } = flight
    const { flownOn, legs } = store.related({
      userId: caller.userId,
      registration: normalizeCode(flight.aircraftReg ?? ''),
      now: clock(),
      period: { from: dayAfter(date, -MAX_DAYS), to: dayAfter(date, MAX_DAYS) },
      originId: from.id,
      destinationId: to.id,
    })
    const isExact = (leg: Pick<Flight, 'datePrecision'>) => leg.datePrecision === 'day'
    const others = isExact(flight) ? legs.filter((leg) => leg.id !== flight.id && isExact(leg)) : []
    function closest(isLeg: (leg: Leg) => boolean, secondsTo: (leg: Leg) => number | undefined) {
      const connections = others.filter(isLeg).flatMap((leg): Connection[] => {
        const seconds = secondsTo(leg)
        return seconds === undefined ? [] : [{ id: leg.id, from: leg.from, to: leg.to, seconds }]
      })
      return connections.toSorted((a, b) => a.seconds - b.seconds || a.id - b.id)[0]
    }
    return {
      flownOn,
      previous: closest(
        (leg) => leg.toId === from.id,
        (leg) => secondsBetween(leg, flight),
      ),
      next: closest(
        (leg) => leg.fromId === to.id,
        (leg) => secondsBetween(flight, leg),
      ),
    }
  }
}
