import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { linesOf } from '../../framework/form.ts'
import { emptyForm, type Faults, formSpecs, type Option, type Typed } from '../../framework/forms.ts'

export const entityWords: Record<CustomField['entityType'], string> = {
  flight: 'Flights',
  flight_passenger: 'Passengers',
}

export const typeWords: Record<CustomField['fieldType'], string> = {
  text: 'Text',
  textarea: 'Long text',
  number: 'Number',
  boolean: 'Yes or no',
  date: 'Day',
  select: 'One of several options',
  'multi-select': 'Several of several options',
  airport: 'Airport',
  airline: 'Airline',
  aircraft: 'Aircraft type',
}

const optionsOf = (words: Record<string, string>): Option[] =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

export const customFieldSpecs = formSpecs({
  label: { id: 'label', label: 'Label', hint: 'What people see beside the field.', required: true },
  description: { id: 'description', label: 'Description', hint: 'A hint for those who fill it in.' },
  entityType: { id: 'entity', label: 'Belongs to', kind: 'select', options: optionsOf(entityWords) },
  fieldType: { id: 'type', label: 'Type', kind: 'select', options: optionsOf(typeWords) },
  key: {
    id: 'key',
    label: 'Key',
    hint: 'Its name in the API: a–z, 0–9 and underscores. It cannot change later.',
    required: true,
    verbatim: true,
  },
  options: { id: 'options', label: 'Options', hint: 'One a line.', kind: 'area' },
  defaultValue: { id: 'default', label: 'Default', kind: 'area', rows: 2 },
  regex: { id: 'regex', label: 'Pattern', hint: 'A regular expression, such as ^[A-Z]{6}$', verbatim: true },
  minLength: { id: 'min-length', label: 'Least characters', type: 'number' },
  maxLength: { id: 'max-length', label: 'Most characters', type: 'number' },
  min: { id: 'min', label: 'Smallest number', type: 'number' },
  max: { id: 'max', label: 'Largest number', type: 'number' },
  order: { id: 'order', label: 'Order', hint: 'Smaller numbers come first.', type: 'number' },
  required: { id: 'required', label: 'It must be filled in', kind: 'box' },
  active: { id: 'active', label: 'It is in use; without this its values are kept but not shown', kind: 'box' },
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

const truths: Record<string, boolean> = { yes: true, true: true, no: false, false: false }

/** Records are given by code or id. */
function recordIn(text: string, kind: 'airport' | 'airline' | 'aircraft', { codes }: ReferenceService): unknown {
  if (/^\d+$/.test(text)) return Number(text)
  const found = {
    airport: () => codes.airport(text),
    airline: () => codes.airline(text, 'icao') ?? codes.airline(text, 'iata'),
    aircraft: () => codes.aircraft(text, 'icao'),
  }[kind]()
  return found ?? text
}

/** The default value in the type of the field. */
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

export function entriesFor(field: CustomField, reference: ReferenceService): FieldEntries {
  const { regex, min, max, minLength, maxLength } = field.validation ?? {}
  return {
    ...field,
    description: orEmpty(field.description),
    order: String(field.order),
    options: (field.options ?? []).join('\n'),
    defaultValue: textOf(field.defaultValue, field.fieldType, reference),
    regex: orEmpty(regex),
    min: orEmpty(min),
    max: orEmpty(max),
    minLength: orEmpty(minLength),
    maxLength: orEmpty(maxLength),
  }
}

export const emptyEntries: FieldEntries = {
  ...emptyForm(customFieldSpecs),
  entityType: 'flight',
  fieldType: 'text',
  order: '0',
  active: true,
}
