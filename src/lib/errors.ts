import { english } from '../messages/english.ts'
export const errorStatus = {
  bad_request: 400,
  invalid_json: 400,
  unauthorized: 401,
  forbidden: 403,
  insufficient_scope: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  validation_failed: 422,
  internal_error: 500,
} as const

export type ErrorCode = keyof typeof errorStatus

export const detailCodes = [
  'invalid_type',
  'invalid_value',
  'invalid_format',
  'too_small',
  'too_big',
  'custom',
] as const

export interface ErrorDetail {
  code: (typeof detailCodes)[number]
  path: string[]
  message: string
}

/** The message is for the client; the cause is for the log. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[] | undefined

  constructor(code: ErrorCode, message: string, options: { details?: ErrorDetail[]; cause?: unknown } = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details
  }
}

/** The queue is full; the client may retry in a moment. */
export class Busy extends Error {
  override name = 'Busy'
}

export const notFound = (what: string) => new AppError('not_found', `This ${what} does not exist.`)

export const preconditionFailed = () => new AppError('precondition_failed', english.access.changedSinceRead)

export const conflict = (message: string) => new AppError('conflict', message)

export const forbidden = (message: string) => new AppError('forbidden', message)

/** An invalid member of a body that only stored data can reveal. */
export function invalid(message: string, path: (string | number)[], reason: string): AppError {
  return new AppError('validation_failed', message, {
    details: [{ code: 'custom', path: path.map(String), message: reason }],
  })
}
