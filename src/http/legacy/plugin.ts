import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { requireFixedScopes } from '../../access/authorize.ts'
import { identifyBy } from '../shared/authenticate.ts'
import { acceptJson } from '../shared/json-body.ts'
import { hasDotSegment, methodGuard, plainPath } from '../shared/methods.ts'
import { errorAnswerer, failure } from './errors.ts'
import { answerHeaders, type LegacyOptions, type LegacyRoute, roots } from './route.ts'
import { legacyRoutes } from './routes.ts'

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE']

function successorOf({ successor }: Pick<LegacyRoute, 'successor'>, params: unknown): string {
  const { id = '' } = params as { id?: string }
  const known = /^\d+$/.test(id) && Number.isSafeInteger(Number(id))
  return successor.replace('/{id}', known ? `/${Number(id)}` : '')
}

/** The deprecated API at /api/flight and /api/stats, on the services and the policy of v1 (contract 6). */
export async function legacy(app: FastifyInstance, options: LegacyOptions): Promise<void> {
  const { services, baseUrl, basePath } = options
  const routes = legacyRoutes(options)
  const guard = methodGuard(routes)

  function refuse(request: FastifyRequest, reply: FastifyReply): void {
    const methods = guard.methodsOf(plainPath(request.url).slice(`${basePath}/api`.length))
    if (!methods) {
      reply.code(404).send(failure('There is nothing at this path.'))
      return
    }
    const allow = [...methods].join(', ')
    const message = `This path does not have the method ${request.method}; it has ${allow}.`
    reply.code(405).header('allow', allow).send(failure(message))
  }

  const answerError = errorAnswerer(baseUrl)
  acceptJson(app)
  app.decorateRequest('caller')

  for (const { root, successor } of roots) {
    const own = routes.filter(({ path }) => path.startsWith(root))
    await app.register(
      async (part) => {
        const setHeaders = ({ routeOptions, params }: FastifyRequest, reply: FastifyReply) =>
          reply.headers(answerHeaders(baseUrl, successorOf(routeOptions.config.legacy ?? { successor }, params)))
        part.setErrorHandler<Error>((error, request, reply) => {
          // The hook below may not have run; a handler may have set a closer successor.
          if (!reply.hasHeader('deprecation')) setHeaders(request, reply)
          return answerError(error, request, reply)
        })
        part.addHook('onRequest', (request, reply, done) => {
          setHeaders(request, reply)
          if (!request.is404 && hasDotSegment(request.url)) return refuse(request, reply)
          done()
        })
        part.setNotFoundHandler(refuse)
        // Otherwise the CORS plugin of v1 would answer every OPTIONS below /api.
        const served = new Set(own.filter(({ path }) => path === root).flatMap(methodsOf))
        const unserved = METHODS.filter((method) => !served.has(method))
        for (const [url, method] of [
          ['/', unserved],
          ['/*', METHODS],
        ] as const) {
          part.route({ method: [...method], url, exposeHeadRoute: false, onRequest: refuse, handler: refuse })
        }
        await part.register(async (closed) => {
          const { identify, identifyAgain } = identifyBy(services.credentials.authenticate, 'legacy')
          closed.addHook('onRequest', identify)
          closed.addHook('preHandler', identifyAgain)
          for (const { method, path, operations, early, successor: replacedBy, handle } of own) {
            closed.route({
              method,
              url: path.slice(root.length).replace(/\{(\w+)\}/g, ':$1') || '/',
              config: { legacy: { operations, successor: replacedBy, ...(early && { early }) } },
              preHandler: ({ caller, query }, _reply, done) => {
                // The handler chooses between several operations.
                const [only, ...others] = operations
                if (others.length === 0) requireFixedScopes(caller, only!, early && (() => early(query as object)))
                done()
              },
              handler: handle,
            })
          }
        })
      },
      { prefix: `/api${root}` },
    )
  }
}

const methodsOf = ({ method }: LegacyRoute) => (method === 'GET' ? ['GET', 'HEAD'] : [method])
