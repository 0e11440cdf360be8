import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** Tracks the connections of a server so that it can stop without interrupting running requests. */
export function createDrain(server: Server) {
  const connections = new Map<Socket, Exchange | undefined>()

  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    connections.set(request.socket, { request, response })
  })

  /**
   * Closes idle connections now and the others after their response. Call it when the server no longer accepts
   * connections.
   */
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
