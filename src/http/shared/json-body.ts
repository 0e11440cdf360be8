import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import { AppError } from '../../lib/errors.ts'

const broken = (message: string, cause?: unknown) => new AppError('invalid_json', message, { cause })

function parseJson(request: FastifyRequest, body: Buffer): unknown {
  const encoding = request.headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw broken('Send the body without a Content-Encoding.')
  }
  if (body.length === 0) throw broken('The body is missing: send a JSON object.')
  if (!isUtf8(body)) throw broken('The body is not UTF-8.')
  try {
    return sjson.parse(body.toString(), undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch (cause) {
    throw broken('The body is not valid JSON, or it holds a __proto__ key.', cause)
  }
}

/** One declared type for all requests keeps the framework from judging the header itself (contract 1.7). */
function overlookContentType(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = 'application/json'
    done()
  })
}

/** Every body of this plugin is JSON, whatever its content type says. */
export function acceptJson(app: FastifyInstance): void {
  overlookContentType(app)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseJson(request, body),
  )
}

/** A body on DELETE is not read. */
export function ignoreBody(app: FastifyInstance): void {
  overlookContentType(app)
  app.addContentTypeParser('application/json', (_request, payload, done) => {
    payload.resume()
    done(null, undefined)
  })
}
