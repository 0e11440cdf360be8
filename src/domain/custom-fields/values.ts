import { isCalendarDay } from '../../lib/dates.ts'
import type { ErrorDetail } from '../../lib/errors.ts'
import { codePoints, fits } from '../../lib/text.ts'
import type { CustomField, CustomValues } from './contract.ts'
import type { Match } from './pattern.ts'

export type Definition = CustomField

/** Tells whether a record of reference data exists. */
export interface References {
  airport: (id: number) => unknown
  airline: (id: number) => unknown
  aircraft: (id: number) => unknown
}

type Fault = Pick<ErrorDetail, 'code' | 'message'>

const LONGEST = { text: 1000, textarea: 10000 }

/** `false` and `0` are values. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

export const tooMuchToMatch: Fault = {
  code: 'custom',
  message: 'Cannot be matched any more: all values together are too long for their patterns.',
}

const wrongType = (what: string): Fault => ({ code: 'invalid_type', message: `Must be ${what}.` })

function textFault(value: unknown, { fieldType, validation }: Definition, match: Match): Fault | undefined {
  if (typeof value !== 'string') return wrongType('text')
  const most = Math.min(LONGEST[fieldType as keyof typeof LONGEST], validation?.maxLength ?? Number.POSITIVE_INFINITY)
  if (!fits(value, most)) return { code: 'too_big', message: `Must have at most ${most} characters.` }
  if (!value.isWellFormed() || value.includes('\0')) {
    return { code: 'custom', message: 'Must not contain U+0000 or half of a surrogate pair.' }
  }
  const least = validation?.minLength ?? 0
  if (codePoints(value) < least) return { code: 'too_small', message: `Must have at least ${least} characters.` }
  const matches = validation?.regex === undefined || match(validation.regex, value)
  if (matches === undefined) return tooMuchToMatch
  return matches ? undefined : { code: 'invalid_format', message: `Must match ${validation!.regex}.` }
}

function numberFault(value: unknown, { validation }: Definition): Fault | undefined {
  if (typeof value !== 'number' || !Number.isFinite(value)) return wrongType('a number')
  const { min, max } = validation ?? {}
  if (min !== undefined && value < min) return { code: 'too_small', message: `Must be ${min} or more.` }
  if (max !== undefined && value > max) return { code: 'too_big', message: `Must be ${max} or less.` }
  return undefined
}

function selectFault(value: unknown, { options, fieldType }: Definition): Fault | undefined {
  const chosen = fieldType === 'select' ? [value] : value
  if (!Array.isArray(chosen)) return wrongType('a list')
  // Of more items than there are options one must be wrong, and the first ones tell which way.
  const looked = chosen.slice(0, (options?.length ?? 0) + 1)
  if (looked.some((item) => typeof item !== 'string')) return wrongType('text')
  if (looked.some((item) => !options?.includes(item))) {
    return { code: 'invalid_value', message: `Must be one of ${options?.join(', ')}.` }
  }
  if (new Set(looked).size < chosen.length) return { code: 'custom', message: 'Must not name an option twice.' }
  return undefined
}

function referenceFault(value: unknown, kind: keyof References, references: References): Fault | undefined {
  if (!Number.isSafeInteger(value) || (value as number) < 1) return wrongType('the id of a record')
  if (!references[kind](value as number))
    return { code: 'custom', message: `There is no ${kind} with the id ${value}.` }
  return undefined
}

/** What is wrong with a value that is not empty. */
export function valueFault(
  value: unknown,
  definition: Definition,
  references: References,
  match: Match,
): Fault | undefined {
  switch (definition.fieldType) {
    case 'text':
    case 'textarea':
      return textFault(value, definition, match)
    case 'number':
      return numberFault(value, definition)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : wrongType('true or false')
    case 'date':
      if (typeof value !== 'string') return wrongType('text')
      return isCalendarDay(value) ? undefined : { code: 'invalid_format', message: 'Must be a day as YYYY-MM-DD.' }
    case 'select':
    case 'multi-select':
      return selectFault(value, definition)
    default:
      return referenceFault(value, definition.fieldType, references)
  }
}

/** Finds the entry of a request for a definition: under its key, or under its id written as text; the key wins. */
function entriesOf(request: CustomValues, definitions: readonly Definition[]) {
  const keys = new Set(definitions.map(({ key }) => key))
  return function entry({ key, id }: Definition): { value: unknown } | undefined {
    if (Object.hasOwn(request, key)) return { value: request[key] }
    // A key may be all digits: then it names its own field and not the one with this id.
    const name = String(id)
    return Object.hasOwn(request, name) && !keys.has(name) ? { value: request[name] } : undefined
  }
}

/** Sound values are plain or flat lists; anything deeper differs from all of them. */
const same = (a: unknown, b: unknown) =>
  a === b ||
  (Array.isArray(a) && Array.isArray(b) && a.length === b.length && a.every((item, index) => item === b[index]))

export interface Merged {
  /** Values to store, by the id of their definition. */
  set: Map<number, unknown>
  remove: number[]
  faults: ErrorDetail[]
}

interface Sources {
  definitions: readonly Definition[]
  stored: ReadonlyMap<number, unknown>
  request: CustomValues | undefined
  references: References
  /** One for all values of a request. */
  match: Match
  /** Where the request's object stands in the body. */
  path: readonly string[]
  /** Imports keep rows that lack a required value. */
  enforceRequired?: boolean
}

/** Merges stored values, defaults and the request, and checks every active definition (contract 4.8). */
export function mergeValues(sources: Sources): Merged {
  const { definitions, stored, request = {}, references, match, path, enforceRequired = true } = sources
  const merged: Merged = { set: new Map(), remove: [], faults: [] }
  const entryOf = entriesOf(request, definitions)
  for (const definition of definitions) {
    const { id, key, required, defaultValue } = definition
    const entry = entryOf(definition)
    const before = stored.get(id)
    const value = entry ? entry.value : (before ?? defaultValue)
    const fault = isEmpty(value)
      ? required && enforceRequired && ({ code: 'custom', message: 'This field is required.' } as const)
      : valueFault(value, definition, references, match)
    if (fault) merged.faults.push({ ...fault, path: [...path, 'customFields', key] })
    else if (isEmpty(value)) {
      if (before !== undefined) merged.remove.push(id)
    } else if (!same(value, before)) merged.set.set(id, value)
  }
  return merged
}

/** Whether a request would change stored values; defaults that are filled in do not count. */
export function changesValues(
  definitions: readonly Definition[],
  stored: ReadonlyMap<number, unknown>,
  request: CustomValues | undefined,
): boolean {
  if (!request) return false
  const entryOf = entriesOf(request, definitions)
  return definitions.some((definition) => {
    const entry = entryOf(definition)
    if (!entry) return false
    const before = stored.get(definition.id)
    return isEmpty(entry.value) ? before !== undefined : !same(entry.value, before)
  })
}
