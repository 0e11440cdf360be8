import type { Socket } from 'node:net'
import { errorBody } from './error-body.ts'

const statuses: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time.'],
}

const silenced = new WeakSet<Socket>()

/** After this answer nothing more is said on the connection, whatever else has arrived on it. */
export const stopServing = (socket: Socket): void => void silenced.add(socket)

/** A request that Node's parser refuses is answered on the socket itself. */
export function refusedByParser(error: Error & { code?: string }, socket: Socket): void {
  if (silenced.has(socket)) {
    socket.destroySoon()
    return
  }
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const [status, message] = statuses[error.code ?? ''] ?? ['400 Bad Request', 'This is not a valid HTTP request.']
  const text = JSON.stringify(errorBody('bad_request', message))
  socket.write(
    `HTTP/1.1 ${status}\r\nContent-Type: application/json; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
  // `end` would leave the socket open if the client never closes its half.
  socket.destroySoon()
}
