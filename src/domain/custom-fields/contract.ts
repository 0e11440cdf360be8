import { z } from 'zod'
import { Id, Instant, text, trimmedText } from '../../contract/common.ts'

export const entityTypes = ['flight', 'flight_passenger'] as const

export const fieldTypes = [
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
] as const

const EntityType = z.enum(entityTypes)
const FieldType = z.enum(fieldTypes)
const Length = z.int().min(0)

const Validation = z
  .object({
    regex: text({ max: 200 }).optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    minLength: Length.optional(),
    maxLength: Length.optional(),
  })
  .refine(({ min, max }) => min === undefined || max === undefined || min <= max, {
    path: ['max'],
    message: 'Must not be less than min.',
  })
  .refine(({ minLength, maxLength }) => minLength === undefined || maxLength === undefined || minLength <= maxLength, {
    path: ['maxLength'],
    message: 'Must not be less than minLength.',
  })
  .meta({
    id: 'CustomFieldValidation',
    description:
      'A `regex` is found anywhere in the value unless it is anchored. It runs on an engine without backtracking: look-around and back-references are refused.',
  })

/** Any JSON value: which ones are right, the field type says. */
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
  .meta({ id: 'CustomField' })
export type CustomField = z.output<typeof CustomField>

const Options = z
  .array(text({ min: 1, max: 100 }))
  .min(1)
  .max(100)
  .refine((options) => new Set(options).size === options.length, 'Must not name an option twice.')

const changeable = {
  label: trimmedText({ min: 1, max: 80 }),
  description: text({ max: 200 }).nullable().default(null),
  required: z.boolean().default(false),
  order: z.int().min(0).max(10000).default(0),
  defaultValue: Value.optional().default(null),
  options: Options.nullable().default(null),
  active: z.boolean().default(true),
  validation: Validation.nullable().default(null),
}

const Key = z.string().regex(/^[a-z0-9_]{2,50}$/, 'Must be 2 to 50 letters a–z, digits or underscores.')

export const CustomFieldWrite = z
  .object({ entityType: EntityType, key: Key, fieldType: FieldType, ...changeable })
  .meta({ id: 'CustomFieldWrite', description: '`options` are required for select types and null for all others.' })
export type CustomFieldWrite = z.output<typeof CustomFieldWrite>

export const CustomFieldReplace = z
  .object({ entityType: EntityType.optional(), key: Key.optional(), fieldType: FieldType.optional(), ...changeable })
  .meta({ id: 'CustomFieldReplace', description: '`entityType`, `key` and `fieldType` cannot change.' })
export type CustomFieldReplace = z.output<typeof CustomFieldReplace>

export const CustomFieldQuery = z.object({
  includeInactive: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .meta({ override: { type: 'boolean', default: false }, description: 'Also list inactive definitions.' }),
})

/** Values by the key of their definition, or by its id written as text. */
export const CustomValues = z
  .record(z.string(), z.unknown())
  .meta({ id: 'CustomValues', description: 'Field key → value. Null, "" and [] mean empty.' })
export type CustomValues = z.output<typeof CustomValues>
