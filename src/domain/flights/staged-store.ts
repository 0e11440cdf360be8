import { getTableColumns } from 'drizzle-orm'
import type { Db } from '../../db/open.ts'
import { flights, passengers } from '../../db/tables/index.ts'

/**
 * Flights of an import, in tables that only this connection has and that nobody waits for. One statement each moves them
 * into the log, in half of the time that inserting row by row takes, and only that needs the lock of the writer.
 * The tables are made when an import needs them, which the query builder cannot know.
 */

const columnsOf = (table: typeof flights | typeof passengers, except: readonly string[]) =>
  Object.entries(getTableColumns(table))
    .filter(([name]) => !except.includes(name))
    .map(([name, column]) => ({ name, column: column.name }))

const ofFlight = columnsOf(flights, ['id', 'createdAt', 'updatedAt', 'lastChange'])
const ofPassenger = columnsOf(passengers, ['id', 'flightId'])
const listed = (columns: typeof ofFlight) => columns.map(({ column }) => column).join(', ')
const placeholders = (columns: typeof ofFlight) => columns.map(({ name }) => `@${name}`).join(', ')

const MOVED_AT_ONCE = 2_000

export function stagedStore({ $client }: Db) {
  $client.exec(`
    create temp table if not exists staged_flights (number integer primary key, ${listed(ofFlight)});
    create temp table if not exists staged_passengers (number, place, ${listed(ofPassenger)}, primary key (number, place)) without rowid;
    delete from staged_flights;
    delete from staged_passengers;`)
  const addFlight = $client.prepare(
    `insert into staged_flights (${listed(ofFlight)}) values (${placeholders(ofFlight)})`,
  )
  const addPassenger = $client.prepare(
    `insert into staged_passengers (number, place, ${listed(ofPassenger)}) values (@number, @place, ${placeholders(ofPassenger)})`,
  )
  const lastId = $client.prepare("select coalesce((select seq from sqlite_sequence where name = 'flights'), 0)").pluck()
  // The order of the list is that of the ids, for which SQLite sorts the rows of one statement in memory.
  const moveFlights = $client.prepare(
    `insert into flights (id, created_at, updated_at, ${listed(ofFlight)})
     select @first + wanted.key, @now, @now, ${listed(ofFlight)}
     from json_each(@numbers) wanted cross join staged_flights on number = wanted.value order by wanted.key`,
  )
  const movePassengers = $client.prepare(
    `insert into passengers (flight_id, ${listed(ofPassenger)})
     select @first + wanted.key, ${listed(ofPassenger)}
     from json_each(@numbers) wanted cross join staged_passengers on number = wanted.value order by wanted.key, place`,
  )

  return {
    /** Gives the number under which the flight waits. */
    add(flight: Record<string, unknown>, aboard: readonly Record<string, unknown>[]): number {
      const number = Number(addFlight.run(flight).lastInsertRowid)
      for (const [place, passenger] of aboard.entries())
        addPassenger.run({ ...passenger, number, place, date: flight.date })
      return number
    },
    /** Inside a transaction: moves these, and gives the id of the first; the others follow. */
    move(numbers: readonly number[], now: string): number {
      const first = (lastId.get() as number) + 1
      for (let start = 0; start < numbers.length; start += MOVED_AT_ONCE) {
        const moved = { first: first + start, numbers: JSON.stringify(numbers.slice(start, start + MOVED_AT_ONCE)) }
        moveFlights.run({ ...moved, now })
        movePassengers.run(moved)
      }
      return first
    },
    clear: () => $client.exec('delete from staged_flights; delete from staged_passengers'),
  }
}
