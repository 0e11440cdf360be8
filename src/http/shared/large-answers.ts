import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Larger responses are sent in pieces as the client reads them. */
const LARGE_ANSWER = 1024 * 1024
const PIECE_BYTES = 64 * 1024
/** Until a client that reads nothing is disconnected. Node restarts the timeout with every read. */
const MAX_STALL_MS = 30_000

function* slices(parts: Iterable<Buffer>): Generator<Buffer> {
  for (const part of parts) {
    for (let from = 0; from < part.length; from += PIECE_BYTES) yield part.subarray(from, from + PIECE_BYTES)
  }
}

/** Sends bytes that several responses may share, without a copy if they are large. */
export function sendParts(reply: FastifyReply, parts: readonly Buffer[]): FastifyReply {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  if (length <= LARGE_ANSWER) return reply.send(Buffer.concat(parts, length))
  return reply.header('content-length', length).send(Readable.from(slices(parts), { objectMode: false }))
}

/** Waits for the first piece of a stream: a failure before it gets an ordinary error response. */
export async function begun<Piece>(pieces: AsyncIterable<Piece>): Promise<Readable> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Piece> | undefined = await rest.next()
  const next = async () => {
    const given = first
    first = undefined
    return given ?? rest.next()
  }
  // Ends the generator also if the client reads nothing.
  const end = async () => (await rest.return?.()) ?? { done: true as const, value: undefined }
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next, return: end }) }, { objectMode: false })
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  Buffer.isBuffer(payload)
    ? payload.length > LARGE_ANSWER
    : typeof payload === 'string' && payload.length > LARGE_ANSWER / 3 && Buffer.byteLength(payload) > LARGE_ANSWER

const isStream = (payload: unknown): payload is Readable => payload instanceof Readable

/** Also lets the next large body of the user in as soon as the response is ready. */
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

/** Disconnects a client that stops reading. After the response Node sets its own timeout for the next request. */
function watchReader({ raw }: FastifyReply, maxStallMs: number): void {
  // Injected requests have no real socket.
  raw.socket?.setTimeout?.(maxStallMs)
}
