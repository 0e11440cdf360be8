import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { requiredScopes } from '../../access/authorize.ts'
import type { Scope } from '../../access/scopes.ts'
import { toErrorDetails } from '../../contract/issues.ts'
import { AppError, type ErrorDetail, errorStatus } from '../../lib/errors.ts'
import { challengeFor } from '../shared/challenge.ts'
import { failureOf } from '../shared/failures.ts'
import { lowered } from '../shared/input.ts'

const MOST_ERRORS = 50

/** The first fault in words. What is missing is "not known": clients take "not found" for a missing flight. */
function sentence(subject: string, [first]: readonly ErrorDetail[]): string {
  if (!first) return `${subject}.`
  const { path, message } = first
  const missing = /^There is no (.+?)(?:; .*)?\.$/s.exec(message)?.[1]
  if (missing !== undefined) return `${subject}: the ${missing} is not known.`
  return `${subject}: ${path.join('.') || 'it'} ${lowered(message)}`
}

/** A body that breaks a rule of its own, whatever is stored; the answer lists every fault. */
export class BodyFault extends AppError {
  constructor(details: ErrorDetail[]) {
    super('bad_request', sentence('The body is not valid', details), { details: details.slice(0, MOST_ERRORS) })
  }
}

/** The parsed body, or one answer with all its faults. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new BodyFault(toErrorDetails(parsed.error))
  return parsed.data
}

export const failure = (message: string, errors?: ErrorDetail[]) => ({
  success: false,
  message,
  ...(errors && { errors }),
})

interface Answer {
  status: number
  message: string
  errors?: ErrorDetail[] | undefined
}

function answerOf(error: FastifyError | Error): Answer {
  if (error instanceof BodyFault) return { status: 400, message: error.message, errors: error.details }
  if (error instanceof AppError) return { status: errorStatus[error.code], message: messageOf(error) }
  return failureOf(error)
}

/** The texts of the services speak of `details`, which legacy answers do not have. */
function messageOf({ code, message, details = [] }: AppError): string {
  if (code === 'not_found') return 'This flight was not found.'
  return code === 'validation_failed' ? sentence('The flight is not valid', details) : message
}

/** What a call needs of which nobody knows yet whose it is; whether `save` creates or updates, its body tells. */
function scopesOf({ routeOptions, query }: FastifyRequest): readonly Scope[] {
  const { operations = [], early } = routeOptions.config.legacy ?? {}
  const facts = early?.(query as object) ?? {}
  return [...new Set(operations.flatMap((id) => requiredScopes(id, facts)))]
}

/** The one place where a failure becomes a legacy response. */
export function errorAnswerer(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/v1`
  return function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const { status, message, errors } = answerOf(error)
    const { url } = request.routeOptions
    if (status === 500) request.log.error({ err: error, method: request.method, route: url }, error.message)
    if (status === 503) reply.header('retry-after', 5)
    if (error instanceof AppError) {
      const challenge = challengeFor(error, { metadataUrl, scopes: () => scopesOf(request) })
      if (challenge) reply.header('www-authenticate', challenge)
    }
    return reply.code(status).send(failure(message, errors))
  }
}
