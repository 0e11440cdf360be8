import type { FastifyRequest } from 'fastify'
import { detailsOf } from '../../contract/issues.ts'
import type { Inputs } from '../../contract/operation.ts'
import { AppError, type ErrorDetail } from '../../lib/errors.ts'

const named = (details: ErrorDetail[], what: string) =>
  details.map(({ path, message }) => `${path.join('.') || what}: ${message}`).join(' ')

/** Path and query first, then the body (contract 1.4, step 5); the framework's own order is another. */
export function parseInput(input: Inputs, request: Pick<FastifyRequest, 'params' | 'query' | 'body'>) {
  const parts: { params?: unknown; query?: unknown; body?: unknown } = {}
  for (const part of ['params', 'query'] as const) {
    const parsed = input[part]?.safeParse(request[part])
    if (!parsed) continue
    if (!parsed.success) {
      const details = detailsOf(parsed.error)
      throw new AppError('bad_request', `The request is not valid. ${named(details, part)}`, { details })
    }
    parts[part] = parsed.data
  }
  if (input.body) {
    const parsed = input.body.safeParse(request.body)
    if (!parsed.success) {
      throw new AppError('validation_failed', 'The body is not valid; details say what to change.', {
        details: detailsOf(parsed.error),
      })
    }
    parts.body = parsed.data
  }
  return parts
}
