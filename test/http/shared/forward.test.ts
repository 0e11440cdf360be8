import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createServices } from '../../../src/services.ts'
import { tell } from '../../support/cluster.ts'
import { closedDatabase } from '../../support/database.ts'
import { readerBeside } from '../../support/reader.ts'
import { talk } from '../../support/talk.ts'

interface Echo {
  method: string
  url: string
  headers: [name: string, value: string][]
  body: string
}

const pairs = (raw: readonly string[]) =>
  raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, raw[index + 1]!]] : []))

const echo: RequestListener = async (request, response) => {
  const { method, url, rawHeaders } = request
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ method, url, headers: pairs(rawHeaders), body: await text(request) }))
}

/** A reader in front of a program that stands in for the writer; none when there is no listener. */
async function reader(listener?: RequestListener) {
  const { dataDir } = closedDatabase((db) => createServices({ db }))
  const socketPath = join(dataDir, 'w.sock')
  if (listener) {
    const writer = createServer(listener).listen(socketPath)
    await once(writer, 'listening')
    onTestFinished(() => {
      writer.closeAllConnections()
      writer.close()
    })
  }
  return readerBeside(dataDir, socketPath)
}

/** The next request that the stand-in gets, with what answers it. */
function nextRequest() {
  let take: (exchange: { request: IncomingMessage; response: ServerResponse }) => void
  const next = new Promise<{ request: IncomingMessage; response: ServerResponse }>((resolve) => {
    take = resolve
  })
  return { next, listener: ((request, response) => take({ request, response })) as RequestListener }
}

