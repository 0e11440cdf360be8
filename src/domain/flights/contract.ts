import * as z from 'zod'
import {
  CalendarDay,
  choice,
  DateTime,
  exampleOf,
  Id,
  Instant,
  list,
  type Rule,
  text,
  trimmedText,
  whenObject,
} from '../../contract/common.ts'
import { english } from '../../messages/english.ts'
import { CustomValues } from '../custom-fields/contract.ts'
import { Aircraft, Airline, Airport, lisbonExample } from '../reference/contract.ts'
import { TrackSummary, TrackWrite } from './tracks/contract.ts'

export const MAX_PASSENGERS = 500
export const MAX_GUEST_LENGTH = 100

export const datePrecisions = ['day', 'month', 'year'] as const
export const seats = ['window', 'aisle', 'middle', 'pilot', 'copilot', 'jumpseat', 'other'] as const
export const seatClasses = ['economy', 'economy+', 'business', 'first', 'private'] as const
export const flightReasons = ['leisure', 'business', 'crew', 'other'] as const

/** The second of a pair must not be before the first. */
export const timePairs = [
  ['departure', 'arrival'],
  ['departureScheduled', 'arrivalScheduled'],
  ['takeoffScheduled', 'landingScheduled'],
  ['takeoffActual', 'landingActual'],
] as const
export type TimeName = (typeof timePairs)[number][number]

const timesOf = <Time>(time: Time): Record<TimeName, Time> => ({
  departure: time,
  arrival: time,
  departureScheduled: time,
  arrivalScheduled: time,
  takeoffScheduled: time,
  takeoffActual: time,
  landingScheduled: time,
  landingActual: time,
})

export const noTimes = timesOf(null)

const DatePrecision = choice(datePrecisions)
const Seat = choice(seats)
const SeatClass = choice(seatClasses)
const FlightReason = choice(flightReasons)

const passengerExample = {
  id: 2077,
  user: { id: 'k3v9x0q2m7b1c5d', username: 'mira', displayName: 'Mira' },
  guestName: null,
  seat: 'window',
  seatNumber: '12A',
  seatClass: 'economy',
  flightReason: 'leisure',
  customFields: { meal: 'snack' },
}

const flightExample = {
  id: 1042,
  date: '2025-05-03',
  datePrecision: 'day',
  departure: '2025-05-03T10:20:00.000Z',
  arrival: '2025-05-03T13:10:00.000Z',
  departureScheduled: '2025-05-03T10:15:00.000Z',
  arrivalScheduled: '2025-05-03T13:05:00.000Z',
  takeoffScheduled: null,
  takeoffActual: null,
  landingScheduled: null,
  landingActual: null,
  duration: 10200,
  departureTerminal: null,
  departureGate: 'A71',
  arrivalTerminal: '1',
  arrivalGate: null,
  flightNumber: 'LX2084',
  aircraftReg: 'HB-JCS',
  note: null,
  from: exampleOf(Airport),
  to: lisbonExample,
  airline: exampleOf(Airline),
  aircraft: exampleOf(Aircraft),
  passengers: [passengerExample],
  track: null,
  customFields: {},
  distanceKm: 1723.6,
  createdAt: '2025-05-03T18:00:00.000Z',
  updatedAt: '2025-05-03T18:00:00.000Z',
}

const { user, seat, seatNumber, seatClass } = passengerExample
const passengerWriteExample = { userId: user.id, seat, seatNumber, seatClass }

const flightWriteExample = {
  date: '2025-05-03',
  departure: '2025-05-03T12:20:00+02:00',
  arrival: '2025-05-03T14:10:00+01:00',
  flightNumber: 'LX2084',
  fromId: 4711,
  toId: 3120,
  airlineId: 612,
  aircraftId: 88,
}

export const Passenger = z
  .object({
    id: Id,
    user: z.object({ id: z.string(), username: z.string(), displayName: z.string() }).nullable(),
    guestName: z.string().nullable(),
    seat: Seat.nullable(),
    seatNumber: z.string().nullable(),
    seatClass: SeatClass.nullable(),
    flightReason: FlightReason.nullable(),
    customFields: CustomValues,
  })
  .meta({
    id: 'Passenger',
    description: 'Either a user of this instance or a guest with a name.',
    examples: [passengerExample],
  })
export type Passenger = z.output<typeof Passenger>

