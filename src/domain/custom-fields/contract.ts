import * as z from 'zod'
import { choice, Id, Instant, list, text, trimmedText, whenObject } from '../../contract/common.ts'
import { isObject } from '../../lib/objects.ts'
import { english } from '../../messages/english.ts'

const FieldType = choice([
  'text',
  'textarea',
  'number',
  'boolean',
  'date',
  'select',
  'multi-select',
  'airport',
  'airline',
  'aircraft',
])
const EntityType = choice(['flight', 'flight_passenger'])
const Length = z.int().min(0)

const inOrder = (low: unknown, high: unknown) => typeof low !== 'number' || typeof high !== 'number' || low <= high

const Validation = z
  .object({
    regex: text({ max: 200 }).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    minLength: Length.optional(),
    maxLength: Length.optional(),
  })
  .refine(({ min, max }) => inOrder(min, max), {
    path: ['max'],
    message: english.input.notLess({ field: 'min' }),
    ...whenObject,
  })
  .refine(({ minLength, maxLength }) => inOrder(minLength, maxLength), {
    path: ['maxLength'],
    message: english.input.notLess({ field: 'minLength' }),
    ...whenObject,
  })
  .meta({
    id: 'CustomFieldValidation',
    description:
      'A `regex` matches anywhere in the value unless it is anchored. Look-around and back-references are not supported.',
  })

const Value = z.unknown().meta({ description: 'A value of the field type, or null.' })

export const CustomField = z
  .object({
    id: Id,
    entityType: EntityType,
    key: z.string(),
    label: z.string(),
    description: z.string().nullable(),
    fieldType: FieldType,
    required: z.boolean(),
    order: z.int(),
    defaultValue: Value,
    options: z.array(z.string()).nullable(),
    active: z.boolean(),
    validation: Validation.nullable(),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({
    id: 'CustomField',
    examples: [
      {
        id: 3,
        entityType: 'flight_passenger',
        key: 'meal',
        label: 'Meal',
        description: null,
        fieldType: 'select',
        required: false,
        order: 0,
        defaultValue: null,
        options: ['none', 'snack', 'hot'],
        active: true,
        validation: null,
        createdAt: '2025-01-02T10:00:00.000Z',
        updatedAt: '2025-01-02T10:00:00.000Z',
      },
    ],
  })
export type CustomField = z.output<typeof CustomField>

const Options = list(text({ min: 1, max: 100 }), { min: 1, max: 100 }).refine(
  (options) => new Set(options).size === options.length,
  english.input.optionTwice,
)

const changeable = {
  label: trimmedText({ min: 1, max: 80 }),
  description: text({ max: 200 }).nullable().default(null),
  required: z.boolean().default(false),
  order: z.int().min(0).max(10000).default(0),
  defaultValue: Value.optional().default(null),
  options: Options.nullable().prefault(null),
  active: z.boolean().default(true),
  validation: Validation.nullable().default(null),
}

const Key = z.string().regex(/^[a-z0-9_]{2,50}$/, english.customFields.key)

export const CustomFieldWrite = z
  .object({ entityType: EntityType, key: Key, fieldType: FieldType, ...changeable })
  .meta({
    id: 'CustomFieldWrite',
    description: '`options` are required for select types and null for all others.',
    examples: [
      {
        entityType: 'flight_passenger',
        key: 'meal',
        label: 'Meal',
        fieldType: 'select',
        options: ['none', 'snack', 'hot'],
      },
    ],
  })
export type CustomFieldWrite = z.output<typeof CustomFieldWrite>

export const CustomFieldReplace = z
  .object({ entityType: EntityType.optional(), key: Key.optional(), fieldType: FieldType.optional(), ...changeable })
  .meta({
    id: 'CustomFieldReplace',
    description: '`entityType`, `key` and `fieldType` cannot change.',
    examples: [{ label: 'Meal on board', options: ['none', 'snack', 'hot', 'own'] }],
  })
export type CustomFieldReplace = z.output<typeof CustomFieldReplace>

export const CustomFieldQuery = z.object({
  includeInactive: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ override: { type: 'boolean', default: false }, description: 'Also list inactive definitions.' }),
})

export type CustomValues = Record<string, unknown>

/** Does not check the entries: a hostile body may contain a million, and unknown ones are ignored. */
export const CustomValues = z
  .unknown()
  .superRefine((value, context) => {
    if (isObject(value)) return
    context.addIssue({ code: 'invalid_type', expected: 'record' })
  })
  .meta({
    id: 'CustomValues',
    description: 'Field key → value. Null, "" and [] mean empty.',
    override: { type: 'object', additionalProperties: {} },
  }) as unknown as z.ZodType<CustomValues>
