import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { type ErrorOptions, errorPages } from './errors.tsx'
import { setPageHeaders } from './headers.ts'

/** A path that cannot be decoded never reaches the pages; whoever follows such a link still gets one. */
export function badPageUrl(options: ErrorOptions) {
  const { failed } = errorPages(options)
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    setPageHeaders(request, reply)
    failed(error, request, reply)
  }
}
