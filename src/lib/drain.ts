import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

interface Exchange {
  request: IncomingMessage
  response: ServerResponse
}

/** Watches a server from its start, so that it can stop without cutting a running request short. */
export function drainable(server: Server) {
  /** Every open connection with the latest request on it. */
  const connections = new Map<Socket, Exchange | undefined>()

  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.prependListener('request', (request, response) => {
    connections.set(request.socket, { request, response })
  })

  /** Called once the server takes no new connections: what is idle ends now, what runs ends with its answer. */
  function drain(): void {
    for (const [socket, exchange] of connections) {
      // Node counts a connection on which nothing has arrived yet as busy; browsers open such ones in advance.
      if (!exchange) {
        if (socket.bytesRead === 0) socket.destroy()
        continue
      }
      const { request, response } = exchange
      const release = () => {
        // Whoever has the answer already need not send the rest of the body.
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
