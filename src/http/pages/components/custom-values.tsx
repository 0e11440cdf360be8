import type { ComponentChildren } from 'preact'
import type { CustomField, CustomValues } from '../../../domain/custom-fields/contract.ts'
import type { ReferenceService } from '../../../domain/reference/service.ts'
import type { Formats } from '../framework/formats.ts'
import type { PageTexts } from '../texts/languages.ts'

export type CustomRecords = Pick<ReferenceService['records'], 'airport' | 'airline' | 'aircraft'>

function textOf(
  { fieldType }: CustomField,
  value: unknown,
  records: CustomRecords,
  formats: Formats,
  { forms: t }: PageTexts,
): string {
  if (fieldType === 'airport' || fieldType === 'airline' || fieldType === 'aircraft') {
    return records[fieldType](Number(value))?.name ?? String(value)
  }
  if (fieldType === 'boolean') return value === true ? t.yes : t.no
  if (fieldType === 'date') return formats.day(String(value))
  return [value].flat().map(String).join(', ')
}

export function customPairs(
  definitions: readonly CustomField[],
  values: CustomValues,
  records: CustomRecords,
  formats: Formats,
  texts: PageTexts,
): [ComponentChildren, ComponentChildren][] {
  return definitions.flatMap((definition) => {
    // A key may be the name of an inherited member, such as constructor.
    const value = Object.hasOwn(values, definition.key) ? values[definition.key] : undefined
    if (value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)) return []
    const text = <bdi class="text">{textOf(definition, value, records, formats, texts)}</bdi>
    return [[<bdi>{definition.label}</bdi>, text]]
  })
}
