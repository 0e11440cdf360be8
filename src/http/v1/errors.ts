import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { requiredScopes } from '../../access/authorize.ts'
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

function toAnswer(error: FastifyError | Error): Answer {
  if (error instanceof AppError) return { status: errorStatus[error.code], error }
  const { status, message } = failureOf(error)
  return { status, error: new AppError(status >= 500 ? 'internal_error' : 'bad_request', message, { cause: error }) }
}

function requiredScopesOf({ routeOptions, query }: FastifyRequest): readonly Scope[] {
  const { operation, early } = routeOptions.config
  return operation ? requiredScopes(operation, early?.(query as Record<string, unknown>, undefined) ?? {}) : []
}

export function createErrorHandler(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/v1`
  return function handleError(failure: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const { status, error } = toAnswer(failure)
    const { url } = request.routeOptions
    reply.headers(refusalHeaders)
    if (status === 500) request.log.error({ err: failure, method: request.method, route: url }, failure.message)
    if (status === 503) reply.header('retry-after', 5)
    if (error instanceof StillRunning) reply.header('retry-after', 1)
    const challenge = challengeFor(error, { metadataUrl, scopes: () => requiredScopesOf(request) })
    if (challenge) reply.header('www-authenticate', challenge)
    return reply.code(status).send(errorBody(error.code, error.message, error.details))
  }
}
