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
        'The IATA or ICAO code of the airline, and the number: `LX2084`, `SWR2084`. Case, spaces, hyphens, leading zeros of the number and a letter after it are ignored.',
      examples: ['LX2084'],
    }),
})

export const FlightNumberQuery = z.object({
  date: CalendarDay.optional().meta({
    format: 'date',
    description: 'The day of the flight. Defaults to today, in UTC.',
    examples: ['2025-05-03'],
  }),
})

export const FlightSuggestion = z
  .object({
    flightNumber: z
      .string()
      .meta({ description: 'As logged; for shipped data, the IATA code of the airline and the number.' }),
    airline: Airline.nullable(),
    airports: z.array(Airport).meta({ description: 'All stops, in order.' }),
    from: Airport,
    to: Airport,
    source: choice(['log', 'shipped']).meta({
      description: '`log`: one of your own flights. `shipped`: the shipped route of the day.',
    }),
    since: CalendarDay.nullable().meta({
      description:
        'The first day of the route in the shipped data, which may be after `date`. Null if the shipped data always had the route, and for your own flights.',
    }),
  })
  .meta({
    id: 'FlightSuggestion',
    description: 'A possible flight with this number. Timetables change, so the user should confirm it.',
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
