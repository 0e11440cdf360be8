import type { Db } from '../../db/open.ts'
import type { FigureName, FigureRow } from '../flights/query/scan.ts'
import type { Target } from '../flights/query/target.ts'

export type CompletedFlight<Name extends FigureName = FigureName> = Pick<FigureRow, Name>

export const GUEST = 'guest:'

export interface Person {
  /** The user id, or `guest:` and the name. */
  key: string
  name: string
  seat: string | null
  seatClass: string | null
  flightReason: string | null
}

export type People = ReadonlyMap<number, readonly Person[]>

type PersonRow = [
  flightId: number,
  userId: string | null,
  displayName: string | null,
  guestName: string | null,
  seat: string | null,
  seatClass: string | null,
  flightReason: string | null,
]

/** Passengers that are read and counted between yields. */
const MAX_PEOPLE = 3_000

export function peopleAboard(db: Db) {
  // As text: the query builder cannot iterate over a list of ids in order.
  const people = db.$client
    .prepare(
      `select p.flight_id, p.user_id, u.display_name, p.guest_name, p.seat, p.seat_class, p.flight_reason
       from json_each(@ids) wanted cross join passengers p on p.flight_id = wanted.value
         left join users u on u.id = p.user_id
       where coalesce(p.user_id, '') <> @except
       order by wanted.key, p.id`,
    )
    .raw()

  const counted = db.$client
    .prepare(
      `select p.flight_id, count(*) from json_each(@ids) wanted cross join passengers p on p.flight_id = wanted.value
       group by p.flight_id`,
    )
    .raw()

  const idsOf = (flights: readonly CompletedFlight<'id'>[]) => JSON.stringify(flights.map(({ id }) => id))

  /** Splits flights into parts by their number of passengers; a flight can have 500. */
  function* parts(flights: readonly CompletedFlight[]): Generator<CompletedFlight[]> {
    const counts = new Map(counted.all({ ids: idsOf(flights) }) as [flightId: number, people: number][])
    let [part, people]: [CompletedFlight[], number] = [[], 0]
    for (const flight of flights) {
      people += counts.get(flight.id) ?? 0
      if (people > MAX_PEOPLE && part.length > 0) {
        yield part
        ;[part, people] = [[], counts.get(flight.id) ?? 0]
      }
      part.push(flight)
    }
    yield part
  }

  /** All passengers; of a user's log, without that user. */
  function aboard(flights: readonly CompletedFlight<'id'>[], target: Target): People {
    const found = new Map<number, Person[]>()
    const ids = idsOf(flights)
    // No user has this id.
    const except = target === 'all' ? ' ' : target.userId
    for (const row of people.all({ ids, except }) as PersonRow[]) {
      const [flightId, userId, displayName, guestName, seat, seatClass, flightReason] = row
      const key = userId ?? `${GUEST}${guestName}`
      const person = { key, name: displayName ?? guestName ?? '', seat, seatClass, flightReason }
      const known = found.get(flightId)
      if (known) known.push(person)
      else found.set(flightId, [person])
    }
    return found
  }

  return { aboard, parts }
}
