import type { Db } from '../../db/open.ts'
import type { FoundFigures } from '../flights/scan.ts'
import type { Target } from '../flights/target.ts'
import { isCompleted } from '../flights/times.ts'

/** Somebody aboard whom a breakdown counts. */
export interface Person {
  /** The id of a user, or `guest:` and the name. */
  key: string
  name: string
  seat: string | null
  seatClass: string | null
  flightReason: string | null
}

/** What figures need of a flight. */
export interface CompletedFlight {
  id: number
  date: string
  precision: FoundFigures[2]
  fromId: number
  toId: number
  airlineId: number | null
  aircraftId: number | null
  registration: string | null
  meters: number | null
  seconds: number | null
  people: readonly Person[]
}

type PersonRow = [
  flightId: number,
  userId: string | null,
  displayName: string | null,
  guestName: string | null,
  seat: string | null,
  seatClass: string | null,
  flightReason: string | null,
]

/** Nobody, the scope's user alone, everybody else, or both; with everybody's flights always all. */
export type PeopleWanted = 'none' | 'self' | 'others' | 'everybody'

const NOBODY: readonly Person[] = []

export function statsRows(db: Db) {
  const people = db.$client
    .prepare(
      `select p.flight_id, p.user_id, u.display_name, p.guest_name, p.seat, p.seat_class, p.flight_reason
       from json_each(@ids) wanted cross join passengers p on p.flight_id = wanted.value
         left join users u on u.id = p.user_id
       where case @whose when 'self' then p.user_id = @userId when 'others' then p.user_id is not @userId else 1 end
       order by wanted.key, p.id`,
    )
    .raw()

  function peopleOf(slice: readonly FoundFigures[], target: Target, wanted: PeopleWanted): Map<number, Person[]> {
    const found = new Map<number, Person[]>()
    if (wanted === 'none') return found
    const ids = JSON.stringify(slice.map(([id]) => id))
    const whose = target === 'all' ? { whose: 'all', userId: null } : { whose: wanted, ...target }
    for (const row of people.all({ ids, ...whose }) as PersonRow[]) {
      const [flightId, userId, displayName, guestName, seat, seatClass, flightReason] = row
      const key = userId ?? `guest:${guestName}`
      const person = { key, name: displayName ?? guestName ?? '', seat, seatClass, flightReason }
      const known = found.get(flightId)
      if (known) known.push(person)
      else found.set(flightId, [person])
    }
    return found
  }

  /** The completed ones among these flights, and the first instant at which one more is. */
  return function completed(slice: readonly FoundFigures[], target: Target, wanted: PeopleWanted, now: number) {
    const byFlight = peopleOf(slice, target, wanted)
    const flights: CompletedFlight[] = []
    let until = Number.POSITIVE_INFINITY
    for (const row of slice) {
      const completedFrom = row[10]
      if (!isCompleted(completedFrom, now)) {
        until = Math.min(until, completedFrom)
        continue
      }
      const [id, date, precision, fromId, toId, airlineId, aircraftId, registration, meters, seconds] = row
      const people = byFlight.get(id) ?? NOBODY
      flights.push({ id, date, precision, fromId, toId, airlineId, aircraftId, registration, meters, seconds, people })
    }
    return { flights, until }
  }
}
