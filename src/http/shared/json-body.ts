import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import { AppError } from '../../lib/errors.ts'
import { scanJson, scanSmallJson } from '../../lib/json-limits.ts'
import { release } from '../../lib/release.ts'
import { LARGE_BODY } from './body-memory.ts'
import { wholeBody } from './whole-body.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The header with which a request is told from others by the bytes of its body. */
    digestFor?: string
  }
  interface FastifyRequest {
    bodyDigest: Buffer | undefined
  }
}

const broken = (message: string, cause?: unknown) => new AppError('invalid_json', message, { cause })

function requirePlain(request: FastifyRequest): void {
  const encoding = request.headers['content-encoding']
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw broken('Send the body without a Content-Encoding.')
}

/**
 * A byte order mark, or a key that may be __proto__, which can be written with escapes too. Looking at bytes takes a tenth
 * of the time of a regular expression over the text.
 */
const needsCare = (body: Buffer) => body[0] === BYTE_ORDER_MARK || body.includes('__proto__') || body.includes('\\u')

/** The first of its bytes. */
const BYTE_ORDER_MARK = 0xef
const BYTE_ORDER_MARK_BYTES = 3

const notJson = (cause: unknown) => broken('The body is not valid JSON, or it holds a __proto__ key.', cause)

function parseText(body: Buffer): unknown {
  try {
    const text = body.toString()
    if (!needsCare(body)) return JSON.parse(text)
    return sjson.parse(text, undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch (cause) {
    throw notJson(cause)
  }
}

/** Shorter bodies cannot hold enough values to take long. */
const MAX_UNCHECKED_BYTES = 64 * 1024

/** The parse of the last large body. */
let lastParse: Promise<unknown> = Promise.resolve()

async function parseInTurns(body: Buffer): Promise<unknown> {
  const { hasProtoKey } = await scanJson(body)
  // Looking for the key in a million parsed values takes longer than parsing them.
  if (hasProtoKey) throw notJson(undefined)
  await nextTurn()
  const text = body.subarray(body[0] === BYTE_ORDER_MARK ? BYTE_ORDER_MARK_BYTES : 0).toString()
  release(body)
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw notJson(cause)
  }
}

/** Large bodies are checked and parsed one at a time, with turns for other requests before and after each. */
function parseLarge(body: Buffer): Promise<unknown> {
  const parse = lastParse.then(() => parseInTurns(body)).finally(nextTurn)
  lastParse = parse.catch(() => undefined)
  return parse
}

/** A body as JSON, or `invalid_json`; a promise if it is large. */
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

/** A route that takes a file gets it as it is, but not wrapped in a form. */
function declared(request: FastifyRequest, type = ''): string {
  if (!request.routeOptions.config.file) return READ
  return type.trim().toLowerCase().startsWith(FORM) ? FORM : FILE
}

function noteDigest(request: FastifyRequest, body: Buffer): void {
  const { digestFor } = request.routeOptions.config
  if (digestFor && request.headers[digestFor] !== undefined) request.bodyDigest = hash('sha256', body, 'buffer')
}

/**
 * Every body of this plugin is JSON, whatever its content type says (contract 1.7). One declared type keeps the
 * framework from judging the header itself; what belongs to a DELETE or to no route at all is not read.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('answer')
  app.decorateRequest('bodyDigest')
  app.addHook('onRequest', (request, reply, done) => {
    request.answer = reply.raw
    const { headers } = request.raw
    headers['content-type'] =
      request.method === 'DELETE' || request.is404 ? UNREAD : declared(request, headers['content-type'])
    done()
  })
  const readJson = wholeBody((request, body) => {
    noteDigest(request, body)
    return parseJson(request, body)
  })
  const readFile = wholeBody((request, body) => {
    requirePlain(request)
    noteDigest(request, body)
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
