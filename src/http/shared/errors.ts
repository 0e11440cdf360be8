import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { Busy, type ErrorCode, type ErrorDetail } from '../../lib/errors.ts'

export const errorBody = (code: ErrorCode, message: string, details?: ErrorDetail[]) => ({
  error: { code, message, ...(details && { details }) },
})

interface Failure {
  status: 400 | 413 | 500 | 503
  code: 'bad_request' | 'internal_error'
  message: string
}

export function failureOf(error: FastifyError | Error): Failure {
  if (error instanceof Busy) return { status: 503, code: 'internal_error', message: error.message }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return { status: 413, code: 'bad_request', message: 'The body is too large.' }
  if (statusCode >= 400 && statusCode < 500) {
    return { status: 400, code: 'bad_request', message: 'The request cannot be read.' }
  }
  return { status: 500, code: 'internal_error', message: 'Something failed on the server; its log has the cause.' }
}

export const plainErrorHandler =
  (headers: Record<string, string>) => (error: Error, request: FastifyRequest, reply: FastifyReply) => {
    const { status, code, message } = failureOf(error)
    if (status === 500) request.log.error(error)
    if (status === 503) reply.header('retry-after', 5)
    return reply.code(status).headers(headers).send(errorBody(code, message))
  }

const parserErrors: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

const stopped = new WeakSet<Socket>()

/** No further request on this connection is answered. */
export const stopServing = (socket: Socket): void => void stopped.add(socket)

/** Node's parser creates no request object, so the answer is written to the socket. */
export function handleParserError(error: Error & { code?: string }, socket: Socket): void {
  if (stopped.has(socket)) {
    socket.destroySoon()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = parserErrors[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP request.']
  const text = JSON.stringify(errorBody('bad_request', message))
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // `end` would leave the socket open if the client never closes its half.
  socket.destroySoon()
}
