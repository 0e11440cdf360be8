import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { lingerOnClose } from '../../src/lib/connections.ts'

/** A server that rejects every request without reading its body, and a client. */
async function rejectingServer() {
  const served: string[] = []
  const server = createServer((request, response) => {
    served.push(request.url!)
    response.writeHead(413, { connection: 'close', 'content-length': 9 }).end('too large')
  })
  lingerOnClose(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true })
  onTestFinished(() => {
    socket.destroy()
    server.close()
  })
  let text = ''
  socket.on('data', (data) => {
    text += data
  })
  socket.on('error', () => undefined)
  return { server, socket, served, text: () => text }
}

test('delivers an error response while the client keeps sending', async () => {
  const { socket, text } = await rejectingServer()
  const megabyte = Buffer.alloc(2 ** 20)
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${100 * megabyte.length}\r\n\r\n`)
  const ended = once(socket, 'end')
  for (let count = 0; count < 8; count++) socket.write(megabyte)
  await ended
  expect(text()).toMatch(/^HTTP\/1\.1 413 [\s\S]*\r\n\r\ntoo large$/)
})

test('ignores further data and disconnects a client that never stops', async () => {
  const { socket, served, text } = await rejectingServer()
  socket.write('POST /first HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n12345')
  await once(socket, 'end')
  const sending = setInterval(() => socket.write('67890GET /second HTTP/1.1\r\nHost: x\r\n\r\n'), 50)
  onTestFinished(() => clearInterval(sending))
  // Wait for close and not with once(), which would throw on the preceding error.
  await new Promise((resolve) => socket.once('close', resolve))
  expect([served, text().split('HTTP/1.1 ').length]).toEqual([['/first'], 2])
})

test('closes a connection at once after a complete request', async () => {
  const { server, socket } = await rejectingServer()
  socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  const [accepted] = await once(server, 'connection')
  await once(accepted, 'close')
  expect(accepted.destroyed).toBe(true)
})
