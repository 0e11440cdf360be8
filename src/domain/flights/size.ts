import { sql } from 'drizzle-orm'
import { flights } from '../../db/tables/index.ts'

/** Of their JSON; as objects, while they are read, they take a few times as much, and reading them takes some 20 ms. */
const MAX_BYTES_AT_ONCE = 2 * 1024 * 1024
/** About as much as a flight without passengers takes, and a passenger without custom values. */
const [BYTES_OF_FLIGHT, BYTES_OF_PASSENGER] = [2 * 1024, 512].map((bytes) => sql.raw(String(bytes)))

/** About the size of a flight: a single one can have 500 passengers with long values. */
export const bytesOfFlight = sql<number>`${BYTES_OF_FLIGHT}
  + ${BYTES_OF_PASSENGER} * (select count(*) from passengers p where p.flight_id = ${flights.id})
  + (select coalesce(sum(length(v.value)), 0) from flight_values v where v.flight_id = ${flights.id})
  + (select coalesce(sum(length(v.value)), 0) from passengers p
       join passenger_values v on v.passenger_id = p.id where p.flight_id = ${flights.id})`

/** Splits flights into parts whose passengers and values can be read at once, in the order of the ids. */
export function splitBySize<Row extends { id: number; bytes: number }>(
  rows: readonly Row[],
  ids: readonly number[],
): Row[][] {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const parts: Row[][] = []
  let bytes = Number.POSITIVE_INFINITY
  for (const id of ids) {
    const row = byId.get(id)
    if (!row) continue
    bytes += row.bytes
    if (bytes > MAX_BYTES_AT_ONCE) {
      parts.push([])
      bytes = row.bytes
    }
    parts.at(-1)!.push(row)
  }
  return parts
}
