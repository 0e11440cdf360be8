import type { FastifyError } from 'fastify'
import { Busy } from '../../lib/errors.ts'

interface Failure {
  status: 400 | 413 | 500 | 503
  message: string
}

/** What the framework refused, or what failed inside: the same status and sentence on every surface but the pages. */
export function failureOf(error: FastifyError | Error): Failure {
  if (error instanceof Busy) return { status: 503, message: error.message }
  const { statusCode = 500 } = error as FastifyError
  if (statusCode === 413) return { status: 413, message: 'The body is too large.' }
  if (statusCode >= 400 && statusCode < 500) return { status: 400, message: 'The request cannot be read.' }
  return { status: 500, message: 'Something failed on the server; its log has the cause.' }
}
