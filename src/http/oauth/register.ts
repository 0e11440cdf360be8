import { isUtf8 } from 'node:buffer'
import type { FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import { OAuthError } from '../../domain/oauth/errors.ts'
import type { OAuthService } from '../../domain/oauth/service.ts'

function metadataOf(request: FastifyRequest): Record<string, unknown> {
  const refuse = (message: string) => new OAuthError('invalid_client_metadata', message)
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase()
  if (type !== 'application/json') throw refuse('Send the metadata as application/json.')
  const body = request.body as Buffer | undefined
  if (!body || !isUtf8(body)) throw refuse('The body is missing or is not UTF-8.')
  let metadata: unknown
  try {
    metadata = sjson.parse(body.toString(), undefined, { protoAction: 'error', constructorAction: 'ignore' })
  } catch {
    // What exactly is wrong with the text helps nobody; that it is not JSON does.
    throw refuse('The body is not valid JSON, or it holds a __proto__ key.')
  }
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    throw refuse('The body must be a JSON object.')
  }
  return metadata as Record<string, unknown>
}

export const registerEndpoint = (oauth: OAuthService) => (request: FastifyRequest) =>
  oauth.clients.register(metadataOf(request))
