import type { IncomingMessage, Server } from 'node:http'
import { release } from './release.ts'

const LINGER_MS = 1_000

/**
 * Lets a refusal arrive although its client is still sending. Closing while bytes lie unread makes the system reset the
 * connection, and the reset takes the answer with it; so what still comes is thrown away for a moment (RFC 9112 9.6).
 */
export function lingering(server: Server): void {
  const latest = new WeakMap<object, IncomingMessage>()
  server.prependListener('request', (request) => latest.set(request.socket, request))
  server.on('connection', (socket) => {
    const closeSoon = socket.destroySoon.bind(socket)
    socket.destroySoon = () => {
      if (latest.get(socket)?.complete || socket.readableEnded || !socket.writable) return closeSoon()
      // The listener takes the rest from the parser: nothing that follows a refusal is a request.
      socket.removeAllListeners('data')
      socket.on('data', release)
      socket.once('end', () => socket.destroy())
      socket.end()
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    }
  })
}
