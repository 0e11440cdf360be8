import type { Db } from '../../db/open.ts'
import type { Flight } from '../flights/contract.ts'
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
  precision: Flight['datePrecision']
  fromId: number
  toId: number
  airlineId: number | null
  aircraftId: number | null
  registration: string | null
  meters: number | null
  seconds: number | null
  people: readonly Person[]
}

type Row = Omit<CompletedFlight, 'people'> & { completedFrom: number }
type PersonRow = Omit<Person, 'key' | 'name'> & {
  flightId: number
  userId: string | null
  displayName: string | null
  guestName: string | null
}

/** Nobody, the scope's user alone, everybody else, or both; with everybody's flights always all. */
export type PeopleWanted = 'none' | 'self' | 'others' | 'everybody'

const NOBODY: readonly Person[] = []

export function statsRows(db: Db) {
  const rows = db.$client.prepare(
    `select f.id, f.date, f.date_precision as precision, f.from_id as fromId, f.to_id as toId, f.airline_id as airlineId,
       f.aircraft_id as aircraftId, f.aircraft_reg as registration, f.distance_meters as meters, f.duration as seconds,
       f.completed_from as completedFrom
     from json_each(?) wanted cross join flights f on f.id = wanted.value`,
  )
  const people = db.$client.prepare(
    `select p.flight_id as flightId, p.user_id as userId, u.display_name as displayName, p.guest_name as guestName,
       p.seat, p.seat_class as seatClass, p.flight_reason as flightReason
     from passengers p left join users u on u.id = p.user_id
     where p.flight_id in (select value from json_each(?)) order by p.flight_id, p.id`,
  )

  function peopleOf(ids: string, target: Target, wanted: PeopleWanted): Map<number, Person[]> {
    const found = new Map<number, Person[]>()
    if (wanted === 'none') return found
    for (const row of people.all(ids) as PersonRow[]) {
      const { flightId, userId, displayName, guestName, ...place } = row
      if (target !== 'all' && wanted !== 'everybody' && (userId === target.userId) !== (wanted === 'self')) continue
      const person = {
        key: userId ?? `guest:${guestName}`,
        name: displayName ?? guestName ?? '',
        ...place,
      }
      const known = found.get(flightId)
      if (known) known.push(person)
      else found.set(flightId, [person])
    }
    return found
  }

  /** The completed ones among these flights, and the first instant at which one more is. */
  return function completed(ids: readonly number[], target: Target, wanted: PeopleWanted, now: number) {
    const list = JSON.stringify(ids)
    const byFlight = peopleOf(list, target, wanted)
    const flights: CompletedFlight[] = []
    let until = Number.POSITIVE_INFINITY
    for (const { completedFrom, ...flight } of rows.all(list) as Row[]) {
      if (isCompleted(completedFrom, now)) flights.push({ ...flight, people: byFlight.get(flight.id) ?? NOBODY })
      else until = Math.min(until, completedFrom)
    }
    return { flights, until }
  }
}
