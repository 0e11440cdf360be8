import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { errorBody, plainErrorHandler } from './shared/errors.ts'
import { rejectOtherMethods } from './shared/methods.ts'

interface Options {
  /** Throws if the database cannot be read or its write lock cannot be taken. */
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

type Answer = (request: FastifyRequest, reply: FastifyReply) => unknown

/** The pages must not answer other methods. */
function getOnly(app: FastifyInstance, answers: Record<string, Answer>): void {
  const headers = { 'cache-control': 'no-store' }
  app.setErrorHandler(plainErrorHandler(headers))
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
  for (const [url, answer] of Object.entries(answers)) {
    app.get(url, answer)
    rejectOtherMethods(app, url, ['GET', 'HEAD'], (text) => errorBody('bad_request', text))
  }
}

/** Liveness and readiness for a supervisor. Neither reveals data. */
export async function health(app: FastifyInstance, { probe, isStopping }: Options): Promise<void> {
  async function ready(request: FastifyRequest, reply: FastifyReply) {
    if (isStopping()) return reply.code(503).send({ status: 'unavailable', reason: 'The server is stopping.' })
    try {
      await probe()
    } catch (error) {
      request.log.error(error)
      return reply.code(503).send({ status: 'unavailable', reason: 'The database cannot be read or written.' })
    }
    return { status: 'ready' }
  }
  getOnly(app, { '/health': async () => ({ status: 'ok' }), '/ready': ready })
}

export async function ping(app: FastifyInstance): Promise<void> {
  getOnly(app, { '/api/ping': async (_request, reply) => reply.type('text/plain').send('pong') })
}
