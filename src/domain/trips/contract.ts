import * as z from 'zod'
import { CalendarDay, Id, Instant, limit, list, text, trimmedText } from '../../contract/common.ts'

export const MAX_NAME_LENGTH = 100
const MAX_NOTE_LENGTH = 10_000
export const MAX_FLIGHTS = 500

const example = {
  id: 12,
  name: 'Tokyo, March 2024',
  note: null,
  flightIds: [1042, 1043],
  flights: 2,
  dateFrom: '2024-03-08',
  dateTo: '2024-03-21',
  distanceKm: 19135,
  countries: ['CH', 'JP'],
  createdAt: '2024-03-22T08:00:00.000Z',
  updatedAt: '2024-03-22T08:00:00.000Z',
}
const { name, flightIds, dateFrom, dateTo } = example

export const Trip = z
  .object({
    id: Id,
    name: z.string(),
    note: z.string().nullable(),
    flightIds: z.array(Id).meta({ description: 'In the order of departure.' }),
    flights: z.int().min(0),
    dateFrom: CalendarDay.nullable().meta({ description: 'The first day of departure; null without flights.' }),
    dateTo: CalendarDay.nullable().meta({ description: 'The last day of departure; null without flights.' }),
    distanceKm: z.int().min(0),
    countries: z.array(z.string()).meta({ description: 'The countries of all airports, as ISO codes.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'Trip', description: 'A named group of your flights. Only you see it.', examples: [example] })
export type Trip = z.output<typeof Trip>

export const TripWrite = z
  .object({
    name: trimmedText({ min: 1, max: MAX_NAME_LENGTH }),
    note: text({ max: MAX_NOTE_LENGTH }).nullable().default(null),
    flightIds: list(Id, { max: MAX_FLIGHTS }).optional().meta({
      description: 'Flights that you are on; repeated ids count once. If absent, PUT keeps the current ones.',
    }),
  })
  .meta({ id: 'TripWrite', description: 'PUT replaces the trip.', examples: [{ name, flightIds }] })
export type TripWrite = z.output<typeof TripWrite>

export const TripSuggestion = z
  .object({ name: z.string(), flightIds: z.array(Id), dateFrom: CalendarDay, dateTo: CalendarDay })
  .meta({
    id: 'TripSuggestion',
    description: 'A round journey whose flights are in no trip yet. Send it to `createTrip` to keep it.',
    examples: [{ name, flightIds, dateFrom, dateTo }],
  })
export type TripSuggestion = z.output<typeof TripSuggestion>

export const TripQuery = z.object({
  limit: limit({ max: 200, default: 50, description: 'Page size.' }),
  cursor: z
    .string()
    .optional()
    .meta({ description: '`page.nextCursor` of the page before, unchanged; absent on the first page.' }),
})
export type TripQuery = z.output<typeof TripQuery>
