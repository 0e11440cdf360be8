import type { z } from 'zod'
import type { Caller } from '../../../access/caller.ts'
import type { Permission } from '../../../access/permissions.ts'
import { toErrorDetails } from '../../../contract/issues.ts'
import { AppError, type ErrorDetail, errorStatus, forbidden } from '../../../lib/errors.ts'
import { english } from '../../../messages/english.ts'
import type { PageTexts } from '../texts/languages.ts'
import { fieldOf } from './form.ts'
import { errorText, messageText } from './service-messages.ts'

export type FieldErrors = Record<string, string>

export interface FormErrors {
  status: number
  fieldErrors: FieldErrors
}

export interface Option {
  value: string
  label: string
}

/** A text, or its place in the catalogue for specs that do not depend on the language. */
export type SpecText = string | ((texts: PageTexts) => string)

export const specText = (text: SpecText, texts: PageTexts): string => (typeof text === 'string' ? text : text(texts))

export interface FieldSpec {
  id: string
  label: SpecText
  hint?: SpecText
  /** A text input by default; `boxes` are several checkboxes with one name. */
  kind?: 'area' | 'select' | 'box' | 'boxes'
  type?: 'password' | 'date' | 'number'
  required?: boolean
  maxLength?: number
  rows?: number
  autocomplete?: string
  options?: readonly Option[] | ((texts: PageTexts) => readonly Option[])
  /** Turns off autocorrection. */
  verbatim?: boolean
  /** The name of its checkboxes, if different. */
  sent?: string
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>

export type FormValues<Specs extends FieldSpecs> = {
  [Name in keyof Specs]: Specs[Name] extends { kind: 'box' }
    ? boolean
    : Specs[Name] extends { kind: 'boxes' }
      ? readonly string[]
      : string
}

export const formSpecs = <const Specs extends FieldSpecs>(specs: Specs) => specs

export function readForm<Specs extends FieldSpecs>(specs: Specs, form: URLSearchParams): FormValues<Specs> {
  const read = (name: string, { kind, sent = name }: FieldSpec) => {
    if (kind === 'boxes') return form.getAll(sent)
    const value = fieldOf(form, sent)
    // Pages of an earlier release send `true`.
    return kind === 'box' ? value === 'on' || value === 'true' : value
  }
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, read(name, spec)])) as FormValues<Specs>
}

export const emptyForm = <Specs extends FieldSpecs>(specs: Specs): FormValues<Specs> =>
  readForm(specs, new URLSearchParams())

type FieldAt = (path: readonly string[]) => string

/** The first error of each field, in the language of the page. */
export function fieldErrorsOf(
  details: readonly ErrorDetail[],
  texts: PageTexts,
  fieldAt: FieldAt = ([first = '']) => first,
): FieldErrors {
  const fieldErrors: FieldErrors = {}
  for (const { path, message } of details) fieldErrors[fieldAt(path)] ??= messageText(message, texts)
  return fieldErrors
}

interface Fit {
  texts: PageTexts
  fieldAt?: FieldAt
  /** The field that a conflict is about. */
  unique?: string | ((error: AppError) => string)
}

function refusalOf(error: unknown, { texts, fieldAt, unique = 'form' }: Fit): FormErrors {
  if (!(error instanceof AppError)) throw error
  const status = errorStatus[error.code]
  if (error.code === 'validation_failed')
    return { status, fieldErrors: fieldErrorsOf(error.details ?? [], texts, fieldAt) }
  if (error.code === 'conflict') {
    return { status, fieldErrors: { [typeof unique === 'string' ? unique : unique(error)]: errorText(error, texts) } }
  }
  if (error.code === 'forbidden') return { status, fieldErrors: { form: errorText(error, texts) } }
  throw error
}

interface Attempt<Result> extends Fit {
  work: () => Result | Promise<Result>
  again: (refused: FormErrors) => unknown
  done: (result: Result) => unknown
}

export async function attempt<Result>({ work, again, done, ...fit }: Attempt<Result>): Promise<unknown> {
  let result: Result
  try {
    result = await work()
  } catch (error) {
    return again(refusalOf(error, fit))
  }
  return done(result)
}

interface Submission<Body, Result> extends Omit<Attempt<Result>, 'work'> {
  schema: z.ZodType<Body>
  /** The body of the same request to v1. */
  body: unknown
  /** Errors that the schema does not find. */
  fieldErrors?: FieldErrors
  work: (body: Body) => Result | Promise<Result>
}

export async function submit<Body, Result>(submission: Submission<Body, Result>): Promise<unknown> {
  const { schema, body, texts, work, again } = submission
  const parsed = schema.safeParse(body)
  const fieldErrors = {
    ...(!parsed.success && fieldErrorsOf(toErrorDetails(parsed.error), texts, submission.fieldAt)),
    ...submission.fieldErrors,
  }
  if (!parsed.success || Object.keys(fieldErrors).length > 0) return again({ status: 422, fieldErrors })
  return attempt({ ...submission, work: () => work(parsed.data) })
}

export function requireAny(caller: Caller, ...names: Permission[]): Caller {
  if (names.some((name) => caller.permissions.has(name))) return caller
  const [first = '', second] = names
  throw forbidden(
    names.length === 2
      ? english.access.lacksTwoPermissions({ first, second: second! })
      : english.access.lacksPermission({ permission: names.join(', ') }),
  )
}
