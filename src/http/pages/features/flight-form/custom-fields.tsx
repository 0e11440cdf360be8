import type { CustomField, CustomValues } from '../../../../domain/custom-fields/contract.ts'
import { Choice, Field, SelectField, TextArea } from '../../components/fields.tsx'
import { Boxes } from '../../components/forms.tsx'
import { fillLookup, type Lookup, type LookupKind } from '../../components/lookup.ts'
import { LookupField } from '../../components/lookup-field.tsx'
import { noneOption } from '../../components/seat.ts'
import { fieldOf } from '../../framework/form.ts'
import { useTexts } from '../../framework/localization.ts'
import type { FormProps } from './fields.tsx'
import { type Reading, readLookup, readText } from './reading.ts'

/** The prefix names a passenger; fields of the flight have none. */
export const customName = (prefix: string, { key }: CustomField): string => `${prefix}customFields.${key}`

const isLookup = (type: CustomField['fieldType']): type is LookupKind & CustomField['fieldType'] =>
  type === 'airport' || type === 'airline' || type === 'aircraft'

/** A key may be a name that every object inherits, such as constructor. */
const valueAt = (values: CustomValues, { key }: CustomField): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined

export function showCustomValues(
  form: URLSearchParams,
  prefix: string,
  definitions: readonly CustomField[],
  values: CustomValues,
  lookup: Lookup,
): void {
  for (const definition of definitions) {
    const value = valueAt(values, definition)
    if (value === undefined || value === null) continue
    const name = customName(prefix, definition)
    if (isLookup(definition.fieldType)) {
      const option = lookup.option(definition.fieldType, Number(value))
      if (option) fillLookup(form, name, option)
    } else {
      for (const item of [value].flat()) form.append(name, String(item))
    }
  }
}

export const defaultsOf = (definitions: readonly CustomField[]): CustomValues =>
  Object.fromEntries(definitions.map(({ key, defaultValue }) => [key, defaultValue]))

async function readValue(reading: Reading, name: string, { fieldType }: CustomField, stored: unknown) {
  const { form } = reading
  if (isLookup(fieldType)) return readLookup(reading, name, fieldType)
  if (fieldType === 'multi-select') {
    const chosen = form.getAll(name)
    const before = Array.isArray(stored) ? stored : []
    // The same options in another order count as unchanged.
    return chosen.length === before.length && before.every((item) => chosen.includes(item)) ? stored : chosen
  }
  if (fieldType === 'text' || fieldType === 'textarea') {
    return readText(form, name, typeof stored === 'string' ? stored : null)
  }
  const text = fieldOf(form, name)
  if (fieldType === 'number') return text.trim() === '' ? null : Number(text)
  if (text === '') return null
  return fieldType === 'boolean' ? text === 'true' : text
}

/** Includes empty values, so that a cleared field does not get its default. */
export async function readCustomValues(
  reading: Reading,
  prefix: string,
  definitions: readonly CustomField[],
  stored: CustomValues = {},
): Promise<CustomValues> {
  const entries: [string, unknown][] = []
  for (const definition of definitions) {
    const name = customName(prefix, definition)
    const value = await readValue(reading, name, definition, valueAt(stored, definition))
    entries.push([definition.key, value ?? null])
  }
  return Object.fromEntries(entries)
}

/** Keeps stored values that are no longer among the options. */
const withStored = (options: readonly string[] | null, stored: readonly string[]) => [
  ...new Set([...(options ?? []), ...stored.filter(Boolean)]),
]

interface Props extends FormProps {
  prefix: string
  definition: CustomField
}

export function CustomInput({ prefix, definition, form, fieldErrors, choices, basePath }: Props) {
  const texts = useTexts()
  const t = texts.flightForm
  const { fieldType, label, description, options, required } = definition
  const name = customName(prefix, definition)
  const value = form.get(name) ?? ''
  const field = {
    id: name,
    name,
    label: required ? t.requiredField({ label }) : label,
    hint: description,
    fieldError: fieldErrors[name],
  }
  if (isLookup(fieldType)) {
    return <LookupField {...field} basePath={basePath} kind={fieldType} form={form} options={choices[name]} />
  }
  switch (fieldType) {
    case 'textarea':
      return <TextArea {...field} value={value} area={{ rows: 3 }} />
    case 'boolean': {
      const answers = [noneOption(texts), { value: 'true', label: t.yes }, { value: 'false', label: t.no }]
      return <SelectField {...field} value={value} options={answers} />
    }
    case 'select': {
      const labels = withStored(options, [value])
      return (
        <SelectField
          {...field}
          value={value}
          options={[noneOption(texts), ...labels.map((text) => ({ value: text, label: text }))]}
        />
      )
    }
    case 'multi-select': {
      const chosen = form.getAll(name)
      return (
        <Boxes {...field} class="field boxes">
          {withStored(options, chosen).map((option) => (
            <Choice key={option} name={name} value={option} checked={chosen.includes(option)}>
              {option}
            </Choice>
          ))}
        </Boxes>
      )
    }
    case 'number':
      return <Field {...field} input={{ type: 'number', step: 'any', value }} />
    case 'date':
      return <Field {...field} input={{ type: 'date', value }} />
    default:
      return <Field {...field} input={{ type: 'text', value, autocomplete: 'off' }} />
  }
}
