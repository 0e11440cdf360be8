import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { errorCodes, type FastifyInstance, type FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import { AppError } from '../../lib/errors.ts'
import { scanJson, scanSmallJson } from '../../lib/json-limits.ts'
import { release } from '../../lib/release.ts'
import { type BodyMemory, LARGE_BODY, reserveBodyMemory } from './body-memory.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Requests with this header need a digest of their body. */
    digestFor?: string
  }
  interface FastifyRequest {
    bodyDigest: Buffer | undefined
    /** Of a file. */
    contentTypeAsSent: string | undefined
    answer: ServerResponse
    bodyMemory: BodyMemory | undefined
  }
}

const { FST_ERR_CTP_BODY_TOO_LARGE: TooLarge, FST_ERR_CTP_INVALID_CONTENT_LENGTH: WrongLength } = errorCodes

/** May return a promise. */
type UseBody = (request: FastifyRequest, body: Buffer) => unknown
type Done = (error: Error | null, body?: unknown) => void

function joined(pieces: readonly Buffer[], length: number): Buffer {
  if (pieces.length === 1) return pieces[0]!
  const body = Buffer.concat(pieces, length)
  pieces.forEach(release)
  return body
}

/** Like the parser of Fastify, but pauses while large bodies take too much memory. */
export const wholeBody = (use: UseBody) => (request: FastifyRequest, payload: IncomingMessage, done: Done) => {
  const limit = request.routeOptions.bodyLimit
  const stated = request.headers['content-length']
  const pieces: Buffer[] = []
  let length = 0
  let memory: BodyMemory | undefined

  const stop = () => payload.off('data', onData).off('end', onEnd).off('error', onError)
  function refuse(error: Error): void {
    stop()
    pieces.forEach(release)
    memory?.end()
    done(error)
  }
  function reserve(): void {
    memory = reserveBodyMemory(limit, request.caller?.userId, () => payload.resume())
    request.bodyMemory = memory
    request.answer.once('close', memory.end)
    grow(length)
  }
  function grow(bytes: number): void {
    if (!memory!.grow(bytes)) payload.pause()
  }
  function onData(piece: Buffer): void {
    pieces.push(piece)
    length += piece.length
    if (length > limit) refuse(new TooLarge())
    else if (memory) grow(piece.length)
    else if (length > LARGE_BODY) reserve()
  }
  function onEnd(): void {
    if (stated !== undefined && Number(stated) !== length) {
      refuse(new WrongLength())
      return
    }
    stop()
    let value: unknown
    try {
      value = use(request, joined(pieces, length))
    } catch (error) {
      finish(error as Error)
      return
    }
    if (value instanceof Promise) value.then((result) => finish(null, result), finish)
    else finish(null, value)
  }
  function finish(error: Error | null, value?: unknown): void {
    memory?.release()
    done(error, value)
  }
  function onError(error: Error): void {
    refuse(Object.assign(error, { statusCode: 400 }))
  }
  if (Number(stated) > limit) done(new TooLarge())
  else payload.on('data', onData).on('end', onEnd).on('error', onError)
}

const broken = (message: string, cause?: unknown) => new AppError('invalid_json', message, { cause })

function requirePlain(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw broken('Send the body without a Content-Encoding.')
}

/** A byte order mark, or a key that may be __proto__ with or without escapes. */
const needsCare = (body: Buffer) => body[0] === BYTE_ORDER_MARK || body.includes('__proto__') || body.includes('\\u')

/** The first of its three bytes. */
const BYTE_ORDER_MARK = 0xef

const notJson = (cause: unknown) => broken('The body is not valid JSON, or it contains a __proto__ key.', cause)

function parseText(body: Buffer): unknown {
  try {
    const text = body.toString()
    if (!needsCare(body)) return JSON.parse(text)
    return sjson.parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch (cause) {
    throw notJson(cause)
  }
}

/** Shorter bodies cannot contain enough values to take long. */
const MAX_UNCHECKED_BYTES = 64 * 1024

let lastParse: Promise<unknown> = Promise.resolve()

async function parseInTurns(body: Buffer): Promise<unknown> {
  const { hasProtoKey } = await scanJson(body)
  // Searching a million parsed values for the key takes longer than parsing them.
  if (hasProtoKey) throw notJson(undefined)
  await nextTurn()
  const text = body.subarray(body[0] === BYTE_ORDER_MARK ? 3 : 0).toString()
  release(body)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(cause)
  }
}

/** One large body at a time, with turns for other requests in between. */
function parseLarge(body: Buffer): Promise<unknown> {
  const parse = lastParse.then(() => parseInTurns(body)).finally(nextTurn)
  lastParse = parse.catch(() => undefined)
  return parse
}

export function parseJson(request: FastifyRequest, body: Buffer): unknown {
  requirePlain(request)
  if (body.length === 0) throw broken('The body is missing: send a JSON object.')
  if (!isUtf8(body)) throw broken('The body is not UTF-8.')
  if (body.length > LARGE_BODY) return parseLarge(body)
  if (body.length > MAX_UNCHECKED_BYTES) scanSmallJson(body)
  return parseText(body)
}

const READ = 'application/json'
const UNREAD = 'application/x-unread'
const FILE = 'application/x-file'
const FORM = 'multipart/form-data'

function declared(request: FastifyRequest, type = ''): string {
  if (!request.routeOptions.config.file) return READ
  return type.trim().toLowerCase().startsWith(FORM) ? FORM : FILE
}

function setDigest(request: FastifyRequest, body: Buffer): void {
  const { digestFor } = request.routeOptions.config
  if (digestFor && request.headers[digestFor] !== undefined) request.bodyDigest = hash('sha256', body, 'buffer')
}

const ignoresBody = ({ method, is404, routeOptions }: FastifyRequest) =>
  method === 'DELETE' || is404 || routeOptions.config.ignoresBody === true

/** The content type is ignored (contract 1.7), so the header is replaced before Fastify chooses a parser. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('answer')
  app.decorateRequest('bodyDigest')
  app.decorateRequest('contentTypeAsSent')
  app.addHook('onRequest', (request, reply, done) => {
    request.answer = reply.raw
    const { headers } = request.raw
    if (request.routeOptions.config.file) request.contentTypeAsSent = headers['content-type']
    headers['content-type'] = ignoresBody(request) ? UNREAD : declared(request, headers['content-type'])
    done()
  })
  const readJson = wholeBody((request, body) => {
    setDigest(request, body)
    return parseJson(request, body)
  })
  const readFile = wholeBody((request, body) => {
    requirePlain(request)
    setDigest(request, body)
    return body
  })
  app.addContentTypeParser(READ, readJson)
  app.addContentTypeParser(FILE, readFile)
  app.addContentTypeParser(FORM, (_request, payload, done) => {
    payload.resume()
    done(new AppError('bad_request', 'Send the file itself as the body, not a form.'))
  })
  app.addContentTypeParser(UNREAD, (_request, payload, done) => {
    payload.resume()
    done(null, undefined)
  })
}
