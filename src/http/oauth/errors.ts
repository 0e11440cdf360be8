import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { OAuthError, oauthStatus } from '../../domain/oauth/errors.ts'

export const oauthBody = (error: string, description: string) => ({ error, error_description: description })

/** The one place where a failure becomes an OAuth response. */
export function answerOAuthError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  if (error instanceof OAuthError) {
    if (error.code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="Paxlog"')
    return reply.code(oauthStatus[error.code]).send(oauthBody(error.code, error.message))
  }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return reply.code(413).send(oauthBody('invalid_request', 'The body is too large.'))
  if (statusCode < 500) return reply.code(400).send(oauthBody('invalid_request', 'The request cannot be read.'))
  request.log.error(error)
  return reply.code(500).send(oauthBody('server_error', 'Something failed on the server; its log has the cause.'))
}
