import type { CustomField, CustomValues } from '../../../../domain/custom-fields/contract.ts'
import { choose, type Lookup, type LookupKind } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import { type Reading, readLookup, readText } from './reading.ts'

/** The field of a form that holds a custom value of the flight, or of a traveller by the prefix. */
export const customName = (prefix: string, { key }: CustomField): string => `${prefix}customFields.${key}`

export const isLookup = (type: CustomField['fieldType']): type is LookupKind & CustomField['fieldType'] =>
  type === 'airport' || type === 'airline' || type === 'aircraft'

/** A key may be a word that every object knows, such as constructor. */
const valueAt = (values: CustomValues, { key }: CustomField): unknown =>
  Object.hasOwn(values, key) ? values[key] : undefined

/** Fills the fields with values as they are stored. */
export function showValues(
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
      if (option) choose(form, name, option)
    } else {
      for (const item of [value].flat()) form.append(name, String(item))
    }
  }
}

/** For a new record: every field with the value that it would get by itself. */
export const defaultsOf = (definitions: readonly CustomField[]): CustomValues =>
  Object.fromEntries(definitions.map(({ key, defaultValue }) => [key, defaultValue]))

/** The same options in another order are the same choice. */
function readOptions(form: URLSearchParams, name: string, stored: unknown): unknown {
  const chosen = form.getAll(name)
  const before = Array.isArray(stored) ? stored : []
  return chosen.length === before.length && before.every((item) => chosen.includes(item)) ? stored : chosen
}

async function readValue(reading: Reading, name: string, definition: CustomField, stored: unknown): Promise<unknown> {
  const { form } = reading
  const { fieldType } = definition
  if (isLookup(fieldType)) return readLookup(reading, name, fieldType)
  if (fieldType === 'multi-select') return readOptions(form, name, stored)
  const text = fieldOf(form, name)
  switch (fieldType) {
    case 'text':
    case 'textarea':
      return readText(form, name, typeof stored === 'string' ? stored : null)
    case 'number':
      return text.trim() === '' ? null : Number(text)
    case 'boolean':
      return text === '' ? null : text === 'true'
    default:
      return text === '' ? null : text
  }
}

/** Every value by name, also an empty one: what the person sees in the form is what is kept. */
export async function readValues(
  reading: Reading,
  prefix: string,
  definitions: readonly CustomField[],
  stored: CustomValues = {},
): Promise<CustomValues> {
  const values: [string, unknown][] = []
  for (const definition of definitions) {
    const name = customName(prefix, definition)
    values.push([definition.key, (await readValue(reading, name, definition, valueAt(stored, definition))) ?? null])
  }
  return Object.fromEntries(values)
}
