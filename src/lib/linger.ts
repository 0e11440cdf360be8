import type { IncomingMessage, Server } from 'node:http'
import { release } from './release.ts'

const LINGER_MS = 1_000

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
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    }
  })
}
