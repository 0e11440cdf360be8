import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, HTTPMethods } from 'fastify'
import * as z from 'zod'
import { requireFixedScopes } from '../../access/authorize.ts'
import { isTextFile, payloadOf } from '../../contract/answer.ts'
import { ErrorBody } from '../../contract/common.ts'
import type { Operation } from '../../contract/operation.ts'
import { parseInput } from '../shared/input.ts'
import { routeDocument } from './openapi.ts'
import { statusesOf, successStatus } from './responses.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

const AnyFile = z.string().meta({ description: 'The file itself, not a form.' })

/** One type has a schema; where there are more, each is named. */
function successBody({ output, alsoAs = [] }: Operation) {
  if (alsoAs.length === 0) return output
  const others = alsoAs.map((type) => [type, { schema: z.string() }])
  return { content: { 'application/json': { schema: output }, ...Object.fromEntries(others) } }
}

/** What each answer is serialized by. */
function responses(op: Operation) {
  const success = successStatus(op)
  return Object.fromEntries(
    statusesOf(op)
      .filter((status) => status !== 204)
      .map((status) => [status, status === success ? successBody(op) : ErrorBody]),
  )
}

/** Serves one operation as one Fastify route. */
export function addRoute(app: FastifyInstance, op: Operation, root: string): void {
  const [method, path] = op.route.split(' ') as [HTTPMethods, string]
  const status = successStatus(op)
  const { params, query, body } = op.input
  const { created, early } = op
  const send = (reply: FastifyReply, result: unknown) => {
    reply.code(status)
    if (created) reply.header('location', `${root}${path}/${created(result as never)}`)
    const payload = payloadOf(result)
    if (payload !== undefined) {
      reply.type(JSON_TYPE)
      return typeof payload === 'string' ? reply.serializer(String).send(payload) : reply.send(payload)
    }
    if (isTextFile(result)) {
      reply.type(result.type).header('content-disposition', `attachment; filename="${result.name}"`)
      return reply.send(Readable.from(result.pieces, { objectMode: false }))
    }
    return reply.send(result)
  }
  app.route({
    method,
    url: path.replace(/\{(\w+)\}/g, ':$1'),
    config: { operation: op.id, ...(early && { early }), ...(op.input.file && { file: true }) },
    schema: {
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(op.input.file && { body: AnyFile, consumes: ['application/octet-stream'] }),
      response: responses(op),
      ...routeDocument(op),
    },
    onRequest: (request, _reply, done) => {
      const { caller } = request
      requireFixedScopes(caller, op.id, early && (() => early(request.query as Record<string, unknown>, caller)))
      done()
    },
    handler: (request, reply) => {
      const result = op.run(request.caller, parseInput(op.input, request) as never)
      // Most results are there at once; a promise for each of them would cost more than the work.
      return result instanceof Promise ? result.then((value) => send(reply, value)) : send(reply, result)
    },
  })
}
