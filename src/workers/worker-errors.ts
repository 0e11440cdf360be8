import { MissingScope } from '../access/authorize.ts'
import type { Scope } from '../access/scopes.ts'
import type { FormatParameter } from '../domain/transfer/formats/registry.ts'
import type { UnclearPart } from '../domain/transfer/formats/row.ts'
import { UserNotChosen } from '../domain/transfer/people.ts'
import { ParameterMismatch, UnclearTable } from '../domain/transfer/read-file.ts'
import { AppError, Busy, type ErrorCode, type ErrorDetail } from '../lib/errors.ts'

/** Messages between threads cannot carry a class. */
export interface ErrorMessage {
  name: string
  /** Undefined if the request may be tried again. */
  code?: ErrorCode
  message: string
  details?: ErrorDetail[] | undefined
  parameters?: readonly FormatParameter[]
  users?: readonly string[]
  unclear?: readonly UnclearPart[]
  scopes?: readonly Scope[]
}

/** Throws unexpected errors again. */
export function toMessage(error: unknown): ErrorMessage {
  if (error instanceof Busy) return { name: 'Busy', message: error.message }
  if (!(error instanceof AppError)) throw error
  const { name, code, message, details } = error
  return {
    ...{ name, code, message, details },
    ...(error instanceof ParameterMismatch && { parameters: error.names }),
    ...(error instanceof UserNotChosen && { users: error.users }),
    ...(error instanceof UnclearTable && { unclear: error.unclear }),
    ...(error instanceof MissingScope && { scopes: error.needed }),
  }
}

export function fromMessage(from: ErrorMessage): AppError | Busy {
  const { name, code, message, details, parameters, users, unclear, scopes } = from
  if (code === undefined) return new Busy(message)
  if (name === 'UserNotChosen') return new UserNotChosen(message, users ?? [])
  if (name === 'ParameterMismatch') return new ParameterMismatch(message, parameters ?? [])
  if (unclear) return new UnclearTable(message, unclear)
  if (scopes) return Object.assign(new MissingScope(scopes, scopes), { message })
  return new AppError(code, message, { ...(details && { details }) })
}
