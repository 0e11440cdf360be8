import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { neededScopes } from '../../access/authorize.ts'
import type { OperationId } from '../../access/policy.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Operation } from '../../contract/operation.ts'
import { StillRunning } from '../../domain/idempotency/service.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { challengeFor } from '../shared/challenge.ts'
import { refusalHeaders } from '../shared/cors.ts'
import { errorBody } from '../shared/error-body.ts'
import { failureOf } from '../shared/failures.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    file?: true
    operation?: OperationId
    early?: NonNullable<Operation['early']>
  }
}

interface Answer {
  status: number
  error: AppError
}

/** Failures of the framework, and the few statuses that share a code (contract 1.3). */
function answerOf(error: FastifyError | Error): Answer {
  if (error instanceof AppError) return { status: errorStatus[error.code], error }
  const { status, message } = failureOf(error)
  return { status, error: new AppError(status >= 500 ? 'internal_error' : 'bad_request', message, { cause: error }) }
}

/** The scopes for the challenge to a caller who is not known: the fixed ones, and those that the query alone decides. */
function scopesOf({ routeOptions, query }: FastifyRequest): readonly Scope[] {
  const { operation, early } = routeOptions.config
  return operation ? neededScopes(operation, early?.(query as Record<string, unknown>, undefined) ?? {}) : []
}

/** The one place where a failure becomes a v1 response. */
export function errorAnswerer(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/v1`
  return function answerError(failure: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const { status, error } = answerOf(failure)
    const { url } = request.routeOptions
    reply.headers(refusalHeaders)
    if (status === 500) request.log.error({ err: failure, method: request.method, route: url }, failure.message)
    if (status === 503) reply.header('retry-after', 5)
    if (error instanceof StillRunning) reply.header('retry-after', 1)
    const challenge = challengeFor(error, { metadataUrl, scopes: () => scopesOf(request) })
    if (challenge) reply.header('www-authenticate', challenge)
    return reply.code(status).send(errorBody(error.code, error.message, error.details))
  }
}
