import * as z from 'zod'
import { permissions } from '../access/permissions.ts'
import { scopeNames } from '../access/scopes.ts'
import { isCalendarDay, normalizeInstant } from '../lib/dates.ts'
import { detailCodes, errorStatus } from '../lib/errors.ts'
import { isObject } from '../lib/objects.ts'
import { codePoints, isWithinLength } from '../lib/text.ts'
import { english } from '../messages/english.ts'

export const Id = z.int().min(1)

export const IdParams = z.object({
  id: z
    .string()
    .regex(/^\d+$/, english.input.wholeNumberFromOne)
    .transform(Number)
    .refine(
      (id) => id >= 1 && Number.isSafeInteger(id),
      english.input.wholeNumberUpTo({ max: Number.MAX_SAFE_INTEGER }),
    )
    .meta({
      override: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'The id of the record.' },
    }),
})

/** Ids of users and roles are not validated: an unknown id returns 404. */
export const TextIdParams = z.object({
  id: z.string().meta({ description: 'The id of the record.', examples: ['k3v9x0q2m7b1c5d'] }),
})

/** Runs a rule between members despite issues of other members, so that all are reported together (contract 1.3). */
export const whenObject = {
  when: ({ value }: { value: unknown }) => isObject(value),
}

export type Rule<Value> = [isValid: (value: Value) => boolean, issue: { path: string[]; message: string }]

interface Length {
  min?: number
  max: number
}

export function limit({ max, ...options }: { max: number; default: number; description: string }) {
  const { default: defaultValue, description } = options
  const expected = english.input.wholeNumberUpTo({ max })
  return z
    .string()
    .regex(/^\d+$/, expected)
    .transform(Number)
    .superRefine((value, { addIssue }) => {
      const issue = { origin: 'number', inclusive: true, message: expected } as const
      if (value < 1) addIssue({ ...issue, code: 'too_small', minimum: 1 })
      if (value > max) addIssue({ ...issue, code: 'too_big', maximum: max })
    })
    .default(defaultValue)
    .meta({ override: { type: 'integer', minimum: 1, maximum: max, default: defaultValue }, description })
}

const limitLength = (schema: z.ZodString, { min = 0, max }: Length) =>
  schema
    .superRefine((value, context) => checkText(value, min, max, context))
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max })

/** Length in code points, without U+0000 and lone surrogates (contract 1.7). */
export const text = (length: Length) => limitLength(z.string(), length)

export const trimmedText = (length: Length) => limitLength(z.string().trim(), length)

function checkText(value: string, min: number, max: number, context: z.RefinementCtx<string>): void {
  if (!isWithinLength(value, max)) {
    context.addIssue({ code: 'too_big', maximum: max, origin: 'string', inclusive: true })
    return
  }
  if (!value.isWellFormed() || value.includes('\0')) {
    context.addIssue({ code: 'custom', message: english.input.characters })
    return
  }
  if (codePoints(value) < min) context.addIssue({ code: 'too_small', minimum: min, origin: 'string', inclusive: true })
}

/** Does not parse the items of a list that is too long: a body of 20 MB can hold a million invalid items. */
export function list<Item extends z.ZodType>(item: Item, { min = 0, max }: Length) {
  const within = z.array(item).min(min).max(max)
  return z.preprocess((value, context) => {
    if (!Array.isArray(value) || value.length <= max) return value
    context.addIssue({ code: 'too_big', maximum: max, origin: 'array', inclusive: true, input: value })
    return z.NEVER
  }, within)
}

/** Unlike zod's enum, distinguishes a missing or mistyped member from an unknown value (contract 1.3). */
export function choice<Value extends string>(values: readonly [Value, ...Value[]]): z.ZodType<Value, Value> {
  const known: ReadonlySet<string> = new Set(values)
  const schema = z
    .string()
    .superRefine((value, context) => {
      if (!known.has(value)) context.addIssue({ code: 'invalid_value', values: [...values] })
    })
    .meta({ enum: [...values] })
  return schema as unknown as z.ZodType<Value, Value>
}

export const PermissionName = choice(permissions).meta({
  id: 'Permission',
  description: 'A permission of a role. `X.any` includes `X.own`.',
})

export const ScopeName = z
  .enum(scopeNames)
  .meta({ id: 'Scope', description: 'A scope of a credential; discovery describes each. `X.any` includes `X.own`.' })

export const CalendarDay = z
  .string()
  .superRefine((value, context) => {
    if (isCalendarDay(value)) return
    context.addIssue({ code: 'invalid_format', format: 'date', message: english.input.day })
  })
  .meta({ format: 'date', examples: ['2025-05-03'] })

export const DateTime = z
  .string()
  .meta({ format: 'date-time', examples: ['2025-05-03T12:20:00+02:00'] })
  .transform((value, context) => {
    const instant = normalizeInstant(value)
    if (instant !== undefined) return instant
    context.addIssue({
      code: 'invalid_format',
      format: 'date-time',
      message: english.input.dateTime,
    })
    return z.NEVER
  })

export const Instant = z.string().meta({ format: 'date-time', examples: ['2025-05-03T10:20:00.000Z'] })

export const exampleOf = (schema: z.ZodType): unknown => (schema.meta()?.examples as unknown[] | undefined)?.[0]

/** Schema names are unique in a document, so operations with the same data share one envelope. */
function envelopes(suffix: string) {
  const known = new WeakMap<z.ZodType, z.ZodType>()
  return <Envelope extends z.ZodType>(data: z.ZodType, make: () => Envelope, example: object): Envelope => {
    const { id } = data.meta() ?? {}
    const envelope = known.get(data) ?? make().meta({ ...(id && { id: `${id}${suffix}` }), examples: [example] })
    known.set(data, envelope)
    return envelope as Envelope
  }
}

const responses = envelopes('Response')
const listResponses = envelopes('ListResponse')

const Page = z.object({
  nextCursor: z.string().nullable().meta({ description: 'Pass it as `cursor` for the next page; null on the last.' }),
})

export const one = <Data extends z.ZodType>(data: Data) =>
  responses(data, () => z.object({ data }), { data: exampleOf(data) })

export const page = <Item extends z.ZodType>(item: Item) =>
  listResponses(item, () => z.object({ data: z.array(item), page: Page }), singlePage([exampleOf(item)]))

const searchResponses = envelopes('SearchResponse')

export const searchResults = <Item extends z.ZodType>(item: Item) =>
  searchResponses(
    item,
    () =>
      z.object({
        data: z.array(item),
        page: Page,
        corrected: z.literal(true).optional().meta({
          description: 'Present if nothing matched as written, so that names with a similar spelling were searched.',
        }),
      }),
    singlePage([exampleOf(item)]),
  )

export const singlePage = <Item>(data: Item[]) => ({ data, page: { nextCursor: null } })

export const ErrorBody = z
  .object({
    error: z.object({
      code: z.enum(Object.keys(errorStatus) as [keyof typeof errorStatus]),
      message: z.string(),
      details: z
        .array(z.object({ code: z.enum(detailCodes), path: z.array(z.string()), message: z.string() }))
        .max(50)
        .optional(),
    }),
  })
  .meta({ id: 'ErrorResponse', description: 'Every failure of this API has this shape.' })
