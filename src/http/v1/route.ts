import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import * as z from 'zod'
import { requireFixedScopes } from '../../access/authorize.ts'
import { isTextFile, type JsonAnswer, type JsonContent, type TagHolder, tagHolderOf } from '../../contract/answer.ts'
import { ErrorBody } from '../../contract/common.ts'
import type { Operation } from '../../contract/operation.ts'
import type { IdempotencyService } from '../../domain/idempotency/service.ts'
import type { TagOf, TagService } from '../../domain/tags/service.ts'
import { etagOf, isListed, isNotModified, preconditionOf } from '../shared/etag.ts'
import { invalidInput, issuesOf } from '../shared/input.ts'
import { readyBody } from '../shared/json-answer.ts'
import { begun, sendParts } from '../shared/large-answers.ts'
import { serializerOf } from '../shared/serializer.ts'
import { IDEMPOTENCY_KEY, withIdempotency } from './idempotency.ts'
import { routeDocument } from './openapi.ts'
import { isRead, statusesOf, successStatus, takesIfMatch } from './responses.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const File = z
  .custom<Buffer>(Buffer.isBuffer)
  .meta({ override: { type: 'string', format: 'binary' }, description: 'The file itself, not a form.' })

const Nothing = z.null()

/** One type has a schema; where there are more, each is named. */
function successBody({ output, alsoAs }: Operation) {
  if (!alsoAs) return output ?? Nothing
  const types = Object.entries({ 'application/json': output, ...alsoAs })
  return { content: Object.fromEntries(types.map(([type, schema]) => [type, { schema }])) }
}

function bodyOf(op: Operation, status: number) {
  if (status === successStatus(op)) return successBody(op)
  return status === 304 ? Nothing : ErrorBody
}

/** What each answer is serialized by. */
function responses(op: Operation) {
  return Object.fromEntries(statusesOf(op).map((status) => [status, bodyOf(op, status)]))
}

/** The framework validates the body before the query; the contract has it the other way round (1.4, step 5). */
function validateQueryFirst(request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void): void {
  const { error } = request.validateInput(request.query, 'querystring') as unknown as {
    error?: Parameters<typeof issuesOf>[0]
  }
  done(error && invalidInput('query', { issues: issuesOf(error) }))
}

interface Options {
  root: string
  idempotency: IdempotencyService
  tags: TagService
}

interface Tagging {
  /** Where the tag of a record is kept that is kept itself. */
  kept: TagHolder | undefined
  payload: JsonContent
  /** How all others are found. */
  tagOf: TagOf
}

const madeTag: TagOf = (_caller, _address, make) => make()

/** Serves one operation as one Fastify route. */
export function addRoute(app: FastifyInstance, op: Operation, { root, idempotency, tags }: Options): void {
  const [method, path] = op.route.split(' ') as [HTTPMethods, string]
  const status = successStatus(op)
  const { params, query, body, file } = op.input
  const { created, early, timeless } = op
  const reads = isRead(op)
  const guarded = takesIfMatch(op)
  // Only whole bytes have a tag, so the framework has nothing left to serialize.
  const serialize = op.conditional && op.output ? serializerOf(op.output) : () => undefined
  /** Of an answer to HEAD the framework counts the bytes and drops them. */
  const needsBody = ({ method }: FastifyRequest) => method === 'HEAD'
  /** Whether the client has the answer that it would get, and is told so before anything is read. */
  const isKnown = (request: FastifyRequest, reply: FastifyReply): boolean => {
    const listed = request.headers['if-none-match']
    if (listed === undefined || needsBody(request)) return false
    const known = tags.of(request.caller, request.url)
    return known !== undefined && isListed(listed, known) && isNotModified(request, reply, known)
  }
  /** True when the answer is complete without its body. */
  const tag = (request: FastifyRequest, reply: FastifyReply, { kept, payload, tagOf }: Tagging): boolean => {
    const make = () => etagOf(payload)
    if (kept) kept.tag ??= make()
    const known = kept?.tag
    // Who asks whether something has changed will do so again, and is then told before anything is read.
    const asks = request.headers['if-none-match'] !== undefined
    const made = known && !asks ? known : tagOf(request.caller, request.url, () => known ?? make())
    if (!reads) reply.header('etag', made)
    else if (isNotModified(request, reply, made)) reply.code(304)
    return reply.statusCode === 304 && !needsBody(request)
  }
  const send = (request: FastifyRequest, reply: FastifyReply, result: unknown, tagOf = madeTag) => {
    reply.code(status)
    if (created) reply.header('location', `${root}${path}/${created(result as never)}`)
    const payload = readyBody(result) ?? serialize(result)
    if (payload !== undefined) {
      const kept = tagHolderOf((result as JsonAnswer).data)
      if (op.conditional && tag(request, reply, { kept, payload, tagOf })) return reply.send()
      reply.type(JSON_TYPE)
      if (typeof payload === 'string') return reply.serializer(String).send(payload)
      return sendParts(reply, payload)
    }
    if (isTextFile(result)) {
      return begun(result.pieces).then((pieces) =>
        reply.type(result.type).header('content-disposition', `attachment; filename="${result.name}"`).send(pieces),
      )
    }
    return reply.send(result)
  }
  const locationOf = (id: number) => `${root}${path}/${id}`
  const once = op.idempotent && withIdempotency({ idempotency, op, status, locationOf, send })
  app.withTypeProvider<ZodTypeProvider>().route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: {
      operation: op.id,
      ...(early && { early }),
      ...(file && { file }),
      ...(once && { digestFor: IDEMPOTENCY_KEY }),
    },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(file && { body: File, consumes: ['application/octet-stream'] }),
      response: responses(op),
      ...routeDocument(op),
    },
    onRequest: (request, reply, done) => {
      const { caller } = request
      requireFixedScopes(caller, op.id, early && (() => early(request.query as Record<string, unknown>, caller)))
      if (timeless && isKnown(request, reply)) reply.code(304).send()
      else done()
    },
    ...(query && body && { preValidation: validateQueryFirst }),
    ...(once && { attachValidation: true }),
    handler: (request, reply) => {
      const { params, query, body } = request
      if (once) return once(request, reply, { params, query, body, file: body })
      const options = { precondition: guarded ? preconditionOf(request) : undefined }
      const tagOf = timeless?.(query as never) ? tags.reading() : madeTag
      const result = op.run(request.caller, { params, query, body, file: body } as never, options)
      // Most results are there at once; a promise for each of them would cost more than the work.
      return result instanceof Promise
        ? result.then((value) => send(request, reply, value, tagOf))
        : send(request, reply, result, tagOf)
    },
  })
}
