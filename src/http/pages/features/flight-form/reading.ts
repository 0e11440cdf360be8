import type { Caller } from '../../../../access/caller.ts'
import { fillLookup, type Lookup, type LookupKind, type Option } from '../../components/lookup.ts'
import { fieldOf } from '../../framework/form.ts'
import type { FieldErrors } from '../../framework/forms.ts'
import type { PageTexts } from '../../texts/languages.ts'

export type FormTexts = PageTexts['flightForm']

/** The fields of a flight that name a record. */
export const recordKinds = { from: 'airport', to: 'airport', airline: 'airline', aircraft: 'aircraft' } as const
export type RecordName = keyof typeof recordKinds

/** A submitted form and the errors found so far. */
export interface Reading {
  caller: Caller
  form: URLSearchParams
  fieldErrors: FieldErrors
  /** The matches of ambiguous lookup fields. */
  choices: Record<string, Option[]>
  lookup: Lookup
  texts: FormTexts
  /** For sentences of services. */
  pageTexts: PageTexts
}

/** Each field keeps its first error. */
export function addFieldError({ fieldErrors }: Reading, name: string, message: string): void {
  fieldErrors[name] ??= message
}

const MAX_QUOTED_LENGTH = 100

const shorten = (text: string) =>
  text.length > MAX_QUOTED_LENGTH ? `${text.slice(0, MAX_QUOTED_LENGTH).toWellFormed()}…` : text

/** The id of the record that a field names; null if the field is empty, undefined if it is unknown or ambiguous. */
export async function readLookup(reading: Reading, name: string, kind: LookupKind): Promise<number | null | undefined> {
  const { caller, form, lookup, choices, texts } = reading
  const text = fieldOf(form, name).trim()
  if (text === '') return null
  const found = await lookup.resolve(caller, form, name, kind)
  if (found === undefined) {
    addFieldError(reading, name, texts.notFound[kind]({ text: shorten(text) }))
    return undefined
  }
  if ('id' in found) {
    fillLookup(form, name, found)
    return found.id
  }
  choices[name] = found.options
  form.set(`${name}.asked`, fieldOf(form, name))
  form.set(`${name}.id`, String(found.options[0]!.id))
  addFieldError(reading, name, texts.ambiguous)
  return undefined
}

// Browsers send line breaks of text areas as CR LF, and remove those of other fields.
const normalizeLines = (text: string) => text.replace(/\r\n?/g, '\n')

/** Returns the stored text unless the user has changed what the field showed. */
export function readText(form: URLSearchParams, name: string, stored: string | null = null): string | null {
  const text = normalizeLines(fieldOf(form, name))
  const shown = normalizeLines(stored ?? '')
  return text === shown || text === shown.replaceAll('\n', '') ? stored : text || null
}
