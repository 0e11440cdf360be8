import { AppError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import type { Match } from '../custom-fields/pattern.ts'
import { type Definition, isEmpty, tooMuchToMatch, validateValue } from '../custom-fields/values.ts'
import type { ReferenceService } from '../reference/service.ts'
import { backupAirport, backupName } from './formats/backup-reference.ts'
import { orNothing } from './formats/row.ts'
import type { ReferenceLookup } from './lookup.ts'
import { rowOf } from './new-rows.ts'

/** Values by definition. They are functions, since a reference has an id only when its row exists. */
export type RestoredValues = ReadonlyMap<number, () => unknown>

const NO_VALUES: RestoredValues = new Map()

const TOO_MUCH = 'The custom values of the file are too long for the patterns of their fields; split the file.'

const kinds = ['airport', 'airline', 'aircraft'] as const
type Kind = (typeof kinds)[number]

/** Ids are local to an instance, so only records are resolved. */
function foundRow(value: unknown, kind: Kind, lookup: ReferenceLookup) {
  if (!isObject(value)) return undefined
  if (kind === 'airport') {
    const { icao, iata } = value
    const isCode = [icao, iata].some((code) => typeof code === 'string' && /^[A-Z0-9-]{2,8}$/i.test(code))
    const airport = isCode ? orNothing(() => backupAirport('from', value)) : undefined
    return airport && lookup.airport(airport)
  }
  const name = orNothing(() => backupName(kind, value))
  return name ? lookup[kind](name) : undefined
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
      const fault = validateValue(value, definition, records, match)
      // A value must not be dropped just because the check takes too long.
      if (fault === tooMuchToMatch) throw new AppError('validation_failed', TOO_MUCH)
      if (!fault) kept.set(definition.id, () => value)
    }
  }
  return kept
}

/** Creates the rows that the values refer to. */
export const settled = (values: RestoredValues): Map<number, unknown> =>
  new Map([...values].map(([id, value]) => [id, value()]))
