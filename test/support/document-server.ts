import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export type DocumentServer = Awaited<ReturnType<typeof documentServer>>

interface Options {
  host?: string
  port?: number
  /** Serves https. */
  tls?: ServerOptions
  /** Replaces the address in the URLs. */
  name?: string
}

type Handler = (response: ServerResponse, request: IncomingMessage) => void

export const sendJson =
  (value: unknown, headers: Record<string, string> = {}): Handler =>
  (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end(typeof value === 'string' ? value : JSON.stringify(value))
  }

/** Serves client id metadata documents on loopback until the end of the test. */
export async function documentServer({ host = '127.0.0.1', port = 0, tls, name = host }: Options = {}) {
  const handlers = new Map<string, Handler>()
  const requests: IncomingMessage[] = []
  const answer: RequestListener = (request, response) => {
    requests.push(request)
    const handler = handlers.get(request.url!)
    if (handler) handler(response, request)
    else response.writeHead(404).end()
  }
  const server = tls ? createTlsServer(tls, answer) : createServer(answer)
  server.listen(port, host)
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port: bound } = server.address() as AddressInfo
  const origin = `${tls ? 'https' : 'http'}://${name}:${bound}`
  let count = 0

  function serve(handler: Handler, path = `/app-${++count}.json`): string {
    handlers.set(path, handler)
    return origin + path
  }

  /** Serves a valid document with changes at a new URL and returns the URL. */
  function publish(change: Record<string, unknown> = {}, headers?: Record<string, string>): string {
    const path = `/app-${++count}.json`
    const document = {
      client_id: origin + path,
      client_name: 'Trip board',
      redirect_uris: ['https://board.example/cb'],
    }
    return serve(sendJson({ ...document, ...change }, headers), path)
  }

  return { origin, port: bound, requests, serve, publish }
}
