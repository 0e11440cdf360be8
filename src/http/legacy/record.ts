import * as z from 'zod'
import { CustomValues } from '../../domain/custom-fields/contract.ts'
import { type Flight, type Passenger, type TimeName, timePairs } from '../../domain/flights/contract.ts'
import type { Airport } from '../../domain/reference/contract.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { ExportedAirport, ExportedUser } from '../../domain/transfer/contract.ts'
import { serializerOf } from '../shared/serializer.ts'

const Text = z.string().nullable()
const Id = z.number()

const LegacyAirport = z.object({ id: Id, ...ExportedAirport.shape })

const LegacyPassenger = z.object({
  id: Id,
  flightId: Id,
  userId: Text,
  guestName: Text,
  seat: Text,
  seatNumber: Text,
  seatClass: Text,
  flightReason: Text,
  user: ExportedUser.nullable(),
  customFields: CustomValues,
})

/** In the order of the answer (contract 6.3). */
const LegacyFlight = z.object({
  id: Id,
  date: z.string(),
  departure: Text,
  arrival: Text,
  duration: z.number().nullable(),
  flightNumber: Text,
  aircraftReg: Text,
  note: Text,
  aircraftId: Id.nullable(),
  airlineId: Id.nullable(),
  fromId: Id,
  toId: Id,
  departureScheduled: Text,
  arrivalScheduled: Text,
  takeoffScheduled: Text,
  takeoffActual: Text,
  landingScheduled: Text,
  landingActual: Text,
  arrivalGate: Text,
  arrivalTerminal: Text,
  departureGate: Text,
  departureTerminal: Text,
  datePrecision: z.string(),
  from: LegacyAirport,
  to: LegacyAirport,
  aircraft: Text,
  airline: Text,
  passengers: z.array(LegacyPassenger),
  customFields: CustomValues,
  distanceKm: z.number().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

const LegacyAircraft = z.object({ id: Id, icao: Text, name: z.string(), sourceId: Text })
const LegacyAirline = z.object({ id: Id, name: z.string(), icao: Text, iata: Text, iconPath: Text, sourceId: Text })

/** For programs made for AirTrail; replaced members keep their position. */
const LegacyFlightWithObjects = LegacyFlight.extend({
  aircraft: LegacyAircraft.nullable(),
  airline: LegacyAirline.nullable(),
  seats: z.array(LegacyPassenger),
})

/** Stored instants end in Z; this API writes the offset. */
export const legacyInstant = (instant: string) => `${instant.slice(0, -1)}+00:00`

const orNull = (instant: string | null) => (instant === null ? null : legacyInstant(instant))

const legacyAirport = (airport: Airport) => ({
  ...airport,
  lat: airport.latitude,
  lon: airport.longitude,
  tz: airport.timezone,
})

const legacyPassenger = (flightId: number, { user, ...passenger }: Passenger) => ({
  ...passenger,
  flightId,
  userId: user?.id ?? null,
  user,
})

/** The serializer picks and orders the members. */
function legacyFlight(flight: Flight) {
  const { from, to, airline, aircraft } = flight
  const times = timePairs.flat().map((name) => [name, orNull(flight[name])])
  return {
    ...flight,
    ...(Object.fromEntries(times) as Record<TimeName, string | null>),
    from: legacyAirport(from),
    to: legacyAirport(to),
    fromId: from.id,
    toId: to.id,
    airlineId: airline?.id ?? null,
    aircraftId: aircraft?.id ?? null,
    airline: airline && (airline.icao ?? airline.iata ?? airline.name),
    aircraft: aircraft && (aircraft.icao ?? aircraft.name),
    passengers: flight.passengers.map((passenger) => legacyPassenger(flight.id, passenger)),
    createdAt: legacyInstant(flight.createdAt),
    updatedAt: legacyInstant(flight.updatedAt),
  }
}

export function flightSerializer(objects: boolean, { sourceIds }: ReferenceService): (flight: Flight) => string {
  if (!objects) {
    const serialize = serializerOf(LegacyFlight)
    return (flight) => serialize(legacyFlight(flight))
  }
  const serialize = serializerOf(LegacyFlightWithObjects)
  return (flight) => {
    const { airline, aircraft } = flight
    const plain = legacyFlight(flight)
    return serialize({
      ...plain,
      airline: airline && { ...airline, sourceId: sourceIds.airline(airline) },
      aircraft: aircraft && { ...aircraft, sourceId: sourceIds.aircraft(aircraft) },
      seats: plain.passengers,
    })
  }
}
