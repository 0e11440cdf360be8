import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Operation } from './contract/operation.ts'
import { health, ping } from './http/health.ts'
import { badLegacyUrl } from './http/legacy/bad-url.ts'
import { legacy } from './http/legacy/plugin.ts'
import { mcp } from './http/mcp/plugin.ts'
import { oauthEndpoints } from './http/oauth/plugin.ts'
import { badPageUrl } from './http/pages/bad-url.ts'
import { pages } from './http/pages/plugin.tsx'
import { type AddressOptions, clientAddress, isLoopbackRequest } from './http/shared/client-address.ts'
import { badUrl, refusedByParser, sayNoMore } from './http/shared/framework-errors.ts'
import { AmbiguousHost, isHostUnclear } from './http/shared/host.ts'
import { sendLargeAnswersInPieces } from './http/shared/large-answers.ts'
import { withoutDoubledSlashes } from './http/shared/methods.ts'
import { logRequests } from './http/shared/request-log.ts'
import { describeApi, openApiDocument } from './http/v1/openapi.ts'
import { v1 } from './http/v1/plugin.ts'
import { wellKnown } from './http/well-known/plugin.ts'
import { METHODS } from './lib/node-http.ts'
import { allOperations } from './operations.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  baseUrl: string
  bodyLimit: number
  version: string
  logger: Logger
  addresses: AddressOptions
  services: Services
  /** Objects for airline and aircraft, and seats, in legacy answers. */
  legacyObjects?: boolean
  /** False: only the owner signs in with a password. */
  passwordSignIn?: boolean
  /** The time that limits go by, the system's when absent. */
  now?: () => number
  /** Everything the services can do, unless a test wants other operations. */
  operations?: readonly Operation[]
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

/** Registers the surfaces, in order; listening is somebody else's work. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { baseUrl, logger, services, version, probe, isStopping } = options
  const operations = options.operations ?? allOperations(services)
  const url = new URL(baseUrl)
  const basePath = url.pathname.replace(/\/$/, '')
  const everywhere = {
    'x-content-type-options': 'nosniff',
    ...(url.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const answerBadUrl = badLegacyUrl(baseUrl, badUrl(basePath, badPageUrl({ baseUrl, basePath })))
  const app = Fastify({
    loggerInstance: logger,
    // Requests are logged by one line of our own.
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger with a number of its own would cost each request more than everything the log says about it.
    childLoggerFactory: (parent) => parent,
    bodyLimit: options.bodyLimit,
    // A slow client holds a socket no longer than this; the framework's own defaults never let go of a slow body.
    requestTimeout: 30_000,
    // Nor, for twice this at most, one that is silent otherwise; longer than any import works. Readers of large answers have
    // less time.
    connectionTimeout: 300_000,
    keepAliveTimeout: 72_000,
    // A missing Host is refused below, in the form of each surface; Node's own answer would have none.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    // Idle connections end with the server; running requests are finished.
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // An id of any length is judged by the contract; Node's limit for all headers bounds it.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    // Here and not in the router, whose search for a handler of unknown paths would not ignore them.
    rewriteUrl: ({ url = '/' }) => withoutDoubledSlashes(url),
    frameworkErrors: (error, request, reply) => {
      reply.headers(everywhere)
      answerBadUrl(error, request, reply)
    },
    clientErrorHandler: refusedByParser,
  }) as unknown as FastifyInstance

  logRequests(app, logger)
  sendLargeAnswersInPieces(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(everywhere)
    if (!isHostUnclear(request)) return done()
    // Whatever follows on this connection may be meant for another host.
    reply.header('connection', 'close')
    sayNoMore(request.raw.socket)
    done(new AmbiguousHost())
  })
  // The router must know every method, so that a path can refuse the ones it lacks in its own form.
  for (const method of METHODS) {
    if (method !== 'CONNECT' && !app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }

  await describeApi(app, { baseUrl, version })
  if (basePath) await app.register(health, { probe, isStopping })
  await app.register(wellKnown, { oauth: services.oauth, baseUrl, basePath })
  await app.register(
    async (root) => {
      await root.register(health, { probe, isStopping })
      await root.register(ping)
      const { authenticate } = services.credentials
      const { now } = options
      const api = { operations, authenticate, baseUrl, basePath, version }
      await root.register(legacy, { services, baseUrl, basePath, objects: options.legacyObjects ?? false })
      await root.register(v1, { prefix: '/api', ...api, idempotency: services.idempotency, tags: services.tags })
      await root.register(mcp, { prefix: '/api/mcp', ...api, memory: services.memory, now })
      const { addresses } = options
      const addressOf = (request: FastifyRequest) => clientAddress(request, addresses)
      await root.register(oauthEndpoints, { oauth: services.oauth, memory: services.memory, addressOf, now })
      await root.register(pages, {
        ...services,
        baseUrl,
        basePath,
        addressOf,
        isLocal: (request) => isLoopbackRequest(request, { ...addresses, baseUrl }),
        now,
        passwordSignIn: options.passwordSignIn ?? true,
        openApi: () => openApiDocument(app),
      })
    },
    { prefix: basePath },
  )
  return app
}
