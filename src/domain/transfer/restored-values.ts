import { AppError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import { english } from '../../messages/english.ts'
import type { Match } from '../custom-fields/pattern.ts'
import { type Definition, isEmpty, tooMuchToMatch, validateValue } from '../custom-fields/values.ts'
import type { ReferenceService } from '../reference/service.ts'
import { backupAirport, backupName } from './formats/backup.ts'
import { withProblems } from './formats/row.ts'
import { type ReferenceLookup, rowOf } from './lookup.ts'

/** By definition. They are functions, since a reference has an id only when its row exists. */
export type RestoredValues = ReadonlyMap<number, () => unknown>

const NO_VALUES: RestoredValues = new Map()

const TOO_LONG_TO_MATCH = english.import.customValues

const kinds = ['airport', 'airline', 'aircraft'] as const

/** Ids are local to an instance, so only records are resolved. */
function foundRow(value: unknown, kind: (typeof kinds)[number], lookup: ReferenceLookup) {
  if (!isObject(value)) return undefined
  if (kind !== 'airport') {
    const { found: name, problems } = withProblems(() => backupName(kind, value))
    return name && problems.length === 0 ? lookup[kind](name) : undefined
  }
  const isCode = [value.icao, value.iata].some((code) => typeof code === 'string' && /^[A-Z0-9-]{2,8}$/i.test(code))
  const { found: name } = withProblems(() => (isCode ? backupAirport('from', value) : null))
  return name ? lookup.airport(name) : undefined
}

/** The values of a backup that are valid for a definition, active or not. Others are dropped. */
export function restoredValues(
  values: Record<string, unknown> | undefined,
  definitions: readonly Definition[],
  lookup: ReferenceLookup,
  records: ReferenceService['records'],
  match: Match,
): RestoredValues {
  // Most flights have none, and an empty map for each takes hundreds of bytes.
  if (!values || !definitions.some(({ key }) => Object.hasOwn(values, key))) return NO_VALUES
  const kept = new Map<number, () => unknown>()
  for (const definition of definitions) {
    if (!Object.hasOwn(values, definition.key)) continue
    const value = values[definition.key]
    const kind = kinds.find((each) => each === definition.fieldType)
    if (kind) {
      const found = foundRow(value, kind, lookup)
      if (found) kept.set(definition.id, () => rowOf<{ id: number }>(found).id)
    } else if (!isEmpty(value)) {
      const problem = validateValue(value, definition, records, match)
      // A value must not be dropped just because the check takes too long.
      if (problem === tooMuchToMatch) throw new AppError('validation_failed', TOO_LONG_TO_MATCH)
      if (!problem) kept.set(definition.id, () => value)
    }
  }
  return kept
}

export const settled = (values: RestoredValues): Map<number, unknown> =>
  new Map([...values].map(([id, value]) => [id, value()]))
