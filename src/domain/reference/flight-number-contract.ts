import * as z from 'zod'
import { CalendarDay, choice, exampleOf } from '../../contract/common.ts'
import { english } from '../../messages/english.ts'
import { Airline, Airport, lisbonExample } from './contract.ts'
import { plainFlightNumber } from './flight-number.ts'

const ZRH = exampleOf(Airport) as Airport
const LIS: Airport = { ...lisbonExample, id: 4712, name: 'Lisbon Humberto Delgado Airport' }

export const FlightNumberParams = z.object({
  flightNumber: z
    .string()
    .transform((written, context) => {
      const plain = plainFlightNumber(written)
      if (plain !== undefined) return plain
      context.addIssue({
        code: 'invalid_format',
        format: 'regex',
        message: english.reference.flightNumber,
      })
      return z.NEVER
    })
    .meta({
      description:
        'The code of the airline, IATA or ICAO, and the number: `LX2084`, `SWR2084`. Case, spaces and hyphens do not matter, nor zeros before the number or a letter behind it.',
      examples: ['LX2084'],
    }),
})

export const FlightNumberQuery = z.object({
  date: CalendarDay.optional().meta({
    format: 'date',
    description: 'The day of the flight; without it today, in UTC.',
    examples: ['2025-05-03'],
  }),
})

export const FlightSuggestion = z
  .object({
    flightNumber: z
      .string()
      .meta({ description: 'As it was logged; of shipped data, with the IATA code of the airline.' }),
    airline: Airline.nullable(),
    airports: z.array(Airport).meta({ description: 'All stops, in order.' }),
    from: Airport,
    to: Airport,
    source: choice(['log', 'shipped']).meta({
      description: '`log`: a flight of your own. `shipped`: what is known of the day.',
    }),
    since: CalendarDay.nullable().meta({
      description:
        'The day from which the shipped data knows the route, after the day asked for if it knows none of the day; null when it always did, and of a flight of your own.',
    }),
  })
  .meta({
    id: 'FlightSuggestion',
    description: 'A flight that a number may stand for: to be confirmed, since timetables change.',
    examples: [
      {
        flightNumber: 'LX2084',
        airline: exampleOf(Airline),
        airports: [ZRH, LIS],
        from: ZRH,
        to: LIS,
        source: 'shipped',
        since: '2024-03-31',
      },
    ],
  })
export type FlightSuggestion = z.output<typeof FlightSuggestion>
