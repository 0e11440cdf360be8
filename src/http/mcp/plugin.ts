import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { mcpDefaultScopes } from '../../access/scopes.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Authenticate } from '../../domain/credentials/authenticate.ts'
import type { MemoryService } from '../../domain/memory/service.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { loopbackNames } from '../../lib/loopback.ts'
import { identifyBy } from '../shared/authenticate.ts'
import { challengeFor } from '../shared/challenge.ts'
import { allowAllOrigins, errorHeaders } from '../shared/cors.ts'
import { errorBody, failureOf } from '../shared/errors.ts'
import { parseJson, wholeBody } from '../shared/json-body.ts'
import { plainPath } from '../shared/methods.ts'
import { failure, RpcError, readMessage } from './json-rpc.ts'
import { mcpProtocol } from './protocol.ts'
import { requireSupportedVersion } from './versions.ts'

interface Options {
  operations: readonly Operation[]
  authenticate: Authenticate
  memory: MemoryService
  baseUrl: string
  basePath: string
  version: string
  now: Clock | undefined
}

type Done = (error?: Error) => void

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
const ALLOW = 'GET, HEAD, POST, OPTIONS'

class HttpError extends AppError {
  readonly status: number
  readonly headers: Record<string, string>

  constructor(status: 405 | 406 | 413 | 415 | 429, message: string, headers: Record<string, string> = {}) {
    super('bad_request', message)
    this.status = status
    this.headers = headers
  }
}

function normalizeError(error: FastifyError | Error): AppError | RpcError {
  if (error instanceof AppError || error instanceof RpcError) return error
  const { status, message } = failureOf(error)
  if (status === 413) return new HttpError(413, message)
  return new RpcError(status >= 500 ? 'internalError' : 'parseError', message, { status })
}

