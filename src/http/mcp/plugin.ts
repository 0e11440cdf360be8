import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Authenticate } from '../../domain/credentials/authenticate.ts'
import type { MemoryService } from '../../domain/memory/service.ts'
import type { Clock } from '../../lib/clock.ts'
import { AppError } from '../../lib/errors.ts'
import { identifyBy } from '../shared/authenticate.ts'
import { openToEveryOrigin } from '../shared/cors.ts'
import { parseJson } from '../shared/json-body.ts'
import { plainPath } from '../shared/methods.ts'
import { wholeBody } from '../shared/whole-body.ts'
import { errorAnswerer, HttpRefusal } from './errors.ts'
import { hostCheck } from './host.ts'
import { RpcError, readMessage } from './json-rpc.ts'
import { mcpProtocol } from './protocol.ts'
import { requireServed } from './versions.ts'

interface Options {
  operations: readonly Operation[]
  authenticate: Authenticate
  memory: MemoryService
  baseUrl: string
  basePath: string
  version: string
  /** The time that the limit goes by, the system's when absent. */
  now: Clock | undefined
}

type Done = (error?: Error) => void

const JSON_TYPE = 'application/json'
const STREAM_TYPE = 'text/event-stream'
const ALLOW = 'GET, HEAD, POST, OPTIONS'

/** What it is, and how to be let in, for somebody who opens the address (contract 9.2). */
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

/** Whether JSON, or the stream that a client must be ready for too, is among the types that a client takes. */
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

/** The protocol begins only with a message in JSON from somebody who can read JSON. */
function requireJson({ headers, raw }: FastifyRequest, _reply: FastifyReply, done: Done): void {
  if (!isAcceptable(headers.accept)) {
    throw new HttpRefusal(406, `The Accept header must admit ${JSON_TYPE} or ${STREAM_TYPE}.`)
  }
  if (!isJson(headers['content-type'])) throw new HttpRefusal(415, `The Content-Type must be ${JSON_TYPE}.`)
  // Parameters of the type are nothing to the framework's own reading of it.
  raw.headers['content-type'] = JSON_TYPE
  done()
}

function refuseMethod(): never {
  throw new HttpRefusal(405, 'There are no streams and no sessions here: send messages with POST.', { allow: ALLOW })
}

/** At most 600 calls of tools a minute for each key or family of tokens (contract 1.9). */
function callCounter({ memory, now }: Options) {
  const limiter = memory.limiter('/api/mcp', { limit: 600, windowMs: 60_000, capacity: 10_000, now })
  return ({ credential }: Caller): void => {
    const seconds = limiter.take(credential.id)
    if (seconds === 0) return
    const message = `These are more than 600 calls in a minute: try again in ${seconds} s.`
    throw new HttpRefusal(429, message, { 'retry-after': String(seconds) })
  }
}

/** Other surfaces call this invalid_json; here it has the number of JSON-RPC. */
function refuseBody(error: unknown): never {
  if (error instanceof AppError) throw new RpcError('parseError', error.message, { status: 400 })
  throw error
}

/** A message as JSON; a promise if it is large. */
function parseMessage(request: FastifyRequest, body: Buffer): unknown {
  try {
    const value = parseJson(request, body)
    return value instanceof Promise ? value.catch(refuseBody) : value
  } catch (error) {
    return refuseBody(error)
  }
}

/** The MCP endpoint: Streamable HTTP without sessions, every answer plain JSON (contract 9). */
export async function mcp(app: FastifyInstance, options: Options): Promise<void> {
  const { operations, authenticate, baseUrl, basePath, version } = options
  const answer = mcpProtocol({ operations, version, countCall: callCounter(options) })
  const isOurs = hostCheck(baseUrl)
  const { identify, identifyAgain } = identifyBy(authenticate, 'mcp')
  const document = publicDocument(baseUrl)
  const isEndpoint = ({ url }: FastifyRequest) => plainPath(url) === `${basePath}/api/mcp`

  app.setErrorHandler(errorAnswerer(baseUrl))
  await openToEveryOrigin(app)
  app.decorateRequest('caller')
  app.decorateRequest('answer')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(JSON_TYPE, wholeBody(parseMessage))
  app.addHook('onRequest', (request, reply, done) => {
    request.answer = reply.raw
    reply.header('cache-control', 'private, no-store')
    if (request.is404 && !isEndpoint(request)) throw new AppError('not_found', 'There is nothing at this path.')
    if (!isOurs(request.headers.host)) throw new AppError('forbidden', 'The Host header does not name this instance.')
    // Already here: the method is judged before a body is.
    if (request.is404) refuseMethod()
    done()
  })
  // Makes the hook above see what no route takes: paths below, and the other methods of this one.
  app.setNotFoundHandler(refuseMethod)

  app.get(
    '',
    { onRequest: (request, reply, done) => (wantsStream(request) ? identify(request, reply, done) : done()) },
    async (request, reply) => {
      if (wantsStream(request)) refuseMethod()
      return reply.headers({ 'cache-control': 'public, max-age=60', vary: 'Accept' }).send(document)
    },
  )
  app.delete('', { onRequest: [identify, refuseMethod] }, refuseMethod)
  const route = { onRequest: [identify, requireJson], preHandler: identifyAgain }

  app.post('', route, async (request, reply) => {
    const body = request.body === undefined ? parseMessage(request, Buffer.alloc(0)) : request.body
    requireServed(request.headers, body)
    const message = readMessage(body)
    if (!message) return reply.code(202).send()
    const report = (cause: unknown) => request.log.error({ err: cause, method: message.method }, 'an MCP call failed')
    const answered = await answer(message, request.headers, request.caller, report)
    return reply.code(answered.status).type('application/json; charset=utf-8').send(answered.body)
  })
}
