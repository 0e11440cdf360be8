import type { FastifyInstance, FastifyRequest } from 'fastify'
import sjson from 'secure-json-parse'
import type * as z from 'zod'
import { toErrorDetails } from '../../../contract/issues.ts'
import { AppError } from '../../../lib/errors.ts'
import { english } from '../../../messages/english.ts'
import { sendJsonError } from './errors.tsx'

/** The limit of forms. */
const MAX_JSON_BYTES = 64 * 1024

function parseJson(
  _request: FastifyRequest,
  text: string | Buffer,
  done: (error: Error | null, body?: unknown) => void,
) {
  try {
    done(null, text.length === 0 ? {} : sjson.parse(String(text)))
  } catch {
    done(new AppError('invalid_json', english.input.bodyNotJson))
  }
}

/** For a scope whose endpoints are called by scripts of the pages. Errors have the format of v1. */
export function acceptOnlyJson(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit: MAX_JSON_BYTES }, parseJson)
  scope.setErrorHandler(sendJsonError)
}

export function jsonOf<Body>({ body }: FastifyRequest, schema: z.ZodType<Body>): Body {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new AppError('validation_failed', english.input.requestNotValid, { details: toErrorDetails(parsed.error) })
}
