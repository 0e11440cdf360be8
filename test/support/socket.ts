import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

export interface RawAnswer {
  status: number
  headers: Record<string, string>
  body: string
}

function parse(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
    }),
  )
  return { status: Number(first.split(' ')[1]), headers, body: rest.join('\r\n\r\n') }
}

/** A client that sends raw bytes, for tests of HTTP syntax. */
export async function wire(app: FastifyInstance) {
  if (!app.server.listening) await app.listen({ host: '127.0.0.1', port: 0 })
  const { port } = app.server.address() as AddressInfo

  async function send(bytes: string, more?: (socket: Socket) => void): Promise<RawAnswer> {
    const socket = connect(port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => {
      text += chunk
    })
    // The server may close the connection after an early response.
    socket.on('error', () => undefined)
    socket.write(bytes)
    more?.(socket)
    await once(socket, 'close')
    return parse(text)
  }

  /** A request with default headers and Connection: close. */
  const request = (line: string, headers: readonly string[] = [], body = '') =>
    send(`${line} HTTP/1.1\r\n${['Host: localhost', 'Connection: close', ...headers].join('\r\n')}\r\n\r\n${body}`)

  return { send, request, port }
}
