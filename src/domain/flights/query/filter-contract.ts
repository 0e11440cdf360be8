import * as z from 'zod'
import { CalendarDay, choice, limit, type Rule, text, whenObject } from '../../../contract/common.ts'
import { isCalendarDay } from '../../../lib/dates.ts'
import { fold, normalizeCode, words } from '../../../lib/text.ts'
import { english } from '../../../messages/english.ts'
import { flightReasons, scopeChoice, seatClasses, seats, userNeeded } from '../contract.ts'
import type { Period } from './target.ts'

const MAX_ITEMS = 50
const MAX_ITEM_LENGTH = 100
const MAX_CODE_LENGTH = 500

interface List<Item> {
  read: (text: string) => Item | undefined
  expected: string
  allowed?: readonly string[]
  schema: object
  description: string
}

/** Comma-separated values without repetitions; an array in MCP tools. */
function list<Item>({ read, expected, allowed, schema, description }: List<Item>) {
  return z
    .string()
    .transform((value, context): Item[] => {
      const texts = value.split(',', MAX_ITEMS + 1)
      if (texts.length > MAX_ITEMS) {
        context.addIssue({ code: 'too_big', maximum: MAX_ITEMS, origin: 'array', inclusive: true })
        return z.NEVER
      }
      const items = texts.map((each) => (each.length > MAX_ITEM_LENGTH ? undefined : read(each)))
      if (items.includes(undefined)) {
        context.addIssue(
          allowed
            ? { code: 'invalid_value', values: [...allowed], message: expected }
            : { code: 'invalid_format', format: 'list', message: expected },
        )
        return z.NEVER
      }
      return [...new Set(items as Item[])]
    })
    .optional()
    .meta({
      override: { type: 'array', items: schema, minItems: 1, maxItems: MAX_ITEMS, style: 'form', explode: false },
      description,
    })
}

const NONE = 'none'

function readId(value: string): number | undefined {
  if (!/^\d{1,16}$/.test(value)) return undefined
  const id = Number(value)
  return id >= 1 && Number.isSafeInteger(id) ? id : undefined
}

const idSchema = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }

const ids = (description: string) => list({ read: readId, expected: english.filter.ids, schema: idSchema, description })

const idsOrNone = (description: string) =>
  list({
    read: (value) => (value === NONE ? NONE : readId(value)),
    expected: english.filter.idsOrNone,
    schema: { anyOf: [idSchema, { type: 'string', enum: [NONE] }] },
    description: `${description}, or \`none\` for those without.`,
  })

function wordsOrNone<Word extends string>(known: readonly Word[], description: string) {
  const allowed: readonly string[] = [...known, NONE]
  return list({
    read: (value) => (allowed.includes(value) ? (value as Word | typeof NONE) : undefined),
    expected: english.filter.someOf({ values: allowed.join(', ') }),
    allowed,
    schema: { type: 'string', enum: allowed },
    description,
  })
}

const yesOrNo = (description: string) =>
  z
    .enum(['true', 'false'])
    .transform((value) => value === 'true')
    .optional()
    .meta({ override: { type: 'boolean' }, description })

const code = (description: string) =>
  text({ min: 1, max: MAX_CODE_LENGTH })
    .transform((value, context) => {
      const plain = normalizeCode(value)
      if (plain === '') context.addIssue({ code: 'custom', message: english.input.letterOrDigit })
      return plain
    })
    .optional()
    .meta({ override: { type: 'string', minLength: 1, maxLength: MAX_CODE_LENGTH, pattern: '[^ -]' }, description })

export const filterShape = {
  dateFrom: CalendarDay.optional().meta({ description: 'The first day of departure, inclusive.' }),
  dateTo: CalendarDay.optional().meta({ description: 'The last day of departure, inclusive.' }),
  airportId: ids('From or to one of these airports.'),
  fromId: ids('From one of these airports.'),
  toId: ids('To one of these airports.'),
  country: list({
    read: (value) => (/^[A-Za-z]{2}$/.test(value) ? value.toUpperCase() : undefined),
    expected: english.filter.countries,
    schema: { type: 'string', pattern: '^[A-Za-z]{2}$' },
    description: 'From or to an airport in one of these countries, by ISO code.',
  }),
  airlineId: idsOrNone('With one of these airlines'),
  aircraftId: idsOrNone('With one of these aircraft types'),
  tripId: idsOrNone('In one of these trips of yours (own flights only)'),
  flightNumber: code('This flight number; case, spaces and hyphens do not matter.'),
  aircraftReg: code('This registration; case, spaces and hyphens do not matter.'),
  seat: wordsOrNone(seats, 'In one of these seats; with `scope=all`, any passenger.'),
  seatClass: wordsOrNone(seatClasses, 'In one of these classes; with `scope=all`, any passenger.'),
  flightReason: wordsOrNone(flightReasons, 'For one of these reasons; with `scope=all`, any passenger.'),
  companion: list({
    read: (value) => (value === '' ? undefined : value),
    expected: english.filter.userIds,
    schema: { type: 'string', minLength: 1, maxLength: MAX_ITEM_LENGTH },
    description: 'With all of these users as passengers, by id.',
  }),
  completed: yesOrNo('Completed, or not yet.'),
  hasTrack: yesOrNo('With or without a track.'),
  text: text({ min: 1, max: 100 })
    .refine((value) => value.trim() !== '', english.input.letterOrDigit)
    .transform((value) => [...new Set(words(fold(value)))])
    .optional()
    .meta({
      override: { type: 'string', minLength: 1, maxLength: 100, pattern: '\\S' },
      description:
        'Each word must begin a word of an airport, airline, type, flight number, registration, note or passenger name.',
    }),
}

const isDay = (value: string | undefined): value is string => value !== undefined && isCalendarDay(value)

/** For `refine` of every query with the filter. */
export const inOrder: Rule<{ dateFrom?: string | undefined; dateTo?: string | undefined }> = [
  ({ dateFrom, dateTo }) => !isDay(dateFrom) || !isDay(dateTo) || dateFrom <= dateTo,
  { path: ['dateFrom'], message: english.input.notAfter({ field: 'dateTo' }), ...whenObject },
]

export const FlightFilter = z.object(filterShape).refine(...inOrder)
export type FlightFilter = z.output<typeof FlightFilter>

export function filterOf(query: FlightFilter): FlightFilter | undefined {
  const given = Object.entries(query).filter(([name, value]) => name in filterShape && value !== undefined)
  return given.length === 0 ? undefined : (Object.fromEntries(given) as FlightFilter)
}

export const filterOfPeriod = ({ from, to, tripId = null }: Period): FlightFilter => ({
  ...(from !== null && { dateFrom: from }),
  ...(to !== null && { dateTo: to }),
  ...(tripId !== null && { tripId: [tripId] }),
})

export const FlightQuery = z
  .object({
    ...scopeChoice,
    ...filterShape,
    order: choice(['newest', 'oldest'])
      .default('newest')
      .meta({ description: 'By date, then by id: descending, or ascending.' }),
    limit: limit({ max: 100, default: 50, description: 'Page size.' }),
    cursor: z
      .string()
      .optional()
      .meta({ description: '`page.nextCursor` of the page before, unchanged; absent on the first page.' }),
  })
  .refine(...userNeeded)
  .refine(...inOrder)
export type FlightQuery = z.output<typeof FlightQuery>
