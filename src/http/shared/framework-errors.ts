import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { refusalHeaders } from './cors.ts'
import { plainPath } from './methods.ts'

const body = (message: string) => ({ error: { code: 'bad_request', message } })

type Answer = (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => void

/** A path that cannot be decoded never reaches a plugin; below these roots it still has the form of v1. */
export function badUrl(basePath: string, otherwise: Answer): Answer {
  const roots = [`${basePath}/api/`, `${basePath}/.well-known/`, '/.well-known/']
  return (error, request, reply) => {
    const path = plainPath(request.url)
    if (!roots.some((root) => path.startsWith(root))) return otherwise(error, request, reply)
    reply.headers(refusalHeaders)
    reply.code(400).send(body('The path is not validly encoded.'))
  }
}

const statuses: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

const silenced = new WeakSet<Socket>()

/** After this answer nothing more is said on the connection, whatever else has arrived on it. */
export const stopServing = (socket: Socket): void => void silenced.add(socket)

/** What Node's parser refuses has no request yet: the answer is written to the socket itself. */
export function refusedByParser(error: Error & { code?: string }, socket: Socket): void {
  // What follows an answer that was the last one is nobody's request, and gets none.
  if (silenced.has(socket)) {
    socket.destroySoon()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = statuses[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP request.']
  const text = JSON.stringify(body(message))
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // Ending alone would leave the socket to a client that never closes its half.
  socket.destroySoon()
}
