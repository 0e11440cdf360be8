import * as z from 'zod'
import { CalendarDay, choice, Id, text } from '../../contract/common.ts'
import { english } from '../../messages/english.ts'
import { Continent } from '../reference/contract.ts'
import { Country, isCountry } from '../reference/countries.ts'

const visitedStatuses = ['lived', 'visited', 'layover', 'wishlist'] as const
const Status = choice(visitedStatuses)

export const VisitedCountry = z.object({ id: Id, code: z.string(), status: Status, note: z.string().nullable() }).meta({
  id: 'VisitedCountry',
  description: 'Entered manually; not derived from flights.',
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
    .refine(isCountry, english.reference.country)
    .meta({ description: 'The country whose record is deleted.' }),
})

export const CountryRecord = z
  .object({
    code: z.string(),
    continent: Continent,
    derived: z.boolean().meta({ description: 'Whether a completed flight begins or ends there.' }),
    airports: z.int().min(0),
    flights: z.int().min(0),
    firstDate: CalendarDay.nullable(),
    lastDate: CalendarDay.nullable(),
    status: Status.nullable().meta({ description: 'From the record entered manually; null without one.' }),
    note: z.string().nullable(),
  })
  .meta({
    id: 'Country',
    description: 'A country from your flights or your records.',
    examples: [
      {
        code: 'PT',
        continent: 'EU',
        derived: true,
        airports: 2,
        flights: 7,
        firstDate: '2019-04-12',
        lastDate: '2025-05-03',
        status: 'lived',
        note: null,
      },
    ],
  })
export type CountryRecord = z.output<typeof CountryRecord>
