import { AppError } from '../../lib/errors.ts'
import { isObject } from '../../lib/objects.ts'
import type { Match } from '../custom-fields/pattern.ts'
import { type Definition, isEmpty, tooMuchToMatch, validateValue } from '../custom-fields/values.ts'
import type { ReferenceService } from '../reference/service.ts'
import { backupAirport, backupName } from './formats/backup-reference.ts'
import { orNothing } from './formats/row.ts'
import type { ReferenceLookup } from './lookup.ts'
import { rowOf } from './new-rows.ts'

/** Values by definition; one that names a row of reference data is an id only once the row is there. */
export type RestoredValues = Map<number, () => unknown>

const TOO_MUCH = 'The custom values of the file are too long for the patterns of their fields; split the file.'

const kinds = ['airport', 'airline', 'aircraft'] as const
type Kind = (typeof kinds)[number]

/** Ids of another instance mean nothing here, so that only records name a row. */
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

/** The values of a backup that fit a definition, active or not; what has none or fails its checks is left out. */
export function restoredValues(
  values: Record<string, unknown> | undefined,
  definitions: readonly Definition[],
  lookup: ReferenceLookup,
  records: ReferenceService['records'],
  match: Match,
): RestoredValues {
  const kept: RestoredValues = new Map()
  for (const definition of values ? definitions : []) {
    if (!Object.hasOwn(values!, definition.key)) continue
    const value = values![definition.key]
    const kind = kinds.find((each) => each === definition.fieldType)
    if (kind) {
      const found = foundRow(value, kind, lookup)
      if (found) kept.set(definition.id, () => rowOf<{ id: number }>(found).id)
    } else if (!isEmpty(value)) {
      const fault = validateValue(value, definition, records, match)
      // Left out for want of time it would be lost without a word.
      if (fault === tooMuchToMatch) throw new AppError('validation_failed', TOO_MUCH)
      if (!fault) kept.set(definition.id, () => value)
    }
  }
  return kept
}

/** The values themselves, with the rows made that they name. */
export const settled = (values: RestoredValues): Map<number, unknown> =>
  new Map([...values].map(([id, value]) => [id, value()]))
