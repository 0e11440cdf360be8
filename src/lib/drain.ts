import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Watches a server from its start, so that it can stop without cutting a running request short. */
export function drainable(server: Server) {
  const sockets = new Set<Socket>()
  const running = new Set<ServerResponse>()

  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  server.prependListener('request', (_request, response) => {
    running.add(response)
    response.once('close', () => running.delete(response))
  })

  /** Called once the server takes no new connections: what is idle ends now, what runs ends with its answer. */
  function drain(): void {
    for (const response of running) {
      if (!response.headersSent) response.setHeader('connection', 'close')
      response.once('close', () => server.closeIdleConnections())
    }
    // Node counts a connection on which nothing has arrived yet as busy; browsers open such ones in advance.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
    server.closeIdleConnections()
  }

  return { drain }
}
