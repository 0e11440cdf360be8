import * as z from 'zod'
import { CalendarDay, DateTime, Id, Instant, whenObject } from '../../contract/common.ts'
import { english } from '../../messages/english.ts'

const flags = {
  showMap: true,
  showStats: false,
  showFlightList: false,
  showFlightNumbers: true,
  showAirlines: true,
  showAircraft: false,
  showTimes: false,
  showTracks: false,
  showDates: true,
  showSeat: false,
} as const
export type ShareFlag = keyof typeof flags

export const shareFlags = Object.keys(flags) as ShareFlag[]

const FlagRecord = Object.fromEntries(shareFlags.map((name) => [name, z.boolean()])) as Record<ShareFlag, z.ZodBoolean>
const FlagBody = Object.fromEntries(
  Object.entries(flags).map(([name, fallback]) => [name, z.boolean().default(fallback)]),
) as Record<ShareFlag, z.ZodDefault<z.ZodBoolean>>

export const Share = z
  .object({
    id: Id,
    slug: z.string(),
    expiresAt: Instant.nullable(),
    dateFrom: CalendarDay.nullable(),
    dateTo: CalendarDay.nullable(),
    tripId: Id.nullable(),
    ...FlagRecord,
    createdAt: Instant,
    url: z.string(),
  })
  .meta({
    id: 'Share',
    description: 'A public page with a part of your log.',
    examples: [
      {
        id: 7,
        slug: 'summer-2025',
        expiresAt: null,
        dateFrom: '2025-06-01',
        dateTo: '2025-08-31',
        tripId: null,
        ...flags,
        createdAt: '2025-09-01T08:00:00.000Z',
        url: 'https://flights.example/share/summer-2025',
      },
    ],
  })
export type Share = z.output<typeof Share>

const Slug = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .regex(/^[A-Za-z0-9_-]*$/, english.shares.slug)

export const ShareWrite = z
  .object({
    slug: Slug.nullable()
      .default(null)
      .meta({ description: 'If absent, POST generates one and PUT keeps the current one.' }),
    expiresAt: DateTime.nullable().prefault(null).meta({ description: 'Null for never. Must not be in the past.' }),
    dateFrom: CalendarDay.nullable().default(null),
    dateTo: CalendarDay.nullable().default(null),
    tripId: Id.nullable().optional().meta({
      description: 'Shows only the flights of this trip. If absent, POST sets null and PUT keeps the current one.',
    }),
    ...FlagBody,
  })
  .refine(({ dateFrom, dateTo }) => typeof dateFrom !== 'string' || typeof dateTo !== 'string' || dateFrom <= dateTo, {
    path: ['dateTo'],
    message: english.input.notBefore({ field: 'dateFrom' }),
    ...whenObject,
  })
  .meta({
    id: 'ShareWrite',
    description: 'PUT replaces the share: absent members get their defaults, except `slug` and `tripId`.',
    examples: [{ slug: 'summer-2025', dateFrom: '2025-06-01', dateTo: '2025-08-31', showStats: true }],
  })
export type ShareWrite = z.output<typeof ShareWrite>
