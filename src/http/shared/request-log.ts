import type { FastifyInstance } from 'fastify'
import { isForwarded } from './forward.ts'

/** One line a request: the route and not the URL, whose query may hold a secret. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    if (isForwarded(request)) return done()
    request.log.info(
      {
        reqId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'unknown',
        status: reply.statusCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
      },
      'request',
    )
    done()
  })
}
