import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import type { MemoryService } from '../../domain/memory/service.ts'
import { type GrantType, grantTypes, type TokenAnswer } from '../../domain/oauth/contract.ts'
import { OAuthError } from '../../domain/oauth/errors.ts'
import { isVerifier } from '../../domain/oauth/pkce.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import { openToEveryOrigin } from '../shared/cors.ts'
import { answerOAuthError, oauthBody, uncached } from './errors.ts'
import { type Form, parseForm, readCredentials, requireParameter } from './form.ts'

const BODY_LIMIT = 64 * 1024

interface Options {
  oauth: OAuthService
  memory: MemoryService
  addressOf: (request: FastifyRequest) => string
  now?: (() => number) | undefined
}

interface Endpoint {
  path: string
  limit: number
  status?: number
  handler: (request: FastifyRequest) => unknown
}

function parseMetadata(request: FastifyRequest): Record<string, unknown> {
  const invalidMetadata = (message: string) => new OAuthError('invalid_client_metadata', message)
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw invalidMetadata('Send the metadata as application/json.')
  const body = request.body as Buffer | undefined
  if (!body || !isUtf8(body)) throw invalidMetadata('The body is missing or is not UTF-8.')
  let metadata: unknown
  try {
    metadata = sjson.parse(body.toString(), undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch {
    throw invalidMetadata('The body is not valid JSON, or it holds a __proto__ key.')
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw invalidMetadata('The body must be a JSON object.')
  }
  return metadata as Record<string, unknown>
}

const registerEndpoint = (oauth: OAuthService) => (request: FastifyRequest) =>
  oauth.clients.register(parseMetadata(request))

interface Context {
  oauth: OAuthService
  form: Form
  clientId: string
  resource: string
}

const grants: Record<GrantType, (context: Context) => Promise<TokenAnswer>> = {
  authorization_code({ oauth, form, clientId, resource }) {
    const code = requireParameter(form, 'code')
    const verifier = requireParameter(form, 'code_verifier')
    if (!isVerifier(verifier))
      throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters.')
    return oauth.exchangeCode({ clientId, code, verifier, redirectUri: form.get('redirect_uri'), resource })
  },
  refresh_token({ oauth, form, clientId, resource }) {
    const refreshToken = requireParameter(form, 'refresh_token')
    return oauth.refresh({ clientId, refreshToken, scope: form.get('scope'), resource })
  },
}

function grantTypeOf(form: Form): GrantType {
  const type = requireParameter(form, 'grant_type')
  if ((grantTypes as readonly string[]).includes(type)) return type as GrantType
  throw new OAuthError('unsupported_grant_type', `grant_type must be ${grantTypes.join(' or ')}.`)
}

function resourceOf(form: Form, { resources }: OAuthService): string {
  const wanted = form.get('resource')
  const name = wanted === undefined ? undefined : resources.findByUrl(wanted)
  if (name !== undefined) return resources.urls[name]
  throw new OAuthError('invalid_target', `resource must be ${resources.urls.v1} or ${resources.urls.mcp}.`)
}

/** In the order of contract 7.7. */
const tokenEndpoint = (oauth: OAuthService) => async (request: FastifyRequest) => {
  const form = parseForm(request)
  const type = grantTypeOf(form)
  const { id: clientId } = oauth.clients.authenticate(readCredentials(request, form))
  const resource = resourceOf(form, oauth)
  return grants[type]({ oauth, form, clientId, resource })
}

export async function oauthEndpoints(app: FastifyInstance, options: Options): Promise<void> {
  const { oauth } = options
  app.setErrorHandler(answerOAuthError)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: FastifyRequest, body: Buffer) => body)

  const revoke = async (request: FastifyRequest) => {
    const form = parseForm(request)
    const { id } = oauth.clients.authenticate(readCredentials(request, form))
    await oauth.revoke(id, requireParameter(form, 'token'))
    // RFC 7009 allows an empty answer, but some clients always parse JSON.
    return {}
  }
  const endpoints: Record<string, Omit<Endpoint, 'path'>> = {
    '/oauth/register': { limit: 10, status: 201, handler: registerEndpoint(oauth) },
    '/oauth/token': { limit: 30, handler: tokenEndpoint(oauth) },
    '/oauth/revoke': { limit: 30, handler: revoke },
  }
  for (const [prefix, endpoint] of Object.entries(endpoints)) {
    // One plugin per endpoint, because CORS must not apply to the pages beside it.
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
    onRequest: async ({ method }, reply) =>
      reply
        .code(405)
        .header('allow', 'POST, OPTIONS')
        .send(oauthBody('invalid_request', `Use POST; ${method} is not offered here.`)),
    handler: () => undefined,
  })
}
