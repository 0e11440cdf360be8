import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, oauthStatus } from '../../domain/oauth/errors.ts'
import { openHeaders } from '../shared/cors.ts'
import { failureOf } from '../shared/failures.ts'

/** RFC 6749 section 5.1. */
export const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

export const oauthBody = (error: string, description: string) => ({ error, error_description: description })

const codes: Partial<Record<number, string>> = { 500: 'server_error', 503: 'temporarily_unavailable' }

export function answerOAuthError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...openHeaders, ...uncached })
  if (error instanceof OAuthError) {
    if (error.code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="Paxlog"')
    return reply.code(oauthStatus[error.code]).send(oauthBody(error.code, error.message))
  }
  const { status, message } = failureOf(error)
  if (status === 500) request.log.error(error)
  if (status === 503) reply.header('retry-after', 5)
  return reply.code(status).send(oauthBody(codes[status] ?? 'invalid_request', message))
}
