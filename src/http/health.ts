import type { FastifyInstance } from 'fastify'

interface Options {
  /** Fails with the reason when the database cannot be read or its write lock cannot be taken. */
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

/** Tells a supervisor whether the process lives and whether it can serve; neither reveals data. */
export async function health(app: FastifyInstance, { probe, isStopping }: Options): Promise<void> {
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('cache-control', 'no-store')
    done()
  })
  app.get('/health', async () => ({ status: 'ok' }))
  app.get('/ready', async (request, reply) => {
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
  app.get('/api/ping', async (_request, reply) => {
    reply.header('cache-control', 'no-store')
    return reply.type('text/plain').send('pong')
  })
}
