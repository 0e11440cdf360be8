import { isUtf8 } from 'node:buffer'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import type { MemoryService } from '../../domain/memory/service.ts'
import {
  type ClientCredentials,
  type GrantType,
  grantTypes,
  OAuthError,
  oauthStatus,
} from '../../domain/oauth/contract.ts'
import { isVerifier } from '../../domain/oauth/parameters.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'
import { isObject } from '../../lib/objects.ts'
import { english } from '../../messages/english.ts'
import { allowAllOrigins, corsHeaders } from '../shared/cors.ts'
import { failureOf } from '../shared/errors.ts'
import { rejectOtherMethods } from '../shared/methods.ts'

/** RFC 6749 section 5.1. */
const uncached = { 'cache-control': 'no-store', pragma: 'no-cache' } as const

const oauthBody = (error: string, description: string) => ({ error, error_description: description })

const codes: Partial<Record<number, string>> = { 500: 'server_error', 503: 'temporarily_unavailable' }

function answerOAuthError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
  reply.headers({ ...corsHeaders, ...uncached })
  if (error instanceof OAuthError) {
    if (error.code === 'invalid_client') reply.header('www-authenticate', 'Basic realm="Paxlog"')
    return reply.code(oauthStatus[error.code]).send(oauthBody(error.code, error.message))
  }
  const { status, message } = failureOf(error)
  if (status === 500) request.log.error(error)
  if (status === 503) reply.header('retry-after', 5)
  return reply.code(status).send(oauthBody(codes[status] ?? 'invalid_request', message))
}

interface Options {
  oauth: OAuthService
  memory: MemoryService
  addressOf: (request: FastifyRequest) => string
  now?: (() => number) | undefined
}

interface Endpoint {
  path: string
  limit: number
  status: number
  handler: (request: FastifyRequest) => unknown
}

const FORM = 'application/x-www-form-urlencoded'

const contentType = ({ headers }: FastifyRequest) => headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()

type Form = ReadonlyMap<string, string>

function parseForm(request: FastifyRequest): Form {
  if (contentType(request) !== FORM) throw new OAuthError('invalid_request', `Send the parameters as ${FORM}.`)
  const form = new Map<string, string>()
  for (const [name, value] of new URLSearchParams((request.body as Buffer | undefined)?.toString() ?? '')) {
    if (form.has(name)) throw new OAuthError('invalid_request', `The parameter ${name} is given twice.`)
    form.set(name, value)
  }
  for (const [name, value] of form) if (value === '') form.delete(name)
  return form
}

function requireParameter(form: Form, name: string): string {
  const value = form.get(name)
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is missing.`)
  return value
}

/** RFC 6749 section 2.3.1: both parts are form-urlencoded. */
function basicCredentials(header: string): ClientCredentials {
  const undecodable = new OAuthError('invalid_client', 'The Basic credentials cannot be decoded.')
  const encoded = header.replace(/^basic\s+/i, '')
  const text = Buffer.from(encoded, 'base64').toString('utf8')
  const colon = text.indexOf(':')
  if (colon < 1 || !/^[A-Za-z0-9+/]+={0,2}$/.test(encoded)) throw undecodable
  try {
    const decoded = (part: string) => decodeURIComponent(part.replaceAll('+', ' '))
    return { clientId: decoded(text.slice(0, colon)), clientSecret: decoded(text.slice(colon + 1)) }
  } catch {
    // The message must not repeat what may be a secret.
    throw undecodable
  }
}

/** From the body or HTTP Basic, but not both (contract 7.7, step 3). */
function readCredentials(request: FastifyRequest, form: Form): ClientCredentials {
  const { authorization } = request.headers
  if (!authorization || !/^basic(\s|$)/i.test(authorization)) {
    return { clientId: requireParameter(form, 'client_id'), clientSecret: form.get('client_secret') }
  }
  const basic = basicCredentials(authorization)
  const named = form.get('client_id')
  if (form.has('client_secret') || (named !== undefined && named !== basic.clientId)) {
    throw new OAuthError('invalid_request', 'Send the client credentials either in the header or in the body.')
  }
  return basic
}

function parseMetadata(request: FastifyRequest): Record<string, unknown> {
  const invalidMetadata = (message: string) => new OAuthError('invalid_client_metadata', message)
  if (contentType(request) !== 'application/json') throw invalidMetadata('Send the metadata as application/json.')
  const body = request.body as Buffer | undefined
  if (!body || !isUtf8(body)) throw invalidMetadata('The body is missing or is not UTF-8.')
  let metadata: unknown
  try {
    metadata = sjson.parse(body.toString(), undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch {
    throw invalidMetadata('The body is not valid JSON, or it contains a __proto__ key.')
  }
  if (!isObject(metadata)) throw invalidMetadata('The body must be a JSON object.')
  return metadata
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
  throw new OAuthError('invalid_target', english.oauth.resource({ rest: resources.urls.v1, mcp: resources.urls.mcp }))
}

/** In the order of contract 7.7. */
const tokenEndpoint = (oauth: OAuthService) => async (request: FastifyRequest) => {
  const form = parseForm(request)
  const type = grantTypeOf(form)
  const { id: clientId } = oauth.clients.authenticate(readCredentials(request, form))
  const resource = resourceOf(form, oauth)
  if (type === 'refresh_token') {
    const refreshToken = requireParameter(form, 'refresh_token')
    return oauth.refresh({ clientId, refreshToken, scope: form.get('scope'), resource })
  }
  const code = requireParameter(form, 'code')
  const verifier = requireParameter(form, 'code_verifier')
  if (!isVerifier(verifier)) {
    throw new OAuthError('invalid_request', 'code_verifier must be 43 to 128 unreserved characters.')
  }
  return oauth.exchangeCode({ clientId, code, verifier, redirectUri: form.get('redirect_uri'), resource })
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
  const register = (request: FastifyRequest) => oauth.clients.register(parseMetadata(request))
  const endpoints: Endpoint[] = [
    { path: '/oauth/register', limit: 10, status: 201, handler: register },
    { path: '/oauth/token', limit: 30, status: 200, handler: tokenEndpoint(oauth) },
    { path: '/oauth/revoke', limit: 30, status: 200, handler: revoke },
  ]
  for (const endpoint of endpoints) {
    // One plugin per endpoint, because CORS must not apply to the pages beside it.
    await app.register((child) => serve(child, endpoint, options), { prefix: endpoint.path })
  }
}

async function serve(app: FastifyInstance, { path, limit, status, handler }: Endpoint, options: Options) {
  await allowAllOrigins(app)
  const { addressOf, memory, now } = options
  const limiter = memory.limiter(path, { limit, windowMs: 60_000, capacity: 10_000, now })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(uncached)
    done()
  })
  app.route({
    method: 'POST',
    url: '',
    bodyLimit: 64 * 1024,
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
  rejectOtherMethods(app, '', ['POST', 'OPTIONS'], (text) => oauthBody('invalid_request', text))
}
