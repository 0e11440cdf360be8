import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { mcpDefaultScopes } from '../../access/scopes.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { challengeFor } from '../shared/challenge.ts'
import { refusalHeaders } from '../shared/cors.ts'
import { errorBody } from '../shared/error-body.ts'
import { failureOf } from '../shared/failures.ts'
import { failure, RpcError } from './json-rpc.ts'

/** An error with a status other than that of its code (contract 9.1). */
export class HttpError extends AppError {
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: 405 | 406 | 413 | 415 | 429, message: string, headers: Record<string, string> = {}) {
    super('bad_request', message)
    this.status = status
    this.headers = headers
  }
}

function normalizeError(error: FastifyError | Error): AppError | RpcError {
  if (error instanceof AppError || error instanceof RpcError) return error
  const { status, message } = failureOf(error)
  if (status === 413) return new HttpError(413, message)
  return new RpcError(status >= 500 ? 'internalError' : 'parseError', message, { status })
}

export function createErrorHandler(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`
  return function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const error = normalizeError(thrown)
    reply.headers(refusalHeaders)
    if (error instanceof RpcError) {
      if (error.status === 500) request.log.error({ err: thrown, method: request.method }, thrown.message)
      if (error.status === 503) reply.header('retry-after', 5)
      return reply.code(error.status).send(failure(error.id, error))
    }
    const challenge = challengeFor(error, { metadataUrl, scopes: () => mcpDefaultScopes })
    if (challenge) reply.header('www-authenticate', challenge)
    if (error instanceof HttpError) reply.headers(error.headers)
    const status = error instanceof HttpError ? error.status : errorStatus[error.code]
    return reply.code(status).send(errorBody(error.code, error.message, error.details))
  }
}
