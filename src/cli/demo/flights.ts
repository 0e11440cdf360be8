import { type FlightWrite, noTimes, type PassengerWrite } from '../../domain/flights/contract.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { isoInstant, localInstant } from '../../lib/dates.ts'
import { distanceMeters } from '../../lib/geo.ts'
import { type Random, seeded } from './random.ts'
import { longHaul, registrationPrefix, type Service, servicesBetween, terminals } from './routes.ts'
import { type Person, smallNote, type Trip, tripsUntil } from './story.ts'
import { greatCircleTrack } from './track.ts'

/** Another seed makes another life. */
const SEED = 20_160_101
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Times are known to the minute only for the last years, as in a log that was begun with boarding passes. */
const PRECISE_YEARS = 6

type PlannedFlight = Omit<FlightWrite, 'passengers'> & { passengers: (PassengerWrite & { person?: Person })[] }

interface Leg {
  trip: Trip
  index: number
  day: string
  service: Service
  random: Random
  /** Booked and not flown yet. */
  ahead: boolean
  recent: boolean
}

const nothing = {
  ...noTimes,
  duration: null,
  departureTerminal: null,
  departureGate: null,
  arrivalTerminal: null,
  arrivalGate: null,
  aircraftReg: null,
} as const

const toFive = (milliseconds: number) => Math.round(milliseconds / (5 * MINUTE)) * 5 * MINUTE

function placesOf(reference: ReferenceService, { from, to, airline, aircraft }: Service) {
  const { codes, records } = reference
  const known = <Id>(id: Id | undefined, code: string): Id => {
    if (id === undefined) throw new Error(`The shipped data does not have ${code}.`)
    return id
  }
  const fromId = known(codes.airport(from, 'iata'), from)
  const toId = known(codes.airport(to, 'iata'), to)
  return {
    ids: {
      fromId,
      toId,
      airlineId: known(codes.airline(airline, 'icao'), airline),
      aircraftId: known(codes.aircraft(aircraft, 'icao'), aircraft),
    },
    origin: records.airport(fromId)!,
    destination: records.airport(toId)!,
  }
}

type Places = ReturnType<typeof placesOf>

/** From gate to gate: half an hour on the ground, and jets are faster towards the east. */
function blockTime({ origin, destination }: Places): number {
  const kilometres = distanceMeters(origin, destination) / 1000
  const east = ((destination.longitude - origin.longitude + 540) % 360) - 180 > 0
  return toFive(30 * MINUTE + (kilometres / (east ? 880 : 820)) * HOUR)
}

function timesOf({ day, service, random, ahead, recent }: Leg, places: Places) {
  const planned = localInstant(day, service.clock, places.origin.timezone)
  const block = blockTime(places)
  const scheduled = { departureScheduled: isoInstant(planned), arrivalScheduled: isoInstant(planned + block) }
  if (ahead) return { ...scheduled, off: planned, on: planned + block }
  const late = (random.chance(0.2) ? random.whole(15, 70) : random.whole(-3, 12)) * MINUTE
  const departure = planned + (recent ? late : 0)
  const arrival = departure + block + (recent ? random.whole(-12, 6) * MINUTE : 0)
  const [off, on] = [departure + random.whole(9, 19) * MINUTE, arrival - random.whole(4, 9) * MINUTE]
  return {
    departure: isoInstant(departure),
    arrival: isoInstant(arrival),
    ...(recent && { ...scheduled, takeoffActual: isoInstant(off), landingActual: isoInstant(on) }),
    off,
    on,
  }
}

const gate = (random: Random) => `${random.pick(['A', 'B', 'C'])}${random.whole(1, 38)}`

function detailsOf({ service, random, ahead, recent }: Leg) {
  const prefix = registrationPrefix[service.airline]
  const departed = recent && !ahead
  return {
    departureTerminal: terminals[service.from] ?? null,
    arrivalTerminal: terminals[service.to] ?? null,
    departureGate: departed && random.chance(0.7) ? gate(random) : null,
    arrivalGate: departed && random.chance(0.4) ? gate(random) : null,
    aircraftReg: departed && prefix && random.chance(0.8) ? prefix + random.letters(2) : null,
  }
}

/** Ines looks out of the window, Jonas wants to stretch his legs. */
const habits = { ines: { seat: 'window', letter: 'A' }, jonas: { seat: 'aisle', letter: 'C' } } as const

function passengersOf({ trip, service, random }: Leg): PlannedFlight['passengers'] {
  const far = longHaul.has(service.aircraft)
  const vague = trip.precision !== undefined
  const seatClass = trip.cabin === 'business' || (trip.cabin !== undefined && far) ? trip.cabin : ('economy' as const)
  const row = seatClass === 'business' ? random.whole(2, 8) : random.whole(9, far ? 44 : 29)
  const shared = { seatClass: vague ? null : seatClass, flightReason: trip.reason }
  const meal = far ? { meal: random.pick(['Vegetarian', 'Standard', 'Vegan']) } : {}
  const people = trip.who.map((person) => ({
    ...shared,
    person,
    userId: null,
    guestName: null,
    seat: vague ? null : habits[person].seat,
    seatNumber: vague ? null : `${row}${habits[person].letter}`,
    customFields: meal,
  }))
  const guests = (trip.guests ?? []).map((guestName) => ({
    ...shared,
    userId: null,
    guestName,
    seat: 'middle' as const,
    seatNumber: `${row}B`,
    customFields: {},
  }))
  return [...people, ...guests]
}

function flightOf(leg: Leg, reference: ReferenceService): PlannedFlight {
  const { trip, index, day, service, random } = leg
  const places = placesOf(reference, service)
  const vague = trip.precision !== undefined
  const { off, on, ...times } = timesOf(leg, places)
  const note = trip.notes?.[index] ?? (!vague && random.chance(0.06) ? smallNote(random) : null)
  const hasTrack = trip.tracks?.includes(index)
  return {
    ...nothing,
    date: day,
    datePrecision: trip.precision ?? 'day',
    ...(!vague && { ...times, ...detailsOf(leg) }),
    flightNumber: vague ? null : service.number,
    note,
    ...places.ids,
    passengers: passengersOf(leg),
    ...(hasTrack && { track: greatCircleTrack(places.origin, places.destination, off, on, service.number) }),
    customFields: leg.recent && random.chance(0.7) ? { booking_reference: random.letters(6) } : {},
  }
}

/** Every flight of the demo in the order in which it was flown; the same for the same day. */
export function demoFlights(today: string, reference: ReferenceService): PlannedFlight[] {
  const random = seeded(SEED)
  const firstPrecise = Number(today.slice(0, 4)) - PRECISE_YEARS
  return tripsUntil(today, random).flatMap((trip) =>
    trip.days.map((day, index) => {
      const service = random.pick(servicesBetween(trip.way[index]!, trip.way[index + 1]!))
      const recent = Number(day.slice(0, 4)) >= firstPrecise
      return flightOf({ trip, index, day, service, random, ahead: day >= today, recent }, reference)
    }),
  )
}
