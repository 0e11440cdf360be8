import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply } from 'fastify'

const LARGE_ANSWER = 1024 * 1024
const PIECE_BYTES = 64 * 1024
/** Disconnects clients that stop reading. Node restarts the timeout with every read. */
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
export async function startStream<Piece>(pieces: AsyncIterable<Piece>): Promise<Readable> {
  const rest = pieces[Symbol.asyncIterator]()
  let first: IteratorResult<Piece> | undefined = await rest.next()
  const next = async () => {
    const given = first
    first = undefined
    return given ?? rest.next()
  }
  // Ends the generator if the client disconnects before reading.
  const end = async () => (await rest.return?.()) ?? { done: true as const, value: undefined }
  return Readable.from({ [Symbol.asyncIterator]: () => ({ next, return: end }) }, { objectMode: false })
}

const isLarge = (payload: unknown): payload is string | Buffer =>
  Buffer.isBuffer(payload)
    ? payload.length > LARGE_ANSWER
    : typeof payload === 'string' && payload.length > LARGE_ANSWER / 3 && Buffer.byteLength(payload) > LARGE_ANSWER

/** Also lets the next large body of the user in as soon as the response is ready. */
export function streamLargeAnswers(app: FastifyInstance, maxStallMs = MAX_STALL_MS): void {
  app.decorateRequest('bodyMemory')
  app.addHook('onSend', (request, reply, payload, done) => {
    request.bodyMemory?.end()
    // After the response Node sets its own timeout. Injected requests have no real socket.
    const limitStall = () => reply.raw.socket?.setTimeout?.(maxStallMs)
    if (isLarge(payload)) {
      const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload
      reply.header('content-length', bytes.length)
      limitStall()
      done(null, Readable.from(slices([bytes]), { objectMode: false }))
      return
    }
    if (payload instanceof Readable) limitStall()
    done(null, payload)
  })
}
