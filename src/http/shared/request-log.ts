import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { infoLines } from '../../lib/logger.ts'

/** One line a request: the route and not the URL, whose query may hold a secret. */
export function logRequests(app: FastifyInstance, logger: Logger): void {
  const write = infoLines(logger, 'request')
  if (!write) return
  app.addHook('onResponse', (request, reply, done) => {
    const { id, method } = request
    const route = JSON.stringify(request.routeOptions.url ?? 'unknown')
    const ms = Math.round(reply.elapsedTime * 10) / 10
    write(`"reqId":"${id}","method":"${method}","route":${route},"status":${reply.statusCode},"ms":${ms}`)
    done()
  })
}
