import type { CustomField } from '../../../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../../../domain/reference/service.ts'
import { fold } from '../../../../lib/text.ts'
import { linesOf } from '../../framework/form.ts'
import { emptyForm, type FieldErrors, type FormValues, formSpecs, type Option } from '../../framework/forms.ts'
import type { PageTexts } from '../../texts/languages.ts'

export type FieldTexts = PageTexts['admin']['customFields']

const optionsOf = (names: Record<string, string>): Option[] =>
  Object.entries(names).map(([value, label]) => ({ value, label }))

export const customFieldSpecs = (t: FieldTexts) =>
  formSpecs({
    label: { id: 'label', label: t.label, required: true },
    description: { id: 'description', label: t.description, hint: t.descriptionHint },
    entityType: { id: 'entity', label: t.entity, kind: 'select', options: optionsOf(t.entities) },
    fieldType: { id: 'type', label: t.type, kind: 'select', options: optionsOf(t.types) },
    key: {
      id: 'key',
      label: t.key,
      hint: t.keyHint,
      required: true,
      verbatim: true,
    },
    options: { id: 'options', label: t.options, hint: t.optionsHint, kind: 'area' },
    defaultValue: { id: 'default', label: t.default, kind: 'area', rows: 2 },
    regex: { id: 'regex', label: t.regex, hint: t.regexHint({ example: '^[A-Z]{6}$' }), verbatim: true },
    minLength: { id: 'min-length', label: t.minLength, type: 'number' },
    maxLength: { id: 'max-length', label: t.maxLength, type: 'number' },
    min: { id: 'min', label: t.min, type: 'number' },
    max: { id: 'max', label: t.max, type: 'number' },
    order: { id: 'order', label: t.order, hint: t.orderHint, type: 'number' },
    required: { id: 'required', label: t.required, kind: 'box' },
    active: { id: 'active', label: t.active, kind: 'box' },
  })

export type FieldEntries = FormValues<ReturnType<typeof customFieldSpecs>>

export const fieldAt = ([first = '', part]: readonly string[]): string =>
  first === 'validation' && part !== undefined ? part : first

/** Invalid numbers stay texts, so that the service reports them. */
function numberIn(text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  const number = Number(trimmed.replace(',', '.'))
  return Number.isNaN(number) ? trimmed : number
}

/** English works in every language, and accents are optional. */
export function booleanIn(text: string, t: Pick<FieldTexts, 'yes' | 'no'>): boolean | undefined {
  const given = fold(text)
  if (['yes', 'true', fold(t.yes)].includes(given)) return true
  return ['no', 'false', fold(t.no)].includes(given) ? false : undefined
}

/** Reads the default value in the type of the field. Airports, airlines and aircraft types are given by code or id. */
function valueIn(text: string, fieldType: string, { codes }: ReferenceService, t: FieldTexts): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return null
  const idOr = (find: () => unknown) => (/^\d+$/.test(trimmed) ? Number(trimmed) : (find() ?? trimmed))
  switch (fieldType) {
    case 'number':
      return numberIn(trimmed)
    case 'boolean':
      return booleanIn(trimmed, t) ?? trimmed
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

/** Errors in defaults that the form reads differently from the API: codes, and yes or no. */
export function defaultErrors(entries: FieldEntries, reference: ReferenceService, t: FieldTexts): FieldErrors {
  const { defaultValue, fieldType } = entries
  const value = valueIn(defaultValue, fieldType, reference, t)
  if (typeof value !== 'string') return {}
  if (fieldType === 'boolean') return { defaultValue: t.notYesOrNo }
  const unknownCode = Object.entries(t.unknownCodes).find(([type]) => type === fieldType)?.[1]
  return unknownCode ? { defaultValue: unknownCode({ code: value }) } : {}
}

/** The body of the same request to the API. */
export function bodyOf(
  { min, max, minLength, maxLength, regex, ...entries }: FieldEntries,
  reference: ReferenceService,
  t: FieldTexts,
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
    defaultValue: valueIn(entries.defaultValue, entries.fieldType, reference, t),
    validation: Object.values(limits).every((limit) => limit === undefined) ? null : limits,
  }
}

function textOf(value: unknown, kind: CustomField['fieldType'], { records }: ReferenceService, t: FieldTexts): string {
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? t.yes : t.no
  if (typeof value === 'number' && (kind === 'airport' || kind === 'airline' || kind === 'aircraft')) {
    return records[kind](value)?.icao ?? String(value)
  }
  return String(value ?? '')
}

export function entriesFor(field: CustomField, reference: ReferenceService, t: FieldTexts): FieldEntries {
  const { regex, min, max, minLength, maxLength } = field.validation ?? {}
  return {
    ...field,
    description: field.description ?? '',
    order: String(field.order),
    options: (field.options ?? []).join('\n'),
    defaultValue: textOf(field.defaultValue, field.fieldType, reference, t),
    regex: regex ?? '',
    min: String(min ?? ''),
    max: String(max ?? ''),
    minLength: String(minLength ?? ''),
    maxLength: String(maxLength ?? ''),
  }
}

export const emptyEntries = (t: FieldTexts): FieldEntries => ({
  ...emptyForm(customFieldSpecs(t)),
  entityType: 'flight',
  fieldType: 'text',
  order: '0',
  active: true,
})
