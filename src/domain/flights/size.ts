import type { Db } from '../../db/open.ts'

/** Of their JSON; as objects, while they are read, they take a few times as much. */
const MAX_BYTES_AT_ONCE = 4 * 1024 * 1024
/** About as much as a flight without passengers takes, and a passenger without custom values. */
const [BYTES_OF_FLIGHT, BYTES_OF_PASSENGER] = [2 * 1024, 512]

/** Whether flights are certainly not too large to be read at once: 500 passengers with long values each can be. */
export function flightSizes(db: Db) {
  const passengers = db.$client
    .prepare('select count(*) from passengers where flight_id in (select value from json_each(?))')
    .pluck()
  const values = db.$client
    .prepare(
      `select (select coalesce(sum(length(value)), 0) from flight_values where flight_id in (select value from json_each(@ids)))
         + (select coalesce(sum(length(v.value)), 0) from passengers p join passenger_values v on v.passenger_id = p.id
            where p.flight_id in (select value from json_each(@ids)))`,
    )
    .pluck()

  return function isSmall(flightIds: readonly number[]): boolean {
    if (flightIds.length <= 1) return true
    const ids = JSON.stringify(flightIds)
    const bytes = flightIds.length * BYTES_OF_FLIGHT + (passengers.get(ids) as number) * BYTES_OF_PASSENGER
    return bytes <= MAX_BYTES_AT_ONCE && bytes + (values.get({ ids }) as number) <= MAX_BYTES_AT_ONCE
  }
}
