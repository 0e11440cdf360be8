import type { ComponentChildren } from 'preact'
import type { CustomField, CustomValues } from '../../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../../domain/reference/service.ts'
import type { Formats } from '../framework/formats.ts'

export type CustomRecords = Pick<ReferenceService['records'], 'airport' | 'airline' | 'aircraft'>

function wordsOf({ fieldType }: CustomField, value: unknown, records: CustomRecords, formats: Formats): string {
  if (fieldType === 'airport' || fieldType === 'airline' || fieldType === 'aircraft') {
    return records[fieldType](Number(value))?.name ?? String(value)
  }
  if (fieldType === 'boolean') return value === true ? 'Yes' : 'No'
  if (fieldType === 'date') return formats.day(String(value))
  return [value].flat().map(String).join(', ')
}

/** Custom values under their labels; those without a value are left out. */
export function customPairs(
  definitions: readonly CustomField[],
  values: CustomValues,
  records: CustomRecords,
  formats: Formats,
): [ComponentChildren, ComponentChildren][] {
  return definitions.flatMap((definition): [ComponentChildren, ComponentChildren][] => {
    // A key may be a word that every object knows, such as constructor.
    const value = Object.hasOwn(values, definition.key) ? values[definition.key] : undefined
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return []
    return [[<bdi>{definition.label}</bdi>, <bdi class="text">{wordsOf(definition, value, records, formats)}</bdi>]]
  })
}
