import type { Flight } from '../flights/contract.ts'
import type { Aircraft, Airline, Airport } from '../reference/contract.ts'

interface Extras {
  airline: ReturnType<typeof exportedAirline> | null
  aircraft: ReturnType<typeof exportedAircraft> | null
  track: Record<string, unknown> | undefined
  customFields: Record<string, unknown> | undefined
  passengerFields: ReadonlyMap<number, Record<string, unknown>>
}

export type FormatInstant = (instant: string) => string

export const exportedAirport = (airport: Airport) => ({
  icao: airport.icao,
  iata: airport.iata,
  lat: airport.latitude,
  lon: airport.longitude,
  tz: airport.timezone,
  name: airport.name,
  municipality: airport.municipality,
  type: airport.type,
  continent: airport.continent,
  country: airport.country,
  custom: airport.custom,
})

export const exportedAirline = ({ name, icao, iata, iconPath }: Airline, sourceId: string | null) => ({
  name,
  icao,
  iata,
  iconPath,
  sourceId,
})

export const exportedAircraft = ({ name, icao }: Aircraft, sourceId: string | null) => ({ name, icao, sourceId })

/** One flight of the export, without any numeric id (contract 4.12). */
export function exportedFlight(flight: Flight, extras: Extras, formatInstant: FormatInstant = (instant) => instant) {
  const time = (instant: string | null) => (instant === null ? null : formatInstant(instant))
  return {
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure: time(flight.departure),
    arrival: time(flight.arrival),
    departureScheduled: time(flight.departureScheduled),
    arrivalScheduled: time(flight.arrivalScheduled),
    takeoffScheduled: time(flight.takeoffScheduled),
    takeoffActual: time(flight.takeoffActual),
    landingScheduled: time(flight.landingScheduled),
    landingActual: time(flight.landingActual),
    duration: flight.duration,
    departureTerminal: flight.departureTerminal,
    departureGate: flight.departureGate,
    arrivalTerminal: flight.arrivalTerminal,
    arrivalGate: flight.arrivalGate,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    note: flight.note,
    from: exportedAirport(flight.from),
    to: exportedAirport(flight.to),
    airline: extras.airline,
    aircraft: extras.aircraft,
    passengers: flight.passengers.map((passenger) => {
      const { user, guestName, seat, seatNumber, seatClass, flightReason } = passenger
      const customFields = extras.passengerFields.get(passenger.id)
      return {
        userId: user?.id ?? null,
        guestName,
        seat,
        seatNumber,
        seatClass,
        flightReason,
        user: user && { id: user.id, displayName: user.displayName, username: user.username },
        ...(customFields && { customFields }),
      }
    }),
    ...(extras.track && { track: extras.track }),
    ...(extras.customFields && { customFields: extras.customFields }),
  }
}
