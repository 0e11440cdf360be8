import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Busy } from '../../lib/errors.ts'
import { Agent, request as ask } from '../../lib/node-http.ts'
import { isReading } from './methods.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** It writes, counts or waits for others although it is read: of several processes only the writer serves it. */
    writer?: true
  }
}

/** Tells the writer whose request it is, since a reader stands between; what a client sends under this name is dropped. */
export const PEER_HEADER = 'x-paxlog-peer'

/** The page after a form tells what the form has done, which only the writer knows: until then this cookie leads there. */
const FORM_COOKIE = 'paxlog-form'
const FORM_COOKIE_SECONDS = 60

/** These concern one connection alone (RFC 9110 section 7.6.1); that a body may come has been said by the reader. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect', PEER_HEADER])

/** Nobody is there to write at this moment; the supervisor starts it again. */
class WriterAway extends Busy {
  constructor(cause: unknown) {
    super('The process that writes is being started again: try again in a moment.')
    this.name = 'WriterAway'
    this.cause = cause
  }
}

function endToEnd(rawHeaders: readonly string[], dropped = OF_CONNECTION): string[] {
  const kept: string[] = []
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name, value] = [rawHeaders[index]!, rawHeaders[index + 1]!]
    if (!dropped.has(name.toLowerCase())) kept.push(name, value)
  }
  return kept
}

function requestHeaders({ rawHeaders, headers, method = '', socket }: IncomingMessage): string[] {
  const kept = [...endToEnd(rawHeaders), PEER_HEADER, socket.remoteAddress ?? '']
  // HTTP/1.0 may do without, but what is passed on is HTTP/1.1.
  if (headers.host === undefined) kept.push('Host', '')
  // Node would announce a body in pieces where there is none.
  const hasLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
  return hasLength || isReading(method) || method === 'DELETE' ? kept : [...kept, 'Content-Length', '0']
}

/** Whether a body is cut into pieces is between this process and its client: HTTP/1.0 knows no pieces. */
const OF_ANSWER = new Set([...OF_CONNECTION, 'transfer-encoding'])

/** An answer that must be the last one on its connection stays so. */
const answerHeaders = ({ rawHeaders, headers }: IncomingMessage) =>
  headers.connection === 'close'
    ? [...endToEnd(rawHeaders, OF_ANSWER), 'Connection', 'close']
    : endToEnd(rawHeaders, OF_ANSWER)

const forwarded = new WeakSet<FastifyRequest>()

/** Whether another process answers it, and logs it. */
export const isForwarded = (request: FastifyRequest): boolean => forwarded.has(request)

/** Passes requests on to the writer, byte for byte as they arrive, and its answers back. */
function forwarder(socketPath: string) {
  const agent = new Agent({ keepAlive: true })
  return function forward(request: FastifyRequest, reply: FastifyReply, done: (error: Error) => void): void {
    const { method } = request
    const [from, to] = [request.raw, reply.raw]
    let isAnswered = false
    const onward = ask({ socketPath, agent, method, path: request.originalUrl, headers: requestHeaders(from) })
    onward.on('response', (answer) => {
      isAnswered = true
      forwarded.add(request)
      reply.hijack()
      to.writeHead(answer.statusCode!, answer.statusMessage, answerHeaders(answer))
      // A writer that ends in the middle ends the answer in the middle.
      pipeline(answer, to, () => undefined)
    })
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (isAnswered || to.destroyed) return
      // Nobody knows whether a write was done that is not answered: then the connection breaks, as it would with one process.
      if (isReading(method) || error.syscall === 'connect') done(new WriterAway(error))
      else to.destroy()
    })
    to.on('close', () => {
      if (!to.writableFinished) onward.destroy()
    })
    from.pipe(onward)
  }
}

/** A reader answers what it can read itself, and passes everything else on. */
export function passOn(app: FastifyInstance, socketPath: string): void {
  const forward = forwarder(socketPath)
  app.addHook('onRequest', (request, reply, done) => {
    const { method, headers, routeOptions } = request
    const isOurs =
      isReading(method) && !routeOptions.config.writer && !(headers.cookie ?? '').includes(`${FORM_COOKIE}=1`)
    if (isOurs) done()
    else forward(request, reply, done)
  })
}

/** The writer's part of it: after a form the next page comes from here. */
export function leadBackAfterForms(app: FastifyInstance, isSecure: boolean): void {
  const cookie = (seconds: number) =>
    `${FORM_COOKIE}=1; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  app.addHook('onSend', (request, reply, _payload, done) => {
    const isPage = String(reply.getHeader('content-type') ?? '').startsWith('text/html')
    if (request.method === 'POST' && reply.statusCode === 303) reply.header('set-cookie', cookie(FORM_COOKIE_SECONDS))
    else if (isPage && (request.headers.cookie ?? '').includes(FORM_COOKIE)) reply.header('set-cookie', cookie(0))
    done()
  })
}

/** Whether the writer is there and ready, for a reader that is asked the same; rejects when it is not. */
export const writerProbe = (socketPath: string) => (): Promise<void> =>
  new Promise((resolve, reject) => {
    ask({ socketPath, path: '/ready', headers: { host: 'localhost' }, timeout: 4_000 }, (answer) => {
      answer.resume()
      if (answer.statusCode === 200) resolve()
      else reject(new Error(`The process that writes is not ready (${answer.statusCode}).`))
    })
      .on('timeout', function (this: { destroy: () => void }) {
        this.destroy()
      })
      .on('error', reject)
      .end()
  })
