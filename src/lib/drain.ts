import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

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
      const release = () => {
        // The client has its answer, so the rest of the body is not needed.
        if (!request.complete) socket.destroySoon()
        server.closeIdleConnections()
      }
      if (response.closed) release()
      else response.once('close', release)
      if (!response.headersSent) response.setHeader('connection', 'close')
    }
    server.closeIdleConnections()
  }

  return { drain }
}
