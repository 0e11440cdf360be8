import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sendParts, streamLargeAnswers } from '../../../src/http/shared/large-answers.ts'
import { paxlog } from '../../support/paxlog.ts'

const MEBIBYTE = 2 ** 20
const MULTIBYTE_TEXT = 'ü'.repeat(MEBIBYTE)

async function server(maxStallMs = 60_000) {
  const app = Fastify()
  streamLargeAnswers(app, maxStallMs)
  const bytes = Buffer.alloc(64 * MEBIBYTE, 'x')
  app.get('/buffer', (_request, reply) => reply.send(bytes))
  app.get('/text', (_request, reply) => reply.send(MULTIBYTE_TEXT))
  app.get('/parts', (_request, reply) => sendParts(reply, [Buffer.from('<'), bytes, Buffer.from('>')]))
  app.get('/few', (_request, reply) => sendParts(reply, [Buffer.from('<'), Buffer.from('>')]))
  app.get('/stream', (_request, reply) => reply.send(Readable.from([bytes.subarray(0, MEBIBYTE), bytes])))
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(async () => {
    app.server.closeAllConnections()
    await app.close()
  })
  const { port } = app.server.address() as AddressInfo
  return { app, port, get: (path: string, method = 'GET') => fetch(`http://127.0.0.1:${port}${path}`, { method }) }
}

describe('a large response', () => {
  test('arrives complete and with its length for every payload type', async () => {
    const { get } = await server()
    const lengthOf = async (path: string) => {
      const answer = await get(path)
      const { byteLength } = await answer.arrayBuffer()
      return [answer.headers.get('content-length'), byteLength]
    }
    expect(await lengthOf('/buffer')).toEqual([String(64 * MEBIBYTE), 64 * MEBIBYTE])
    expect(await lengthOf('/text')).toEqual([String(2 * MEBIBYTE), 2 * MEBIBYTE])
    expect(await lengthOf('/parts')).toEqual([String(64 * MEBIBYTE + 2), 64 * MEBIBYTE + 2])
    expect(await lengthOf('/few')).toEqual(['2', 2])
    expect(await (await get('/text')).text()).toBe(MULTIBYTE_TEXT)
    const head = await get('/parts', 'HEAD')
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(64 * MEBIBYTE + 2)])
  })

  test.each(['/buffer', '/parts', '/stream'])(
    'closes the connection of a client that does not read: %s',
    async (path) => {
      const { app, port, get } = await server(200)
      const stalled = connect(port, '127.0.0.1')
      stalled.on('error', () => undefined)
      onTestFinished(() => void stalled.destroy())
      const [socket] = (await Promise.all([once(app.server, 'connection'), once(stalled, 'connect')]))[0]
      stalled.pause()
      stalled.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      await once(socket, 'close')
      // Other clients are still served.
      expect((await (await get('/few')).text()).length).toBe(2)
    },
  )

  test('does not close a connection that waits for its next request', async () => {
    const { port } = await server(200)
    const socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    let received = 0
    socket.on('data', ({ length }) => {
      received += length
    })
    const fetchBytes = async (path: string, bytes: number) => {
      received = 0
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)
      while (received < bytes) await once(socket, 'data')
    }
    await fetchBytes('/text', 2 * MEBIBYTE)
    await new Promise((resolve) => setTimeout(resolve, 600))
    expect(socket.destroyed).toBe(false)
    await fetchBytes('/few', 2)
  })
})

test('an error before the first chunk of a file returns an error response without file headers', async () => {
  const { db, request, user, services } = await paxlog({ unused: true })
  const mira = user()
  const bearer = { authorization: `Bearer ${mira.key}` }
  const cookie = { cookie: `paxlog=${await services.sessions.start(mira.id)}` }
  db.$client.exec('alter table passengers rename to elsewhere')
  const answers = await Promise.all(
    [
      { url: '/api/v1/flights/export?format=yaml', headers: bearer },
      { url: '/api/flight/export?format=yaml', headers: bearer },
      { url: '/api/flight/list', headers: bearer },
      { url: '/export/csv', headers: cookie },
      { url: '/export/json', headers: cookie },
    ].map(async (call) => {
      const { status, headers, text } = await request(call)
      return [call.url, status, headers['content-type'], headers['content-disposition'], text.slice(0, 10)]
    }),
  )
  const json = 'application/json; charset=utf-8'
  const html = 'text/html; charset=utf-8'
  expect(answers).toEqual([
    ['/api/v1/flights/export?format=yaml', 500, json, undefined, '{"error":{'],
    ['/api/flight/export?format=yaml', 500, json, undefined, '{"success"'],
    ['/api/flight/list', 500, json, undefined, '{"success"'],
    ['/export/csv', 500, html, undefined, '<!doctype '],
    ['/export/json', 500, html, undefined, '<!doctype '],
  ])
})
