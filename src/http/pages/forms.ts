import type { z } from 'zod'
import type { Caller } from '../../access/caller.ts'
import type { Permission } from '../../access/permissions.ts'
import { toErrorDetails } from '../../contract/issues.ts'
import { AppError, type ErrorDetail, errorStatus, forbidden } from '../../lib/errors.ts'
import { fieldOf } from './form.ts'

/** What is wrong with each field of a form, by its name. */
export type Faults = Record<string, string>

export interface Refused {
  status: number
  faults: Faults
}

export interface Option {
  value: string
  label: string
}

/** One field of a form, declared once: how it is read, drawn, and called where something is wrong with it. */
export interface FieldSpec {
  id: string
  label: string
  hint?: string
  /** A line of text unless it says otherwise: a box is ticked or not, boxes are several of one name. */
  kind?: 'area' | 'select' | 'box' | 'boxes'
  type?: 'password' | 'date' | 'number'
  required?: boolean
  maxLength?: number
  rows?: number
  autocomplete?: string
  options?: readonly Option[]
  /** Names, codes and keys, which no browser should correct. */
  verbatim?: boolean
  /** The name of its boxes, where it is another one. */
  sent?: string
}

export type FieldSpecs = Readonly<Record<string, FieldSpec>>

/** What was typed into a form: texts, boxes that are ticked, and the values of several boxes. */
export type Typed<Specs extends FieldSpecs> = {
  [Name in keyof Specs]: Specs[Name] extends { kind: 'box' }
    ? boolean
    : Specs[Name] extends { kind: 'boxes' }
      ? readonly string[]
      : string
}

/** Declares the fields of a form, so that the compiler knows what is typed into each. */
export const formSpecs = <const Specs extends FieldSpecs>(specs: Specs) => specs

/** What a box sends; pages that were open before an update send the other. */
const TICKED: readonly string[] = ['on', 'true']

export function readForm<Specs extends FieldSpecs>(specs: Specs, form: URLSearchParams): Typed<Specs> {
  const read = (name: string, { kind, sent = name }: FieldSpec) => {
    if (kind === 'boxes') return form.getAll(sent)
    return kind === 'box' ? TICKED.includes(fieldOf(form, sent)) : fieldOf(form, sent)
  }
  return Object.fromEntries(Object.entries(specs).map(([name, spec]) => [name, read(name, spec)])) as Typed<Specs>
}

/** A form that nobody has typed into yet. */
export const emptyForm = <Specs extends FieldSpecs>(specs: Specs): Typed<Specs> =>
  readForm(specs, new URLSearchParams())

/** The field of the form that a path of the body means. */
type FieldAt = (path: readonly string[]) => string

/** The first fault of each field; the others follow once it is mended. Parts of a field count as the field. */
export function faultsOf(details: readonly ErrorDetail[], fieldAt: FieldAt = ([first = '']) => first): Faults {
  const faults: Faults = {}
  for (const { path, message } of details) faults[fieldAt(path)] ??= message
  return faults
}

interface Fit {
  fieldAt?: FieldAt
  /** The field that must be unique: a conflict is about it. Where several must be, the conflict tells which. */
  unique?: string | ((error: AppError) => string)
}

/** What a service refuses, in the way that a form shows it: beside its field, or above the form. */
function refusalOf(error: unknown, { fieldAt, unique = 'form' }: Fit): Refused {
  if (!(error instanceof AppError)) throw error
  const status = errorStatus[error.code]
  if (error.code === 'validation_failed') return { status, faults: faultsOf(error.details ?? [], fieldAt) }
  if (error.code === 'conflict')
    return { status, faults: { [typeof unique === 'string' ? unique : unique(error)]: error.message } }
  if (error.code === 'forbidden') return { status, faults: { form: error.message } }
  throw error
}

interface Attempt<Result> extends Fit {
  work: () => Result | Promise<Result>
  /** Shows the form again as it was typed, with what is wrong. */
  again: (refused: Refused) => unknown
  /** Usually a notice, and the way to the page that shows it. */
  done: (result: Result) => unknown
}

/** Does what a form asks for, or shows why not. */
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
  /** What v1 would get for what was typed. */
  body: unknown
  /** What is wrong beside what the schema can tell. */
  faults?: Faults
  work: (body: Body) => Result | Promise<Result>
}

/** The steps of every form: judged, then done or shown again. */
export async function submit<Body, Result>(submission: Submission<Body, Result>): Promise<unknown> {
  const { schema, body, work, again } = submission
  const parsed = schema.safeParse(body)
  const faults = {
    ...(!parsed.success && faultsOf(toErrorDetails(parsed.error), submission.fieldAt)),
    ...submission.faults,
  }
  if (!parsed.success || Object.keys(faults).length > 0) return again({ status: 422, faults })
  return attempt({ ...submission, work: () => work(parsed.data) })
}

/** A page that is there for holders of any of these; others get an error page. */
export function requireAny(caller: Caller, ...names: Permission[]): Caller {
  if (names.some((name) => caller.permissions.has(name))) return caller
  throw forbidden(`Your role does not permit this: it lacks ${names.join(' and ')}.`)
}
