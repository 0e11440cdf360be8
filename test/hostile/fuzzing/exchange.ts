import { connect, type Socket } from 'node:net'

/** A request as it is sent. */
export interface FuzzRequest {
  method: string
  /** Path and query, one character per byte. */
  target: string
  headers: readonly (readonly [name: string, value: string])[]
  body?: Buffer
  /** Whether to use chunked encoding instead of Content-Length. */
  chunked?: boolean
}

export interface RawResponse {
  status: number
  headers: Record<string, string>
  body: Buffer
}

interface ParsedResponse {
  answer: RawResponse
  /** Bytes after the response. */
  rest: Buffer
}

const HEAD_END = Buffer.from('\r\n\r\n')
const EMPTY = Buffer.alloc(0)
/** A request that takes longer counts as a hang. */
const HANG_MS = 60_000

/** Serializes a request without validation, because malformed ones are intended. */
function bytesOf({ method, target, headers, body, chunked }: FuzzRequest, host: string): Buffer {
  const headerNames = new Set(headers.map(([name]) => name.toLowerCase()))
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  if (!headerNames.has('host')) lines.unshift(`Host: ${host}`)
  if (body && !headerNames.has('content-length')) {
    lines.push(chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`)
  }
  const head = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (!body) return head
  if (!chunked) return Buffer.concat([head, body])
  const half = body.length >> 1
  const pieces = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0)
  const chunks = pieces.flatMap((piece) => [
    Buffer.from(`${piece.length.toString(16)}\r\n`),
    piece,
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([head, ...chunks, Buffer.from('0\r\n\r\n')])
}

function headersOf(lines: readonly string[]): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const line of lines) {
    const colon = line.indexOf(':')
    const name = line.slice(0, colon).toLowerCase()
    const value = line.slice(colon + 1).trim()
    headers[name] = headers[name] === undefined ? value : `${headers[name]}\n${value}`
  }
  return headers
}

function decodeChunks(bytes: Buffer): { body: Buffer; rest: Buffer } | undefined {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    if (end === -1) return undefined
    const size = Number.parseInt(bytes.toString('latin1', at, end), 16)
    if (Number.isNaN(size)) throw new Error('The response has a chunk without a size.')
    const next = end + 2 + size + 2
    if (bytes.length < next) return undefined
    if (size === 0) return { body: Buffer.concat(pieces), rest: bytes.subarray(next) }
    pieces.push(bytes.subarray(end + 2, end + 2 + size))
    at = next
  }
}

/** Parses the first complete response, or returns undefined if there is none yet. */
export function parseResponse(bytes: Buffer, method: string): ParsedResponse | undefined {
  const end = bytes.indexOf(HEAD_END)
  if (end === -1) return undefined
  const [first = '', ...lines] = bytes.toString('latin1', 0, end).split('\r\n')
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(`${first} `)?.[1])
  if (!status) throw new Error(`Not a status line: ${first}`)
  const after = bytes.subarray(end + 4)
  if (status < 200) return parseResponse(after, method)
  const headers = headersOf(lines)
  if (method === 'HEAD' || status === 204 || status === 304) {
    return { answer: { status, headers, body: EMPTY }, rest: after }
  }
  if (headers['transfer-encoding'] === 'chunked') {
    const found = decodeChunks(after)
    return found && { answer: { status, headers, body: found.body }, rest: found.rest }
  }
  const length = Number(headers['content-length'] ?? 0)
  if (after.length < length) return undefined
  return { answer: { status, headers, body: after.subarray(0, length) }, rest: after.subarray(length) }
}

/** A keep-alive client that waits for each response. */
export function fuzzClient(port: number) {
  let socket: Socket | undefined

  function open(): Socket {
    if (socket && !socket.destroyed && socket.writable) return socket
    socket = connect(port, '127.0.0.1')
    socket.setNoDelay(true)
    return socket
  }

  /** Returns the response, or the reason why there is none. */
  function send(request: FuzzRequest, host: string): Promise<RawResponse | string> {
    const connection = open()
    return new Promise((resolve) => {
      const received: Buffer[] = []
      const finish = (result: RawResponse | string, keep = false) => {
        clearTimeout(timer)
        connection.removeAllListeners()
        connection.on('error', () => undefined)
        if (!keep) connection.destroy()
        resolve(result)
      }
      const timer = setTimeout(() => finish(`no response within ${HANG_MS} ms`), HANG_MS)
      const closed = () => finish(`closed after ${Buffer.concat(received).toString('latin1').slice(0, 500)}`)
      connection.on('data', (chunk) => {
        received.push(chunk)
        const bytes = received.length === 1 ? chunk : Buffer.concat(received)
        received.splice(0, received.length, bytes)
        try {
          const found = parseResponse(bytes, request.method)
          if (!found) return
          if (found.rest.length > 0) finish(`more than one response: ${found.rest.toString('latin1', 0, 300)}`)
          else finish(found.answer, found.answer.headers.connection !== 'close')
        } catch (error) {
          finish((error as Error).message)
        }
      })
      connection.on('error', closed)
      connection.on('close', closed)
      connection.on('end', closed)
      connection.write(bytesOf(request, host))
    })
  }

  return { send, close: () => socket?.destroy() }
}

/** Sends bytes on a new connection, half-closes it and returns everything received. */
export function sendRaw(port: number, bytes: Buffer): Promise<Buffer | string> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const received: Buffer[] = []
    const finish = (result: Buffer | string) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(result)
    }
    const timer = setTimeout(() => finish(`not closed within ${HANG_MS} ms`), HANG_MS)
    socket.on('data', (chunk) => received.push(chunk))
    socket.on('error', () => finish(Buffer.concat(received)))
    socket.on('end', () => finish(Buffer.concat(received)))
    socket.on('close', () => finish(Buffer.concat(received)))
    socket.end(bytes)
  })
}