export const Flight = z
  .object({
    id: Id,
    date: CalendarDay.meta({ description: "Day of departure in the origin's local time." }),
    datePrecision: DatePrecision,
    ...timesOf(Instant.nullable()),
    duration: z.int().min(0).nullable().meta({ description: 'Seconds.' }),
    departureTerminal: z.string().nullable(),
    departureGate: z.string().nullable(),
    arrivalTerminal: z.string().nullable(),
    arrivalGate: z.string().nullable(),
    flightNumber: z.string().nullable(),
    aircraftReg: z.string().nullable(),
    note: z.string().nullable(),
    from: Airport,
    to: Airport,
    airline: Airline.nullable(),
    aircraft: Aircraft.nullable(),
    passengers: z.array(Passenger),
    track: TrackSummary.nullable(),
    customFields: CustomValues,
    distanceKm: z.number().nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Flight', examples: [flightExample] })
export type Flight = z.output<typeof Flight>

export const PassengerWrite = z
  .object({
    id: Id.optional().meta({ description: 'Id of an existing passenger of the flight; ignored for a new flight.' }),
    userId: z.string().nullable().default(null),
    guestName: trimmedText({ min: 1, max: MAX_GUEST_LENGTH }).nullable().default(null),
    seat: Seat.nullable().default(null),
    seatNumber: text({ max: 20 }).nullable().default(null),
    seatClass: SeatClass.nullable().default(null),
    flightReason: FlightReason.nullable().default(null),
    customFields: CustomValues.optional(),
  })
  .refine(({ userId, guestName }) => (userId === null) !== (guestName === null), {
    message: english.flights.userOrGuest,
    ...whenObject,
  })
  .meta({
    id: 'PassengerWrite',
    description: 'Exactly one of `userId` and `guestName` is set.',
    examples: [passengerWriteExample],
  })
export type PassengerWrite = z.output<typeof PassengerWrite>

const ShortText = text({ max: 500 }).nullable().default(null)

export const FlightWrite = z
  .object({
    date: CalendarDay,
    datePrecision: DatePrecision.default('day'),
    ...timesOf(DateTime.nullable().prefault(null)),
    duration: z
      .int()
      .min(0)
      .nullable()
      .default(null)
      .meta({ description: 'Seconds. Without it, the time from departure to arrival when both are known.' }),
    departureTerminal: ShortText,
    departureGate: ShortText,
    arrivalTerminal: ShortText,
    arrivalGate: ShortText,
    flightNumber: ShortText,
    aircraftReg: ShortText,
    note: text({ max: 10000 }).nullable().default(null),
    fromId: Id.meta({ description: 'Id of the origin, from an airport search.' }),
    toId: Id.meta({ description: 'Id of the destination, from an airport search.' }),
    airlineId: Id.nullable().default(null).meta({ description: 'Id of the airline, from an airline search.' }),
    aircraftId: Id.nullable().default(null).meta({ description: 'Id of the aircraft type, from a search.' }),
    passengers: list(PassengerWrite, { min: 1, max: MAX_PASSENGERS }).optional().meta({
      description:
        'Without it, the caller is the only passenger of a new flight, and a replaced flight keeps its passengers.',
    }),
    track: TrackWrite.nullable()
      .optional()
      .meta({ description: 'Needs the scope tracks.write whenever present; null removes the track.' }),
    customFields: CustomValues.default({}),
  })
  .superRefine((flight, context) => {
    for (const [first, second] of timePairs) {
      const [from, to] = [flight[first], flight[second]]
      // Normalized instants compare as text; invalid times are not strings.
      if (typeof from !== 'string' || typeof to !== 'string' || from <= to) continue
      context.addIssue({ code: 'custom', path: [second], message: english.input.notBefore({ field: first }) })
    }
  }, whenObject)
  .meta({
    id: 'FlightWrite',
    description: 'Date-times are ISO 8601 with an offset. A PUT replaces: absent members take their default.',
    examples: [flightWriteExample],
  })
export type FlightWrite = z.output<typeof FlightWrite>

export const scopeChoice = {
  scope: z.enum(['mine', 'user', 'all']).default('mine').meta({ description: 'Whose flights.' }),
  userId: z.string().optional().meta({ description: 'The user, with scope=user.' }),
}

/** For `refine` of every query with `scopeChoice`. */
export const userNeeded: Rule<{ scope: string; userId?: string | undefined }> = [
  ({ scope, userId }) => scope !== 'user' || (userId !== undefined && userId !== ''),
  { path: ['userId'], message: english.filter.userRequired, ...whenObject },
]

export const TargetQuery = z.object(scopeChoice).refine(...userNeeded)

export type TargetQuery = z.output<typeof TargetQuery>
