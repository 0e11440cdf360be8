import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { MemoryService } from '../../domain/memory/service.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import { openToEveryOrigin } from '../shared/cors.ts'
import { answerOAuthError, oauthBody, uncached } from './errors.ts'
import { clientOf, parseForm, requiredIn } from './form.ts'
import { registerEndpoint } from './register.ts'
import { tokenEndpoint } from './token.ts'

const BODY_LIMIT = 64 * 1024

interface Options {
  oauth: OAuthService
  memory: MemoryService
  /** Whose request it is, as limits count. */
  addressOf: (request: FastifyRequest) => string
  /** The time that limits go by, the system's when absent. */
  now?: (() => number) | undefined
}

interface Endpoint {
  path: string
  limit: number
  status?: number
  handler: (request: FastifyRequest) => unknown
}

/** What applications call without a browser: registration, tokens, revocation, keys. */
export async function oauthEndpoints(app: FastifyInstance, options: Options): Promise<void> {
  const { oauth } = options
  app.setErrorHandler(answerOAuthError)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)

  const revoke = async (request: FastifyRequest) => {
    const form = parseForm(request)
    const { id } = oauth.clients.authenticate(clientOf(request, form))
    await oauth.revoke(id, requiredIn(form, 'token'))
    // Some clients parse every answer as JSON, although RFC 7009 allows an empty one.
    return {}
  }
  const endpoints: Record<string, Omit<Endpoint, 'path'>> = {
    '/oauth/register': { limit: 10, status: 201, handler: registerEndpoint(oauth) },
    '/oauth/token': { limit: 30, handler: tokenEndpoint(oauth) },
    '/oauth/revoke': { limit: 30, handler: revoke },
  }
  for (const [prefix, endpoint] of Object.entries(endpoints)) {
    // Each is a plugin of its own: CORS is open for it and not for the pages beside it.
    await app.register((child) => serve(child, { path: prefix, ...endpoint }, options), { prefix })
  }
}

async function serve(app: FastifyInstance, { path, limit, status = 200, handler }: Endpoint, options: Options) {
  await openToEveryOrigin(app)
  const { addressOf, memory, now } = options
  const limiter = memory.limiter(path, { limit, windowMs: 60_000, capacity: 10_000, now })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(uncached)
    done()
  })
  app.route({
    method: 'POST',
    url: '',
    bodyLimit: BODY_LIMIT,
    onRequest: async (request, reply) => {
      const wait = limiter.take(addressOf(request))
      if (wait === 0) return undefined
      reply.code(429).header('retry-after', wait)
      return reply.send(oauthBody('temporarily_unavailable', `Too many requests; try again in ${wait} seconds.`))
    },
    handler: async (request, reply) => {
      reply.code(status)
      return handler(request)
    },
  })
  app.route({
    method: app.supportedMethods.filter((method) => method !== 'POST' && method !== 'OPTIONS'),
    url: '',
    exposeHeadRoute: false,
    // In the hook, so that no body is read first.
    onRequest: async ({ method }, reply) =>
      reply
        .code(405)
        .header('allow', 'POST, OPTIONS')
        .send(oauthBody('invalid_request', `Use POST; ${method} is not offered here.`)),
    handler: () => undefined,
  })
}
