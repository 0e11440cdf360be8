import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { requireFixedScopes } from '../../access/authorize.ts'
import { isTextFile, type JsonContent } from '../../contract/answer.ts'
import { ErrorBody } from '../../contract/common.ts'
import type { FileInput, Operation } from '../../contract/operation.ts'
import type { IdempotencyService } from '../../domain/idempotency/service.ts'
import { etagOf, isNotModified, preconditionOf } from '../shared/etag.ts'
import { invalidInput, issuesOf } from '../shared/input.ts'
import { readyBody } from '../shared/json-answer.ts'
import { sendParts, startStream } from '../shared/large-answers.ts'
import { serializerOf } from '../shared/serializer.ts'
import { IDEMPOTENCY_KEY, withIdempotency } from './idempotency.ts'
import { routeDocument } from './openapi.ts'
import { isRead, statusesOf, successStatus, takesIfMatch } from './responses.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const fileSchema = ({ description }: FileInput) =>
  z.custom<Buffer>(Buffer.isBuffer).meta({ override: { type: 'string', format: 'binary' }, description })

const Nothing = z.null()

function successBody({ output, alsoAs }: Operation) {
  if (!alsoAs) return output ?? Nothing
  const types = Object.entries({ 'application/json': output, ...alsoAs })
  return { content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])) }
}

function responses(op: Operation) {
  const errors = Object.fromEntries(statusesOf(op).map((status) => [status, status === 304 ? Nothing : ErrorBody]))
  return { ...errors, [successStatus(op)]: successBody(op) }
}

/** Fastify validates the body before the query; contract 1.4, step 5, wants the reverse. */
function validateQueryFirst(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { error } = request.validateInput(request.query, 'querystring') as unknown as {
    error?: Parameters<typeof issuesOf>[0]
  }
  done(error && invalidInput('query', { issues: issuesOf(error) }))
}

export function addRoute(app: FastifyInstance, op: Operation, root: string, idempotency: IdempotencyService): void {
  const [method, path] = op.route.split(' ') as [HTTPMethods, string]
  const status = successStatus(op)
  const { params, query, body, file } = op.input
  const { created, early } = op
  const locationOf = (id: number | string) => `${root}${path}/${id}`
  // The ETag is a hash of the body, so the body is serialized before Fastify sends it.
  const serialize = op.conditional && op.output ? serializerOf(op.output) : () => undefined
  /** Sets the ETag; true for a 304, which has no body. Fastify takes the length for HEAD from the body and drops it. */
  const tag = (request: FastifyRequest, reply: FastifyReply, payload: JsonContent): boolean => {
    const etag = etagOf(payload)
    if (!isRead(op)) reply.header('etag', etag)
    else if (isNotModified(request, reply, etag)) reply.code(304)
    return reply.statusCode === 304 && request.method !== 'HEAD'
  }
  const send = (request: FastifyRequest, reply: FastifyReply, result: unknown) => {
    reply.code(status)
    if (created) reply.header('location', locationOf(created(result as never)))
    const payload = readyBody(result) ?? serialize(result)
    if (payload !== undefined) {
      if (op.conditional && tag(request, reply, payload)) return reply.send()
      reply.type(JSON_TYPE)
      if (typeof payload === 'string') return reply.serializer(String).send(payload)
      return Buffer.isBuffer(payload) ? reply.send(payload) : sendParts(reply, payload as readonly Buffer[])
    }
    if (isTextFile(result)) {
      return startStream(result.pieces).then((pieces) =>
        reply.type(result.type).header('content-disposition', `attachment; filename="${result.name}"`).send(pieces),
      )
    }
    return reply.send(result)
  }
  const once = op.idempotent && withIdempotency({ idempotency, op, status, locationOf, send })
  app.withTypeProvider<ZodTypeProvider>().route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      operation: op.id,
      ...(early && { early }),
      ...(file && { file: true as const }),
      ...(!body && !file && { ignoresBody: true as const }),
      ...(once && { digestFor: IDEMPOTENCY_KEY }),
    },
    ...(file?.maxBytes !== undefined && { bodyLimit: Math.min(file.maxBytes, app.initialConfig.bodyLimit!) }),
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(file && { body: fileSchema(file), consumes: [...file.types] }),
      response: responses(op),
      ...routeDocument(op),
    },
    onRequest: ({ caller, query }, _reply, done) => {
      requireFixedScopes(caller, op.id, early && (() => early(query as Record<string, unknown>, caller)))
      done()
    },
    ...(query && body && { preValidation: validateQueryFirst }),
    ...(once && { attachValidation: true }),
    handler: (request, reply) => {
      const { params, query, body } = request
      if (once) return once(request, reply, { params, query, body, file: body })
      const options = {
        precondition: takesIfMatch(op) ? preconditionOf(request) : undefined,
        contentType: request.contentTypeAsSent,
      }
      const result = op.run(request.caller, { params, query, body, file: body } as never, options)
      return result instanceof Promise
        ? result.then((value) => send(request, reply, value))
        : send(request, reply, result)
    },
  })
}
