import Fastify, { type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Operation } from '../contract/operation.ts'
import { health, ping } from '../http/health.ts'
import { legacy } from '../http/legacy/plugin.ts'
import { mcp } from '../http/mcp/plugin.ts'
import { oauthEndpoints } from '../http/oauth/plugin.ts'
import { pages } from '../http/pages/framework/plugin.tsx'
import { type AddressOptions, clientAddress, isLoopbackRequest } from '../http/shared/client-address.ts'
import { refusedByParser, stopServing } from '../http/shared/errors.ts'
import { AmbiguousHost, isHostUnclear } from '../http/shared/headers.ts'
import { sendLargeAnswersInPieces } from '../http/shared/large-answers.ts'
import { withoutDoubledSlashes } from '../http/shared/methods.ts'
import { logRequests } from '../http/shared/request-log.ts'
import { describeApi, openApiDocument } from '../http/v1/openapi.ts'
import { v1 } from '../http/v1/plugin.ts'
import { wellKnown } from '../http/well-known/plugin.ts'
import { METHODS } from '../lib/node-http.ts'
import { badUrl } from './bad-url.ts'
import { allOperations } from './operations.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  baseUrl: string
  bodyLimit: number
  version: string
  logger: Logger
  addresses: AddressOptions
  services: Services
  /** Legacy answers contain objects for airline and aircraft, and seats. */
  legacyObjects?: boolean
  /** If false, only the owner can sign in with a password. */
  passwordSignIn?: boolean
  now?: () => number
  operations?: readonly Operation[]
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

/** Registers all plugins. Does not listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { baseUrl, logger, services, version, probe, isStopping } = options
  const operations = options.operations ?? allOperations(services)
  const url = new URL(baseUrl)
  const basePath = url.pathname.replace(/\/$/, '')
  const commonHeaders = {
    'x-content-type-options': 'nosniff',
    ...(url.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const handleBadUrl = badUrl(baseUrl, basePath)
  const app = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    // A child logger per request costs more than logging the request.
    childLoggerFactory: (parent) => parent,
    bodyLimit: options.bodyLimit,
    // Fastify has no default timeout for slow bodies.
    requestTimeout: 30_000,
    // For silent connections; longer than any import takes.
    connectionTimeout: 300_000,
    keepAliveTimeout: 72_000,
    // A missing Host header is rejected below, in the format of each surface.
    http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000, requireHostHeader: false },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // The contract validates ids; Node limits the size of all headers.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    // Not in the router, which would not normalize unknown paths.
    rewriteUrl: ({ url = '/' }) => withoutDoubledSlashes(url),
    frameworkErrors: (error, request, reply) => {
      reply.headers(commonHeaders)
      handleBadUrl(error, request, reply)
    },
    clientErrorHandler: refusedByParser,
  }) as unknown as FastifyInstance

  logRequests(app, logger)
  sendLargeAnswersInPieces(app)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders)
    if (!isHostUnclear(request)) return done()
    // Further requests on this connection may be meant for another host.
    reply.header('connection', 'close')
    stopServing(request.raw.socket)
    done(new AmbiguousHost())
  })
  // All methods must be known, so that each surface can reject them in its own format.
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
      await root.register(v1, { prefix: '/api', ...api, idempotency: services.idempotency })
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
