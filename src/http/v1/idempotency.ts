import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation, RequestOptions } from '../../contract/operation.ts'
import type { IdempotencyService, StoredAnswer } from '../../domain/idempotency/service.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { errorBody } from '../shared/errors.ts'
import { etagOf } from '../shared/etag.ts'
import { readyText } from '../shared/json-answer.ts'
import { serializerOf } from '../shared/serializer.ts'

export const IDEMPOTENCY_KEY = 'idempotency-key'

const STORED_ERROR_CODES: readonly string[] = ['conflict', 'validation_failed']

function readKey({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY]
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new AppError('bad_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.')
}

function toStoredError({ code, message, details }: AppError): StoredAnswer | undefined {
  if (!STORED_ERROR_CODES.includes(code)) return undefined
  return { status: errorStatus[code], body: JSON.stringify(errorBody(code, message, details)), createdId: null }
}

interface IdempotencyOptions {
  idempotency: IdempotencyService
  op: Operation
  status: number
  locationOf: (id: number) => string
  send: (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown
}

/** Contract 16.5. */
export function withIdempotency({ idempotency, op, status, locationOf, send }: IdempotencyOptions) {
  const serialize = serializerOf(op.output!)
  const json = (reply: FastifyReply, body: string) => {
    if (op.conditional && reply.statusCode < 300) reply.header('etag', etagOf(body))
    return reply.type('application/json; charset=utf-8').serializer(String).send(body)
  }

  return async function run(request: FastifyRequest, reply: FastifyReply, input: object): Promise<unknown> {
    const { caller, query, bodyDigest, validationError } = request
    const keyHeader = readKey(request)
    const work = (options?: RequestOptions) => {
      // Validated here, because a validation error is stored too.
      if (validationError) throw validationError
      return op.run(caller, input as never, options)
    }
    if (keyHeader === undefined) return send(request, reply, await work())
    const key = idempotency.keyOf({ userId: caller.userId, operation: op.id, key: keyHeader, query, bodyDigest })
    const replay = ({ status, createdId, body: storedBody }: StoredAnswer) => {
      // First, because it fails if the created record was deleted.
      const body = storedBody ?? readyText(op.idempotent!.readAgain!(caller, createdId!))!
      reply.code(status).header('idempotency-replayed', 'true')
      if (createdId !== null) reply.header('location', locationOf(createdId))
      return json(reply, body)
    }
    const earlier = idempotency.begin(key)
    if (earlier) return replay(earlier)
    const keep = (result: unknown) =>
      idempotency.save(key, {
        status,
        body: serialize(result),
        createdId: op.created ? Number(op.created(result as never)) : null,
      })
    try {
      return send(request, reply, await work({ once: { key, keep } }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const storedAnswer = await idempotency.settle(key, toStoredError(error))
      if (!storedAnswer) throw error
      return replay(storedAnswer)
    } finally {
      idempotency.end(key)
    }
  }
}
