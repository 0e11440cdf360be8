import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation, Wishes } from '../../contract/operation.ts'
import type { KeptAnswer } from '../../domain/idempotency/answers.ts'
import type { IdempotencyService } from '../../domain/idempotency/service.ts'
import { AppError, errorStatus } from '../../lib/errors.ts'
import { errorBody } from '../shared/error-body.ts'
import { etagOf } from '../shared/etag.ts'
import { readyText } from '../shared/json-answer.ts'
import { serializerOf } from '../shared/serializer.ts'

export const IDEMPOTENCY_KEY = 'idempotency-key'

/** Refusals that another try would meet too. */
const KEPT_REFUSALS: readonly string[] = ['conflict', 'validation_failed']

function keyIn({ headers }: FastifyRequest): string | undefined {
  const key = headers[IDEMPOTENCY_KEY]
  if (key === undefined) return undefined
  if (typeof key === 'string' && /^[\x20-\x7e]{1,255}$/.test(key)) return key
  throw new AppError('bad_request', 'Idempotency-Key must have 1 to 255 printable ASCII characters.')
}

function refusalOf({ code, message, details }: AppError): KeptAnswer | undefined {
  if (!KEPT_REFUSALS.includes(code)) return undefined
  return { status: errorStatus[code], body: JSON.stringify(errorBody(code, message, details)), createdId: null }
}

interface Answering {
  idempotency: IdempotencyService
  op: Operation
  status: number
  /** The path of what was created. */
  locationOf: (id: number) => string
  send: (request: FastifyRequest, reply: FastifyReply, result: unknown) => unknown
}

/** Runs an operation once for each key: whoever sends the same request again gets the same answer (contract 16.5). */
export function onceForEachKey({ idempotency, op, status, locationOf, send }: Answering) {
  const serialize = serializerOf(op.output!)
  const json = (reply: FastifyReply, body: string) => {
    if (op.conditional && reply.statusCode < 300) reply.header('etag', etagOf(body))
    return reply.type('application/json; charset=utf-8').serializer(String).send(body)
  }

  return async function run(request: FastifyRequest, reply: FastifyReply, input: object): Promise<unknown> {
    const { caller, query, bodyDigest, validationError } = request
    const sent = keyIn(request)
    const work = (wishes?: Wishes) => {
      // The body is judged only now, since a refusal of it is kept too.
      if (validationError) throw validationError
      return op.run(caller, input as never, wishes)
    }
    if (sent === undefined) return send(request, reply, await work())
    const key = idempotency.keyOf({ userId: caller.userId, operation: op.id, key: sent, query, bodyDigest })
    const replay = ({ status, createdId, body: kept }: KeptAnswer) => {
      // First: where what was created is gone, this refuses, and neither header is true of that.
      const body = kept ?? readyText(op.idempotent!.readAgain!(caller, createdId!))!
      reply.code(status).header('idempotency-replayed', 'true')
      if (createdId !== null) reply.header('location', locationOf(createdId))
      return json(reply, body)
    }
    const before = idempotency.begin(key)
    if (before) return replay(before)
    const keep = (result: unknown) =>
      idempotency.keep(key, {
        status,
        body: serialize(result),
        createdId: op.created ? Number(op.created(result as never)) : null,
      })
    try {
      return send(request, reply, await work({ once: { key, keep } }))
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const meanwhile = await idempotency.settle(key, refusalOf(error))
      if (!meanwhile) throw error
      return replay(meanwhile)
    } finally {
      idempotency.end(key)
    }
  }
}
