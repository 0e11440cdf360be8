import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { release } from './release.ts'

/** Closes idle connections at once and the others after their response. */
export function createDrain(server: Server) {
  const connections = new Map<Socket, { request: IncomingMessage; response: ServerResponse } | undefined>()

  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    connections.set(request.socket, { request, response })
  })

  /** Call it when the server no longer accepts connections. */
  function drain(): void {
    for (const [socket, exchange] of connections) {
      // Node treats a connection without data as busy; browsers open such connections in advance.
      if (!exchange) {
        if (socket.bytesRead === 0) socket.destroy()
        continue
      }
      const { request, response } = exchange
      const finish = () => {
        // The client has its answer, so the rest of the body is not needed.
        if (!request.complete) socket.destroySoon()
        server.closeIdleConnections()
      }
      if (response.closed) finish()
      else response.once('close', finish)
      if (!response.headersSent) response.setHeader('connection', 'close')
    }
    server.closeIdleConnections()
  }

  return { drain }
}

/** Closing a socket with unread bytes would discard the response, so they are drained for a moment (RFC 9112 9.6). */
export function lingerOnClose(server: Server): void {
  const latest = new WeakMap<object, IncomingMessage>()
  server.prependListener('request', (request) => latest.set(request.socket, request))
  server.on('connection', (socket) => {
    const closeSoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete || socket.readableEnded || !socket.writable) return closeSoon()
      // Detaches the HTTP parser: nothing after an error response is a request.
      socket.removeAllListeners('data')
      socket.on('data', release)
      socket.once('end', () => socket.destroy())
      socket.end()
      setTimeout(() => socket.destroy(), 1_000).unref()
    }
  })
}
