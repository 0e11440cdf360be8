import { isCalendarDay } from '../../lib/dates.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import { codePoints, isWithinLength } from '../../lib/text.ts'
import { english } from '../../messages/english.ts'
import type { CustomField, CustomValues } from './contract.ts'
import type { Match } from './pattern.ts'

export type Definition = CustomField

export interface References {
  airport: (id: number) => unknown
  airline: (id: number) => unknown
  aircraft: (id: number) => unknown
}

type ValueError = Pick<ErrorDetail, 'code' | 'message'>

const MAX_LENGTH = { text: 1000, textarea: 10000 }

/** `false` and `0` are values. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const tooMuchToMatch: ValueError = {
  code: 'custom',
  message: english.customFields.tooMuchToMatch,
}

const wrongType = (message: string): ValueError => ({ code: 'invalid_type', message })

function validateText(value: unknown, { fieldType, validation }: Definition, match: Match): ValueError | undefined {
  if (typeof value !== 'string') return wrongType(english.input.text)
  const maxLength = Math.min(
    MAX_LENGTH[fieldType as keyof typeof MAX_LENGTH],
    validation?.maxLength ?? Number.POSITIVE_INFINITY,
  )
  if (!isWithinLength(value, maxLength))
    return { code: 'too_big', message: english.input.maxCharacters({ count: maxLength }) }
  if (!value.isWellFormed() || value.includes('\0')) {
    return { code: 'custom', message: english.input.characters }
  }
  const minLength = validation?.minLength ?? 0
  if (codePoints(value) < minLength)
    return { code: 'too_small', message: english.input.minCharacters({ count: minLength }) }
  const matches = validation?.regex === undefined || match(validation.regex, value)
  if (matches === undefined) return tooMuchToMatch
  return matches
    ? undefined
    : { code: 'invalid_format', message: english.customFields.pattern({ pattern: validation!.regex! }) }
}

function validateNumber(value: unknown, { validation }: Definition): ValueError | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType(english.input.number)
  const { min, max } = validation ?? {}
  if (min !== undefined && value < min) return { code: 'too_small', message: english.input.min({ min }) }
  if (max !== undefined && value > max) return { code: 'too_big', message: english.input.max({ max }) }
  return undefined
}

function validateSelection(value: unknown, { options, fieldType }: Definition): ValueError | undefined {
  const chosen = fieldType === 'select' ? [value] : value
  if (!Array.isArray(chosen)) return wrongType(english.input.list)
  // More items than options are invalid, and the first ones determine the error.
  const checked = chosen.slice(0, (options?.length ?? 0) + 1)
  if (checked.some((item) => typeof item !== 'string')) return wrongType(english.input.text)
  if (checked.some((item) => !options?.includes(item))) {
    return { code: 'invalid_value', message: english.input.oneOf({ values: options?.join(', ') ?? '' }) }
  }
  if (new Set(checked).size < chosen.length) return { code: 'custom', message: english.input.optionTwice }
  return undefined
}

const noRecord = {
  airport: english.customFields.noAirport,
  airline: english.customFields.noAirline,
  aircraft: english.customFields.noAircraft,
}

function validateReference(value: unknown, kind: keyof References, references: References): ValueError | undefined {
  if (!Number.isSafeInteger(value) || (value as number) < 1) return wrongType(english.input.recordId)
  if (!references[kind](value as number)) return { code: 'custom', message: noRecord[kind]({ id: value as number }) }
  return undefined
}

export function validateValue(
  value: unknown,
  definition: Definition,
  references: References,
  match: Match,
): ValueError | undefined {
  switch (definition.fieldType) {
    case 'text':
    case 'textarea':
      return validateText(value, definition, match)
    case 'number':
      return validateNumber(value, definition)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType(english.input.boolean)
    case 'date':
      if (typeof value !== 'string') return wrongType(english.input.text)
      return isCalendarDay(value) ? undefined : { code: 'invalid_format', message: english.customFields.day }
    case 'select':
    case 'multi-select':
      return validateSelection(value, definition)
    default:
      return validateReference(value, definition.fieldType, references)
  }
}

/** By key, or by id as text; the key takes precedence. */
function entryFinder(request: CustomValues, definitions: readonly Definition[]) {
  const keys = new Set(definitions.map(({ key }) => key))
  return function entry({ key, id }: Definition): { value: unknown } | undefined {
    if (Object.hasOwn(request, key)) return { value: request[key] }
    // A numeric key names its own field, not the field with that id.
    const name = String(id)
    return Object.hasOwn(request, name) && !keys.has(name) ? { value: request[name] } : undefined
  }
}

const isSameValue = (a: unknown, b: unknown) =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => item === b[index]))

export interface Merged {
  set: Map<number, unknown>
  remove: number[]
  errors: ErrorDetail[]
}

interface Sources {
  definitions: readonly Definition[]
  stored: ReadonlyMap<number, unknown>
  request: CustomValues | undefined
  references: References
  match: Match
  path: readonly string[]
  enforceRequired?: boolean
}

/** Merges stored values, defaults and the request, and checks every active definition (contract 4.8). */
export function mergeValues(sources: Sources): Merged {
  const { definitions, stored, request = {}, references, match, path, enforceRequired = true } = sources
  const merged: Merged = { set: new Map(), remove: [], errors: [] }
  const entryOf = entryFinder(request, definitions)
  for (const definition of definitions) {
    const { id, key, required, defaultValue } = definition
    const entry = entryOf(definition)
    const before = stored.get(id)
    const value = entry ? entry.value : (before ?? defaultValue)
    const error = isEmpty(value)
      ? required && enforceRequired && ({ code: 'custom', message: english.input.requiredField } as const)
      : validateValue(value, definition, references, match)
    if (error) merged.errors.push({ ...error, path: [...path, 'customFields', key] })
    else if (isEmpty(value)) {
      if (before !== undefined) merged.remove.push(id)
    } else if (!isSameValue(value, before)) merged.set.set(id, value)
  }
  return merged
}

export function changesValues(
  definitions: readonly Definition[],
  stored: ReadonlyMap<number, unknown>,
  request: CustomValues | undefined,
): boolean {
  if (!request) return false
  const entryOf = entryFinder(request, definitions)
  return definitions.some((definition) => {
    const entry = entryOf(definition)
    if (!entry) return false
    const before = stored.get(definition.id)
    return isEmpty(entry.value) ? before !== undefined : !isSameValue(entry.value, before)
  })
}
