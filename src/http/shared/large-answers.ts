import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Larger answers leave in pieces as they are read. */
const LARGE_ANSWER = 1024 * 1024
const PIECE_BYTES = 64 * 1024
/** A client that reads nothing for so long is cut off. While it reads, however slowly, Node begins to count anew. */
const MAX_STALL_MS = 30_000

function* slices(parts: Iterable<Buffer>): Generator<Buffer> {
  for (const part of parts) {
    for (let from = 0; from < part.length; from += PIECE_BYTES) yield part.subarray(from, from + PIECE_BYTES)
  }
}

/** Bytes that several readers may share; none of them is copied for each. */
export function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= LARGE_ANSWER) return reply.send(Buffer.concat(parts, length))
  return reply.header('content-length', length).send(Readable.from(slices(parts), { objectMode: false }))
}

/**
 * An answer in pieces whose first one is there. What fails before that, such as a database that went away, is answered as
 * in any other request; later the rest is missing, and the client sees that.
 */
export async function begun<Piece>(pieces: AsyncIterable<Piece>): Promise<Readable> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Piece> | undefined = await rest.next()
  const next = async () => {
    const given = first
    first = undefined
    return given ?? rest.next()
  }
  // Also where nobody reads any of it, what the pieces are made from is given back.
  const end = async () => (await rest.return?.()) ?? { done: true as const, value: undefined }
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next, return: end }) }, { objectMode: false })
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  Buffer.isBuffer(payload)
    ? payload.length > LARGE_ANSWER
    : typeof payload === 'string' && payload.length > LARGE_ANSWER / 3 && Buffer.byteLength(payload) > LARGE_ANSWER

const isStream = (payload: unknown): payload is Readable => payload instanceof Readable

/** For every answer of the app. Once it is ready, the next large body of its user may come in; a slow client holds no copy. */
export function sendLargeAnswersInPieces(app: FastifyInstance, maxStallMs = MAX_STALL_MS): void {
  app.decorateRequest('bodyMemory')
  app.addHook('onSend', (request, reply, payload, done) => {
    request.bodyMemory?.end()
    if (isLarge(payload)) {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      reply.header('content-length', bytes.length)
      watchReader(reply, maxStallMs)
      done(null, Readable.from(slices([bytes]), { objectMode: false }))
      return
    }
    if (isStream(payload)) watchReader(reply, maxStallMs)
    done(null, payload)
  })
}

/** Cuts off a client that stops reading. When the answer has left, Node sets its own time-out for the next request. */
function watchReader({ raw }: FastifyReply, maxStallMs: number): void {
  // A request that a test injects has no real socket.
  raw.socket?.setTimeout?.(maxStallMs)
}