describe('a reader passes on', () => {
  test('method, path, headers and body as they are, and who the client is', async () => {
    const { port, lines } = await reader(echo)
    const { socket, received, text: all } = await talk(port)
    const headers = [
      'Host: log.example.org',
      'X-Forwarded-For: 203.0.113.9, 198.51.100.1',
      'AUTHORIZATION: Bearer secret',
      'Cookie: a=1; b=2',
      'Idempotency-Key: k 1',
      'X-Twice: one',
      'x-twice: two',
    ]
    const ours = [
      'X-Paxlog-Peer: 127.9.9.9',
      'Connection: keep-alive, x',
      'Keep-Alive: timeout=1',
      'Expect: 100-continue',
    ]
    const path = '/api/v1//flights/%2e?q=%C3%BC&q=2&empty='
    socket.write(`PUT ${path} HTTP/1.1\r\n${[...headers, ...ours].join('\r\n')}\r\nContent-Length: 5\r\n\r\n`)
    await received(/^HTTP\/1\.1 100 Continue/)
    socket.write('h\u0000llo')
    await received(/\}$/)
    const { headers: got, ...rest } = JSON.parse(all().slice(all().indexOf('{'))) as Echo
    expect(rest).toEqual({ method: 'PUT', url: path, body: 'h\u0000llo' })
    const sent = headers.map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)])
    expect(got.filter(([name]) => name !== 'Connection')).toEqual([
      ...sent,
      ['Content-Length', '5'],
      ['x-paxlog-peer', '127.0.0.1'],
    ])
    // The one who answers writes the line of the log.
    expect(lines.filter((line) => line.includes('"request"'))).toEqual([])
  })

  test('everything but reading, and of what is read only what says so', async () => {
    const { port } = await reader(echo)
    const answeredBy = async (method: string, path: string) => {
      const { headers, status } = await tell(port, { method, path, headers: { host: 'localhost:3000' } })
      return headers['x-content-type-options'] ? `reader ${status}` : 'writer'
    }
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      for (const path of ['/', '/api/v1/flights', '/api/mcp', '/oauth/token', '/nowhere']) {
        expect([method, path, await answeredBy(method, path)]).toEqual([method, path, 'writer'])
      }
    }
    const writers = `/setup /login /login/oidc /login/oidc/callback /import /import/check /export /export/json /oauth/authorize
      /oauth/consent /oauth/jwks /api/v1/flights/export /api/flight/export /statistics/2024/card.png /share/x/map.png`
    for (const path of writers.split(/\s+/)) expect([path, await answeredBy('GET', path)]).toEqual([path, 'writer'])
    for (const [path, status] of Object.entries({
      '/health': 200,
      '/api/ping': 200,
      '/api': 200,
      '/api/v1/flights': 401,
      '/api/flight/list': 401,
      '/api/mcp': 200,
      '/docs': 200,
      '/share/x': 404,
      '/nowhere': 404,
    })) {
      expect([path, await answeredBy('GET', path)]).toEqual([path, `reader ${status}`])
    }
  })

  test('what a client of HTTP/1.0 asks, which needs no Host, and answers it in one piece', async () => {
    const { port } = await reader((request, response) => {
      response.write(`host "${request.headers.host}", `)
      response.end('and more')
    })
    const { socket, received, text: all } = await talk(port)
    socket.write('GET /api/v1/flights/export HTTP/1.0\r\n\r\n')
    await received(/and more$/)
    expect(all()).toMatch(/\r\n\r\nhost "", and more$/)
    expect(all()).not.toMatch(/transfer-encoding/i)
  })

  test('the page after a form, so that it can say what the form has done', async () => {
    const { port } = await reader(echo)
    const { headers } = await tell(port, { path: '/docs', headers: { cookie: 'paxlog=x; paxlog-form=1' } })
    expect(headers).not.toHaveProperty('x-content-type-options')
  })

  test('a write without a body as one without a body', async () => {
    const { port } = await reader(echo)
    const { socket, received, text: all } = await talk(port)
    socket.write('POST /logout HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await received(/\}$/)
    expect((JSON.parse(all().slice(all().indexOf('{'))) as Echo).headers).toContainEqual(['Content-Length', '0'])
  })

  test('a body in pieces as they come', async () => {
    const { next, listener } = nextRequest()
    const { port } = await reader(listener)
    const client = await talk(port)
    client.socket.write(
      'POST /api/v1/flights HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n',
    )
    const { request, response } = await next
    expect(String(await once(request, 'data'))).toBe('one')
    client.socket.write('3\r\ntwo\r\n')
    expect(String(await once(request, 'data'))).toBe('two')
    client.socket.write('0\r\n\r\n')
    request.resume()
    await once(request, 'end')
    response.end('done')
    await client.received(/done/)
  })

  test('that a client has gone', async () => {
    const { next, listener } = nextRequest()
    const { port } = await reader(listener)
    const client = await talk(port)
    client.socket.write('POST /api/v1/flights HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf')
    const { request } = await next
    const gone = once(request, 'error')
    request.resume()
    client.socket.destroy()
    expect(String(await gone)).toMatch(/aborted/)
  })
})

