import type { FastifyRequest } from 'fastify'

/** All values of a header; Node keeps only the first of some. The name is in lower case. */
export function headerValues(rawHeaders: readonly string[], name: string): string[] {
  return rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]!.toLowerCase() === name)
}

export class AmbiguousHost extends Error {
  override name = 'AmbiguousHost'
  readonly statusCode = 400

  constructor() {
    super('The request must name one host.')
  }
}

/** A proxy may have used another `Host` header than Node; HTTP/1.1 requires one (RFC 9112 section 3.2). */
export const isHostUnclear = ({ raw }: FastifyRequest): boolean =>
  raw.headers.host === undefined ? raw.httpVersion === '1.1' : headerValues(raw.rawHeaders, 'host').length > 1

export const isLoopbackHost = (host = ''): boolean =>
  /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])(?::\d*)?$/i.test(host)
