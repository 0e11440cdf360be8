import type { Socket } from 'node:net'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { plainPath } from './methods.ts'

const body = (message: string) => ({ error: { code: 'bad_request', message } })

/** A path that cannot be decoded never reaches a plugin, so it is answered here, with the headers of where it points. */
export function badUrl(basePath: string) {
  return function answerBadUrl(_error: FastifyError, { url }: FastifyRequest, reply: FastifyReply): void {
    const isApi = plainPath(url).startsWith(`${basePath}/api/`)
    reply.header('x-content-type-options', 'nosniff')
    if (isApi) reply.header('access-control-allow-origin', '*')
    reply.code(400).header('cache-control', isApi ? 'private, no-store' : 'no-store')
    reply.send(body('The path is not validly encoded.'))
  }
}

const statuses: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

/** What Node's parser refuses has no request yet: the answer is written to the socket itself. */
export function refusedByParser(error: Error & { code?: string }, socket: Socket): void {
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
