import type { Db } from '../../../src/db/open.ts'
import { newId } from '../../../src/lib/secret.ts'
import { moveFlightAside } from '../../support/deleted-flight.ts'
import { places } from '../../support/travel.ts'
import { writeNow } from '../../support/write-now.ts'

export type PassengerRelation = 'alone' | 'with others' | 'other user' | 'guests only'

/** Writes flights, reference rows, fields, shares and trips of the matrix directly to the database. */
export function data(db: Db, reference = places(db)) {
  const { $client } = db
  const flight = $client.prepare(
    `insert into flights (date, date_precision, from_id, to_id, completed_from, created_at, updated_at)
     values ('2024-05-03', 'day', ?, ?, 0, '2024-05-03T00:00:00.000Z', '2024-05-03T00:00:00.000Z')`,
  )
  const passenger = $client.prepare(
    "insert into passengers (flight_id, user_id, guest_name, date) values (?, ?, ?, '2024-05-03')",
  )
  const share = $client.prepare(
    `insert into shares (user_id, slug, show_map, show_stats, show_flight_list, show_flight_numbers, show_airlines,
       show_aircraft, show_times, show_tracks, show_dates, show_seat, created_at) values (?, ?, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0)`,
  )
  const trip = $client.prepare("insert into trips (user_id, name, created_at, updated_at) values (?, 'Trip', 0, 0)")
  const field = $client.prepare(
    `insert into custom_fields (entity_type, key, label, field_type, required, sort_order, active, created_at, updated_at)
     values ('flight', ?, 'Label', 'text', 0, 0, 0, 0, 0)`,
  )
  const custom = {
    airport: $client.prepare(
      `insert into airports (icao, name, latitude, longitude, timezone, type, continent, country)
       values (?, 'Custom', 0, 0, 'UTC', 'small_airport', 'EU', 'CH')`,
    ),
    airline: $client.prepare('insert into airlines (name, name_key) values (@name, @name)'),
    aircraft: $client.prepare('insert into aircraft (name, name_key) values (@name, @name)'),
  }
  let counter = 0
  const number = () => ++counter
  const idOf = ({ lastInsertRowid }: { lastInsertRowid: number | bigint }) => String(lastInsertRowid)

  return {
    route: { fromId: reference.airports.ZRH, toId: reference.airports.LIS },
    shipped: {
      airport: String(reference.airports.CPH),
      airline: String(reference.airlines.sas),
      aircraft: String(reference.aircraft.dc3),
    },
    /** A flight with this relation to the caller. The other user is always the same. */
    flight: (relation: PassengerRelation, caller: string, other: string): string =>
      writeNow(db, () => {
        const id = idOf(flight.run(reference.airports.ZRH, reference.airports.LIS))
        if (relation === 'alone' || relation === 'with others') passenger.run(id, caller, null)
        if (relation === 'with others' || relation === 'other user') passenger.run(id, other, null)
        if (relation === 'guests only') passenger.run(id, null, 'Guest')
        return id
      }),
    deleted: (flightId: string): string =>
      writeNow(db, () => {
        moveFlightAside(db, Number(flightId))
        return flightId
      }),
    share: (owner: string) => writeNow(db, () => idOf(share.run(owner, newId()))),
    trip: (owner: string) => writeNow(db, () => idOf(trip.run(owner))),
    field: () => writeNow(db, () => idOf(field.run(`key_${number()}`))),
    custom: {
      airport: () => writeNow(db, () => idOf(custom.airport.run(`M${number()}`))),
      airline: () => writeNow(db, () => idOf(custom.airline.run({ name: `custom ${number()}` }))),
      aircraft: () => writeNow(db, () => idOf(custom.aircraft.run({ name: `custom ${number()}` }))),
    },
  }
}
