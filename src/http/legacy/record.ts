import * as z from 'zod'
import { CustomValues } from '../../domain/custom-fields/contract.ts'
import type { Flight, Passenger } from '../../domain/flights/contract.ts'
import type { Airport } from '../../domain/reference/contract.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { rememberedText, serializerAround, serializerOf } from '../shared/serializer.ts'

const Text = z.string().nullable()
const Id = z.number()

const LegacyAirport = z.object({
  id: Id,
  icao: z.string(),
  iata: Text,
  lat: z.number(),
  lon: z.number(),
  tz: z.string(),
  name: z.string(),
  municipality: Text,
  type: z.string(),
  continent: z.string(),
  country: z.string(),
  custom: z.boolean(),
})

const LegacyPassenger = z.object({
  id: Id,
  flightId: Id,
  userId: Text,
  guestName: Text,
  seat: Text,
  seatNumber: Text,
  seatClass: Text,
  flightReason: Text,
  user: z.object({ id: z.string(), displayName: z.string(), username: z.string() }).nullable(),
  customFields: CustomValues,
})

/** The members in the order in which they are sent (contract 6.3). */
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

/** For programs made for AirTrail; the replaced members keep their places. */
const LegacyFlightWithObjects = LegacyFlight.extend({
  aircraft: LegacyAircraft.nullable(),
  airline: LegacyAirline.nullable(),
  seats: z.array(LegacyPassenger),
})

/** What is written, with airports as they are in v1. */
type LegacyRecord = Omit<z.output<typeof LegacyFlight>, 'from' | 'to'> & Pick<Flight, 'from' | 'to'>
type WithObjects = Omit<LegacyRecord, 'airline' | 'aircraft'> &
  Pick<Flight, 'airline' | 'aircraft'> & { seats: LegacyRecord['passengers'] }

/** Stored instants end in Z; this API writes the offset. */
export const legacyInstant = (instant: string) => `${instant.slice(0, -1)}+00:00`

const orNull = (instant: string | null) => (instant === null ? null : legacyInstant(instant))

const serializeAirport = serializerOf(LegacyAirport)
const airportText = rememberedText(({ latitude, longitude, timezone, ...airport }: Airport) =>
  serializeAirport({ ...airport, lat: latitude, lon: longitude, tz: timezone }),
)

const legacyPassenger = (flightId: number, { user, ...passenger }: Passenger) => ({
  ...passenger,
  flightId,
  userId: user?.id ?? null,
  user,
})

/** The order of members is the serializer's work; airports are written by their own. */
function legacyFlight(flight: Flight): LegacyRecord {
  const { from, to, airline, aircraft } = flight
  return {
    id: flight.id,
    date: flight.date,
    datePrecision: flight.datePrecision,
    departure: orNull(flight.departure),
    arrival: orNull(flight.arrival),
    departureScheduled: orNull(flight.departureScheduled),
    arrivalScheduled: orNull(flight.arrivalScheduled),
    takeoffScheduled: orNull(flight.takeoffScheduled),
    takeoffActual: orNull(flight.takeoffActual),
    landingScheduled: orNull(flight.landingScheduled),
    landingActual: orNull(flight.landingActual),
    duration: flight.duration,
    departureTerminal: flight.departureTerminal,
    departureGate: flight.departureGate,
    arrivalTerminal: flight.arrivalTerminal,
    arrivalGate: flight.arrivalGate,
    flightNumber: flight.flightNumber,
    aircraftReg: flight.aircraftReg,
    note: flight.note,
    fromId: from.id,
    toId: to.id,
    airlineId: airline?.id ?? null,
    aircraftId: aircraft?.id ?? null,
    from,
    to,
    airline: airline && (airline.icao ?? airline.iata ?? airline.name),
    aircraft: aircraft && (aircraft.icao ?? aircraft.name),
    passengers: flight.passengers.map((passenger) => legacyPassenger(flight.id, passenger)),
    customFields: flight.customFields,
    distanceKm: flight.distanceKm,
    createdAt: legacyInstant(flight.createdAt),
    updatedAt: legacyInstant(flight.updatedAt),
  }
}

const airports = { from: airportText, to: airportText }

/** A flight as legacy JSON, with codes or with objects for its airline and aircraft. */
export function flightSerializer(objects: boolean, { sourceIds }: ReferenceService): (flight: Flight) => string {
  if (!objects) {
    const serialize = serializerAround<LegacyRecord>(LegacyFlight, airports)
    return (flight) => serialize(legacyFlight(flight))
  }
  const [airlineText, aircraftText] = [serializerOf(LegacyAirline), serializerOf(LegacyAircraft)]
  const serialize = serializerAround<WithObjects>(LegacyFlightWithObjects, {
    ...airports,
    airline: rememberedText((airline) => airlineText({ ...airline, sourceId: sourceIds.airline(airline.id) })),
    aircraft: rememberedText((aircraft) => aircraftText({ ...aircraft, sourceId: sourceIds.aircraft(aircraft.id) })),
  })
  return (flight) => {
    const { airline, aircraft } = flight
    const plain = legacyFlight(flight)
    return serialize({ ...plain, airline, aircraft, seats: plain.passengers })
  }
}
