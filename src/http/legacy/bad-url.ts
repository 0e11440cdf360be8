import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { plainPath } from '../shared/methods.ts'
import { failure } from './errors.ts'
import { answerHeaders, roots } from './route.ts'

type Answer = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void

/** A path that cannot be decoded never reaches its plugin; below the legacy roots it still has the legacy shape. */
export function badLegacyUrl(baseUrl: string, otherwise: Answer): Answer {
  const api = `${new URL(baseUrl).pathname.replace(/\/$/, '')}/api`
  return (error, request, reply) => {
    const path = plainPath(request.url)
    const found = roots.find(({ root }) => path.startsWith(`${api}${root}/`))
    if (!found) return otherwise(error, request, reply)
    reply.headers(answerHeaders(baseUrl, found.successor))
    reply.code(400).send(failure('The path is not validly encoded.'))
  }
}
