import * as z from 'zod'
import { choice, Id, text } from '../../contract/common.ts'
import { Country, isCountry } from '../reference/countries.ts'

const visitedStatuses = ['lived', 'visited', 'layover', 'wishlist'] as const
const Status = choice(visitedStatuses)

export const VisitedCountry = z.object({ id: Id, code: z.string(), status: Status, note: z.string().nullable() }).meta({
  id: 'VisitedCountry',
  description: 'Entered by hand; not derived from flights.',
  examples: [{ id: 12, code: 'IS', status: 'visited', note: 'By ship' }],
})
export type VisitedCountry = z.output<typeof VisitedCountry>

export const VisitedCountryWrite = z
  .object({ code: Country, status: Status, note: text({ max: 1000 }).nullable().default(null) })
  .meta({ id: 'VisitedCountryWrite', examples: [{ code: 'IS', status: 'visited', note: 'By ship' }] })
export type VisitedCountryWrite = z.output<typeof VisitedCountryWrite>

export const VisitedCountryQuery = z.object({
  code: z
    .string()
    .toUpperCase()
    .refine(isCountry, 'Must be an ISO 3166-1 alpha-2 country code or XK.')
    .meta({ description: 'The country whose record is removed.' }),
})
