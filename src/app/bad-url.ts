import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { failure } from '../http/legacy/errors.ts'
import { answerHeaders, roots } from '../http/legacy/route.ts'
import { errorPages } from '../http/pages/framework/errors.tsx'
import { refusalHeaders } from '../http/shared/cors.ts'
import { errorBody } from '../http/shared/errors.ts'
import { plainPath } from '../http/shared/methods.ts'

const MESSAGE = 'The path is not validly encoded.'

/** A path that cannot be decoded reaches no plugin, so its first segments decide the form of the answer. */
export function badUrl(baseUrl: string, basePath: string) {
  const { failed } = errorPages({ baseUrl, basePath })
  const v1 = { headers: refusalHeaders, body: errorBody('bad_request', MESSAGE) }
  const answers = [
    ...roots.map(({ root, successor }) => ({
      root: `${basePath}/api${root}/`,
      headers: answerHeaders(baseUrl, successor),
      body: failure(MESSAGE),
    })),
    ...[`${basePath}/api/`, `${basePath}/.well-known/`, '/.well-known/'].map((root) => ({ root, ...v1 })),
  ]
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const path = plainPath(request.url)
    const answer = answers.find(({ root }) => path.startsWith(root))
    if (answer) reply.code(400).headers(answer.headers).send(answer.body)
    else failed(error, request, reply)
  }
}
