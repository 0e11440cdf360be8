import { count, eq, inArray, sql } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { jsonList, statements } from '../../db/statements.ts'
import { flightValues, passengers, passengerValues } from '../../db/tables/index.ts'

/** Of their JSON; as objects, while they are read, they take a few times as much, and reading them takes some 10 ms. */
const MAX_BYTES_AT_ONCE = 1024 * 1024
/** About as much as a flight without passengers takes, and a passenger without custom values. */
const [BYTES_OF_FLIGHT, BYTES_OF_PASSENGER] = [2 * 1024, 512]

/** Whether flights are certainly not too large to be read at once: 500 passengers with long values each can be. */
export function flightSizes(db: Db) {
  const { values } = statements(db)
  const wanted = jsonList(sql.placeholder('ids'))
  const lengthOf = (value: typeof flightValues.value | typeof passengerValues.value) =>
    sql<number>`coalesce(sum(length(${value})), 0)`
  const aboard = values(db.select({ count: count() }).from(passengers).where(inArray(passengers.flightId, wanted)))
  const valuesOfFlights = values(
    db
      .select({ bytes: lengthOf(flightValues.value) })
      .from(flightValues)
      .where(inArray(flightValues.flightId, wanted)),
  )
  const valuesOfPassengers = values(
    db
      .select({ bytes: lengthOf(passengerValues.value) })
      .from(passengers)
      .innerJoin(passengerValues, eq(passengerValues.passengerId, passengers.id))
      .where(inArray(passengers.flightId, wanted)),
  )

  const anyOfFlights = values(db.select({ id: flightValues.flightId }).from(flightValues).limit(1))
  const anyOfPassengers = values(db.select({ id: passengerValues.passengerId }).from(passengerValues).limit(1))

  return function isSmall(flightIds: readonly number[]): boolean {
    if (flightIds.length <= 1) return true
    const ids = JSON.stringify(flightIds)
    const bytes = flightIds.length * BYTES_OF_FLIGHT + aboard.get({ ids })! * BYTES_OF_PASSENGER
    if (bytes > MAX_BYTES_AT_ONCE) return false
    // Most logs have no custom values at all, and adding up none takes as long as reading the passengers.
    if (anyOfFlights.get() === undefined && anyOfPassengers.get() === undefined) return true
    return bytes + valuesOfFlights.get({ ids })! + valuesOfPassengers.get({ ids })! <= MAX_BYTES_AT_ONCE
  }
}
