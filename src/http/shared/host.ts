import type { FastifyRequest } from 'fastify'
import { rawValues } from './raw-headers.ts'

/** Each surface answers it in its own form. */
export class AmbiguousHost extends Error {
  readonly statusCode = 400

  constructor() {
    super('The request must name one host.')
    this.name = 'AmbiguousHost'
  }
}

/**
 * Node keeps the first of two `Host` headers, and a proxy may have gone by the other; without any a request of HTTP/1.1 is
 * not valid (RFC 9112 section 3.2).
 */
export const isHostUnclear = ({ raw }: FastifyRequest): boolean =>
  raw.headers.host === undefined ? raw.httpVersion === '1.1' : rawValues(raw.rawHeaders, 'host').length > 1

/** A name or address that is this machine for whoever uses it; the port does not matter. */
export const isLoopbackHost = (host = ''): boolean =>
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d*)?$/i.test(host)
