import * as z from 'zod'
import { CalendarDay, choice, exampleOf, Id, Instant } from '../../contract/common.ts'
import { FlightWrite, seatClasses } from '../flights/contract.ts'

export const MAX_DOCUMENT_BYTES = 2 * 1024 * 1024

const kinds = ['boarding_pass', 'wallet_pass', 'reservation', 'event'] as const

export const TravelDocumentQuery = z.object({
  date: CalendarDay.optional().meta({
    format: 'date',
    description:
      'The reference day for boarding passes, which have a day but no year. Defaults to today, in UTC. Use a day near the flight.',
    examples: ['2025-05-03'],
  }),
})

const known = <Schema extends z.ZodType>(schema: Schema) => schema.optional()

const FlightDraft = z
  .object({
    date: known(CalendarDay),
    fromId: known(Id),
    toId: known(Id),
    departureScheduled: known(Instant),
    arrivalScheduled: known(Instant),
    departureTerminal: known(z.string()),
    departureGate: known(z.string()),
    arrivalTerminal: known(z.string()),
    arrivalGate: known(z.string()),
    flightNumber: known(z.string()),
    airlineId: known(Id),
    passengers: known(
      z.array(z.object({ userId: z.string(), seatNumber: known(z.string()), seatClass: known(choice(seatClasses)) })),
    ).meta({ description: 'You, with your seat and class; absent if the document has neither.' }),
  })
  .meta({ id: 'FlightDraft', description: 'The known members of a body for `createFlight`.' })
export type FlightDraft = z.output<typeof FlightDraft>

const { date, fromId, toId, flightNumber, airlineId } = exampleOf(FlightWrite) as FlightWrite

export const TravelItem = z
  .object({
    kind: choice(kinds),
    passengerName: z.string().nullable().meta({ description: 'As the document has it.' }),
    bookingReference: z.string().nullable(),
    flight: FlightDraft,
    unresolved: z.array(z.string()).meta({
      description: 'What could not be resolved. If it is empty, `flight` can be sent to `createFlight` as it is.',
    }),
    duplicateOf: Id.nullable().meta({
      description:
        'The id of your flight with the same date, route and number; null without one, or without the scope flight.read.own.',
    }),
  })
  .meta({
    id: 'TravelItem',
    description: 'A flight of a travel document, to be confirmed.',
    examples: [
      {
        kind: 'boarding_pass',
        passengerName: 'SAMPLE/MIRA MS',
        bookingReference: 'QX7B2M',
        flight: { date, fromId, toId, flightNumber, airlineId },
        unresolved: [],
        duplicateOf: null,
      },
    ],
  })
export type TravelItem = z.output<typeof TravelItem>
