import type { Db } from '../../db/open.ts'
import type { FoundFigures } from '../flights/scan.ts'
import type { Target } from '../flights/target.ts'
import { IS_COMPLETED, isCompleted } from '../flights/times.ts'

/** Somebody aboard whom a breakdown counts. */
export interface Person {
  /** The id of a user, or `guest:` and the name. */
  key: string
  name: string
  seat: string | null
  seatClass: string | null
  flightReason: string | null
}

const NOBODY: readonly Person[] = []

/** What figures need of a flight, or of several that are alike in whatever is asked for. */
export interface CompletedFlight {
  /** The lowest. */
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
  /** How many they are, and of how many the duration is known. */
  flights: number
  known: number
  people: readonly Person[]
}

/**
 * The members in which flights are alike when SQL sums them up, as expressions over a flight `f` and, in the log of a
 * user, that user's place `p`.
 */
export type Alike = Partial<Record<(typeof alikeMembers)[number], string>>
const ofPlace = ['seat', 'seatClass', 'flightReason'] as const
const ofFlight = ['date', 'precision', 'fromId', 'toId', 'airlineId', 'aircraftId', 'registration'] as const
const alikeMembers = [...ofFlight, ...ofPlace] as const
const SUMS = `${IS_COMPLETED}, min(f.completed_from), min(f.id), count(*), sum(f.distance_meters), sum(f.duration),
  count(f.duration)`

type GroupRow = [
  isCompleted: 0 | 1,
  firstCompleted: number,
  id: number,
  flights: number,
  meters: number | null,
  seconds: number | null,
  known: number,
  ...(string | number | null)[],
]

/** For the walk over a log; those that are not completed yet are groups of their own. */
export function groupsOf(alike: Alike) {
  const keys = alikeMembers.flatMap((name) => alike[name] ?? [])
  return { columns: [SUMS, ...keys].join(', '), groupBy: [IS_COMPLETED, ...keys].join(', ') }
}

const unlike = {
  date: '',
  precision: 'day',
  fromId: 0,
  toId: 0,
  airlineId: null,
  aircraftId: null,
  registration: null,
} as const

const nobody: Person = { key: '', name: '', seat: null, seatClass: null, flightReason: null }

/** Groups as if each were one flight, and the first instant at which one more is completed. */
export function completedGroups(rows: readonly unknown[][], alike: Alike) {
  const names = alikeMembers.filter((name) => alike[name] !== undefined)
  const hasPlace = ofPlace.some((name) => alike[name] !== undefined)
  const flights: CompletedFlight[] = []
  let [until, seen] = [Number.POSITIVE_INFINITY, 0]
  for (const row of rows as GroupRow[]) {
    const [isCompleted, firstCompleted, id, count, meters, seconds, known, ...keys] = row
    seen += count
    if (!isCompleted) {
      until = Math.min(until, firstCompleted)
      continue
    }
    const values = Object.fromEntries(names.map((name, index) => [name, keys[index]]))
    const people = hasPlace ? [{ ...nobody, ...values }] : NOBODY
    flights.push({ ...unlike, ...values, id, meters, seconds, flights: count, known, people })
  }
  return { flights, until, seen }
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
      const known = seconds === null ? 0 : 1
      const same = { id, date, precision, fromId, toId, airlineId, aircraftId, registration, meters, seconds, people }
      flights.push({ ...same, flights: 1, known })
    }
    return { flights, until, seen: slice.length }
  }
}
