import type { CustomField } from '../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../domain/reference/service.ts'
import { fieldOf } from './form.ts'

const texts = [
  'entityType',
  'key',
  'fieldType',
  'label',
  'description',
  'order',
  'options',
  'defaultValue',
  'regex',
  'min',
  'max',
  'minLength',
  'maxLength',
] as const

/** What was typed into the form of a custom field, as text. */
export type FieldEntries = Record<(typeof texts)[number], string> & { required: boolean; active: boolean }

export function entriesOf(form: URLSearchParams): FieldEntries {
  const typed = Object.fromEntries(texts.map((name) => [name, fieldOf(form, name)])) as Record<
    (typeof texts)[number],
    string
  >
  return { ...typed, required: fieldOf(form, 'required') === 'true', active: fieldOf(form, 'active') === 'true' }
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** What is no number stays as it is, so that the service says what it must be. */
function numberIn(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed.replace(',', '.'))
  return Number.isNaN(number) ? trimmed : number
}

const truths: Record<string, boolean> = { yes: true, true: true, no: false, false: false }

/** Records are named by their code, as people know them, or by their id. */
function recordIn(text: string, kind: 'airport' | 'airline' | 'aircraft', { codes }: ReferenceService): unknown {
  if (/^\d+$/.test(text)) return Number(text)
  const found = {
    airport: () => codes.airport(text),
    airline: () => codes.airline(text, 'icao') ?? codes.airline(text, 'iata'),
    aircraft: () => codes.aircraft(text, 'icao'),
  }[kind]()
  return found ?? text
}

/** The default of a field, from text to the type that the field has. */
function valueIn(text: string, fieldType: string, reference: ReferenceService): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  switch (fieldType) {
    case 'number':
      return numberIn(trimmed)
    case 'boolean':
      return truths[trimmed.toLowerCase()] ?? trimmed
    case 'multi-select':
      return linesOf(text)
    case 'airport':
    case 'airline':
    case 'aircraft':
      return recordIn(trimmed, fieldType, reference)
    default:
      // Browsers send both characters of a line end.
      return trimmed.replaceAll('\r\n', '\n')
  }
}

const recordNames: Record<string, string> = { airport: 'airport', airline: 'airline', aircraft: 'aircraft type' }

/** What is wrong with a default that the form takes in other words than the API: codes, and yes or no. */
export function defaultFault(
  { defaultValue, fieldType }: FieldEntries,
  reference: ReferenceService,
): string | undefined {
  const value = valueIn(defaultValue, fieldType, reference)
  if (fieldType === 'boolean' && typeof value === 'string') return 'Must be yes or no.'
  const record = recordNames[fieldType]
  return record && typeof value === 'string' ? `There is no ${record} with the code ${value}.` : undefined
}

/** The body that the API would get for the same field. */
export function bodyOf(entries: FieldEntries, reference: ReferenceService) {
  const { entityType, key, fieldType, label, description, required, active } = entries
  const limits = {
    regex: entries.regex === '' ? undefined : entries.regex,
    min: numberIn(entries.min),
    max: numberIn(entries.max),
    minLength: numberIn(entries.minLength),
    maxLength: numberIn(entries.maxLength),
  }
  const options = linesOf(entries.options)
  return {
    entityType,
    key: key.trim(),
    fieldType,
    label,
    description: description.trim() === '' ? null : description.trim(),
    required,
    active,
    order: numberIn(entries.order),
    options: options.length === 0 ? null : options,
    defaultValue: valueIn(entries.defaultValue, fieldType, reference),
    validation: Object.values(limits).every((limit) => limit === undefined) ? null : limits,
  }
}

function textOf(value: unknown, kind: CustomField['fieldType'], { records }: ReferenceService): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (kind === 'airport' || kind === 'airline' || kind === 'aircraft') {
    return records[kind](value as number)?.icao ?? String(value)
  }
  return String(value)
}

const orEmpty = (value: string | number | null | undefined) =>
  value === null || value === undefined ? '' : String(value)

/** A stored field as the form shows it. */
export function entriesFor(field: CustomField, reference: ReferenceService): FieldEntries {
  const { regex, min, max, minLength, maxLength } = field.validation ?? {}
  return {
    entityType: field.entityType,
    key: field.key,
    fieldType: field.fieldType,
    label: field.label,
    description: orEmpty(field.description),
    order: String(field.order),
    options: (field.options ?? []).join('\n'),
    defaultValue: textOf(field.defaultValue, field.fieldType, reference),
    regex: orEmpty(regex),
    min: orEmpty(min),
    max: orEmpty(max),
    minLength: orEmpty(minLength),
    maxLength: orEmpty(maxLength),
    required: field.required,
    active: field.active,
  }
}

export const emptyEntries: FieldEntries = {
  ...(Object.fromEntries(texts.map((name) => [name, ''])) as Record<(typeof texts)[number], string>),
  entityType: 'flight',
  fieldType: 'text',
  order: '0',
  required: false,
  active: true,
}
