import * as z from 'zod'
import { CustomValues } from '../../domain/custom-fields/contract.ts'
import { type Flight, type Passenger, type TimeName, timePairs } from '../../domain/flights/contract.ts'
import type { Airport } from '../../domain/reference/contract.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { ExportedAirport, ExportedUser } from '../../domain/transfer/contract.ts'
import { rememberedText, serializerAround, serializerOf } from '../shared/serializer.ts'

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

/** The order of members, and which there are, is the serializer's work; airports are written by their own. */
function legacyFlight(flight: Flight): LegacyRecord {
  const { from, to, airline, aircraft } = flight
  const times = timePairs.flat().map((name) => [name, orNull(flight[name])])
  return {
    ...flight,
    ...(Object.fromEntries(times) as Record<TimeName, string | null>),
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
    airline: rememberedText((airline) => airlineText({ ...airline, sourceId: sourceIds.airline(airline) })),
    aircraft: rememberedText((aircraft) => aircraftText({ ...aircraft, sourceId: sourceIds.aircraft(aircraft) })),
  })
  return (flight) => {
    const { airline, aircraft } = flight
    const plain = legacyFlight(flight)
    return serialize({ ...plain, airline, aircraft, seats: plain.passengers })
  }
}
