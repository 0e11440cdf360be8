import * as z from 'zod'
import { exampleOf, Id, Instant } from '../../contract/common.ts'
import { Flight, scopeChoice, userNeeded } from '../flights/contract.ts'

const MOST = 500
const wholeNumber = `Must be a whole number from 1 to ${MOST}.`

export const ChangeQuery = z
  .object({
    ...scopeChoice,
    limit: z
      .string()
      .regex(/^\d+$/, wholeNumber)
      .transform(Number)
      .refine((limit) => limit >= 1 && limit <= MOST, wholeNumber)
      .default(100)
      .meta({ override: { type: 'integer', minimum: 1, maximum: MOST, default: 100 }, description: 'Page size.' }),
    cursor: z
      .string()
      .optional()
      .meta({ description: '`page.nextCursor` of the page before, unchanged; absent to begin with the whole log.' }),
  })
  .refine(userNeeded, { path: ['userId'], message: 'Is needed with scope=user.' })
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
      nextCursor: z.string().meta({ description: 'Keep it: what is written later follows after it. Valid for ever.' }),
      more: z.boolean().meta({ description: 'Whether something follows already.' }),
    }),
  })
  .meta({
    id: 'FlightChangeListResponse',
    examples: [{ data: [example], page: { nextCursor: 'MS4wLjEuMGY', more: false } }],
  })
