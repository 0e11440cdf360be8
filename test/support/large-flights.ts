import type { Db } from '../../src/db/open.ts'

interface Options {
  fromId: number
  toId: number
  userId: string
  flights: number
  guests: number
  /** SQL for the name of guest `i` of flight `@flightId`. By default all flights have the same guests. */
  guestName?: string
  note?: string
}

const SAME_GUESTS = `'Guest ' || i || ' ${'0'.repeat(80)}'`

/** Inserts flights of one user with guests, whose long names take about 300 bytes of JSON each. */
export function largeFlights({ $client }: Db, options: Options): void {
  const { fromId, toId, userId, flights, guests, guestName = SAME_GUESTS, note = null } = options
  const flight = $client.prepare(
    `insert into flights (date, date_precision, from_id, to_id, note, completed_from, created_at, updated_at)
     values (?, 'day', ?, ?, ?, 0, '2025-01-01T00:00:00.000Z', '2025-01-01T00:00:00.000Z')`,
  )
  const passenger = $client.prepare('insert into passengers (flight_id, user_id, date) values (?, ?, ?)')
  const guest = $client.prepare(
    `insert into passengers (flight_id, guest_name, seat_number, date)
     with recursive n(i) as (select 1 union all select i + 1 from n where i < @guests)
     select @flightId, ${guestName}, i, @date from n`,
  )
  $client.transaction(() => {
    for (let index = 0; index < flights; index++) {
      const date = new Date(Date.UTC(2020, 0, 1 + index)).toISOString().slice(0, 10)
      const { lastInsertRowid } = flight.run(date, fromId, toId, note)
      passenger.run(lastInsertRowid, userId, date)
      if (guests > 0) guest.run({ guests, flightId: lastInsertRowid, date })
    }
  })()
}
