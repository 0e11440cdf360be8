import { type Definition, isEmpty, valueFault } from '../custom-fields/values.ts'
import type { ReferenceService } from '../reference/service.ts'

type Codes = ReferenceService['codes']

/** Backups name airports, airlines and aircraft types by record; here they are ids again. */
function localValue(value: unknown, fieldType: Definition['fieldType'], codes: Codes): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const { icao, iata, name } = value as Record<string, unknown>
  const text = (part: unknown) => (typeof part === 'string' && part !== '' ? part : undefined)
  const [byIcao, byIata, byName] = [text(icao), text(iata), text(name)]
  if (fieldType === 'airport') {
    return byIcao ? codes.airport(byIcao, 'icao') : byIata && codes.airport(byIata, 'iata')
  }
  if (fieldType !== 'airline' && fieldType !== 'aircraft') return value
  const find = codes[fieldType]
  return (
    (byIcao && find(byIcao, 'icao')) ??
    (fieldType === 'airline' && byIata ? find(byIata, 'iata') : undefined) ??
    (byName && find(byName, 'name'))
  )
}

/** The values of a backup that fit a definition, active or not; what has none or fails its checks is left out. */
export function restoredValues(
  values: Record<string, unknown> | undefined,
  definitions: readonly Definition[],
  { codes, records }: ReferenceService,
): Map<number, unknown> {
  const kept = new Map<number, unknown>()
  for (const definition of values ? definitions : []) {
    if (!Object.hasOwn(values!, definition.key)) continue
    const value = localValue(values![definition.key], definition.fieldType, codes)
    if (!isEmpty(value) && !valueFault(value, definition, records)) kept.set(definition.id, value)
  }
  return kept
}
