import { authorize } from '../../access/authorize.ts'
import type { Caller, CurrentCaller } from '../../access/caller.ts'
import type { Db } from '../../db/open.ts'
import { write } from '../../db/write.ts'
import type { Clock } from '../../lib/clock.ts'
import { isoInstant } from '../../lib/dates.ts'
import type { ActivityService } from '../activity/service.ts'
import type { flightJsonCache } from './cache/json-cache.ts'
import type { Passenger } from './contract.ts'
import { requireVisible } from './query/visible.ts'
import { bulkStore, type FormerSeat } from './store/bulk-store.ts'

export type { FormerSeat }

export const MAX_BULK_FLIGHTS = 200

/** What a bulk change can set of the caller's own seat. Absent members stay as they are. */
export type SeatChange = Partial<Pick<Passenger, 'seatClass' | 'flightReason'>>

interface Dependencies {
  db: Db
  clock: Clock
  activity: ActivityService
  currentCaller: CurrentCaller
  cache: ReturnType<typeof flightJsonCache>
}

/** Whether the seat differs from the change. */
const differs = (seat: FormerSeat, { seatClass = seat.seatClass, flightReason = seat.flightReason }: SeatChange) =>
  seat.seatClass !== seatClass || seat.flightReason !== flightReason

/** Changes several flights in one transaction: all of them or none. The effect is that of `updateFlight` for each. */
export function bulkEdits({ db, clock, activity, currentCaller, cache }: Dependencies) {
  const store = bulkStore(db)

  function authorizeChange(caller: Caller): Caller {
    const actor = currentCaller(caller)
    authorize(actor, 'updateFlight', {
      notPassenger: false,
      ownPassengersChange: true,
      otherPassengersChange: false,
      trackGiven: false,
    })
    return actor
  }

  /** Each column is written once per value, so the number of statements does not depend on the number of flights. */
  function save(caller: Caller, seats: readonly FormerSeat[]): void {
    const ids = seats.map(({ id }) => id)
    for (const column of ['seatClass', 'flightReason'] as const) {
      for (const [value, some] of Map.groupBy(seats, (seat) => seat[column])) {
        store.setSeats(
          column,
          value,
          some.map(({ id }) => id),
          caller.userId,
        )
      }
    }
    store.touch(ids, isoInstant(clock()))
    const aboard = Map.groupBy(store.usersAboard(ids), ({ flightId }) => flightId)
    for (const id of ids) {
      cache.drop(id)
      const concerns = (aboard.get(id) ?? []).map(({ userId }) => userId)
      activity.record(caller, { kind: 'flight.changed', subject: id, concerns })
    }
  }

  /** Returns the former values of the flights that differ. Fails if the caller is not on one of the flights. */
  const changeSeats = (caller: Caller, ids: readonly number[], change: SeatChange): Promise<FormerSeat[]> =>
    write(db, 'flights', () => {
      const actor = authorizeChange(caller)
      const seats = store.seatsOf(ids, actor.userId)
      requireVisible(seats.length < new Set(ids).size ? undefined : { aboard: true }, actor, 'flight.update')
      const former = seats.filter((seat) => differs(seat, change))
      if (former.length > 0) {
        save(
          actor,
          former.map((seat) => ({ ...seat, ...change })),
        )
      }
      return former
    })

  /** Undoes a change, except for flights that were changed or deleted since. Returns the number of restored flights. */
  const restoreSeats = (caller: Caller, former: readonly FormerSeat[], change: SeatChange): Promise<number> =>
    write(db, 'flights', () => {
      const actor = authorizeChange(caller)
      const seats = store.seatsOf(
        former.map(({ id }) => id),
        actor.userId,
      )
      const unchanged = new Set(seats.filter((seat) => !differs(seat, change)).map(({ id }) => id))
      const restored = former.filter(({ id }) => unchanged.has(id))
      if (restored.length > 0) save(actor, restored)
      return restored.length
    })

  return { changeSeats, restoreSeats }
}
