import { z } from 'zod'
import { exampleOf, Id, Instant, limit } from '../../../contract/common.ts'
import { Flight } from '../contract.ts'

export const DeletedFlightQuery = z.object({
  scope: z.enum(['mine', 'all']).default('mine').meta({ description: 'Whose flights.' }),
  limit: limit({ max: 200, default: 50, description: 'Page size.' }),
  cursor: z
    .string()
    .optional()
    .meta({ description: '`page.nextCursor` of the page before, unchanged; absent on the first page.' }),
})
export type DeletedFlightQuery = z.output<typeof DeletedFlightQuery>

export const DeletedFlight = z
  .object({
    id: Id.meta({ description: 'The id of the flight, also after it was restored.' }),
    deletedAt: Instant,
    deletedBy: z
      .object({ id: z.string(), username: z.string() })
      .nullable()
      .meta({ description: 'Null for the operator and for users who no longer exist.' }),
    flight: Flight.meta({ description: 'The flight as it was.' }),
  })
  .meta({
    id: 'DeletedFlight',
    examples: [
      {
        id: 1,
        deletedAt: '2025-05-04T08:12:30.000Z',
        deletedBy: { id: 'k3v9x0q2m7b1c5d', username: 'mira' },
        flight: exampleOf(Flight),
      },
    ],
  })
