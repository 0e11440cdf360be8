import * as z from 'zod'
import { choice, list, text, trimmedText, whenObject } from '../../contract/common.ts'
import { CustomValues } from '../../domain/custom-fields/contract.ts'
import {
  datePrecisions,
  flightReasons,
  MAX_PASSENGERS,
  seatClasses,
  seats,
  type TimeName,
  timePairs,
} from '../../domain/flights/contract.ts'
import { TrackWrite } from '../../domain/flights/tracks/contract.ts'
import { isCalendarDay, isoInstant, parseInstant } from '../../lib/dates.ts'
import { isObject } from '../../lib/objects.ts'
import { parseClock } from '../../lib/wall-clock.ts'
import { english } from '../../messages/english.ts'

const FIRST_DAY = '1970-01-01'

const DateMember = z.string().transform((value, context): { day: string; instant: string | null } => {
  const instant = parseInstant(value)
  const day = value.slice(0, 10)
  const reject = (message: string) => {
    context.addIssue({ code: 'invalid_format', format: 'date', message })
    return z.NEVER
  }
  if (instant === undefined && !isCalendarDay(value)) {
    return reject('Must be a day as YYYY-MM-DD, or a date-time with an offset such as 2025-05-03T12:20:00+02:00.')
  }
  if (day < FIRST_DAY) return reject(english.input.notBefore({ field: FIRST_DAY }))
  return { day, instant: instant === undefined ? null : isoInstant(instant) }
})

const ClockMember = z.string().transform((value, context): string | null => {
  if (value === '') return null
  const clock = parseClock(value)
  if (clock !== undefined) return clock
  context.addIssue({
    code: 'invalid_format',
    format: 'time',
    message: 'Must be a local time such as 9:05, 21.05, 2105 or 9:05 pm, without seconds.',
  })
  return z.NEVER
})

const orNull = <Output>(member: z.ZodType<Output>) => member.nullable().default(null)

const When = orNull(DateMember)
const Clock = orNull(ClockMember)
const ShortText = orNull(text({ max: 10 }))
const Code = text({ max: 500 })
const Reason = orNull(choice(flightReasons))

const LegacyPassenger = z
  .object({
    id: orNull(z.int()),
    userId: orNull(z.string()),
    guestName: orNull(trimmedText({ max: 50 })),
    seat: orNull(choice(seats)),
    seatNumber: orNull(text({ max: 5 })),
    seatClass: orNull(choice(seatClasses)),
    flightReason: Reason,
    customFields: CustomValues.optional(),
  })
  .refine(({ userId, guestName }) => userId !== null || guestName, 'Needs a userId or a guestName.')

type ClockName = `${TimeName}Time`
type TimeMembers = Record<TimeName, typeof When> & Record<ClockName, typeof Clock>

const times = Object.fromEntries(
  timePairs.flat().flatMap((name) => [
    [name, When],
    [`${name}Time`, Clock],
  ]),
) as TimeMembers

/** `seats` is the older name of `passengers`. */
const withPassengers = (body: unknown) =>
  isObject(body) && (body.passengers ?? null) === null && (body.seats ?? null) !== null
    ? { ...body, passengers: body.seats }
    : body

/** Contract 6.4. */
export const LegacySave = z.preprocess(
  withPassengers,
  z
    .object({
      id: orNull(z.int()),
      from: Code,
      to: Code,
      ...times,
      datePrecision: choice(datePrecisions).default('day'),
      airline: orNull(Code),
      aircraft: orNull(Code),
      flightNumber: ShortText,
      aircraftReg: ShortText,
      departureTerminal: ShortText,
      departureGate: ShortText,
      arrivalTerminal: ShortText,
      arrivalGate: ShortText,
      note: orNull(text({ max: 1000 })),
      passengers: list(LegacyPassenger, { min: 1, max: MAX_PASSENGERS }),
      flightReason: Reason,
      customFields: CustomValues.default({}),
      track: TrackWrite.nullable().optional(),
    })
    .superRefine((flight, context) => {
      const addIssue = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message })
      const { departure, departureScheduled, arrival, arrivalTime, passengers } = flight
      const exact = flight.datePrecision === 'day'
      // A member that could not be parsed is not null and has its own issue.
      if (departure === null && !(exact && departureScheduled !== null)) addIssue('departure', english.input.required)
      if (exact && arrival !== null && arrivalTime === null) addIssue('arrivalTime', 'Is required with arrival.')
      if (Array.isArray(passengers) && passengers.length > 0 && passengers.every((each) => each?.userId === null)) {
        addIssue('passengers', 'Must have at least one with a userId.')
      }
    }, whenObject),
)
export type LegacySave = z.output<typeof LegacySave>

export const LegacyDelete = z.object({ id: z.int() })

export const namesFlight = (body: unknown): boolean => isObject(body) && (body.id ?? null) !== null
