import type { IncomingMessage, ServerResponse } from 'node:http'
import { errorCodes, type FastifyRequest } from 'fastify'
import { release } from '../../lib/release.ts'
import { type BodyMemory, LARGE_BODY, reserveBodyMemory } from './body-memory.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The response, which a body must know to stop when the client hangs up; set before a body is read whole. */
    answer: ServerResponse
    /** The memory that a large body has reserved. */
    bodyMemory: BodyMemory | undefined
  }
}

const { FST_ERR_CTP_BODY_TOO_LARGE: TooLarge, FST_ERR_CTP_INVALID_CONTENT_LENGTH: WrongLength } = errorCodes

/** May return a promise. */
type Use = (request: FastifyRequest, body: Buffer) => unknown
type Done = (error: Error | null, body?: unknown) => void

/** Most bodies come in one piece. */
function joined(pieces: readonly Buffer[], length: number): Buffer {
  if (pieces.length === 1) return pieces[0]!
  const body = Buffer.concat(pieces, length)
  pieces.forEach(release)
  return body
}

/**
 * A parser that gets a body whole. It reads as the framework's own does and refuses for the same reasons, but gives its
 * pieces back as soon as they are refused or put together: a body without a stated length is kept up to the limit.
 */
export const wholeBody = (use: Use) => (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
  const limit = request.routeOptions.bodyLimit
  const stated = request.headers['content-length']
  const pieces: Buffer[] = []
  let length = 0
  let memory: BodyMemory | undefined

  const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError)
  function refuse(error: Error): void {
    stop()
    pieces.forEach(release)
    memory?.end()
    done(error)
  }
  function reserve(): void {
    memory = reserveBodyMemory(limit, request.caller?.userId, () => payload.resume())
    request.bodyMemory = memory
    request.answer.once('close', memory.end)
    grow(length)
  }
  function grow(bytes: number): void {
    if (!memory!.grow(bytes)) payload.pause()
  }
  function onData(piece: Buffer): void {
    pieces.push(piece)
    length += piece.length
    if (length > limit) refuse(new TooLarge())
    else if (memory) grow(piece.length)
    else if (length > LARGE_BODY) reserve()
  }
  function onEnd(): void {
    if (stated !== undefined && Number(stated) !== length) {
      refuse(new WrongLength())
      return
    }
    stop()
    let value: unknown
    try {
      value = use(request, joined(pieces, length))
    } catch (error) {
      finish(error as Error)
      return
    }
    // Most bodies are ready at once, and a promise for each would cost time.
    if (value instanceof Promise) value.then((result) => finish(null, result), finish)
    else finish(null, value)
  }
  function finish(error: Error | null, value?: unknown): void {
    memory?.release()
    done(error, value)
  }
  function onError(error: Error): void {
    refuse(Object.assign(error, { statusCode: 400 }))
  }
  // What is announced too large is not read at all.
  if (Number(stated) > limit) done(new TooLarge())
  else payload.on('data', onData).on('end', onEnd).on('error', onError)
}
