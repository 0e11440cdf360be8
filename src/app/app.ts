import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Logger } from 'pino'
import type { Operation } from '../contract/operation.ts'
import { health, ping } from '../http/health.ts'
import { failure } from '../http/legacy/errors.ts'
import { legacy } from '../http/legacy/plugin.ts'
import { answerHeaders, roots } from '../http/legacy/route.ts'
import { mcp } from '../http/mcp/plugin.ts'
import { oauthEndpoints } from '../http/oauth/plugin.ts'
import { errorPages } from '../http/pages/framework/errors.tsx'
import { pages } from '../http/pages/framework/plugin.tsx'
import { type AddressOptions, clientAddress, isLoopbackRequest } from '../http/shared/client-address.ts'
import { errorHeaders } from '../http/shared/cors.ts'
import { errorBody, handleParserError, stopServing } from '../http/shared/errors.ts'
import { AmbiguousHost, isHostUnclear } from '../http/shared/headers.ts'
import { streamLargeAnswers } from '../http/shared/large-answers.ts'
import { plainPath, withoutDoubledSlashes } from '../http/shared/methods.ts'
import { logRequests } from '../http/shared/request-log.ts'
import { describeApi, openApiDocument } from '../http/v1/openapi.ts'
import { v1 } from '../http/v1/plugin.ts'
import { wellKnown } from '../http/well-known/plugin.ts'
import { METHODS } from '../lib/node-http.ts'
import { allOperations } from './operations.ts'
import type { Services } from './services.ts'

export interface AppOptions {
  baseUrl: string
  bodyLimit: number
  version: string
  logger: Logger
  addresses: AddressOptions
  services: Services
  legacyObjects?: boolean
  passwordSignIn?: boolean
  now?: () => number
  operations?: readonly Operation[]
  probe: () => void | Promise<void>
  isStopping: () => boolean
}

/** A path that cannot be decoded reaches no plugin, so its first segments decide the form of the answer. */
function badUrlHandler(baseUrl: string, basePath: string) {
  const message = 'The path is not validly encoded.'
  const { failed } = errorPages({ baseUrl, basePath })
  const v1 = { headers: errorHeaders, body: errorBody('bad_request', message) }
  const answers = [
    ...roots.map(({ root, successor }) => ({
      root: `${basePath}/api${root}/`,
      headers: answerHeaders(baseUrl, successor),
      body: failure(message),
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

/** Registers all plugins. Does not listen. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { baseUrl, logger, services, version, addresses, now, probe, isStopping } = options
  const operations = options.operations ?? allOperations(services)
  const url = new URL(baseUrl)
  const basePath = url.pathname.replace(/\/$/, '')
  const commonHeaders = {
    'x-content-type-options': 'nosniff',
    ...(url.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const handleBadUrl = badUrlHandler(baseUrl, basePath)
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
    clientErrorHandler: handleParserError,
  }) as unknown as FastifyInstance

  logRequests(app, logger)
  streamLargeAnswers(app)
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
      const api = { operations, authenticate, baseUrl, basePath, version }
      await root.register(legacy, { services, baseUrl, basePath, objects: options.legacyObjects ?? false })
      await root.register(v1, { prefix: '/api', ...api, idempotency: services.idempotency })
      await root.register(mcp, { prefix: '/api/mcp', ...api, memory: services.memory, now })
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
