import type { Caller } from '../../access/caller.ts'
import type { Permission } from '../../access/permissions.ts'
import { AppError, type ErrorDetail, errorStatus, forbidden } from '../../lib/errors.ts'
import type { Faults } from './views/fields.tsx'

export interface Refused {
  status: number
  faults: Faults
}

/** The first fault of each field; parts of a field count as the field, except where the form has one for each part. */
export function faultsByField(details: readonly ErrorDetail[], parted = ''): Faults {
  const faults: Faults = {}
  for (const { path, message } of details) {
    const [first = '', second] = path
    const name = first === parted && second !== undefined ? second : first
    faults[name] ??= message
  }
  return faults
}

/**
 * What a service refuses, in the way that a form shows it: beside its field, or above the form.
 * A conflict is always about one field, the one that must be unique.
 */
export function refusal(error: unknown, unique: string, parted?: string): Refused {
  if (!(error instanceof AppError)) throw error
  const status = errorStatus[error.code]
  if (error.code === 'validation_failed') return { status, faults: faultsByField(error.details ?? [], parted) }
  if (error.code === 'conflict') return { status, faults: { [unique]: error.message } }
  if (error.code === 'forbidden') return { status, faults: { form: error.message } }
  throw error
}

/** A page that is there for holders of any of these; others get an error page. */
export function requireAny({ permissions }: Caller, names: readonly Permission[]): void {
  if (!names.some((name) => permissions.has(name))) {
    throw forbidden(`Your role does not permit this: it lacks ${names.join(' and ')}.`)
  }
}
