import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorOptions, errorPages } from './errors.tsx'
import { setPageHeaders } from './headers.ts'

/** Paths that cannot be decoded do not reach the page plugin. */
export function badPageUrl(options: ErrorOptions) {
  const { failed } = errorPages(options)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setPageHeaders(request, reply)
    failed(error, request, reply)
  }
}
