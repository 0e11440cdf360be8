import type { FastifyRequest } from 'fastify'
import { detailsOf } from '../../contract/issues.ts'
import type { Inputs } from '../../contract/operation.ts'
import { AppError, type ErrorDetail } from '../../lib/errors.ts'

const WHERE = { params: 'The path is not valid', query: 'The query is not valid' } as const

const lowered = (text: string) => text[0]!.toLowerCase() + text.slice(1)

/** Parameters are few, so the sentence itself names the first one that is wrong. */
function refusal(part: keyof typeof WHERE, details: ErrorDetail[]): AppError {
  const [{ path, message }] = details as [ErrorDetail]
  return new AppError('bad_request', `${WHERE[part]}: ${path.join('.')} ${lowered(message)}`, { details })
}

/** Path and query first, then the body (contract 1.4, step 5); the framework's own order is another. */
export function parseInput(input: Inputs, request: Pick<FastifyRequest, 'params' | 'query' | 'body'>) {
  const parts: { params?: unknown; query?: unknown; body?: unknown; file?: unknown } = {}
  for (const part of ['params', 'query'] as const) {
    const parsed = input[part]?.safeParse(request[part])
    if (!parsed) continue
    if (!parsed.success) throw refusal(part, detailsOf(parsed.error))
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
  if (input.file) parts.file = request.body
  return parts
}
