import type { Db } from '../../src/db/open.ts'
import { TrackWrite } from '../../src/domain/flights/tracks/contract.ts'
import { packTrack } from '../../src/domain/flights/tracks/packing.ts'
import { moveFlightAside } from './deleted-flight.ts'
import { longTrack } from './factory.ts'
import { largeFlights } from './large-flights.ts'
import { writeNow } from './write-now.ts'

const FLIGHTS = 25_000
const TRACKS = 3_000
/** Tracks with the maximum number of points for maps. */
const LONG_TRACKS = 100
const FRIENDS = 300
const AIRPORTS = 500
/** The maximum. Every second block of flights is in a trip. */
const FLIGHTS_PER_TRIP = 500
const DELETED_FLIGHTS = 1_000
/** Flights with 499 guests each, more than the first page shows. */
const CROWDED_FLIGHTS = 100

const CREATED_AT = '2025-01-01T00:00:00.000Z'

/**
 * Inserts a log that is as expensive as possible: every flight on a different route, thousands of tracks, hundreds of
 * companions, flights with 500 passengers, the longest trips, and deleted flights.
 */
export async function longLog(db: Db, userId: string): Promise<void> {
  const { $client } = db
  const ids = (sql: string) => $client.prepare(sql).pluck().all() as number[]
  const airports = ids(`select id from airports where iata is not null order by type, icao limit ${AIRPORTS}`)
  const airlines = ids('select id from airlines order by id limit 1000')
  const types = ids('select id from aircraft order by id limit 300')
  const at = (list: readonly number[], index: number) => list[index % list.length]!
  const role = $client.prepare('select id from roles limit 1').pluck().get()
  const insertUser = $client.prepare(`insert into users values (?, ?, ?, '', ?, 0, 0, 0)`)
  const insertFlight = $client.prepare(
    `insert into flights (date, date_precision, departure, arrival, duration, flight_number, aircraft_reg, note,
       from_id, to_id, airline_id, aircraft_id, distance_meters, completed_from, created_at, updated_at)
     values (?, 'day', ?, ?, 7200, ?, ?, 'A note of average length for a flight.', ?, ?, ?, ?, 1234567, 0, '${CREATED_AT}', '${CREATED_AT}')`,
  )
  const insertPassenger = $client.prepare(
    'insert into passengers (flight_id, user_id, seat_number, date, trip_id) values (?, ?, ?, ?, ?)',
  )
  const insertTrip = $client.prepare('insert into trips (user_id, name, created_at, updated_at) values (?, ?, 0, 0)')
  const insertTrack = $client.prepare(
    `insert into flight_tracks values (?, ?, 'readsb', null, ?, '${CREATED_AT}', '${CREATED_AT}')`,
  )
  const insertLine = $client.prepare('insert into flight_track_lines values (?, ?)')
  const [long, short] = [
    (await packTrack(TrackWrite.parse(longTrack(5_000)))).packed,
    (await packTrack(TrackWrite.parse(longTrack(50)))).packed,
  ]
  $client.transaction(() => {
    for (let index = 0; index < FRIENDS; index++) {
      insertUser.run(`friend-${index}`, `friend${index}`, `Friend ${index}`, role)
    }
    let trip: number | null = null
    for (let index = 0; index < FLIGHTS; index++) {
      if (index % FLIGHTS_PER_TRIP === 0) {
        const isInTrip = index % (2 * FLIGHTS_PER_TRIP) === 0
        trip = isInTrip ? Number(insertTrip.run(userId, `Trip ${index}`).lastInsertRowid) : null
      }
      const date = new Date(Date.UTC(1950, 0, 1 + (index % 25_000))).toISOString().slice(0, 10)
      const { lastInsertRowid: id } = insertFlight.run(
        ...[date, `${date}T08:00:00.000Z`, `${date}T10:00:00.000Z`, `LX${index}`, `HB-${index}`],
        ...[at(airports, index), at(airports, Math.floor(index / AIRPORTS) + index + 1)],
        ...[at(airlines, index), at(types, index)],
      )
      insertPassenger.run(id, userId, '12A', date, trip)
      if (index % 10 === 0) insertPassenger.run(id, `friend-${(index / 10) % FRIENDS}`, null, date, null)
      if (index >= TRACKS) continue
      const { pointCount, points, line } = index < LONG_TRACKS ? long : short
      insertTrack.run(id, pointCount, points)
      insertLine.run(id, line)
    }
  })()
  largeFlights(db, { fromId: airports[0]!, toId: airports[1]!, userId, flights: CROWDED_FLIGHTS, guests: 499 })
  const deleted = ids(
    `select flight_id from passengers where user_id = '${userId}' and trip_id is null limit ${DELETED_FLIGHTS}`,
  )
  writeNow(db, () => {
    for (const id of deleted) moveFlightAside(db, id)
  })
}
