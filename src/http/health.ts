import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody } from './shared/error-body.ts'
import { failureOf } from './shared/failures.ts'

interface Options {
  /** Fails with the reason when the database cannot be read or its write lock cannot be taken. */
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

/** One path with one method; the others are refused by routes of their own, so that no neighbour answers for it. */
function getOnly(app: FastifyInstance, url: string, answer: Answer): void {
  const own = ['GET', 'HEAD']
  app.get(url, (request, reply) => answer(request, reply.header('cache-control', 'no-store')))
  app.route({
    method: app.supportedMethods.filter((method) => !own.includes(method)),
    url,
    // In the hook, so that no body is read first.
    onRequest: async ({ method }, reply) =>
      reply
        .code(405)
        .headers({ 'cache-control': 'no-store', allow: own.join(', ') })
        .send(errorBody('bad_request', `Use GET; ${method} is not offered here.`)),
    handler: () => undefined,
  })
}

function answerError(error: Error, request: FastifyRequest, reply: FastifyReply) {
  const { status, message } = failureOf(error)
  if (status === 500) request.log.error(error)
  reply.code(status).header('cache-control', 'no-store')
  return reply.send(errorBody(status >= 500 ? 'internal_error' : 'bad_request', message))
}

/** Tells a supervisor whether the process lives and whether it can serve; neither reveals data. */
export async function health(app: FastifyInstance, { probe, isStopping }: Options): Promise<void> {
  app.setErrorHandler(answerError)
  getOnly(app, '/health', async () => ({ status: 'ok' }))
  getOnly(app, '/ready', async (request, reply) => {
    if (isStopping()) return reply.code(503).send({ status: 'unavailable', reason: 'The server is stopping.' })
    try {
      await probe()
    } catch (error) {
      request.log.error(error)
      return reply.code(503).send({ status: 'unavailable', reason: 'The database cannot be read or written.' })
    }
    return { status: 'ready' }
  })
}

export async function ping(app: FastifyInstance): Promise<void> {
  app.setErrorHandler(answerError)
  getOnly(app, '/api/ping', async (_request, reply) => reply.type('text/plain').send('pong'))
}