function createErrorHandler(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`
  return function handleError(thrown: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const error = normalizeError(thrown)
    reply.headers(errorHeaders)
    if (error instanceof RpcError) {
      if (error.status === 500) request.log.error({ err: thrown, method: request.method }, thrown.message)
      if (error.status === 503) reply.header('retry-after', 5)
      return reply.code(error.status).send(failure(error.id, error))
    }
    const challenge = challengeFor(error, { metadataUrl, scopes: () => mcpDefaultScopes })
    if (challenge) reply.header('www-authenticate', challenge)
    if (error instanceof HttpError) reply.headers(error.headers)
    const status = error instanceof HttpError ? error.status : errorStatus[error.code]
    return reply.code(status).send(errorBody(error.code, error.message, error.details))
  }
}

/** Contract 9.2. */
const publicDocument = (baseUrl: string) => ({
  name: 'Paxlog',
  protocol: 'Model Context Protocol',
  transport: { type: 'streamable-http', endpoint: `${baseUrl}/api/mcp`, stateless: true },
  authentication: {
    methods: ['api_key', 'oauth2_authorization_code_pkce'],
    bearerHeader: 'Authorization: Bearer <credential>',
    protectedResourceMetadata: `${baseUrl}/.well-known/oauth-protected-resource/api/mcp`,
  },
  apiDiscovery: `${baseUrl}/api`,
  documentation: `${baseUrl}/docs`,
})

const wantsStream = ({ headers }: FastifyRequest) => (headers.accept ?? '').toLowerCase().includes(STREAM_TYPE)

/** Clients must accept both types, but some send only one. */
function isAcceptable(accept: string | undefined): boolean {
  if (!accept?.trim()) return true
  const taken = ['*/*', 'application/*', 'text/*', JSON_TYPE, STREAM_TYPE]
  return accept
    .toLowerCase()
    .split(',')
    .map((range) => range.split(';').map((part) => part.trim()))
    .some(([type, ...parameters]) => taken.includes(type!) && !parameters.some((each) => /^q=0(\.0*)?$/.test(each)))
}

const isJson = (type = '') => type.split(';')[0]!.trim().toLowerCase() === JSON_TYPE

function requireJson({ headers, raw }: FastifyRequest, _reply: FastifyReply, done: Done): void {
  if (!isAcceptable(headers.accept)) {
    throw new HttpError(406, `The Accept header must allow ${JSON_TYPE} or ${STREAM_TYPE}.`)
  }
  if (!isJson(headers['content-type'])) throw new HttpError(415, `The Content-Type must be ${JSON_TYPE}.`)
  // Fastify would not match a content type with parameters.
  raw.headers['content-type'] = JSON_TYPE
  done()
}

function rejectMethod(): never {
  throw new HttpError(405, 'Streams and sessions are not supported. Send messages with POST.', { allow: ALLOW })
}

/** Limits tool calls per key or token family (contract 1.9). */
function createCallLimit({ memory, now }: Options) {
  const limiter = memory.limiter('/api/mcp', { limit: 600, windowMs: 60_000, capacity: 10_000, now })
  return ({ credential }: Caller): void => {
    const seconds = limiter.take(credential.id)
    if (seconds === 0) return
    const message = `More than 600 calls in a minute. Try again in ${seconds} s.`
    throw new HttpError(429, message, { 'retry-after': String(seconds) })
  }
}

function throwParseError(error: unknown): never {
  if (error instanceof AppError) throw new RpcError('parseError', error.message, { status: 400 })
  throw error
}

function parseMessage(request: FastifyRequest, body: Buffer): unknown {
  try {
    const value = parseJson(request, body)
    return value instanceof Promise ? value.catch(throwParseError) : value
  } catch (error) {
    return throwParseError(error)
  }
}

const isLoopback = (hostname: string) => loopbackNames.includes(hostname) || /^127\.\d+\.\d+\.\d+$/.test(hostname)

/** Detects DNS rebinding by the `Host` header. `Origin` is not checked, because all origins may call (contract 9.1). */
function hostCheck(baseUrl: string): (host: string | undefined) => boolean {
  const { protocol, hostname, port } = new URL(baseUrl)
  const defaultPort = protocol === 'https:' ? '443' : '80'
  const names = isLoopback(hostname) ? [hostname, ...loopbackNames] : [hostname]
  const accepted = new Set(names.map((name) => `${name}:${port || defaultPort}`))
  return (host = '') => {
    const [, name, sent] = /^(\[[\da-f:.]+\]|[^\s:/?#@\\[\]]+)(?::(\d*))?$/.exec(host.toLowerCase()) ?? []
    return accepted.has(`${name}:${sent || defaultPort}`)
  }
}

/** Streamable HTTP without sessions, with plain JSON answers (contract 9). */
export async function mcp(app: FastifyInstance, options: Options): Promise<void> {
  const { operations, authenticate, baseUrl, basePath, version } = options
  const answer = mcpProtocol({ operations, version, countCall: createCallLimit(options) })
  const isOurs = hostCheck(baseUrl)
  const { identify, identifyAgain } = identifyBy(authenticate, 'mcp')
  const document = publicDocument(baseUrl)
  const isEndpoint = ({ url }: FastifyRequest) => plainPath(url) === `${basePath}/api/mcp`

  app.setErrorHandler(createErrorHandler(baseUrl))
  await allowAllOrigins(app)
  app.decorateRequest('caller')
  app.decorateRequest('answer')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, wholeBody(parseMessage))
  app.addHook('onRequest', (request, reply, done) => {
    request.answer = reply.raw
    reply.header('cache-control', 'private, no-store')
    if (request.is404 && !isEndpoint(request)) throw new AppError('not_found', 'There is nothing at this path.')
    if (!isOurs(request.headers.host)) throw new AppError('forbidden', 'The Host header does not name this instance.')
    // Checked here, before the body.
    if (request.is404) rejectMethod()
    done()
  })
  // Makes the hook above run for other methods and paths below.
  app.setNotFoundHandler(rejectMethod)

  app.get(
    '',
    { onRequest: (request, reply, done) => (wantsStream(request) ? identify(request, reply, done) : done()) },
    async (request, reply) => {
      if (wantsStream(request)) rejectMethod()
      return reply.headers({ 'cache-control': 'public, max-age=60', vary: 'Accept' }).send(document)
    },
  )
  app.delete('', { onRequest: [identify, rejectMethod] }, rejectMethod)
  const route = { onRequest: [identify, requireJson], preHandler: identifyAgain }

  app.post('', route, async (request, reply) => {
    const body = request.body === undefined ? parseMessage(request, Buffer.alloc(0)) : request.body
    requireSupportedVersion(request.headers, body)
    const message = readMessage(body)
    if (!message) return reply.code(202).send()
    const report = (cause: unknown) => request.log.error({ err: cause, method: message.method }, 'MCP call failed')
    const answered = await answer(message, request.headers, request.caller, report)
    return reply.code(answered.status).type('application/json; charset=utf-8').send(answered.body)
  })
}
