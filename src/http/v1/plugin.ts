import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { validatorCompiler } from 'fastify-type-provider-zod'
import type { z } from 'zod'
import { requiredScopes } from '../../access/authorize.ts'
import type { OperationId } from '../../access/policy.ts'
import type { Scope } from '../../access/scopes.ts'
import type { Operation } from '../../contract/operation.ts'
import type { Authenticate } from '../../domain/credentials/authenticate.ts'
import { type IdempotencyService, StillRunning } from '../../domain/idempotency/service.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { identifyBy } from '../shared/authenticate.ts'
import { challengeFor } from '../shared/challenge.ts'
import { allowAllOrigins, errorHeaders } from '../shared/cors.ts'
import { errorBody, failureOf } from '../shared/errors.ts'
import { invalidInput, issuesOf } from '../shared/input.ts'
import { acceptJson } from '../shared/json-body.ts'
import { hasDotSegment, methodGuard, plainPath } from '../shared/methods.ts'
import { serializerOf } from '../shared/serializer.ts'
import { documents } from './documents.ts'
import { addRoute } from './route.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A body is not read. */
    ignoresBody?: true
    file?: true
    operation?: OperationId
    early?: NonNullable<Operation['early']>
  }
}

function toAnswer(error: FastifyError | Error): { status: number; error: AppError } {
  if (error instanceof AppError) return { status: errorStatus[error.code], error }
  const { status, code, message } = failureOf(error)
  return { status, error: new AppError(code, message, { cause: error }) }
}

function requiredScopesOf({ routeOptions, query }: FastifyRequest): readonly Scope[] {
  const { operation, early } = routeOptions.config
  return operation ? requiredScopes(operation, early?.(query as Record<string, unknown>, undefined) ?? {}) : []
}

function createErrorHandler(baseUrl: string) {
  const metadataUrl = `${baseUrl}/.well-known/oauth-protected-resource/api/v1`
  return function handleError(failure: FastifyError | Error, request: FastifyRequest, reply: FastifyReply) {
    const { status, error } = toAnswer(failure)
    const { url } = request.routeOptions
    reply.headers(errorHeaders)
    if (status === 500) request.log.error({ err: failure, method: request.method, route: url }, failure.message)
    if (status === 503) reply.header('retry-after', 5)
    if (error instanceof StillRunning) reply.header('retry-after', 1)
    const challenge = challengeFor(error, { metadataUrl, scopes: () => requiredScopesOf(request) })
    if (challenge) reply.header('www-authenticate', challenge)
    return reply.code(status).send(errorBody(error.code, error.message, error.details))
  }
}

interface Options {
  operations: readonly Operation[]
  authenticate: Authenticate
  idempotency: IdempotencyService
  baseUrl: string
  basePath: string
  version: string
}

export async function v1(app: FastifyInstance, options: Options): Promise<void> {
  const { operations, authenticate, idempotency, baseUrl, basePath, version } = options
  const guard = methodGuard([
    { method: 'GET', path: '' },
    { method: 'GET', path: '/v1' },
    { method: 'GET', path: '/v1/openapi.yaml' },
    ...operations.map((op) => {
      const [method, path] = op.route.split(' ') as [string, string]
      return { method, path: `/v1${path}` }
    }),
  ])

  app.setErrorHandler(createErrorHandler(baseUrl))
  await allowAllOrigins(app)
  app.setValidatorCompiler(validatorCompiler)
  app.setSchemaErrorFormatter((found, part) =>
    invalidInput(part === 'querystring' ? 'query' : (part as 'params' | 'body'), { issues: issuesOf(found) }),
  )
  // The serializer of the type provider validates each answer first, which takes four times as long.
  app.setSerializerCompiler(({ schema }) => serializerOf(schema as unknown as z.ZodType))
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('cache-control', 'private, no-store')
    if (!request.is404 && hasDotSegment(request.url)) return reply.callNotFound()
    done()
  })
  acceptJson(app)

  app.setNotFoundHandler((request, reply) => {
    const path = plainPath(request.url)
    const allow = guard.allowed(path.slice(`${basePath}/api`.length))
    if (allow === undefined) return reply.code(404).send(errorBody('not_found', 'There is nothing at this path.'))
    return reply
      .code(405)
      .header('allow', allow)
      .send(errorBody('bad_request', `This path does not have the method ${request.method}; it has ${allow}.`))
  })
  for (const { method, path } of guard.shadowed()) {
    const rejectMethod = (_request: FastifyRequest, reply: FastifyReply) => reply.callNotFound()
    // In the hook, because the method is checked before the body.
    app.route({ method, url: path, exposeHeadRoute: false, onRequest: rejectMethod, handler: rejectMethod })
  }

  await app.register(documents, { basePath, version })
  await app.register(
    async (closed) => {
      closed.decorateRequest('caller')
      const { identify, identifyAgain } = identifyBy(authenticate, 'v1')
      closed.addHook('onRequest', identify)
      closed.addHook('preValidation', identifyAgain)
      for (const op of operations) addRoute(closed, op, `${basePath}/api/v1`, idempotency)
    },
    { prefix: '/v1' },
  )
}
