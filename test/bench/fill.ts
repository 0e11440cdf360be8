import { closeDatabase, openDatabase } from '../../src/db/open.ts'
import { importedFlights } from '../../src/domain/flights/imported.ts'
import { encodeCursor } from '../../src/lib/cursor.ts'
import { createServices } from '../../src/services.ts'

const ROUTES = [
  ['ZRH', 'LIS'],
  ['LIS', 'ZRH'],
  ['JFK', 'LHR'],
  ['LHR', 'SIN'],
  ['SIN', 'SYD'],
  ['FRA', 'LAX'],
  ['CPH', 'HND'],
  ['DXB', 'DEL'],
] as const

/** A believable log of the user, newest last; returns a cursor that leads to the last page of fifty. */
export function fillLog(dataDir: string, username: string, count: number): { lastPage: string } {
  const db = openDatabase(dataDir)
  const services = createServices({ db })
  services.reference.loadShipped()
  const userId = services.users.findByName(username)!.id
  const { codes, records } = services.reference
  const airlineId = codes.airline('SWR', 'icao') ?? null
  const aircraftId = codes.aircraft('BCS3', 'icao') ?? null
  const begin = importedFlights({
    db,
    clock: Date.now,
    reference: services.reference,
    customFields: services.customFields,
  })
  const add = db.$client.transaction(() => {
    const addFlight = begin()
    for (let index = 0; index < count; index++) {
      const [from, to] = ROUTES[index % ROUTES.length]!
      const day = new Date(Date.UTC(1990, 0, 1 + index)).toISOString().slice(0, 10)
      const [fromId, toId] = [codes.airport(from)!, codes.airport(to)!]
      addFlight({
        from: records.airport(fromId)!,
        to: records.airport(toId)!,
        track: undefined,
        values: undefined,
        passengerValues: undefined,
        body: {
          date: day,
          datePrecision: 'day',
          departure: `${day}T10:20:00.000Z`,
          arrival: `${day}T13:15:00.000Z`,
          departureScheduled: null,
          arrivalScheduled: null,
          takeoffScheduled: null,
          takeoffActual: null,
          landingScheduled: null,
          landingActual: null,
          duration: null,
          departureTerminal: '2',
          departureGate: null,
          arrivalTerminal: null,
          arrivalGate: null,
          flightNumber: `LX${index % 9999}`,
          aircraftReg: 'HB-JCA',
          note: null,
          fromId,
          toId,
          airlineId,
          aircraftId,
          passengers: [
            {
              userId,
              guestName: null,
              seat: 'window',
              seatNumber: '7A',
              seatClass: 'economy',
              flightReason: 'leisure',
            },
            { userId: null, guestName: 'Noor', seat: null, seatNumber: null, seatClass: null, flightReason: null },
          ],
          customFields: {},
        },
      })
    }
  })
  add()
  const [date, id] = db.$client
    .prepare('select date, id from flights order by date, id limit 1 offset 50')
    .raw()
    .get() as [string, number]
  closeDatabase(db)
  return { lastPage: encodeCursor([date, id]) }
}