describe('and hands back', () => {
  test('an answer in pieces as they come', async () => {
    const { next, listener } = nextRequest()
    const { port } = await reader(listener)
    const client = await talk(port)
    client.socket.write('POST /api/mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n')
    const { response } = await next
    response.writeHead(200, { 'content-type': 'text/event-stream', 'x-own': 'yes', 'set-cookie': ['a=1', 'b=2'] })
    response.write('data: 1\n\n')
    await client.received(/data: 1/)
    expect(client.text()).toMatch(/set-cookie: a=1\r\nset-cookie: b=2\r\n/)
    expect(client.text()).toMatch(/x-own: yes\r\n/)
    response.end('data: 2\n\n')
    await client.received(/data: 2\n\n\r\n0\r\n\r\n$/)
  })

  test('a refusal that comes before the end of the body, and closes the connection when it says so', async () => {
    const { port } = await reader((_request, response) => {
      response.writeHead(413, { connection: 'close' }).end('too much')
    })
    const client = await talk(port)
    client.socket.write('POST /api/v1/flights HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000000\r\n\r\n')
    client.socket.write('x'.repeat(100_000))
    await client.closed
    expect(client.text()).toMatch(/^HTTP\/1\.1 413 Payload Too Large\r\n/)
    expect(client.text()).toMatch(/connection: close\r\n[\s\S]*too much/i)
  })

  test('answers to HEAD and answers without content', async () => {
    const { port } = await reader((request, response) => {
      if (request.method === 'HEAD') response.writeHead(200, { 'content-length': 1234 }).end()
      else response.writeHead(204).end()
    })
    const client = await talk(port)
    client.socket.write('HEAD /login HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.received(/200 OK\r\n[\s\S]*content-length: 1234\r\n[\s\S]*\r\n\r\n$/)
    // On the same connection.
    client.socket.write('DELETE /api/v1/flights/1 HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await client.received(/204 No Content\r\n[\s\S]*\r\n\r\n$/)
  })

  test('no other protocol: an upgrade is a request like any other', async () => {
    const { port } = await reader(echo)
    const client = await talk(port)
    const upgrade = 'Connection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 0'
    client.socket.write(`POST /api/mcp HTTP/1.1\r\nHost: localhost\r\n${upgrade}\r\n\r\n`)
    await client.received(/^HTTP\/1\.1 200 OK[\s\S]*\}$/)
    expect(client.text()).not.toMatch(/websocket/)
  })

  test('a broken answer as a broken one', async () => {
    const { next, listener } = nextRequest()
    const { port } = await reader(listener)
    const answer = tell(port, { method: 'POST', path: '/api/v1/flights' })
    const { response } = await next
    response.writeHead(200, { 'content-length': 100 }).write('half')
    response.socket!.destroy()
    await expect(answer).rejects.toThrow(/aborted|hang up/)
  })
})

describe('while nobody writes', () => {
  test('every surface says in its own form that it will be back, and reading goes on', async () => {
    const { port } = await reader()
    const host = { host: 'localhost:3000' }
    const busy = 'The process that writes is being started again: try again in a moment.'
    for (const [path, expected] of Object.entries({
      '/api/v1/flights': { error: { code: 'internal_error', message: busy } },
      '/api/flight/save': { success: false, message: busy },
      '/api/mcp': { jsonrpc: '2.0', id: null, error: { code: -32603, message: busy } },
      '/oauth/token': { error: 'temporarily_unavailable', error_description: busy },
    })) {
      const { status, headers, body } = await tell(port, { method: 'POST', path, headers: host, body: 'x' })
      expect([path, status, headers['retry-after'], JSON.parse(body)]).toEqual([path, 503, '5', expected])
      // With the headers of its surface, without which a page of another origin could not even read it.
      const [origin, cached] = [headers['access-control-allow-origin'], headers['cache-control']]
      expect([path, origin]).toEqual([path, path === '/api/flight/save' ? undefined : '*'])
      expect([path, cached]).toEqual([path, path === '/oauth/token' ? 'no-store' : 'private, no-store'])
      expect([path, headers.deprecation !== undefined]).toEqual([path, path === '/api/flight/save'])
    }
    for (const method of ['GET', 'POST']) {
      const { status, headers, body } = await tell(port, { method, path: '/login', headers: host })
      expect([status, headers['retry-after'], headers['content-type']]).toEqual([503, '5', 'text/html; charset=utf-8'])
      expect([headers['cache-control'], headers['x-frame-options']]).toEqual(['no-store', 'DENY'])
      expect(body).toContain(busy)
    }
    expect((await tell(port, { path: '/ready' })).status).toBe(503)
    expect((await tell(port, { path: '/health' })).status).toBe(200)
    expect((await tell(port, { path: '/docs' })).status).toBe(200)
  })

  test('a write that was begun is not answered as if it had not been', async () => {
    const { port } = await reader((request) => void request.socket.destroy())
    const path = '/api/v1/flights'
    await expect(tell(port, { method: 'POST', path, body: '{}' })).rejects.toThrow(/hang up/)
    expect((await tell(port, { path: '/login' })).status).toBe(503)
  })
})
