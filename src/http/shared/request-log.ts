import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'

/** Logs the route and not the URL, whose query may contain a secret. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  if (!logger.isLevelEnabled('info')) return
  app.addHook('onResponse', ({ id, method, routeOptions }, { statusCode: status, elapsedTime }, done) => {
    const ms = Math.round(elapsedTime * 10) / 10
    logger.info({ reqId: id, method, route: routeOptions.url ?? 'unknown', status, ms }, 'request')
    done()
  })
}
