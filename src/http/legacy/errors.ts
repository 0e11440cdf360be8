import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { requiredScopes } from '../../access/authorize.ts'
import type { Scope } from '../../access/scopes.ts'
import { toErrorDetails } from '../../contract/issues.ts'
import { AppError, type ErrorDetail, errorStatus } from '../../lib/errors.ts'
import { challengeFor } from '../shared/challenge.ts'
import { failureOf } from '../shared/errors.ts'
import { lowerFirst } from '../shared/input.ts'

const MAX_ERRORS = 50

/** A missing reference is "not known": clients take "not found" for a missing flight. */
function sentence(subject: string, [first]: readonly ErrorDetail[]): string {
  if (!first) return `${subject}.`
  const { path, message } = first
  const missing = /^There is no (.+?)(?:; .*)?\.$/s.exec(message)?.[1]
  if (missing !== undefined) return `${subject}: the ${missing} is not known.`
  return `${subject}: ${path.join('.') || 'it'} ${lowerFirst(message)}`
}

export class InvalidBody extends AppError {
  constructor(details: ErrorDetail[]) {
    super('bad_request', sentence('The body is not valid', details), { details: details.slice(0, MAX_ERRORS) })
  }
}

export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new InvalidBody(toErrorDetails(parsed.error))
  return parsed.data
}

export const failure = (message: string, errors?: ErrorDetail[]) => ({
  success: false,
  message,
  ...(errors && { errors }),
})

function answerOf(error: FastifyError | Error): {
  status: number
  message: string
  errors?: ErrorDetail[] | undefined
} {
  if (error instanceof InvalidBody) return { status: 400, message: error.message, errors: error.details }
  if (error instanceof AppError) return { status: errorStatus[error.code], message: messageOf(error) }
  return failureOf(error)
}

/** Messages of services refer to `details`, which legacy responses do not have. */
function messageOf({ code, message, details = [] }: AppError): string {
  if (code === 'not_found') return 'This flight was not found.'
  return code === 'validation_failed' ? sentence('The flight is not valid', details) : message
}

/** For a caller without a valid credential. */
function scopesOf({ routeOptions, query }: FastifyRequest): readonly Scope[] {
  const { operations = [], early } = routeOptions.config.legacy ?? {}
  const facts = early?.(query as object) ?? {}
  return [...new Set(operations.flatMap((id) => requiredScopes(id, facts)))]
}

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
