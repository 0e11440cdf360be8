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

const READ = 'application/json'
const UNREAD = 'application/x-unread'

/**
 * Every body of this plugin is JSON, whatever its content type says (contract 1.7). One declared type keeps the
 * framework from judging the header itself; what belongs to a DELETE or to no route at all is not read.
 */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addHook('onRequest', (request, _reply, done) => {
    request.raw.headers['content-type'] = request.method === 'DELETE' || request.is404 ? UNREAD : READ
    done()
  })
  app.addContentTypeParser(READ, { parseAs: 'buffer' }, async (request: FastifyRequest, body: Buffer) =>
    parseJson(request, body),
  )
  app.addContentTypeParser(UNREAD, (_request, payload, done) => {
    payload.resume()
    done(null, undefined)
  })
}
