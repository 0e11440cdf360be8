import * as z from 'zod'
import { exampleOf, Id, Instant, limit } from '../../contract/common.ts'
import { Flight, scopeChoice, userNeeded } from '../flights/contract.ts'

export const ChangeQuery = z
  .object({
    ...scopeChoice,
    limit: limit({ max: 500, default: 100, description: 'Page size.' }),
    cursor: z
      .string()
      .optional()
      .meta({ description: '`page.nextCursor` of the page before, unchanged; absent to start with the whole log.' }),
  })
  .refine(...userNeeded)
export type ChangeQuery = z.output<typeof ChangeQuery>

const example = { flightId: 1, kind: 'saved', at: '2025-05-04T08:12:30.000Z', flight: exampleOf(Flight) }

const FlightChange = z
  .object({
    flightId: Id,
    kind: z.enum(['saved', 'removed']).meta({
      description: '`removed`: it was deleted, or the user is no longer on it.',
    }),
    at: Instant.meta({ description: 'When it was written.' }),
    flight: Flight.nullable().meta({ description: 'The flight as it is now; null when it was removed.' }),
  })
  .meta({ id: 'FlightChange', examples: [example] })

export const FlightChanges = z
  .object({
    data: z.array(FlightChange),
    page: z.object({
      nextCursor: z.string().meta({ description: 'Store it to read later changes. It does not expire.' }),
      more: z.boolean().meta({ description: 'Whether more changes follow.' }),
    }),
  })
  .meta({
    id: 'FlightChangeListResponse',
    examples: [{ data: [example], page: { nextCursor: 'MS4wLjEuMGY', more: false } }],
  })
