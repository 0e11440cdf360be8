import type { FastifyRequest, FastifySchemaValidationError } from 'fastify'
import { type Issue, toErrorDetails } from '../../contract/issues.ts'
import type { Inputs } from '../../contract/operation.ts'
import { AppError, type ErrorDetail } from '../../lib/errors.ts'
import { english } from '../../messages/english.ts'

type Part = 'params' | 'query' | 'body'

const INVALID = { params: 'The path is not valid', query: 'The query is not valid' } as const

export const lowerFirst = (text: string) => text[0]!.toLowerCase() + text.slice(1)

/** 422 for a body, 400 for path and query (contract 1.3). */
export function invalidInput(part: Part, error: { issues: readonly Issue[] }): AppError {
  const details = toErrorDetails(error)
  if (part === 'body') {
    return new AppError('validation_failed', english.input.bodyNotValid, { details })
  }
  const [{ path, message }] = details as [ErrorDetail]
  return new AppError('bad_request', `${INVALID[part]}: ${path.join('.')} ${lowerFirst(message)}`, { details })
}

export function issuesOf(found: readonly FastifySchemaValidationError[]): Issue[] {
  return found.map(({ keyword, instancePath, params, message }) => {
    const path = instancePath === '/' ? [] : instancePath.slice(1).split('/')
    return { ...params, code: keyword, path, message } as unknown as Issue
  })
}

/** Path and query first, then the body (contract 1.4, step 5). */
export function parseInput(input: Inputs, request: Pick<FastifyRequest, Part>) {
  const parts: { params?: unknown; query?: unknown; body?: unknown; file?: unknown } = {}
  for (const part of ['params', 'query', 'body'] as const) {
    const parsed = input[part]?.safeParse(request[part])
    if (!parsed) continue
    if (!parsed.success) throw invalidInput(part, parsed.error)
    parts[part] = parsed.data
  }
  if (input.file) parts.file = request.body
  return parts
}
