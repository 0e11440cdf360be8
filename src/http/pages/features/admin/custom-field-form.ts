import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { linesOf } from '../../framework/form.ts'
import { emptyForm, type Faults, formSpecs, type Option, type Typed } from '../../framework/forms.ts'

export const entityNames: Record<CustomField['entityType'], string> = {
  flight: 'Flights',
  flight_passenger: 'Passengers',
}

export const typeNames: Record<CustomField['fieldType'], string> = {
  text: 'Text',
  textarea: 'Long text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Date',
  select: 'Single choice',
  'multi-select': 'Multiple choice',
  airport: 'Airport',
  airline: 'Airline',
  aircraft: 'Aircraft type',
}

const optionsOf = (names: Record<string, string>): Option[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

export const customFieldSpecs = formSpecs({
  label: { id: 'label', label: 'Label', required: true },
  description: { id: 'description', label: 'Description', hint: 'Shown as a hint below the label.' },
  entityType: { id: 'entity', label: 'Belongs to', kind: 'select', options: optionsOf(entityNames) },
  fieldType: { id: 'type', label: 'Type', kind: 'select', options: optionsOf(typeNames) },
  key: {
    id: 'key',
    label: 'Key',
    hint: 'Name in the API: a–z, 0–9 and underscores. It cannot be changed later.',
    required: true,
    verbatim: true,
  },
  options: { id: 'options', label: 'Options', hint: 'One per line.', kind: 'area' },
  defaultValue: { id: 'default', label: 'Default', kind: 'area', rows: 2 },
  regex: { id: 'regex', label: 'Pattern', hint: 'A regular expression, such as ^[A-Z]{6}$', verbatim: true },
  minLength: { id: 'min-length', label: 'Minimum length', type: 'number' },
  maxLength: { id: 'max-length', label: 'Maximum length', type: 'number' },
  min: { id: 'min', label: 'Minimum', type: 'number' },
  max: { id: 'max', label: 'Maximum', type: 'number' },
  order: { id: 'order', label: 'Order', hint: 'Smaller numbers come first.', type: 'number' },
  required: { id: 'required', label: 'Required', kind: 'box' },
  active: { id: 'active', label: 'In use (otherwise its values are kept but hidden)', kind: 'box' },
})

export type FieldEntries = Typed<typeof customFieldSpecs>

export const fieldAt = ([first = '', part]: readonly string[]): string =>
  first === 'validation' && part !== undefined ? part : first

/** Invalid numbers stay texts, so that the service reports them. */
function numberIn(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed.replace(',', '.'))
  return Number.isNaN(number) ? trimmed : number
}

const booleans: Record<string, boolean> = { yes: true, true: true, no: false, false: false }

/** Reads the default value in the type of the field. Airports, airlines and aircraft types are given by code or id. */
function valueIn(text: string, fieldType: string, { codes }: ReferenceService): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const idOr = (find: () => unknown) => (/^\d+$/.test(trimmed) ? Number(trimmed) : (find() ?? trimmed))
  switch (fieldType) {
    case 'number':
      return numberIn(trimmed)
    case 'boolean':
      return booleans[trimmed.toLowerCase()] ?? trimmed
    case 'multi-select':
      return linesOf(text)
    case 'airport':
      return idOr(() => codes.airport(trimmed))
    case 'airline':
      return idOr(() => codes.airline(trimmed, 'icao') ?? codes.airline(trimmed, 'iata'))
    case 'aircraft':
      return idOr(() => codes.aircraft(trimmed, 'icao'))
    default:
      // Browsers send CRLF.
      return trimmed.replaceAll('\r\n', '\n')
  }
}

const recordNames: Record<string, string> = { airport: 'airport', airline: 'airline', aircraft: 'aircraft type' }

/** Errors in defaults that the form reads differently from the API: codes, and yes or no. */
export function defaultFaults({ defaultValue, fieldType }: FieldEntries, reference: ReferenceService): Faults {
  const value = valueIn(defaultValue, fieldType, reference)
  if (typeof value !== 'string') return {}
  if (fieldType === 'boolean') return { defaultValue: 'Must be yes or no.' }
  const record = recordNames[fieldType]
  return record ? { defaultValue: `There is no ${record} with the code ${value}.` } : {}
}

/** The body of the same request to the API. */
export function bodyOf(
  { min, max, minLength, maxLength, regex, ...entries }: FieldEntries,
  reference: ReferenceService,
) {
  const limits = {
    regex: regex === '' ? undefined : regex,
    min: numberIn(min),
    max: numberIn(max),
    minLength: numberIn(minLength),
    maxLength: numberIn(maxLength),
  }
  const options = linesOf(entries.options)
  return {
    ...entries,
    key: entries.key.trim(),
    description: entries.description.trim() || null,
    order: numberIn(entries.order),
    options: options.length === 0 ? null : options,
    defaultValue: valueIn(entries.defaultValue, entries.fieldType, reference),
    validation: Object.values(limits).every((limit) => limit === undefined) ? null : limits,
  }
}

function textOf(value: unknown, kind: CustomField['fieldType'], { records }: ReferenceService): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'number' && (kind === 'airport' || kind === 'airline' || kind === 'aircraft')) {
    return records[kind](value)?.icao ?? String(value)
  }
  return String(value ?? '')
}

export function entriesFor(field: CustomField, reference: ReferenceService): FieldEntries {
  const { regex, min, max, minLength, maxLength } = field.validation ?? {}
  return {
    ...field,
    description: field.description ?? '',
    order: String(field.order),
    options: (field.options ?? []).join('\n'),
    defaultValue: textOf(field.defaultValue, field.fieldType, reference),
    regex: regex ?? '',
    min: String(min ?? ''),
    max: String(max ?? ''),
    minLength: String(minLength ?? ''),
    maxLength: String(maxLength ?? ''),
  }
}

export const emptyEntries: FieldEntries = {
  ...emptyForm(customFieldSpecs),
  entityType: 'flight',
  fieldType: 'text',
  order: '0',
  active: true,
}
