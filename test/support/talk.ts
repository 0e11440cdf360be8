import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Talk {
  socket: Socket
  /** Everything received so far. */
  text: () => string
  /** Waits for matching data; fails if the connection closes before. */
  received: (pattern: RegExp) => Promise<void>
  closed: Promise<void>
}

/** A raw connection that never closes its own side, for tests of HTTP. */
export async function talk(port: number): Promise<Talk> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  // The server may close the connection with a reset.
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => {
    socket.once('end', resolve)
    socket.once('close', () => resolve())
  })
  await once(socket, 'connect')
  async function received(pattern: RegExp): Promise<void> {
    while (!pattern.test(text)) {
      const ended = await Promise.race([once(socket, 'data').then(() => false), closed.then(() => true)])
      if (ended && !pattern.test(text)) throw new Error(`The connection was closed after: ${text}`)
    }
  }
  return { socket, text: () => text, received, closed }
}
